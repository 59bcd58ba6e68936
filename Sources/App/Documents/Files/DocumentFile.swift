// SPDX-License-Identifier: MIT

import ActivityModel
import Dispatch
import Foundation
import Glibc
import LinuxSystem

/// What an agent verified and handed over, on its way into a document.
struct DeliveredFile {
  var file: DocumentFile
  var path: FilePath
  var url: URL
  /// It is not the version meant; the person chose to look at it.
  var isReadOnly: Bool

  /// What the continuation whose task this is has verified.
  @TaskLocal static var current: DeliveredFile?
}

/// The bytes of one regular file, read whole from one descriptor while nothing changed it.
struct DocumentFile: Sendable {
  let data: Data
  let stamp: FileStamp

  /// How often a file that changes under the reader is read again.
  private static let attempts = 3

  /// Reads the file at `path`, following links. A FIFO, a device or a folder is refused without blocking.
  static func read(_ path: FilePath) throws(ContinuityError) -> DocumentFile {
    for _ in 0..<attempts {
      let descriptor = path.withPointer { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) }
      guard descriptor >= 0 else { throw DocumentFault.error(path, errno, "opened") }
      let owned = OwnedDescriptor(descriptor)
      if let file = try read(owned.value, path) { return file }
    }
    throw changing(path)
  }

  /// As `read`, while the main actor goes on; a small file is read at once.
  @MainActor
  static func readAside(_ path: FilePath) async throws(ContinuityError) -> DocumentFile {
    guard isLarge(path) else { return try read(path) }
    let result: Result<DocumentFile, ContinuityError> = await withCheckedContinuation { continuation in
      DispatchQueue.global(qos: .userInitiated).async {
        let result = Result { () throws(ContinuityError) in try read(path) }
        continuation.resume(returning: result)
      }
    }
    return try result.get()
  }

  /// Whether reading it is to be felt.
  @MainActor
  static func isLarge(_ path: FilePath) -> Bool {
    (stamp(path)?.size ?? 0) > UInt64(DocumentSave.smallSize)
  }

  /// Reads what an agent verified and handed over. The path must name that file before and after, so that
  /// what is shown, and later saved, is what was verified.
  static func read(delivered descriptor: Int32, at path: FilePath) throws(ContinuityError) -> DocumentFile {
    try checkNamed(descriptor, path)
    guard let file = try read(descriptor, path) else { throw changing(path) }
    try checkNamed(descriptor, path)
    return file
  }

  /// Throws `changedWhileOpening` unless `path` names the very file that is open, unchanged.
  static func checkNamed(_ descriptor: Int32, _ path: FilePath) throws(ContinuityError) {
    guard let open = stamp(descriptor), let named = stamp(path, followingLinks: false), open == named else {
      throw changing(path)
    }
  }

  static func stamp(_ descriptor: Int32) -> FileStamp? {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? FileStamp(status) : nil
  }

  static func stamp(_ path: FilePath, followingLinks: Bool = true) -> FileStamp? {
    var status = stat()
    let result = path.withPointer { followingLinks ? stat($0, &status) : lstat($0, &status) }
    return result == 0 ? FileStamp(status) : nil
  }

  /// Nil when the file changed meanwhile.
  private static func read(_ descriptor: Int32, _ path: FilePath) throws(ContinuityError) -> DocumentFile? {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw DocumentFault.error(path, errno, "read") }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw ContinuityError(
        .documentUnreadable, subject: path.shown, "\(path.shown) is not a regular file; open a file instead.")
    }
    let before = FileStamp(status)
    let data = try bytes(descriptor, count: Int(before.size), path)
    guard before.covers(data.count, until: stamp(descriptor)) else { return nil }
    return DocumentFile(data: data, stamp: before)
  }

  static func bytes(_ descriptor: Int32, count: Int, _ path: FilePath) throws(ContinuityError) -> Data {
    var data = Data(count: count)
    var filled = 0
    while filled < count {
      let read = data.withUnsafeMutableBytes { buffer in
        pread(descriptor, buffer.baseAddress?.advanced(by: filled), count - filled, off_t(filled))
      }
      if read < 0, errno == EINTR { continue }
      guard read >= 0 else { throw DocumentFault.error(path, errno, "read") }
      if read == 0 { break }
      filled += read
    }
    return data.prefix(filled)
  }

  static func changing(_ path: FilePath) -> ContinuityError {
    ContinuityError(
      .changedWhileOpening, subject: path.shown,
      "\(path.shown) changed while it was being opened; try again in a moment.")
  }
}
