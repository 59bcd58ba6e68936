// SPDX-License-Identifier: MIT

import LinuxSystem

/// A temporary directory; removed with the value.
public final class Scratch {
  /// Where it is: an absolute path.
  public let path: String

  /// Makes the directory; its name tells whose it was, should it be left over. `inMemory` lays it where an
  /// `fsync` costs nothing, if there is such a place.
  public init(_ name: String, inMemory: Bool = false) throws {
    let parent = inMemory && FilePath("/dev/shm").allows(.write) ? "/dev/shm" : "/tmp"
    do throws(Errno) {
      let made = try FilePath("\(parent)/continuo-\(name)-").makeUniqueFolder()
      path = String(decoding: made.bytes, as: UTF8.self)
    } catch {
      throw Failure(description: "mkdtemp: \(error.text)")
    }
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
    do throws(Errno) {
      try FilePath(made).makeFolder(mode: mode)
    } catch {
      throw Failure(description: "mkdir \(name): \(error.text)")
    }
    return made
  }

  /// Whole at once, as an engine or an editor does it.
  public static func write(_ text: String, to path: String) throws {
    try write(Array(text.utf8), to: path)
  }

  /// Whole at once, as an engine or an editor does it.
  public static func write(_ bytes: [UInt8], to path: String) throws {
    let temporary = FilePath(path + "~")
    do throws(Errno) {
      let file = try temporary.open([.writeOnly, .create, .truncate], mode: 0o644)
      try file.writeAll(bytes)
      try temporary.rename(to: FilePath(path))
      // Closed under its own name only: whoever watches hears of a written file.
      withExtendedLifetime(file) {}
    } catch {
      throw Failure(description: "write \(path): \(error.text)")
    }
  }

  /// Whether any file of `folder` whose name begins so holds `text`, in whatever case.
  public static func isReadable(_ text: String, in folder: String, namesBeginning start: String = "") -> Bool
  {
    names(in: folder).contains { name in
      let bytes = name.hasPrefix(start) ? bytes(at: folder + "/" + name) ?? [] : []
      return String(decoding: bytes, as: UTF8.self).lowercased().contains(text.lowercased())
    }
  }

  /// What the file there holds; nil when it cannot be opened.
  public static func bytes(at path: String) -> [UInt8]? {
    guard let file = try? FilePath(path).open(.readOnly) else { return nil }
    return withExtendedLifetime(file) { bytes(of: file.number) }
  }

  /// What an open file holds, wherever it stands.
  public static func bytes(of file: Int32) -> [UInt8] {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65536)
    while let count = try? BorrowedDescriptor(file).read(into: &piece, at: bytes.count), count > 0 {
      bytes += piece.prefix(count)
    }
    return bytes
  }

  /// The names in a directory, sorted; none when it cannot be read.
  public static func names(in path: String) -> [String] {
    let names = (try? FilePath(path).names()) ?? []
    return names.map { String(decoding: $0, as: UTF8.self) }.sorted()
  }

  /// Removes the directory and all below it, also what a test made unreadable.
  public static func removeTree(_ path: String) { removeTree(FilePath(path)) }

  private static func removeTree(_ folder: FilePath) {
    try? folder.setPermissions(0o700)
    for name in (try? folder.names()) ?? [] {
      let entry = folder.appending(name)
      if (try? entry.unlink()) == nil { removeTree(entry) }
    }
    try? folder.removeFolder()
  }
}
