// SPDX-License-Identifier: MIT

import Glibc
import Testing

/// A temporary directory in memory, where an `fsync` costs nothing; removed with the value.
final class Scratch {
  let path: String

  init() throws {
    let parent = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
    var template = Array("\(parent)/continuo-history-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw Failure(description: "mkdtemp: \(errno)") }
    path = String(cString: made)
  }

  deinit { Self.removeTree(path) }

  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  @discardableResult
  func folder(_ name: String, mode: mode_t = 0o755) throws -> String {
    let made = "\(path)/\(name)"
    guard mkdir(made, mode) == 0 else { throw Failure(description: "mkdir \(name): \(errno)") }
    return made
  }

  /// Whole at once, as an engine or an editor does it.
  static func write(_ text: String, to path: String) throws {
    try write(Array(text.utf8), to: path)
  }

  static func write(_ bytes: [UInt8], to path: String) throws {
    let temporary = path + "~"
    let file = open(temporary, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    defer { close(file) }
    guard file >= 0, Glibc.write(file, bytes, bytes.count) == bytes.count, rename(temporary, path) == 0
    else { throw Failure(description: "write \(path): \(errno)") }
  }

  static func bytes(at path: String) -> [UInt8]? {
    let file = open(path, O_RDONLY)
    guard file >= 0 else { return nil }
    defer { close(file) }
    return bytes(of: file)
  }

  static func bytes(of file: Int32) -> [UInt8] {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = pread(file, &piece, piece.count, off_t(bytes.count))
      guard count > 0 else { return bytes }
      bytes += piece.prefix(count)
    }
  }

  static func names(in path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  static func removeTree(_ path: String) {
    for name in names(in: path) where unlink("\(path)/\(name)") != 0 { removeTree("\(path)/\(name)") }
    rmdir(path)
  }
}
