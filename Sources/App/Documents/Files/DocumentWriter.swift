// SPDX-License-Identifier: MIT

import ActivityModel
import Foundation
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
    /// A file with these bytes, whoever wrote it.
    case contents(Data)
    /// Whatever is there is given up.
    case anything
  }

  /// A saved file, and a descriptor for reading it.
  struct Saved: Sendable {
    let stamp: FileStamp
    let descriptor: Descriptor
  }

  /// The target, resolved: saving through a link saves what the link names.
  let path: FilePath
  let data: Data
  let expectation: Expectation
  /// Whether a file that is not there is made.
  var mayCreate = true
  /// Where the folder of the document's own file lay; nil for any other place.
  var disk: DocumentDisk?

  /// On any thread; blocks until the disk has the bytes.
  func write() throws(ContinuityError) -> Saved {
    let directory = try DocumentFault.unless(path, "saved") { () throws(Errno) in
      try path.parent.open([.readOnly, .folder])
    }
    let existing = try examine(directory)
    let temporary = try TemporaryFile(directory, for: path, mode: existing == nil ? 0o666 : 0o600)
    try temporary.fill(data)
    var written = temporary.file
    var content: FileStamp?
    if let existing, !isReplaceable(existing, temporary) {
      written = try InPlaceWrite(path: path, temporary: temporary).write(data, over: existing)
    } else {
      content = DocumentFile.stamp(written)
      try replace(existing, with: temporary)
    }
    let saved = try Self.reopen(written, at: path, holding: content)
    temporary.remove()
    try? directory.synchronize()
    return saved
  }

  // MARK: What is there

  private func examine(_ directory: Descriptor) throws(ContinuityError) -> FileStatus? {
    let status: FileStatus
    do throws(Errno) { status = try directory.status(of: path.name) } catch {
      guard error == .noSuchFile, mayCreate else { throw fault(error) }
      if case .contents = expectation { throw gone() }
      if case .anything = expectation { return nil }
      try check(directory)
      return nil
    }
    guard status.kind == .regular else {
      throw ContinuityError(
        .documentUnreadable, subject: path.shown,
        description: "\(path.shown) is not a regular file; save under another name.")
    }
    try DocumentFault.unless(path, "saved") { () throws(Errno) in try path.check(.write) }
    try check(status.stamp)
    return status
  }

  /// Whether a file that is not there may be made in that folder.
  private func check(_ directory: Descriptor) throws(ContinuityError) {
    guard let disk, let found = try? directory.status().stamp, disk.isGone(where: found) else { return }
    throw ContinuityError(
      .documentMissing, subject: path.shown,
      description: "\(path.shown) cannot be saved: its disk is gone; bring it back, or use another place.")
  }

  private func check(_ stamp: FileStamp) throws(ContinuityError) {
    switch expectation {
    case .anything: return
    case .absent:
      throw ContinuityError(
        .invalidRequest, subject: path.shown,
        description: "\(path.shown) exists already; open it, or save over it on purpose.")
    case .known(let known, let bytes):
      guard stamp != known else { return }
      guard try DocumentFile.read(path).data == bytes else { throw changed() }
    case .contents(let bytes):
      guard try DocumentFile.read(path).data == bytes else { throw changed() }
    }
  }

  private func isReplaceable(_ existing: FileStatus, _ temporary: TemporaryFile) -> Bool {
    guard existing.linkCount == 1, let attributes = ExtendedAttributes(of: path) else { return false }
    // The list first: the mode that follows says the same of the group as the list's mask.
    return attributes.give(to: temporary.file) && temporary.adopt(existing)
  }

  // MARK: Putting it there

  private func replace(_ existing: FileStatus?, with temporary: TemporaryFile) throws(ContinuityError) {
    if case .anything = expectation { return try temporary.move(.replacing) { fault($0) } }
    guard let existing else {
      return try temporary.move(.keeping) { $0 == .fileExists ? changed() : fault($0) }
    }
    guard try temporary.exchange(expecting: existing.stamp, orThrow: { fault($0) }) else {
      throw changed()
    }
  }

  /// Opened anew, so that the reader starts at the first byte and cannot write. What was written is meant,
  /// not what the name stands for by now: another writer's file must not pass for the one that was saved, nor
  /// what another writer put into this one since it held `content`.
  static func reopen(
    _ written: Descriptor, at path: FilePath, holding content: FileStamp? = nil
  ) throws(ContinuityError) -> Saved {
    let opened = try DocumentFault.unless(path, "saved") { () throws(Errno) in
      let same = FilePath("/proc/self/fd/\(written.number)")
      if let opened = try? same.open([.readOnly, .nonBlocking]) { return opened }
      return try path.open([.readOnly, .noFollow, .nonBlocking])
    }
    guard let stamp = DocumentFile.stamp(opened), let own = DocumentFile.stamp(written),
      stamp.isSameFile(as: own), content.map(stamp.isSameContent) ?? true
    else { throw changed(path) }
    return Saved(stamp: stamp, descriptor: opened)
  }

  private func fault(_ failure: Errno) -> ContinuityError { DocumentFault.error(path, failure, "saved") }

  /// What the person was shown of it says nothing of whether they want a file again.
  private func gone() -> ContinuityError {
    ContinuityError(
      .documentMissing, subject: path.shown,
      description: "\(path.shown) was deleted meanwhile; save once more to write it again, or elsewhere.")
  }

  private func changed() -> ContinuityError { Self.changed(path) }

  private static func changed(_ path: FilePath) -> ContinuityError {
    ContinuityError(
      .documentDiverged, subject: path.shown,
      description: "\(path.shown) changed on disk since it was read; reload it, or save over it on purpose.")
  }
}
