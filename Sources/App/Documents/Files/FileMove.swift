// SPDX-License-Identifier: MIT

import ActivityModel
import CLinux
import Foundation
import Glibc
import LinuxSystem

/// Gives a file another name, never onto something that is there already. Where a name cannot be taken
/// without looking, the file gets both names before it loses the old one; on another file system the bytes
/// are written, read back and compared before the old file goes.
struct FileMove: Sendable {
  /// What the file was under the old name, and is under the new one.
  struct Moved: Sendable {
    var before: FileStamp
    var after: FileStamp
  }

  /// Where it is; no symbolic link.
  let source: FilePath
  let target: FilePath

  private static let noReplace: UInt32 = 1
  /// `O_PATH`, which Glibc does not hand to Swift.
  private static let pathOnly: Int32 = 0o10000000

  /// On any thread; blocks until the disk has it. On any failure the file is where it was.
  func perform() throws(ContinuityError) -> Moved {
    let opened = source.withPointer { open($0, Self.pathOnly | O_NOFOLLOW | O_CLOEXEC) }
    guard opened >= 0 else { throw fault(errno) }
    let file = OwnedDescriptor(opened)
    var status = stat()
    guard fstat(file.value, &status) == 0 else { throw fault(errno) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw ContinuityError(
        .documentUnreadable, subject: source.shown,
        "\(source.shown) is not a regular file; move a file instead.")
    }
    let before = FileStamp(status)
    if renames(before, flags: Self.noReplace) {
      return Moved(before: before, after: try settled(file, before))
    }
    switch errno {
    case EEXIST:
      guard isOtherSpelling(of: before), renames(before, flags: 0) else { throw taken() }
      return Moved(before: before, after: try settled(file, before))
    case EXDEV: return Moved(before: before, after: try copy(status))
    case EINVAL, ENOSYS, ENOTTY, EOPNOTSUPP:
      return Moved(before: before, after: try link(file, status))
    default: throw fault(errno)
    }
  }

  private func renames(_ before: FileStamp, flags: UInt32) -> Bool {
    source.withPointer { from in
      target.withPointer { continuo_renameat2(AT_FDCWD, from, AT_FDCWD, $0, flags) }
    } == 0
  }

  /// The same name in other letters, on a file system where those name the same file.
  private func isOtherSpelling(of before: FileStamp) -> Bool {
    guard let there = DocumentFile.stamp(target, followingLinks: false) else { return false }
    return there.isSameFile(as: before)
      && String(decoding: source.bytes, as: UTF8.self).lowercased()
        == String(decoding: target.bytes, as: UTF8.self).lowercased()
  }

  private func settled(_ file: OwnedDescriptor, _ before: FileStamp) throws(ContinuityError) -> FileStamp {
    synchronize(target.parent)
    if source.parent != target.parent { synchronize(source.parent) }
    guard let after = DocumentFile.stamp(file.value) else { throw fault(errno) }
    return after
  }

  /// A file system that cannot synchronize a folder needs none of it.
  private func synchronize(_ folder: FilePath) {
    let opened = folder.withPointer { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard opened >= 0 else { return }
    fsync(opened)
    close(opened)
  }

  // MARK: Where a name cannot be taken without looking

  private func link(_ file: OwnedDescriptor, _ status: stat) throws(ContinuityError) -> FileStamp {
    let linked = source.withPointer { from in target.withPointer { Glibc.link(from, $0) } }
    guard linked == 0 else {
      switch errno {
      case EEXIST: throw taken()
      case EPERM, ENOSYS, EOPNOTSUPP, EMLINK: return try copy(status)
      default: throw fault(errno)
      }
    }
    synchronize(target.parent)
    guard DocumentFile.stamp(target, followingLinks: false)?.isSameFile(as: FileStamp(status)) == true,
      source.withPointer({ unlink($0) }) == 0
    else {
      let code = errno
      removeTarget(FileStamp(status))
      throw fault(code)
    }
    return try settled(file, FileStamp(status))
  }

  // MARK: To another file system

  private func copy(_ status: stat) throws(ContinuityError) -> FileStamp {
    let file = try DocumentFile.read(source)
    let opened = target.parent.withPointer { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard opened >= 0 else { throw DocumentFault.error(target, errno, "written") }
    let directory = OwnedDescriptor(opened)
    let temporary = try TemporaryFile(directory, for: target, mode: 0o600)
    try temporary.fill(file.data)
    // A file system that does not know them cannot have them.
    _ = ExtendedAttributes(of: source)?.give(to: temporary.file)
    // Another owner than this user keeps no file that this user may not give away.
    if !temporary.adopt(status) { fchmod(temporary.file.value, status.st_mode & 0o777) }
    futimens(temporary.file.value, [status.st_atim, status.st_mtim])
    guard fsync(temporary.file.value) == 0, try temporary.holds(file.data) else {
      throw DocumentFault.error(target, EIO, "written")
    }
    try temporary.move(flags: Self.noReplace) { code in
      code == EEXIST ? taken() : DocumentFault.error(target, code, "written")
    }
    fsync(directory.value)
    guard let after = DocumentFile.stamp(temporary.file.value) else { throw fault(errno) }
    do {
      try removeSource(file.stamp)
    } catch {
      removeTarget(after)
      throw error
    }
    temporary.remove()
    return DocumentFile.stamp(temporary.file.value) ?? after
  }

  /// Put aside before it goes, so that it can be looked at when nobody finds it by its name any more: what
  /// another writer put there since stays.
  private func removeSource(_ stamp: FileStamp) throws(ContinuityError) {
    let aside = source.parent.appending(TemporaryFile.name(for: source).bytes)
    let moved = source.withPointer { from in aside.withPointer { rename(from, $0) } }
    guard moved == 0 else { throw fault(errno) }
    guard DocumentFile.stamp(aside, followingLinks: false)?.isSameContent(as: stamp) == true else {
      let back = aside.withPointer { from in
        source.withPointer { continuo_renameat2(AT_FDCWD, from, AT_FDCWD, $0, Self.noReplace) }
      }
      throw ContinuityError(
        .changedWhileOpening, subject: source.shown,
        "\(source.shown) changed while it was being moved; try again in a moment."
          + (back == 0 ? "" : " What was there is in \(aside.shown)."))
    }
    _ = aside.withPointer { unlink($0) }
    synchronize(source.parent)
  }

  /// Only what this move made.
  private func removeTarget(_ stamp: FileStamp) {
    guard DocumentFile.stamp(target, followingLinks: false)?.isSameFile(as: stamp) == true else { return }
    _ = target.withPointer { unlink($0) }
  }

  private func taken() -> ContinuityError {
    ContinuityError(
      .invalidRequest, subject: target.shown, "\(target.shown) exists already; choose another name.")
  }

  private func fault(_ code: Int32) -> ContinuityError {
    DocumentFault.error(source, code, "moved to \(target.shown)")
  }
}
