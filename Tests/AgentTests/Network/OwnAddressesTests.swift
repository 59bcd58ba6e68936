// SPDX-License-Identifier: MIT

import ActivityModel
import LinuxSystem
import LocalNetwork
import TestSupport
import Testing

@testable import Agent

/// This computer's own addresses, as its kernel tells them.
@Suite(.waiting) struct OwnAddressesTests {
  @Test func everyInterfaceHasItsKind() throws {
    let found = try NetworkInterfaces.addresses()
    let loopback = try #require(found.first { $0.bytes == [127, 0, 0, 1] })
    #expect(loopback.kind == .loopback && loopback.interface == "lo")
    #expect(!OwnAddresses.list().contains { $0.bytes == loopback.bytes })
    #expect(OwnAddresses.list() == OwnAddresses.list())
  }

  /// With an interface that is made for it, which only root may.
  @Test(.enabled(if: CurrentProcess.user == 0))
  func aChangeIsToldOnceWithTheAddressesThen() throws {
    let world = try World()
    let name = "ct\(CurrentProcess.number % 1_000_000)"
    func ip(_ words: String) throws {
      let child = try ChildProcess(
        ChildProcess.Start("ip", arguments: words.split(separator: " ").map { String($0) }))
      try #require(child.wait() == .code(0), "ip \(words)")
    }
    let network = NetworkProcess(loop: world.loop)
    var told: [[OwnAddress]] = []
    network.onAddresses = { told.append($0) }
    try network.followAddresses()
    defer { network.stop() }
    #expect(told.count == 1 && network.process == 0)
    try ip("link add \(name) type veth peer name \(name)p")
    defer { try? ip("link del \(name)") }
    try ip("addr add 10.87.65.43/24 dev \(name)")
    try ip("link set \(name) up")
    try world.run("the address") { told.count > 1 }
    let address = OwnAddress(bytes: [10, 87, 65, 43], interface: name, kind: .wired)
    #expect(told.count == 2 && told.last?.contains(address) == true, "\(told)")
    try ip("link set \(name) down")
    try world.run("that it is gone") { told.last?.contains(address) == false }
  }
}
