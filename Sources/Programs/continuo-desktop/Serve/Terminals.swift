// SPDX-License-Identifier: MIT

import CDesktopGLib

/// In which terminal a program is shown that has no window of its own.
struct Terminals {
  /// The person's choice: a program and its arguments, before the command; may be empty.
  var setting: [[UInt8]]
  /// Whether there is such a program.
  var isThere: ([UInt8]) -> Bool = Terminals.isInPath

  /// Each with what it wants to read before the command.
  private static let known = [
    ["foot"], ["kitty"], ["alacritty", "-e"], ["ghostty", "-e"], ["wezterm", "start", "--"],
    ["gnome-terminal", "--"], ["ptyxis", "--"], ["kgx", "--"], ["konsole", "-e"], ["xfce4-terminal", "-x"],
    ["mate-terminal", "-x"], ["terminator", "-x"], ["urxvt", "-e"], ["st", "-e"],
    ["x-terminal-emulator", "-e"],
    ["xterm", "-e"],
  ]

  static let missing = DesktopFault(
    sentence: "There is no terminal to show it in; install one, such as foot or xterm, or name yours in the"
      + " settings of continuo.")

  /// What stands before the command.
  func prefix() throws(DesktopFault) -> [[UInt8]] {
    let chosen = [[Array("xdg-terminal-exec".utf8)], setting] + Self.known.map { $0.map { Array($0.utf8) } }
    for words in chosen {
      if let program = words.first, isThere(program) { return words }
    }
    throw Self.missing
  }

  static func isInPath(_ program: [UInt8]) -> Bool {
    guard let found = withText(program, { g_find_program_in_path($0) }) else { return false }
    g_free(found)
    return true
  }
}
