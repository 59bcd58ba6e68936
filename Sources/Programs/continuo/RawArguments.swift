// SPDX-License-Identifier: MIT

import Glibc

/// The command line's words as they were given. As text, bytes that are not UTF-8 have become U+FFFD, which
/// is another file's name.
enum RawArguments {
  /// The bytes that became `text`; of several words that became the same text, the first.
  static func bytes(of text: String) -> [UInt8] {
    guard text.unicodeScalars.contains("\u{FFFD}") else { return Array(text.utf8) }
    return words.first { String(decoding: $0, as: UTF8.self) == text } ?? Array(text.utf8)
  }

  private static var words: [[UInt8]] {
    (1..<max(1, Int(CommandLine.argc))).compactMap { index in
      CommandLine.unsafeArgv[index].map { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
    }
  }
}
