// SPDX-License-Identifier: MIT

import ActivityModel
import CLinux
import Foundation
import Glibc
import LinuxSystem
import SyncedFolders

/// A new file beside a document: `.NAME.` and six letters, as sync engines know and leave alone. Unlinked
/// with its last owner, unless it took the document's place.
final class TemporaryFile {
  static let noReplace: UInt32 = 1
  private static let exchange: UInt32 = 2

  private let directory: OwnedDescriptor
  private let path: FilePath
  private var name: FilePath
  /// Open for reading and writing, whatever becomes of its names.
  let file: OwnedDescriptor
  private var isNamed = true

  init(_ directory: OwnedDescriptor, for path: FilePath, mode: mode_t) throws(ContinuityError) {
    self.directory = directory
    self.path = path
    var name = Self.name(for: path)
    var descriptor: Int32 = -1
    for _ in 0..<16 {
      descriptor = name.withPointer {
        openat(directory.value, $0, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
      }
      guard descriptor < 0, errno == EEXIST else { break }
      name = Self.name(for: path)
    }
    guard descriptor >= 0 else { throw DocumentFault.error(path, errno, "saved") }
    self.name = name
    file = OwnedDescriptor(descriptor)
  }

  deinit { remove() }

  /// Where the new bytes are, for a message.
  var shown: String { path.parent.appending(name.bytes).shown }

  /// Writes all of `data` and waits until the disk has it.
  func fill(_ data: Data) throws(ContinuityError) {
    guard FileBytes.write(data, to: file.value) else { throw DocumentFault.error(path, errno, "saved") }
    FileBytes.setExactTime(file.value)
    guard fsync(file.value) == 0 else { throw DocumentFault.error(path, errno, "saved") }
  }

  /// Whether reading it gives `data`.
  func holds(_ data: Data) throws(ContinuityError) -> Bool {
    try DocumentFile.bytes(file.value, count: data.count, path) == data
  }

  /// From now on this is the one whole copy of the new bytes, whatever happens to the document: under a name
  /// that `UnfinishedWrite` finds, and on the disk.
  func becomeCopy() throws(ContinuityError) {
    let copy = FilePath(bytes: name.bytes + [UInt8(ascii: "~")])
    let renamed = name.withPointer { from in
      copy.withPointer { continuo_renameat2(directory.value, from, directory.value, $0, 0) }
    }
    guard renamed == 0 else { throw DocumentFault.error(path, errno, "saved") }
    name = copy
    // EINVAL: a file system that cannot do this.
    guard fsync(directory.value) == 0 || errno == EINVAL else {
      throw DocumentFault.error(path, errno, "saved")
    }
  }

  /// Takes over owner and mode of the file it replaces; false where this user may not give the file away.
  func adopt(_ status: stat) -> Bool {
    var own = stat()
    guard fstat(file.value, &own) == 0 else { return false }
    if own.st_uid != status.st_uid || own.st_gid != status.st_gid {
      guard fchown(file.value, status.st_uid, status.st_gid) == 0 else { return false }
    }
    return fchmod(file.value, status.st_mode & 0o7777) == 0
  }

  /// Renames it to the document's name. A file system without `flags` gets what comes nearest.
  func move(flags: UInt32, orThrow fault: (Int32) -> ContinuityError) throws(ContinuityError) {
    if rename(flags) == 0 {
      isNamed = false
      return
    }
    let code = errno
    guard flags == Self.noReplace, Self.isUnsupported(code) else { throw fault(code) }
    let linked = name.withPointer { from in
      target { linkat(directory.value, from, directory.value, $0, 0) }
    }
    guard linked == 0 else { throw fault(errno) }
  }

  /// Exchanges both names, then looks at what came out: false, with everything as it was, when another writer
  /// had replaced the document in the meantime. Then that writer's bytes stay.
  func exchange(
    expecting stamp: FileStamp, orThrow fault: (Int32) -> ContinuityError
  ) throws(ContinuityError) -> Bool {
    guard rename(Self.exchange) == 0 else {
      let code = errno
      guard Self.isUnsupported(code) else { throw fault(code) }
      guard stampOfTarget()?.isSameContent(as: stamp) == true else { return false }
      try move(flags: 0, orThrow: fault)
      return true
    }
    if stampUnderName()?.isSameContent(as: stamp) == true { return true }
    _ = rename(Self.exchange)
    // Whatever else lies under the name now is another writer's, and stays.
    let own = DocumentFile.stamp(file.value)
    if let own, stampUnderName()?.isSameFile(as: own) == true { return false }
    keep()
    return false
  }

  /// Only what this save made, or what it replaced on purpose, goes away.
  func remove() {
    guard isNamed else { return }
    isNamed = false
    _ = name.withPointer { unlinkat(directory.value, $0, 0) }
  }

  /// Leaves the file where it is: it holds the only whole copy of the new bytes.
  func keep() { isNamed = false }

  private func rename(_ flags: UInt32) -> Int32 {
    name.withPointer { from in
      target { continuo_renameat2(directory.value, from, directory.value, $0, flags) }
    }
  }

  private func target<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    FilePath(bytes: path.name).withPointer(body)
  }

  private func stampUnderName() -> FileStamp? {
    var status = stat()
    let result = name.withPointer { fstatat(directory.value, $0, &status, AT_SYMLINK_NOFOLLOW) }
    return result == 0 ? FileStamp(status) : nil
  }

  private func stampOfTarget() -> FileStamp? {
    var status = stat()
    let result = target { fstatat(directory.value, $0, &status, AT_SYMLINK_NOFOLLOW) }
    return result == 0 ? FileStamp(status) : nil
  }

  private static func isUnsupported(_ code: Int32) -> Bool {
    code == EINVAL || code == ENOSYS || code == ENOTTY || code == EOPNOTSUPP
  }

  /// A name for something temporary beside the document at `path`.
  static func name(for path: FilePath) -> FilePath {
    let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789".utf8)
    return FilePath(bytes: prefix(for: path) + (0..<6).compactMap { _ in letters.randomElement() })
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

/// Whole writes.
enum FileBytes {
  /// Writes all of `data` from the file's first byte; false with errno set.
  static func write(_ data: Data, to descriptor: Int32) -> Bool {
    data.withUnsafeBytes { buffer in
      var written = 0
      while written < buffer.count {
        let count = pwrite(
          descriptor, buffer.baseAddress?.advanced(by: written), buffer.count - written, off_t(written))
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        written += count
      }
      return true
    }
  }

  /// Sets when the file was written to the very moment. Kernels stamp files by a clock that ticks every few
  /// milliseconds: what another program writes into the file within the same tick would not show. Files of
  /// another owner, and those on file systems that do not take it, keep the time that they have.
  static func setExactTime(_ descriptor: Int32) {
    var now = timespec()
    guard clock_gettime(CLOCK_REALTIME, &now) == 0 else { return }
    // UTIME_OMIT, which is a macro with a cast.
    let unchanged = timespec(tv_sec: 0, tv_nsec: (1 << 30) - 2)
    _ = futimens(descriptor, [unchanged, now])
  }
}
