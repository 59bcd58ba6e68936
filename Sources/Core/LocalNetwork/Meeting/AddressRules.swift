// SPDX-License-Identifier: MIT

public import ActivityModel

/// Which of its addresses a device tells the circle, and at which addresses it knocks (decision 0063): what
/// stands in records is a travel log for whoever reads old ones, and a lying member must not make others
/// knock at what is no device of the circle.
public struct AddressRules: Hashable, Sendable {
  /// What a person set.
  public var settings: NetworkSettings

  /// The rules under these settings.
  public init(_ settings: NetworkSettings = NetworkSettings()) { self.settings = settings }

  private static let loopback: [UInt8] = [127, 0, 0, 1]

  // MARK: Own addresses

  /// Those that the circle is told, at most `Reachability.addressLimit`: what is plugged in first, tunnels
  /// last.
  public func told(_ own: [OwnAddress]) -> [[UInt8]] {
    let usable = own.filter { address in
      address.isReachable && !settings.offInterfaces.contains(address.interface)
        && (settings.tellsPublicAddresses || Self.isPrivate(address.bytes))
    }
    let ordered = OwnAddress.Kind.allCases.flatMap { kind in usable.filter { $0.kind == kind }.map(\.bytes) }
    var told: [[UInt8]] = settings.usesLoopback ? [Self.loopback] : []
    for bytes in ordered where !told.contains(bytes) { told.append(bytes) }
    return Array(told.prefix(Reachability.addressLimit))
  }

  /// Whether this computer is on networks, and a person has switched all of them off.
  public func isSwitchedOff(on own: [OwnAddress]) -> Bool {
    if settings.offInterfaces.isEmpty { return false }
    let reachable = own.filter(\.isReachable)
    return !settings.usesLoopback && !reachable.isEmpty
      && reachable.allSatisfy { settings.offInterfaces.contains($0.interface) }
  }

  /// Whether this computer is on any network.
  public func isConnected(_ own: [OwnAddress]) -> Bool {
    settings.usesLoopback || own.contains(where: \.isReachable)
  }

  /// Whether an address is of one's own networks: RFC 1918, RFC 6598 (which VPNs use as well), RFC 4193.
  private static func isPrivate(_ bytes: [UInt8]) -> Bool {
    switch bytes.count {
    case 4:
      bytes[0] == 10 || bytes[0] == 172 && bytes[1] & 0xf0 == 16 || bytes[0..<2] == [192, 168]
        || bytes[0] == 100 && bytes[1] & 0xc0 == 64
    case 16: bytes[0] & 0xfe == 0xfc
    default: false
    }
  }

  // MARK: Others

  /// Whether this device knocks there: at another computer, and at no service of a system.
  public func mayDial(_ address: NetworkAddress) -> Bool {
    guard address.port >= Reachability.lowestPort else { return false }
    return address.bytes == Self.loopback ? settings.usesLoopback : Self.isRoutable(address.bytes)
  }

  /// Whether an address may be that of another computer.
  static func isRoutable(_ bytes: [UInt8]) -> Bool {
    switch bytes.count {
    case 4:
      // This network, this computer, this wire, many at once, and what is reserved, all at once included.
      return bytes[0] != 0 && bytes[0] != 127 && bytes[0..<2] != [169, 254] && bytes[0] < 224
    case 16:
      // Those of this wire, many at once, and below ::/32 this computer and what stands for IPv4.
      return !(bytes[0] == 0xfe && bytes[1] & 0xc0 == 0x80) && bytes[0] != 0xff
        && bytes.prefix(4).contains { $0 != 0 }
    default: return false
    }
  }
}
