// SPDX-License-Identifier: MIT

import FoundationEssentials
import LinuxSystem

/// Files of the bench's own.
enum Files {
  static func write(_ text: String, to path: String) throws {
    try Data(text.utf8).write(to: URL(filePath: path))
  }

  static func makeDirectory(_ path: String) throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  /// A fresh directory below `folder`, `$TMPDIR` or /tmp. Its path is short: sockets lie below it.
  static func makeTemporaryDirectory(in folder: String? = nil) throws -> String {
    let base = folder ?? CurrentProcess.variable("TMPDIR") ?? "/tmp"
    guard let made = try? FilePath("\(base)/bench-").makeUniqueFolder() else { throw Failure.system(base) }
    return String(decoding: made.bytes, as: UTF8.self)
  }

  static func remove(_ path: String) { try? FileManager.default.removeItem(atPath: path) }

  /// What the files in a directory hold, in bytes.
  static func size(below directory: String) throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: directory).reduce(0) { sum, name in
      let attributes = try FileManager.default.attributesOfItem(atPath: directory + "/" + name)
      return sum + (attributes[.size] as? Int ?? 0)
    }
  }

  /// The directory of this program, where the others are built too.
  static func ownDirectory() throws -> String {
    let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return String(own[..<(own.lastIndex(of: "/") ?? own.startIndex)])
  }
}
