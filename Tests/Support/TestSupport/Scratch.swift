// SPDX-License-Identifier: MIT

import Glibc

/// A temporary directory; removed with the value.
public final class Scratch {
  /// Where it is: an absolute path.
  public let path: String

  /// Makes the directory; its name tells whose it was, should it be left over. `inMemory` lays it where an
  /// `fsync` costs nothing, if there is such a place.
  public init(_ name: String, inMemory: Bool = false) throws {
    let parent = inMemory && access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
    var template = Array("\(parent)/continuo-\(name)-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw Failure(description: "mkdtemp: \(errno)") }
    path = String(cString: made)
  }

  deinit { Self.removeTree(path) }

  /// A call of the system that failed where none should.
  public struct Failure: Error, CustomStringConvertible {
    /// The call and its error number.
    public var description: String

    /// A failure with this text.
    public init(description: String) { self.description = description }
  }

  /// Makes a directory below, and gives its path.
  @discardableResult
  public func folder(_ name: String, mode: UInt32 = 0o755) throws -> String {
    let made = "\(path)/\(name)"
    guard mkdir(made, mode) == 0 else { throw Failure(description: "mkdir \(name): \(errno)") }
    return made
  }

  /// Whole at once, as an engine or an editor does it.
  public static func write(_ text: String, to path: String) throws {
    try write(Array(text.utf8), to: path)
  }

  /// Whole at once, as an engine or an editor does it.
  public static func write(_ bytes: [UInt8], to path: String) throws {
    let temporary = path + "~"
    let file = open(temporary, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    defer { close(file) }
    guard file >= 0, Glibc.write(file, bytes, bytes.count) == bytes.count, rename(temporary, path) == 0
    else { throw Failure(description: "write \(path): \(errno)") }
  }

  /// What the file there holds; nil when it cannot be opened.
  public static func bytes(at path: String) -> [UInt8]? {
    let file = open(path, O_RDONLY)
    guard file >= 0 else { return nil }
    defer { close(file) }
    return bytes(of: file)
  }

  /// What an open file holds, wherever it stands.
  public static func bytes(of file: Int32) -> [UInt8] {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = pread(file, &piece, piece.count, off_t(bytes.count))
      guard count > 0 else { return bytes }
      bytes += piece.prefix(count)
    }
  }

  /// The names in a directory, sorted; none when it cannot be read.
  public static func names(in path: String) -> [String] {
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

  /// Removes the directory and all below it, also what a test made unreadable.
  public static func removeTree(_ path: String) {
    chmod(path, 0o700)
    for name in names(in: path) where unlink("\(path)/\(name)") != 0 { removeTree("\(path)/\(name)") }
    rmdir(path)
  }
}
