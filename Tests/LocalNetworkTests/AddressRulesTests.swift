// SPDX-License-Identifier: MIT

import ActivityModel
import LocalNetwork
import Testing

/// Which addresses the circle is told, and where a device knocks.
@Suite struct AddressRulesTests {
  private static func six(_ first: [UInt8], last: UInt8 = 1) -> [UInt8] {
    first + [UInt8](repeating: 0, count: 15 - first.count) + [last]
  }

  private static func own(
    _ bytes: [UInt8], _ interface: String = "eth0", _ kind: OwnAddress.Kind = .wired
  ) -> OwnAddress {
    OwnAddress(bytes: bytes, interface: interface, kind: kind)
  }

  private func mayDial(_ bytes: [UInt8], port: UInt16 = 4000, _ rules: AddressRules = AddressRules()) -> Bool
  {
    rules.mayDial(NetworkAddress(bytes: bytes, port: port))
  }

  @Test func privateOnesAreToldAndThoseOfTheWorldOnlyWhereAPersonSaysSo() {
    let own = [
      Self.own([10, 1, 2, 3]), Self.own([172, 31, 0, 1]), Self.own([192, 168, 1, 2]),
      Self.own([100, 64, 0, 9], "tailscale0", .tunnel), Self.own(Self.six([0xfd])),
      Self.own([172, 32, 0, 1]), Self.own([100, 128, 0, 1]), Self.own([203, 0, 113, 5]),
      Self.own(Self.six([0x20, 1])),
    ]
    #expect(
      AddressRules().told(own)
        == [[10, 1, 2, 3], [172, 31, 0, 1], [192, 168, 1, 2], Self.six([0xfd]), [100, 64, 0, 9]])
    var settings = NetworkSettings()
    settings.tellsPublicAddresses = true
    #expect(AddressRules(settings).told(own).count == Reachability.addressLimit)
    #expect(AddressRules(settings).told(own).contains([203, 0, 113, 5]))
  }

  @Test func neitherThisWireNorContainersNorThisComputerAreTold() {
    let own = [
      Self.own([127, 0, 0, 1], "lo", .loopback), Self.own([169, 254, 1, 1]),
      Self.own(Self.six([0xfe, 0x80])),
      Self.own([172, 17, 0, 1], "docker0", .bridge), Self.own([10, 88, 0, 1], "podman1", .wired),
    ]
    #expect(AddressRules().told(own) == [])
  }

  @Test func atMostEightAreToldEachOnceAndTunnelsLast() {
    let tunnel = Self.own([10, 9, 9, 9], "wg0", .tunnel)
    let many = [tunnel] + (0..<12).map { Self.own([10, 0, 0, UInt8($0 / 2)], "eth\($0)") }
    #expect(AddressRules().told(many) == (0..<6).map { [10, 0, 0, $0] } + [[10, 9, 9, 9]])
    let more = [tunnel] + (0..<12).map { Self.own([10, 0, 0, UInt8($0)], "eth\($0)") }
    #expect(AddressRules().told(more) == (0..<8).map { [10, 0, 0, $0] })
  }

  @Test func aNetworkThatIsSwitchedOffByNameIsToldToNobody() {
    let own = [Self.own([192, 168, 1, 2], "wlan0", .wireless), Self.own([10, 0, 0, 1], "wg0", .tunnel)]
    var settings = NetworkSettings()
    settings.offInterfaces = ["wlan0"]
    #expect(AddressRules(settings).told(own) == [[10, 0, 0, 1]])
    #expect(!AddressRules(settings).isSwitchedOff(on: own))
    settings.offInterfaces = ["wlan0", "wg0"]
    #expect(AddressRules(settings).told(own) == [] && AddressRules(settings).isSwitchedOff(on: own))
    #expect(!AddressRules(settings).isSwitchedOff(on: []) && !AddressRules(settings).isConnected([]))
  }

  @Test func othersAreDialledOnNetworks() {
    for bytes: [UInt8] in [[10, 0, 0, 1], [192, 168, 0, 2], [203, 0, 113, 5], [100, 64, 0, 1]] {
      #expect(mayDial(bytes), "\(bytes)")
    }
    #expect(mayDial(Self.six([0xfd])) && mayDial(Self.six([0x20, 1])))
  }

  @Test func nobodyKnocksWhereNoDeviceIs() {
    let wrong: [[UInt8]] = [
      [127, 0, 0, 1], [127, 9, 9, 9], [0, 0, 0, 0], [0, 1, 2, 3], [169, 254, 1, 1], [224, 0, 0, 1],
      [239, 255, 255, 250], [240, 0, 0, 1], [255, 255, 255, 255], [], [10, 0, 0], [10, 0, 0, 1, 5],
      Self.six([]), Self.six([], last: 0), Self.six([0xfe, 0x80]), Self.six([0xfe, 0xbf]),
      Self.six([0xff, 2]),
      [UInt8](repeating: 0, count: 10) + [0xff, 0xff, 127, 0, 0, 1],
      [UInt8](repeating: 0, count: 12) + [10, 0, 0, 1],
    ]
    for bytes in wrong { #expect(!mayDial(bytes), "\(bytes)") }
    for port: UInt16 in [0, 22, 80, 1023] { #expect(!mayDial([10, 0, 0, 1], port: port), "\(port)") }
    #expect(mayDial([10, 0, 0, 1], port: 1024))
  }

  @Test func thisComputerIsAnotherOneForTestsAlone() {
    var settings = NetworkSettings()
    settings.usesLoopback = true
    let rules = AddressRules(settings)
    #expect(rules.told([]) == [[127, 0, 0, 1]] && rules.isConnected([]))
    #expect(mayDial([127, 0, 0, 1], rules) && !mayDial([127, 0, 0, 2], rules))
    #expect(!mayDial([127, 0, 0, 1], port: 80, rules))
  }
}
