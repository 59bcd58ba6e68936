// SPDX-License-Identifier: MIT

/// One of this computer's own addresses, and the interface that has it, as its kernel tells them.
public struct OwnAddress: Hashable, Sendable {
  /// What kind of interface it is.
  public enum Kind: UInt8, Sendable, CaseIterable {
    /// A cable, or what looks like one.
    case wired
    /// Wi-Fi.
    case wireless
    /// A VPN, or another tunnel.
    case tunnel
    /// The way of containers and virtual machines to this computer.
    case bridge
    /// This computer itself.
    case loopback
  }

  /// 4 bytes of IPv4 or 16 of IPv6, in the network's order.
  public var bytes: [UInt8]
  /// The interface's name.
  public var interface: String
  /// The interface's kind.
  public var kind: Kind

  /// An address of an interface.
  public init(bytes: [UInt8], interface: String, kind: Kind) {
    (self.bytes, self.interface, self.kind) = (bytes, interface, kind)
  }
}
