// SPDX-License-Identifier: MIT

import LinuxSystem

/// The command line's words as they were given. As text, bytes that are not UTF-8 have become U+FFFD, which
/// is another file's name.
enum RawArguments {
  /// The bytes that became `text`; of several words that became the same text, the first.
  static func bytes(of text: String) -> [UInt8] {
    guard text.unicodeScalars.contains("\u{FFFD}") else { return Array(text.utf8) }
    return CurrentProcess.arguments.dropFirst().first { String(decoding: $0, as: UTF8.self) == text }
      ?? Array(text.utf8)
  }
}
