// SPDX-License-Identifier: MIT

import LinuxSystem

/// The names of `Fixtures/hostile-names.txt`: what a file, a title or a device may be called, and no program
/// may act on.
public enum HostileNames {
  /// The names in the order of the file, as bytes: 1 to 255 of them each, without NUL and `/`.
  ///
  /// Throws `Scratch.Failure` where the file is missing or a line breaks its format.
  public static func all() throws -> [[UInt8]] {
    let path =
      #filePath.split(separator: "/").dropLast(4).map { "/" + $0 }.joined() + "/Fixtures/hostile-names.txt"
    let bytes: [UInt8]
    do throws(Errno) {
      bytes = try FilePath(path).open(.readOnly).readToEnd()
    } catch {
      throw Scratch.Failure(description: "\(path): \(error.text)")
    }
    let names = try bytes.split(separator: UInt8(ascii: "\n")).filter { $0.first != UInt8(ascii: "#") }.map(
      name)
    guard !names.isEmpty else { throw Scratch.Failure(description: "\(path) holds no name") }
    return names
  }

  /// The bytes that a line of the file stands for: `\xHH` is one byte.
  static func name(_ line: some Collection<UInt8>) throws -> [UInt8] {
    let line = Array(line)
    var name: [UInt8] = []
    var index = 0
    while index < line.count {
      guard line[index] == UInt8(ascii: "\\") else {
        name.append(line[index])
        index += 1
        continue
      }
      let escape = String(decoding: line[index...].prefix(4), as: UTF8.self)
      guard escape.utf8.count == 4, escape.hasPrefix("\\x"), let byte = UInt8(escape.dropFirst(2), radix: 16)
      else {
        throw Scratch.Failure(description: "no escape of a hostile name: \(escape)")
      }
      name.append(byte)
      index += 4
    }
    return name
  }
}
