// SPDX-License-Identifier: MIT

/// What a person set for links to other devices on a network.
public struct NetworkSettings: Hashable, Sendable {
  /// Where others connect; 0 for the port of the last time, or any free one.
  public var port: UInt16 = 0
  /// Whether the circle is told addresses of the public network as well.
  public var tellsPublicAddresses = false
  /// Interfaces whose networks are switched off: the circle is told none of their addresses.
  public var offInterfaces: Set<String> = []
  /// For tests on one computer: its own addresses are told and dialled like others.
  public var usesLoopback = false

  /// The defaults.
  public init() {}
}
