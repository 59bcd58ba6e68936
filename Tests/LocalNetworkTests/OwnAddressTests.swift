// SPDX-License-Identifier: MIT

import ActivityModel
import LocalNetwork
import Testing

/// Which of this computer's addresses another one may reach.
@Suite struct OwnAddressTests {
  private static func isReachable(
    _ bytes: [UInt8], _ interface: String = "eth0", _ kind: OwnAddress.Kind = .wired
  ) -> Bool {
    OwnAddress(bytes: bytes, interface: interface, kind: kind).isReachable
  }

  private static func six(_ first: [UInt8], last: UInt8 = 1) -> [UInt8] {
    first + [UInt8](repeating: 0, count: 15 - first.count) + [last]
  }

  @Test func thoseOfNetworksAndTunnels() {
    #expect(Self.isReachable([192, 168, 1, 2]))
    #expect(Self.isReachable([10, 0, 0, 1], "wg0", .tunnel))
    #expect(Self.isReachable([203, 0, 113, 5], "wlan0", .wireless))
    #expect(Self.isReachable(Self.six([0xfd, 1])) && Self.isReachable(Self.six([0x20, 1])))
  }

  @Test func neitherThoseOfThisComputerOrWireNorOfContainers() {
    #expect(!Self.isReachable([127, 0, 0, 1]) && !Self.isReachable([10, 0, 0, 1], "lo", .loopback))
    #expect(!Self.isReachable([169, 254, 3, 4]) && !Self.isReachable([0, 0, 0, 0]))
    #expect(!Self.isReachable(Self.six([0xfe, 0x80])) && !Self.isReachable(Self.six([0xfe, 0xbf])))
    #expect(!Self.isReachable(Self.six([])) && !Self.isReachable(Self.six([], last: 0)))
    for name in ["docker0", "br-12ab", "veth9", "virbr0", "podman0", "cni0"] {
      #expect(!Self.isReachable([172, 17, 0, 1], name), "\(name)")
    }
    #expect(!Self.isReachable([172, 17, 0, 1], "lxdbr0", .bridge))
    #expect(!Self.isReachable([1, 2, 3]))
  }
}
