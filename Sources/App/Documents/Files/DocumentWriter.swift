// SPDX-License-Identifier: MIT

import ActivityModel
import Foundation
import Glibc
import LinuxSystem

/// Saves a document so that, whatever fails and wherever, the old bytes or the new ones are on disk in full.
///
/// A temporary file beside the target takes the new bytes and is exchanged with it; what comes out of the
/// exchange must be what was expected there, else the exchange is undone. A file with several hard links, or
/// of an owner or with attributes that cannot be given to another file, is written in place while the
/// temporary file holds the new bytes.
struct DocumentWriter: Sendable {
  /// What may be at the place.
  enum Expectation: Sendable {
    /// Nothing.
    case absent
    /// What was read or saved last; the bytes decide when the stamp differs.
    case known(FileStamp, Data)
    /// Whatever is there is given up.
    case anything
  }

  /// A saved file, and a descriptor for reading it, which is the caller's.
  struct Saved: Sendable {
    let stamp: FileStamp
    let descriptor: Int32
  }

  /// The target, resolved: saving through a link saves what the link names.
  let path: FilePath
  let data: Data
  let expectation: Expectation
  /// Whether a file that is not there is made.
  var mayCreate = true

  /// On any thread; blocks until the disk has the bytes.
  func write() throws(ContinuityError) -> Saved {
    let opened = path.parent.withPointer { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard opened >= 0 else { throw fault() }
    let directory = OwnedDescriptor(opened)
    let existing = try examine(directory.value)
    let temporary = try TemporaryFile(directory, for: path, mode: existing == nil ? 0o666 : 0o600)
    try temporary.fill(data)
    var written = temporary.file
    var content: FileStamp?
    if let existing, !isReplaceable(existing, temporary) {
      written = try InPlaceWrite(path: path, temporary: temporary).write(data, over: existing)
    } else {
      content = DocumentFile.stamp(written.value)
      try replace(existing, with: temporary)
    }
    let saved = try Self.reopen(written, at: path, holding: content)
    temporary.remove()
    fsync(directory.value)
    return saved
  }

  // MARK: What is there

  private func examine(_ directory: Int32) throws(ContinuityError) -> stat? {
    var status = stat()
    guard name({ fstatat(directory, $0, &status, AT_SYMLINK_NOFOLLOW) }) == 0 else {
      guard errno == ENOENT, mayCreate else { throw fault() }
      return nil
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw ContinuityError(
        .documentUnreadable, subject: path.shown,
        "\(path.shown) is not a regular file; save under another name.")
    }
    guard path.withPointer({ access($0, W_OK) }) == 0 else { throw fault() }
    try check(FileStamp(status))
    return status
  }

  private func check(_ stamp: FileStamp) throws(ContinuityError) {
    switch expectation {
    case .anything: return
    case .absent:
      throw ContinuityError(
        .invalidRequest, subject: path.shown,
        "\(path.shown) exists already; open it, or save over it on purpose.")
    case .known(let known, let bytes):
      guard stamp != known else { return }
      guard try DocumentFile.read(path).data == bytes else { throw changed() }
    }
  }

  private func isReplaceable(_ existing: stat, _ temporary: TemporaryFile) -> Bool {
    guard existing.st_nlink == 1, let attributes = ExtendedAttributes(of: path) else { return false }
    // The list first: the mode that follows says the same of the group as the list's mask.
    return attributes.give(to: temporary.file) && temporary.adopt(existing)
  }

  // MARK: Putting it there

  private func replace(_ existing: stat?, with temporary: TemporaryFile) throws(ContinuityError) {
    if case .anything = expectation { return try temporary.move(flags: 0) { fault($0) } }
    guard let existing else {
      return try temporary.move(flags: TemporaryFile.noReplace) { $0 == EEXIST ? changed() : fault($0) }
    }
    guard try temporary.exchange(expecting: FileStamp(existing), orThrow: { fault($0) }) else {
      throw changed()
    }
  }

  /// Opened anew, so that the reader starts at the first byte and cannot write. What was written is meant,
  /// not what the name stands for by now: another writer's file must not pass for the one that was saved, nor
  /// what another writer put into this one since it held `content`.
  static func reopen(
    _ written: OwnedDescriptor, at path: FilePath, holding content: FileStamp? = nil
  ) throws(ContinuityError) -> Saved {
    let same = FilePath(bytes: Array("/proc/self/fd/\(written.value)".utf8))
    var opened = same.withPointer { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    if opened < 0 { opened = path.withPointer { open($0, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK) } }
    guard opened >= 0 else { throw DocumentFault.error(path, errno, "saved") }
    let descriptor = OwnedDescriptor(opened)
    guard let stamp = DocumentFile.stamp(opened), let own = DocumentFile.stamp(written.value),
      stamp.isSameFile(as: own), content.map(stamp.isSameContent) ?? true
    else { throw changed(path) }
    return Saved(stamp: stamp, descriptor: descriptor.take())
  }

  private func name<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    FilePath(bytes: path.name).withPointer(body)
  }

  private func fault(_ code: Int32 = errno) -> ContinuityError { DocumentFault.error(path, code, "saved") }

  private func changed() -> ContinuityError { Self.changed(path) }

  private static func changed(_ path: FilePath) -> ContinuityError {
    ContinuityError(
      .documentDiverged, subject: path.shown,
      "\(path.shown) changed on disk since it was read; reload it, or save over it on purpose.")
  }
}
