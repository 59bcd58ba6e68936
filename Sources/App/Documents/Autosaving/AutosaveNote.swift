// SPDX-License-Identifier: MIT

import ActivityModel
import Foundation

/// What is written beside autosaved contents: whose they are. Lines of a word, a blank and a value; lines of
/// other words are left alone, so that another version may add some.
struct AutosaveNote: Hashable, Sendable {
  /// The name of the document's type; empty where none is known.
  var type = ""
  /// The document's file, as its URL says; nil while untitled.
  var url: String?
  /// What an untitled document is called.
  var name: String?
  /// The file that the changes were made to.
  var base: FileMark?
  /// Where its folder lay; nil while untitled.
  var disk: DocumentDisk?

  /// Whose contents `reopenDocument` is asked to bring back; nil but within a restoration.
  @TaskLocal static var reopening: AutosaveNote?

  static let sizeLimit = 64 * 1024
  private static let firstLine = "continuo autosaved 1"

  init(type: String, url: String?, name: String?, base: FileMark?, disk: DocumentDisk?) {
    (self.type, self.url, self.name) = (type, url, name)
    (self.base, self.disk) = (base, disk)
  }

  /// Nil for bytes that are no note.
  init?(_ bytes: Data) {
    guard bytes.count <= Self.sizeLimit, let text = String(data: bytes, encoding: .utf8) else { return nil }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.first == Self.firstLine[...] else { return nil }
    for line in lines.dropFirst() {
      let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
      guard parts.count == 2 else { continue }
      switch parts[0] {
      case "type": type = Self.plain(parts[1])
      case "url": url = Self.plain(parts[1])
      case "name": name = Self.plain(parts[1])
      case "base": base = Self.mark(parts[1])
      case "disk": disk = Self.disk(parts[1])
      default: break
      }
    }
  }

  var bytes: Data {
    var lines = [Self.firstLine, "type " + Self.escaped(type)]
    if let url { lines.append("url " + Self.escaped(url)) }
    if let name { lines.append("name " + Self.escaped(name)) }
    if let base { lines.append("base \(base.inode) \(base.size) \(base.modified)") }
    if let disk { lines.append("disk \(disk.device) \(disk.folder)") }
    return Data((lines.joined(separator: "\n") + "\n").utf8)
  }

  private static func mark(_ text: String) -> FileMark? {
    let numbers = text.split(separator: " ")
    guard numbers.count == 3, let inode = UInt64(numbers[0]), let size = UInt64(numbers[1]),
      let modified = Int64(numbers[2])
    else { return nil }
    return FileMark(inode: inode, size: size, modified: modified)
  }

  private static func disk(_ text: String) -> DocumentDisk? {
    let numbers = text.split(separator: " ").map { UInt64($0) }
    guard numbers.count == 2, let device = numbers[0], let folder = numbers[1] else { return nil }
    return DocumentDisk(device: device, folder: folder)
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("%", with: "%25").replacing("\r\n", with: "%0D%0A").replacing("\n", with: "%0A")
      .replacing("\r", with: "%0D")
  }

  private static func plain(_ text: String) -> String {
    text.replacing("%0D", with: "\r").replacing("%0A", with: "\n").replacing("%25", with: "%")
  }
}
