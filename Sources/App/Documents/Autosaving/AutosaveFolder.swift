// SPDX-License-Identifier: MIT

import ActivityModel
import Foundation
import LinuxSystem

/// A folder with what one process could not save yet, locked as long as somebody answers for it: a lock goes
/// with its process, however that ends. Only the user may look into it.
@MainActor
final class AutosaveFolder {
  let path: FilePath
  private let lock: Descriptor
  /// Left by a process that is gone: nothing new comes into it.
  private let isInherited: Bool
  private static let lockName = Array("lock".utf8)

  private init(_ path: FilePath, _ lock: Descriptor, isInherited: Bool) {
    (self.path, self.lock, self.isInherited) = (path, lock, isInherited)
  }

  /// A new one below `base`, which is made if it is not there. It gets its name when it is locked.
  static func make(below base: FilePath) throws(ContinuityError) -> AutosaveFolder {
    try makeDirectories(base)
    let name = AutosavedFile.randomName()
    let hidden = base.appending([UInt8(ascii: ".")] + name)
    try DocumentFault.unless(hidden, "made") { () throws(Errno) in try hidden.makeFolder(mode: 0o700) }
    let lock = try DocumentFault.unless(hidden, "made") { () throws(Errno) in try claim(hidden) }
    let path = base.appending(name)
    try DocumentFault.unless(path, "made") { () throws(Errno) in try hidden.rename(to: path) }
    base.synchronizeFolder()
    return AutosaveFolder(path, lock, isInherited: false)
  }

  /// Those below `base` that nobody answers for any more; they are this process's from now on.
  static func abandoned(below base: FilePath) -> [AutosaveFolder] {
    base.entries.filter { $0.first != UInt8(ascii: ".") }.sorted { $0.lexicographicallyPrecedes($1) }
      .compactMap { name in
        let path = base.appending(name)
        guard let lock = try? claim(path) else { return nil }
        return AutosaveFolder(path, lock, isInherited: true)
      }
  }

  /// What lies in it. A file without a note is somebody's text, too.
  var files: [AutosavedFile] {
    path.entries.filter(Self.isContents).sorted { $0.lexicographicallyPrecedes($1) }
      .map { AutosavedFile(contents: $0, in: self) }
  }

  private static func isContents(_ name: [UInt8]) -> Bool {
    name != lockName && name.first != UInt8(ascii: ".") && !AutosavedFile.isNote(name)
  }

  /// One of the files is gone.
  func didRemoveFile() { if isInherited { removeIfEmpty() } }

  /// Removes the folder if no contents are in it. One that cannot be listed is not known to be empty.
  func removeIfEmpty() {
    guard let names = try? path.names(), !names.contains(where: Self.isContents) else { return }
    for name in names { try? path.appending(name).unlink() }
    try? path.removeFolder()
  }

  // MARK: Locking

  /// The lock of `folder`, held by this process from now on. Throws `wouldBlock` for one that others have.
  private static func claim(_ folder: FilePath) throws(Errno) -> Descriptor {
    let lock = try folder.appending(lockName).open(
      [.readWrite, .create, .noFollow, .nonBlocking], mode: 0o600)
    try lock.lock(waiting: false)
    // Whoever removed the folder meanwhile had it locked until then.
    guard try lock.status().linkCount == 1 else { throw .wouldBlock }
    return lock
  }

  // MARK: Folders

  private static func makeDirectories(_ path: FilePath) throws(ContinuityError) {
    do throws(Errno) { try path.makeFolder(mode: 0o700) } catch {
      switch error {
      case .fileExists: return
      case .noSuchFile where path.parent != path:
        try makeDirectories(path.parent)
        do throws(Errno) { try path.makeFolder(mode: 0o700) } catch {
          guard error == .fileExists else { throw DocumentFault.error(path, error, "made") }
        }
      default: throw DocumentFault.error(path, error, "made")
      }
    }
    path.parent.synchronizeFolder()
  }
}
