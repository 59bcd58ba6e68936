// SPDX-License-Identifier: MIT

import ActivityModel
import Foundation
import Glibc
import LinuxSystem

/// An absolute path as the bytes that the kernel knows; names need not be UTF-8.
struct FilePath: Hashable {
  let bytes: [UInt8]

  init(bytes: [UInt8]) { self.bytes = bytes }

  /// Nil unless `url` is a `file:` URL of this host.
  init?(_ url: URL) {
    guard let bytes = FileURL.path(of: url.absoluteString) else { return nil }
    var trimmed = bytes
    while trimmed.count > 1, trimmed.last == UInt8(ascii: "/") { trimmed.removeLast() }
    self.bytes = trimmed
  }

  var url: URL? { URL(string: FileURL.text(of: bytes)) }

  var name: [UInt8] { bytes.split(separator: UInt8(ascii: "/")).last.map { Array($0) } ?? [] }

  /// For people, as `DisplayText` shows it.
  var shown: String { DisplayText.shown(bytes) }

  /// The folder it lies in.
  var parent: FilePath {
    let cut = bytes.lastIndex(of: UInt8(ascii: "/")) ?? 0
    return FilePath(bytes: cut == 0 ? [UInt8(ascii: "/")] : Array(bytes[..<cut]))
  }

  /// Whether a folder is there; links are followed.
  var isFolder: Bool {
    var status = stat()
    return withPointer { stat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  func appending(_ name: [UInt8]) -> FilePath {
    FilePath(bytes: (bytes == [UInt8(ascii: "/")] ? [] : bytes) + [UInt8(ascii: "/")] + name)
  }

  func withPointer<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    (bytes.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { buffer in
      buffer.baseAddress.map(body) ?? body("")
    }
  }

  /// The names in the folder, but for itself and its parent; none when it cannot be read.
  var entries: [[UInt8]] {
    guard let stream = withPointer({ opendir($0) }) else { return [] }
    defer { closedir(stream) }
    var found: [[UInt8]] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { name in Array(name.prefix { $0 != 0 }) }
      if name != Array(".".utf8), name != Array("..".utf8) { found.append(name) }
    }
    return found
  }

  /// With every symbolic link followed; a file that does not exist yet keeps its name in its resolved folder.
  /// Nil when the folder is not there, or when the path is a link to nothing.
  var resolved: FilePath? {
    if let whole = realPath { return whole }
    var status = stat()
    guard withPointer({ lstat($0, &status) }) != 0, !name.isEmpty else { return nil }
    return parent.realPath?.appending(name)
  }

  private var realPath: FilePath? {
    withPointer { pointer in
      guard let found = realpath(pointer, nil) else { return nil }
      defer { free(found) }
      return FilePath(bytes: (0..<strlen(found)).map { UInt8(bitPattern: found[$0]) })
    }
  }
}

extension FileStamp {
  /// A stamp that no file has.
  var unknown: FileStamp {
    var stamp = self
    stamp.size = .max
    return stamp
  }
}

/// A descriptor that is closed with its last owner.
final class OwnedDescriptor {
  private var descriptor: Int32

  init(_ descriptor: Int32) { self.descriptor = descriptor }
  deinit { if descriptor >= 0 { close(descriptor) } }

  var value: Int32 { descriptor }

  /// The descriptor, which is the caller's now.
  func take() -> Int32 {
    defer { descriptor = -1 }
    return descriptor
  }
}

/// Sentences for failed system calls on a document.
enum DocumentFault {
  static func error(_ path: FilePath, _ code: Int32, _ action: String) -> ContinuityError {
    let remedy = Errno(rawValue: code).documentClause
    let kind: ContinuityError.Code =
      code == ENOENT || code == ENOTDIR ? .documentMissing : .documentUnreadable
    return ContinuityError(kind, subject: path.shown, "\(path.shown) cannot be \(action): \(remedy).")
  }
}
