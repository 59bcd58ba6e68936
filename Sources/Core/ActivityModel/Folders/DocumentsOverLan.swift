// SPDX-License-Identifier: MIT

/// Whether a document that another device offers, and sends over its link, is laid into its folder here
/// before the engine of the folder brings it.
public enum DocumentsOverLan: UInt64, Hashable, Sendable, CaseIterable {
  /// Where the engine of the folder takes it well in every sequence that is tested: so far, for none.
  case proven = 0
  /// Whatever the engine makes of it.
  case always = 1
  /// Not at all.
  case never = 2

  /// The word that the command line uses.
  public var name: String {
    switch self {
    case .proven: "proven"
    case .always: "always"
    case .never: "never"
    }
  }

  /// By that word.
  public init?(name: String) {
    guard let found = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = found
  }
}
