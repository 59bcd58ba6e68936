// SPDX-License-Identifier: MIT

/// Where a document lies inside a synced folder, as the raw names of the sender's disk.
///
/// A path from another device is hostile until it has become one of these: it is refused, never repaired
/// (threat T04), so that joining it to a root cannot leave that root.
public struct RelativePath: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The names from the folder down; 1 to 32 of them, each 1 to 255 bytes without `/` or NUL, none `.` or
  /// `..`.
  public let components: [[UInt8]]

  /// The most names a path may have.
  public static let componentLimit = 32

  /// Nil when any component breaks the rules above.
  public init?(components: [[UInt8]]) {
    guard (1...Self.componentLimit).contains(components.count), components.allSatisfy(Self.isName) else {
      return nil
    }
    self.components = components
  }

  /// Splits at `/`. Nil for an absolute path, an empty part, `.` or `..`.
  public init?(_ text: some StringProtocol) {
    self.init(
      components: Array(text.utf8).split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        .map { Array($0) })
  }

  /// Name by name: paths are keys in many tables, and a synthesised hash would go byte by byte.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(components.count)
    for name in components {
      hasher.combine(name.count)
      name.withUnsafeBytes { hasher.combine(bytes: $0) }
    }
  }

  /// The last name.
  public var name: [UInt8] { components[components.count - 1] }

  /// The name as text, for people, as `DisplayText` shows it; several names may look alike.
  public var displayName: String { DisplayText.shown(name) }

  /// The names joined by `/`, ready for a system call relative to the folder's descriptor.
  public var bytes: [UInt8] { Array(components.joined(separator: [UInt8(ascii: "/")])) }

  /// For people, as `DisplayText` shows it; several paths may look alike.
  public var description: String { DisplayText.shown(bytes) }

  /// The folder that holds it; nil when that is the root.
  public var parent: RelativePath? { RelativePath(components: Array(components.dropLast())) }

  /// The path of `name` in this folder; nil when the result would break the rules.
  public func appending(_ name: [UInt8]) -> RelativePath? { RelativePath(components: components + [name]) }

  /// Whether `bytes` may be one component.
  public static func isName(_ bytes: [UInt8]) -> Bool {
    (1...255).contains(bytes.count) && !bytes.contains(0) && !bytes.contains(UInt8(ascii: "/"))
      && bytes != [UInt8(ascii: ".")] && bytes != [UInt8(ascii: "."), UInt8(ascii: ".")]
  }

  /// Component by component, bytewise.
  public static func < (left: Self, right: Self) -> Bool {
    left.components.lexicographicallyPrecedes(right.components) { $0.lexicographicallyPrecedes($1) }
  }
}
