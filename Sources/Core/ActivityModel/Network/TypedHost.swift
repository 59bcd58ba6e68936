// SPDX-License-Identifier: MIT

/// A computer that a person named by hand: any device of the circle may be there.
public struct TypedHost: Hashable, Sendable {
  /// The most that are remembered, and the most addresses of each.
  public static let limit = 16

  /// As it was typed, without the port: a name or an address.
  public var name: String
  /// The port that was typed; nil for the one that each device says.
  public var port: UInt16?
  /// What the name led to; each 4 bytes of IPv4 or 16 of IPv6.
  public var addresses: [[UInt8]]

  /// A host at `addresses`.
  public init(name: String, port: UInt16? = nil, addresses: [[UInt8]]) {
    (self.name, self.port, self.addresses) = (name, port, addresses)
  }
}
