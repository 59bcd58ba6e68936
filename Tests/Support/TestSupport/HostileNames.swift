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

  /// Whether `text` holds what steers a terminal or hides on it: controls, separators of lines, marks of
  /// direction, scalars without width. Asked of what a program printed, by another rule than the product's.
  public static func steers(_ text: some StringProtocol) -> Bool {
    text.unicodeScalars.contains { scalar in
      switch scalar.value {
      case 0x00...0x1f, 0x7f...0x9f, 0x61c, 0x200b, 0x200e, 0x200f, 0x2028...0x202e, 0x2060...0x206f, 0xfeff,
        0xe0000...0xe007f:
        true
      default: false
      }
    }
  }

  /// What a name made below this folder when it ran: the paths of all that is called `pwned`, as each of the
  /// list's commands has it.
  public static func traces(below folder: String) -> [String] {
    FilePath(folder).below.filter { $0.name == Array("pwned".utf8) }.map(\.shown)
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

extension FilePath {
  /// What lies in the folder, and in those that lie in it; links are not followed.
  fileprivate var below: [FilePath] {
    guard (try? open([.readOnly, .folder, .noFollow])) != nil, let names = try? names() else { return [] }
    let here = names.map(appending)
    return here + here.flatMap(\.below)
  }
}
