// SPDX-License-Identifier: MIT

import ActivityModel
import Dispatch
import Foundation
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
      let opened = try DocumentFault.unless(path, "opened") { () throws(Errno) in
        try path.open([.readOnly, .nonBlocking, .noTerminal])
      }
      if let file = try read(opened, path) { return file }
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
  static func read(delivered descriptor: Descriptor, at path: FilePath) throws(ContinuityError)
    -> DocumentFile
  {
    try checkNamed(descriptor, path)
    guard let file = try read(descriptor, path) else { throw changing(path) }
    try checkNamed(descriptor, path)
    return file
  }

  /// Throws `changedWhileOpening` unless `path` names the very file that is open, unchanged.
  static func checkNamed(_ descriptor: Descriptor, _ path: FilePath) throws(ContinuityError) {
    guard let open = stamp(descriptor), let named = stamp(path, followingLinks: false), open == named else {
      throw changing(path)
    }
  }

  static func stamp(_ descriptor: Descriptor) -> FileStamp? { try? descriptor.status().stamp }

  static func stamp(_ path: FilePath, followingLinks: Bool = true) -> FileStamp? {
    try? path.status(followingLinks: followingLinks).stamp
  }

  /// Nil when the file changed meanwhile.
  private static func read(
    _ descriptor: Descriptor, _ path: FilePath
  ) throws(ContinuityError) -> DocumentFile? {
    let status = try DocumentFault.unless(path, "read") { () throws(Errno) in try descriptor.status() }
    guard status.kind == .regular else {
      throw ContinuityError(
        .documentUnreadable, subject: path.shown,
        description: "\(path.shown) is not a regular file; open a file instead.")
    }
    let before = status.stamp
    let data = try bytes(descriptor, count: Int(before.size), path)
    guard before.covers(data.count, until: stamp(descriptor)) else { return nil }
    return DocumentFile(data: data, stamp: before)
  }

  static func bytes(
    _ descriptor: Descriptor, count: Int, _ path: FilePath
  ) throws(ContinuityError) -> Data {
    var data = Data(count: count)
    let filled = data.withUnsafeMutableBytes { room in
      Result { () throws(Errno) in try descriptor.fill(room) }
    }
    return data.prefix(try DocumentFault.unless(path, "read") { () throws(Errno) in try filled.get() })
  }

  static func changing(_ path: FilePath) -> ContinuityError {
    ContinuityError(
      .changedWhileOpening, subject: path.shown,
      description: "\(path.shown) changed while it was being opened; try again in a moment.")
  }
}
