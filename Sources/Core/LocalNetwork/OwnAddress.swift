// SPDX-License-Identifier: MIT

/// One of this computer's own addresses, and the interface that has it.
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

  private static let containers = ["docker", "br-", "veth", "virbr", "podman", "cni"]

  /// Whether another computer may reach it: neither of this computer or this wire alone, nor of the bridge to
  /// containers and virtual machines.
  public var isReachable: Bool {
    guard kind != .loopback, kind != .bridge, !Self.containers.contains(where: interface.hasPrefix) else {
      return false
    }
    switch bytes.count {
    case 4: return bytes[0] != 127 && bytes[0] != 0 && bytes[0..<2] != [169, 254]
    case 16: return !(bytes[0] == 0xfe && bytes[1] & 0xc0 == 0x80) && bytes.dropLast().contains { $0 != 0 }
    default: return false
    }
  }
}
