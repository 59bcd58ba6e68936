// SPDX-License-Identifier: MIT

import ActivityModel
import CLinux
import Foundation
import Glibc

/// A folder with what one process could not save yet, locked as long as somebody answers for it: a lock goes
/// with its process, however that ends. Only the user may look into it.
@MainActor
final class AutosaveFolder {
  let path: FilePath
  private let lock: OwnedDescriptor
  /// Left by a process that is gone: nothing new comes into it.
  private let isInherited: Bool
  private static let lockName = Array("lock".utf8)
  private static let noReplace: UInt32 = 1

  private init(_ path: FilePath, _ lock: OwnedDescriptor, isInherited: Bool) {
    (self.path, self.lock, self.isInherited) = (path, lock, isInherited)
  }

  /// A new one below `base`, which is made if it is not there. It gets its name when it is locked.
  static func make(below base: FilePath) throws(ContinuityError) -> AutosaveFolder {
    try makeDirectories(base)
    let name = AutosavedFile.randomName()
    let hidden = base.appending([UInt8(ascii: ".")] + name)
    guard hidden.withPointer({ mkdir($0, 0o700) }) == 0 else { throw fault(hidden) }
    guard case .mine(let lock) = claim(hidden) else { throw fault(hidden) }
    let path = base.appending(name)
    let renamed = hidden.withPointer { from in
      path.withPointer { continuo_renameat2(AT_FDCWD, from, AT_FDCWD, $0, 0) }
    }
    guard renamed == 0 else { throw fault(path) }
    synchronize(base)
    return AutosaveFolder(path, lock, isInherited: false)
  }

  /// Those below `base` that nobody answers for any more; they are this process's from now on.
  static func abandoned(below base: FilePath) -> [AutosaveFolder] {
    base.entries.filter { $0.first != UInt8(ascii: ".") }.sorted { $0.lexicographicallyPrecedes($1) }
      .compactMap { name in
        let path = base.appending(name)
        guard case .mine(let lock) = claim(path) else { return nil }
        return AutosaveFolder(path, lock, isInherited: true)
      }
  }

  /// What lies in it. A file without a note is somebody's text, too.
  var files: [AutosavedFile] {
    let names = path.entries.filter { $0 != Self.lockName && $0.first != UInt8(ascii: ".") }
    return names.filter { !AutosavedFile.isNote($0) }.sorted { $0.lexicographicallyPrecedes($1) }
      .map { AutosavedFile(contents: $0, in: self) }
  }

  /// One of the files is gone.
  func didRemoveFile() { if isInherited { removeIfEmpty() } }

  /// Removes the folder if no contents are in it.
  func removeIfEmpty() {
    guard files.isEmpty else { return }
    for name in path.entries { _ = path.appending(name).withPointer { unlink($0) } }
    _ = path.withPointer { rmdir($0) }
  }

  // MARK: Locking

  private enum Claim {
    case mine(OwnedDescriptor)
    case others
  }

  private static func claim(_ folder: FilePath) -> Claim {
    let file = folder.appending(lockName)
    let opened = file.withPointer { open($0, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600) }
    guard opened >= 0 else { return .others }
    let lock = OwnedDescriptor(opened)
    var status = stat()
    // Whoever removed the folder meanwhile had it locked until then.
    guard flock(opened, LOCK_EX | LOCK_NB) == 0, fstat(opened, &status) == 0, status.st_nlink == 1 else {
      return .others
    }
    return .mine(lock)
  }

  // MARK: Folders

  private static func makeDirectories(_ path: FilePath) throws(ContinuityError) {
    if path.withPointer({ mkdir($0, 0o700) }) == 0 { return synchronize(path.parent) }
    switch errno {
    case EEXIST: return
    case ENOENT where path.parent != path:
      try makeDirectories(path.parent)
      guard path.withPointer({ mkdir($0, 0o700) }) == 0 || errno == EEXIST else { throw fault(path) }
      synchronize(path.parent)
    default: throw fault(path)
    }
  }

  private static func synchronize(_ folder: FilePath) {
    let opened = folder.withPointer { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard opened >= 0 else { return }
    fsync(opened)
    close(opened)
  }

  private static func fault(_ path: FilePath) -> ContinuityError { DocumentFault.error(path, errno, "made") }
}
