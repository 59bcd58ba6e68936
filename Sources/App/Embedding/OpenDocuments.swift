// SPDX-License-Identifier: MIT

import ActivityModel
import AgentClient
import Glibc

/// A document that the host has open. Numbers are never used again, so one of a closed document names
/// nothing.
public struct DocumentHandle: Hashable, Sendable, Comparable {
  /// From 1.
  public let rawValue: UInt64
  /// A handle by number; whether it names an open document is for the session to say.
  public init(rawValue: UInt64) { self.rawValue = rawValue }
  /// Older ones are smaller.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// The host's open documents.
struct OpenDocuments {
  struct Entry {
    /// The resolved absolute path.
    var path: [UInt8]
    /// As the host calls it.
    var givenPath: [UInt8]
    /// The file that the host read or saved last.
    var mark: FileMark?
    /// The host holds text that the file does not.
    var isEdited = false
    /// Leads to the file as saved since the last round.
    var saved: OpenedFile?
    var activity: ActivityID?
    /// Where the person is in it.
    var place: TextPlace?
  }

  private var entries: [DocumentHandle: Entry] = [:]
  private var last: UInt64 = 0

  var handles: [DocumentHandle] { entries.keys.sorted() }

  subscript(_ handle: DocumentHandle) -> Entry? {
    get { entries[handle] }
    set { entries[handle] = newValue }
  }

  func handle(at path: [UInt8]) -> DocumentHandle? {
    entries.filter { $0.value.path == path }.keys.min()
  }

  mutating func add(_ entry: Entry) -> DocumentHandle {
    last += 1
    entries[DocumentHandle(rawValue: last)] = entry
    return DocumentHandle(rawValue: last)
  }

  mutating func releaseAll() {
    for entry in entries.values { entry.saved?.release() }
    entries = [:]
  }
}

/// A file held open for reading, whatever its path names by now.
struct OpenedFile: Sendable {
  let descriptor: Int32
  let mark: FileMark

  /// Nil when it cannot be opened; `errno` says why.
  init?(_ path: [UInt8]) {
    let opened = FilePaths.withPointer(path) { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    guard opened >= 0 else { return nil }
    self.init(adopting: opened)
  }

  /// Takes an open descriptor over; nil, and it is closed, when it leads to nothing.
  init?(adopting descriptor: Int32) {
    guard let mark = FileMark(descriptor: descriptor) else {
      close(descriptor)
      return nil
    }
    (self.descriptor, self.mark) = (descriptor, mark)
  }

  func release() { close(descriptor) }
}

/// Paths as bytes, and what the file system makes of them.
enum FilePaths {
  static func withPointer<Result>(_ path: [UInt8], _ body: (UnsafePointer<CChar>) -> Result) -> Result {
    (path.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { buffer in
      buffer.baseAddress.map(body) ?? body("")
    }
  }

  /// Without links and dots; of a file that is not there its folder is resolved. Nil when neither is there.
  static func resolved(_ path: [UInt8]) -> [UInt8]? {
    if let whole = real(path) { return whole }
    guard let cut = path.lastIndex(of: UInt8(ascii: "/")) else { return nil }
    let name = path[(cut + 1)...]
    guard !name.isEmpty, !name.elementsEqual(".".utf8), !name.elementsEqual("..".utf8),
      let folder = real(Array(path[...cut]))
    else { return nil }
    return (folder == [UInt8(ascii: "/")] ? [] : folder) + [UInt8(ascii: "/")] + name
  }

  /// What lies at `path` now, links followed.
  static func mark(_ path: [UInt8]) -> FileMark? {
    guard let file = OpenedFile(path) else { return nil }
    defer { file.release() }
    return file.mark
  }

  private static func real(_ path: [UInt8]) -> [UInt8]? {
    guard let found = withPointer(path, { realpath($0, nil) }) else { return nil }
    defer { free(found) }
    return Array(UnsafeRawBufferPointer(start: found, count: strlen(found)))
  }
}
