// SPDX-License-Identifier: MIT

import ActivityModel
import Foundation
import LinuxSystem
import SyncedFolders

/// A new file beside a document: `.NAME.` and six letters, as sync engines know and leave alone. Unlinked
/// with its last owner, unless it took the document's place.
final class TemporaryFile {
  private let directory: Descriptor
  private let path: FilePath
  private var name: [UInt8]
  /// Open for reading and writing, whatever becomes of its names.
  let file: Descriptor
  private var isNamed = true

  init(_ directory: Descriptor, for path: FilePath, mode: UInt32) throws(ContinuityError) {
    self.directory = directory
    self.path = path
    var attempts = 16
    while true {
      let name = Self.name(for: path)
      attempts -= 1
      do throws(Errno) {
        file = try directory.open(name, flags: [.readWrite, .create, .exclusive, .noFollow], mode: mode)
        self.name = name
        return
      } catch {
        guard error == .fileExists, attempts > 0 else { throw DocumentFault.error(path, error, "saved") }
      }
    }
  }

  deinit { remove() }

  /// Where the new bytes are, for a message.
  var shown: String { path.parent.appending(name).shown }

  /// Writes all of `data` and waits until the disk has it.
  func fill(_ data: Data) throws(ContinuityError) {
    try DocumentFault.unless(path, "saved") { () throws(Errno) in
      try file.overwrite(with: data.bytes)
      // Another owner's file, or a file system that does not take it, keeps the time that it has.
      try? file.setExactTime()
      try file.synchronize()
    }
  }

  /// Whether reading it gives `data`.
  func holds(_ data: Data) throws(ContinuityError) -> Bool {
    try DocumentFile.bytes(file, count: data.count, path) == data
  }

  /// From now on this is the one whole copy of the new bytes, whatever happens to the document: under a name
  /// that `UnfinishedWrite` finds, and on the disk.
  func becomeCopy() throws(ContinuityError) {
    let copy = name + [UInt8(ascii: "~")]
    try DocumentFault.unless(path, "saved") { () throws(Errno) in
      try directory.rename(name, to: copy, mode: .replacing)
    }
    name = copy
    do throws(Errno) { try directory.synchronize() } catch {
      // A file system that cannot do this.
      guard error == .invalidArgument else { throw DocumentFault.error(path, error, "saved") }
    }
  }

  /// Takes over owner and mode of the file it replaces; false where this user may not give the file away.
  func adopt(_ status: FileStatus) -> Bool { file.adopt(status) }

  /// Renames it to the document's name. A file system that cannot keep what is there otherwise gets a second
  /// name for the file, which fails when it is taken.
  func move(_ mode: RenameMode, orThrow fault: (Errno) -> ContinuityError) throws(ContinuityError) {
    do throws(Errno) {
      try directory.rename(name, to: path.name, mode: mode)
      isNamed = false
    } catch {
      guard mode == .keeping, error.isUnsupported else { throw fault(error) }
      do throws(Errno) { try directory.link(name, to: path.name) } catch { throw fault(error) }
    }
  }

  /// Exchanges both names, then looks at what came out: false, with everything as it was, when another writer
  /// had replaced the document in the meantime. Then that writer's bytes stay.
  func exchange(
    expecting stamp: FileStamp, orThrow fault: (Errno) -> ContinuityError
  ) throws(ContinuityError) -> Bool {
    do throws(Errno) {
      try directory.rename(name, to: path.name, mode: .exchanging)
    } catch {
      guard error.isUnsupported else { throw fault(error) }
      guard self.stamp(of: path.name)?.isSameContent(as: stamp) == true else { return false }
      try move(.replacing, orThrow: fault)
      return true
    }
    if self.stamp(of: name)?.isSameContent(as: stamp) == true { return true }
    try? directory.rename(name, to: path.name, mode: .exchanging)
    // Whatever else lies under the name now is another writer's, and stays.
    let own = DocumentFile.stamp(file)
    if let own, self.stamp(of: name)?.isSameFile(as: own) == true { return false }
    keep()
    return false
  }

  /// Only what this save made, or what it replaced on purpose, goes away.
  func remove() {
    guard isNamed else { return }
    isNamed = false
    try? directory.unlink(name)
  }

  /// Leaves the file where it is: it holds the only whole copy of the new bytes.
  func keep() { isNamed = false }

  /// What is called `name` in the document's folder; a link is a link.
  private func stamp(of name: [UInt8]) -> FileStamp? { try? directory.status(of: name).stamp }

  /// A name for something temporary beside the document at `path`.
  static func name(for path: FilePath) -> [UInt8] {
    let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789".utf8)
    return prefix(for: path) + (0..<6).compactMap { _ in letters.randomElement() }
  }

  private static func prefix(for path: FilePath) -> [UInt8] {
    let dot = [UInt8(ascii: ".")]
    // With what tells long names apart: a copy of one document must not be taken for another's.
    guard path.name.count > 240 else { return dot + path.name + dot }
    return dot + SyncNames.cut(path.name, to: 231) + SyncNames.mark(of: path.name) + dot
  }

  /// Whether `becomeCopy` may have given this name.
  static func isCopy(_ name: [UInt8], of path: FilePath) -> Bool {
    let prefix = prefix(for: path)
    return name.count == prefix.count + 7 && name.starts(with: prefix) && name.last == UInt8(ascii: "~")
  }
}
