// SPDX-License-Identifier: MIT

/// Where a device can be reached on networks, as it says in its sealed record.
public struct Reachability: Hashable, Sendable {
  /// The most addresses that a device says.
  public static let addressLimit = 8
  /// Ports below are those of the system's services: nobody is led to knock there.
  public static let lowestPort: UInt16 = 1024

  /// Each 4 bytes of IPv4 or 16 of IPv6, in the network's order; those that are told first are tried first.
  public let addresses: [[UInt8]]
  /// Of TCP.
  public let port: UInt16
  /// Under which number the device is reached: another one each day and at each start.
  public let period: UInt64

  /// Nil for more addresses than a device says, one that is none, or a port below `lowestPort`.
  public init?(addresses: [[UInt8]], port: UInt16, period: UInt64) {
    guard addresses.count <= Self.addressLimit, port >= Self.lowestPort,
      addresses.allSatisfy({ $0.count == 4 || $0.count == 16 })
    else { return nil }
    (self.addresses, self.port, self.period) = (addresses, port, period)
  }
}
