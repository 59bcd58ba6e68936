// SPDX-License-Identifier: MIT

extension ReasonLanguage {
  /// The variables by which a session says its language; the first that is set counts.
  public static let variables = ["LC_ALL", "LC_MESSAGES", "LANG"]

  private static let known: [ReasonLanguage] = [.english, .german]

  /// The language of that `code`, English where there is no file for it.
  public init(code: String) { self = Self.known.first { $0.code == code } ?? .english }

  /// The language that an environment asks for, English where there is no file for it; nil where the
  /// environment asks for none.
  public init?(askedBy environment: [String: String]) {
    let asked = Self.variables.compactMap { environment[$0] }.first { !$0.isEmpty }
    guard let asked else { return nil }
    // As in de_AT.UTF-8@euro.
    self.init(code: asked.prefix { $0.isASCII && $0.isLetter }.lowercased())
  }
}
