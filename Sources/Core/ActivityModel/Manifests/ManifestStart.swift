// SPDX-License-Identifier: MIT

/// The keys of a manifest that say how the app is started.
struct ManifestStart {
  let keys: ManifestKeys
  let file: String

  private static let entry = "ContinuoDesktopEntry"
  private static let executable = "ContinuoExecutable"
  private static let terminal = "ContinuoTerminal"

  /// All of them.
  static let keys: Set<String> = [entry, executable, terminal]

  /// What they say; nil where they say nothing. Throws for a wrong value, and for two answers.
  func start() throws(ContinuityError) -> AppStart? {
    let inTerminal = try keys.boolean(Self.terminal, in: file)
    guard let entry = try keys.string(Self.entry, in: file) else {
      guard let vector = try vector() else {
        if inTerminal { throw aloneInTerminal() }
        return nil
      }
      return .executable(vector, inTerminal: inTerminal)
    }
    let others = [try keys.member(Self.executable, in: file), try keys.member(Self.terminal, in: file)]
    if let other = others.compactMap({ $0 }).first {
      throw ManifestReader.fault(
        file, other.line,
        "\(other.key) is beside \(Self.entry), whose desktop entry says how the app is started; remove one")
    }
    let suffix = ".desktop"
    let name = entry.text.hasSuffix(suffix) ? String(entry.text.dropLast(suffix.count)) : entry.text
    guard AppStart.isDesktopEntry(name) else {
      throw ManifestKeys.wrong(
        Self.entry, entry.entry, "the ID of a desktop entry, such as org.example.app", in: file)
    }
    return .desktopEntry(name)
  }

  private func vector() throws(ContinuityError) -> [String]? {
    guard let member = try keys.member(Self.executable, in: file) else { return nil }
    let vector = try keys.strings(Self.executable, in: file).map(\.text)
    guard let program = vector.first, !program.isEmpty, program.hasPrefix("/") || !program.contains("/"),
      vector.allSatisfy({ !$0.utf8.contains(0) })
    else {
      throw ManifestKeys.wrong(
        Self.executable, member.entry,
        "an array: the program's absolute path, or its name in PATH, and then its arguments", in: file)
    }
    return vector
  }

  private func aloneInTerminal() -> ContinuityError {
    ManifestReader.fault(
      file, keys.line, "\(Self.terminal) says nothing without \(Self.executable); add that, or remove it")
  }
}
