// SPDX-License-Identifier: MIT

/// How an app is started that does not run. No shell reads any of it.
public enum AppStart: Hashable, Sendable {
  /// `ContinuoDesktopEntry`: by the desktop entry of that ID, which has no `.desktop` at its end.
  case desktopEntry(String)
  /// `ContinuoExecutable`: by this argument vector. Its first element is the program: an absolute path, or
  /// a name that PATH leads to. With `ContinuoTerminal` it runs in a terminal.
  case executable([String], inTerminal: Bool)

  /// Whether a text may be the ID of a desktop entry: the form of a file's name that the desktop knows.
  static func isDesktopEntry(_ text: String) -> Bool { ManifestNames.isIdentifier(text) }
}
