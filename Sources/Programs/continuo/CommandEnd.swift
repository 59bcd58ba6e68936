// SPDX-License-Identifier: MIT

/// The exit codes. Each command's help says with which it can end, and so do its manual page and the table of
/// docs/users/command-line.md.
enum CommandEnd: Int32, CaseIterable {
  case done = 0
  case failed = 1
  /// A version did not come in time.
  case late = 2
  /// Nothing took the offer: where its document lies was printed.
  case printedOnly = 3
  /// Nothing was chosen between versions.
  case stillInConflict = 4
  /// Of every command, by swift-argument-parser.
  case misspelt = 64

  /// The discussion of a command's help: `text`, and a last paragraph with its exit codes, from which the
  /// manual page makes a section. Without `ends` it ends as most do.
  static func help(
    _ text: String = "",
    ends: KeyValuePairs<CommandEnd, String> = [
      .done: "it was done", .failed: "it was not, and the sentence says what to do",
    ]
  ) -> String {
    let meanings = ends.map { "\($0.key.rawValue) \($0.value)" }
    let codes =
      "Exit codes: \((meanings + ["\(misspelt.rawValue) it was misspelt"]).joined(separator: "; "))."
    return text.isEmpty ? codes : "\(text)\n\n\(codes)"
  }
}
