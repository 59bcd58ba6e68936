// SPDX-License-Identifier: MIT

public import ActivityModel
import CLinux
import Glibc

/// The interfaces of this computer to networks, those that are up.
public enum NetworkInterfaces {
  /// All addresses, as getifaddrs(3) lists them. Throws what that fails with.
  public static func addresses() throws(Errno) -> [OwnAddress] {
    var first: UnsafeMutablePointer<ifaddrs>?
    try calling { getifaddrs(&first) }
    defer { freeifaddrs(first) }
    var found: [OwnAddress] = []
    for entry in sequence(first: first, next: { $0?.pointee.ifa_next }) {
      guard let entry = entry?.pointee, entry.ifa_flags & UInt32(IFF_UP) != 0,
        let bytes = bytes(of: entry.ifa_addr)
      else { continue }
      let name = String(cString: entry.ifa_name)
      found.append(OwnAddress(bytes: bytes, interface: name, kind: kind(of: name, flags: entry.ifa_flags)))
    }
    return found
  }

  /// 4 bytes of IPv4 or 16 of IPv6, in the network's order; nil for an address of another kind.
  static func bytes(of address: UnsafeMutablePointer<sockaddr>?) -> [UInt8]? {
    guard let address else { return nil }
    return switch CInt(address.pointee.sa_family) {
    case AF_INET:
      address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { found in
        withUnsafeBytes(of: found.pointee.sin_addr) { Array($0) }
      }
    case AF_INET6:
      address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { found in
        withUnsafeBytes(of: found.pointee.sin6_addr) { Array($0) }
      }
    default: nil
    }
  }

  private static func kind(of name: String, flags: UInt32) -> OwnAddress.Kind {
    if flags & UInt32(IFF_LOOPBACK) != 0 { return .loopback }
    let device = FilePath("/sys/class/net/\(name)")
    func has(_ entry: String) -> Bool { (try? device.appending(Array(entry.utf8)).status()) != nil }
    if has("bridge") { return .bridge }
    if has("wireless") || has("phy80211") { return .wireless }
    // WireGuard and point-to-point links have no address of hardware.
    return has("tun_flags") || flags & UInt32(IFF_POINTOPOINT) != 0 ? .tunnel : .wired
  }
}

/// Becomes readable when an interface or its addresses change, and never otherwise: a socket of rtnetlink(7).
public final class NetworkNotices: Sendable {
  private let socket: Descriptor

  /// Tells of what changes from now on. Throws what socket(2) or bind(2) fails with.
  public init() throws(Errno) {
    socket = Descriptor(owning: try calling { continuo_network_notices() })
  }

  /// What to wait for.
  public var descriptor: CInt { socket.number }

  /// Takes what was told. What it says is not read: the addresses are looked at anew, also where some of it
  /// was lost.
  public func drain() {
    var room = [UInt8](repeating: 0, count: 8192)
    while true {
      do throws(Errno) {
        guard try socket.read(into: &room) > 0 else { return }
      } catch {
        // Too much was told to be kept.
        guard error.rawValue == ENOBUFS else { return }
      }
    }
  }
}
