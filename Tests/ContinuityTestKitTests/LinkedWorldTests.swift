// SPDX-License-Identifier: MIT

import ActivityModel
import LocalNetwork
import Testing
import Trust

@testable import AgentEngine
@testable import ContinuityTestKit

/// Devices on one network, whose engine carries nothing but what a test says.
@Suite struct LinkedWorldTests {
  private let world: ScriptedWorld
  private let devices: [ScriptedDevice]

  init() throws {
    world = ScriptedWorld(devices: ["desktop", "laptop", "tablet"], folderName: "Notes", hasNetwork: true)
    devices = world.devices
    try #require(devices.count == 3)
    // The engine runs until all have heard where the others are.
    for _ in 0..<3 { world.carryRecords() }
  }

  private func record(of device: ScriptedDevice) -> [UInt8]? {
    device.read(ScriptedWorld.recordPath(of: device))
  }

  private func core(_ device: ScriptedDevice) throws -> AgentCore { try #require(device.device.agent).core }

  private func states(of device: ScriptedDevice) throws -> [DeviceLink.State] {
    try core(device).links.states.map(\.state)
  }

  private func network(_ device: ScriptedDevice) throws -> SimulatedNetwork {
    try #require(core(device).ports.network as? SimulatedNetwork)
  }

  @Test func devicesThatHeardOfEachOtherAreLinked() throws {
    for device in devices { #expect(try states(of: device) == [.linked, .linked]) }
    #expect(world.violations == [])
  }

  @Test func aSaveIsOfferedOnAllOthersWithinSixtyMillisecondsWhileTheFolderStands() throws {
    let (app, activity) = (try world.app(on: devices[0]), ActivityID.random())
    devices[0].save("one", as: activity, over: app)
    world.run(for: .seconds(5))
    let folders = devices.map(record)
    for text in ["two", "three"] {
      let start = world.now
      devices[0].save(text, as: activity, over: app)
      let digest = world.digest(of: Array(text.utf8))
      func hasAll() -> Bool {
        devices.dropFirst().allSatisfy { $0.offers?.first?.version?.digest == digest }
      }
      while !hasAll(), world.step(until: start + .seconds(5)) {}
      #expect(hasAll() && world.now - start <= .milliseconds(60), "\(world.now - start)")
      world.run(for: .milliseconds(200))
    }
    // Neither folder has heard of it; the source's has, at the folder's own pace.
    #expect(devices.dropFirst().map(record) == Array(folders.dropFirst()))
    world.run(for: .seconds(2))
    #expect(record(of: devices[0]) != folders[0])
    #expect(world.violations == [])
  }

  @Test func whicheverBringsItTheNewestCountsAndAnOlderOneDoesNothing() throws {
    let (app, activity) = (try world.app(on: devices[0]), ActivityID.random())
    devices[0].save("one", as: activity, over: app)
    world.run(for: .seconds(3))
    let path = ScriptedWorld.recordPath(of: devices[0])
    let older = try #require(devices[0].read(path))
    devices[0].save("two", as: activity, over: app)
    world.run(for: .seconds(3))
    let newer = try #require(devices[0].read(path))
    devices[1].replace(path, with: older)
    world.run(for: .seconds(3))
    #expect(devices[1].offers?.first?.version?.digest == world.digest(of: Array("two".utf8)))
    // The other way: the folder is first, and what comes over the link late is older.
    let link = try #require(try number(of: devices[0], at: devices[1]))
    try network(devices[1]).onReport(.received(link, .record, newer))
    try network(devices[1]).onReport(.received(link, .record, older))
    world.run(for: .seconds(1))
    #expect(devices[1].offers?.first?.version?.digest == world.digest(of: Array("two".utf8)))
    #expect(try states(of: devices[1]) == [.linked, .linked] && world.violations == [])
  }

  private func number(of other: ScriptedDevice, at device: ScriptedDevice) throws -> LinkNumber? {
    try network(device).links.first { $0.value == other.device.number }?.key
  }

  @Test func aRecordThatAnotherDeviceSignedIsRefusedAndTheLinkWithIt() throws {
    let app = try world.app(on: devices[0])
    devices[0].save("one", as: .random(), over: app)
    devices[0].device.agent?.endLinks()
    world.run(for: .seconds(1))
    let before = devices[1].offers
    let record = try #require(try core(devices[0]).records.publisher.newest.last).bytes
    // The tablet has what the desktop said, and says it as its own.
    let link = try #require(try number(of: devices[2], at: devices[1]))
    try network(devices[1]).onReport(.received(link, .record, record))
    world.run(for: .milliseconds(5))
    #expect(devices[1].offers?.count == before?.count)
    #expect(try network(devices[1]).links[link] == nil, "the link ends")
  }

  @Test func whoeverIsRemovedLosesItsLinksWithinTwoSecondsAndTheOthersAreLinkedByTheNewKey() throws {
    let tablet = devices[2].device.id
    let former = try core(devices[0]).store.identity.circle.currentEpoch
    world.begin()
    devices[0].device.agent?.perform(.revoke(try fingerprint(of: devices[2])))
    world.run(for: .seconds(2))
    for device in devices.dropLast() {
      #expect(try core(device).store.identity.circle.currentEpoch != former, "the link has brought it")
      #expect(try core(device).links.states.map(\.state) == [.linked])
      #expect(try !network(device).links.values.contains(devices[2].device.number))
    }
    #expect(try core(devices[1]).store.identity.circle.roster[tablet] == nil)
    #expect(try states(of: devices[2]).allSatisfy { $0 != .linked })
    world.run(for: .seconds(120))
    #expect(try states(of: devices[2]).allSatisfy { $0 != .linked } && world.violations == [])
  }

  private func fingerprint(of device: ScriptedDevice) throws -> String {
    try core(device).store.identity.keys.publicKeys.fingerprint
  }

  @Test func aDeviceThatStartsAgainIsLinkedAgainWithoutTheFolder() throws {
    devices[0].killAgent()
    world.run(for: .seconds(1))
    #expect(try states(of: devices[1]).contains { $0 != .linked })
    devices[0].start()
    world.run(for: .seconds(3))
    for device in devices { #expect(try states(of: device) == [.linked, .linked]) }
  }

  @Test func aNetworkProcessThatDiesAndSleepAreNothingToNotice() throws {
    let first = try core(devices[0]).links.reachability?.period
    try network(devices[0]).dieAlone()
    world.run(for: .seconds(3))
    #expect(try core(devices[0]).links.reachability?.period != first, "a period that nobody has used")
    for device in devices { #expect(try states(of: device) == [.linked, .linked]) }
    devices[1].device.agent?.resumed()
    world.run(for: .seconds(3))
    for device in devices { #expect(try states(of: device) == [.linked, .linked]) }
  }

  @Test func aDeviceIsReachedUnderAnotherNumberEachDayAndTheOneBeforeCounts() throws {
    let first = try #require(try core(devices[0]).links.reachability?.period)
    world.run(for: .seconds(24 * 3600 + 60))
    #expect(try core(devices[0]).links.reachability?.period != first)
    for device in devices { #expect(try states(of: device) == [.linked, .linked]) }
  }

  @Test func theSwitchEndsLinksAndTakesTheAddressesBack() throws {
    let links = try core(devices[0]).links
    #expect(links.port == 40_000 && links.addresses.count == 1)
    world.begin()
    links.switchOff()
    world.run(for: .seconds(3))
    #expect(links.port == nil && links.addresses == [])
    #expect(try states(of: devices[0]) == [.off, .off])
    world.carryRecords()
    let desktop = devices[0].device.id
    #expect(
      try core(devices[1]).links.states.allSatisfy { ($0.device == desktop) == ($0.state == .off) })
    world.begin()
    try links.switchOn(NetworkSettings())
    try links.switchOn(NetworkSettings())
    world.run(for: .seconds(3))
    #expect(try states(of: devices[0]) == [.linked, .linked])
    var settings = NetworkSettings()
    settings.port = 80
    #expect(throws: ContinuityError.self) { try links.switchOn(settings) }
    #expect(links.port == 40_000)
  }

  @Test func hostsThatWereTypedAreRememberedAndForgotten() throws {
    let links = try core(devices[0]).links
    world.begin()
    let host = TypedHost(name: "den", port: 4000, addresses: [[10, 1, 1, 1], [127, 0, 0, 1]])
    try links.connect(to: host)
    try links.connect(to: TypedHost(name: "den", addresses: [[10, 1, 1, 2]]))
    #expect(links.typedHosts == [TypedHost(name: "den", addresses: [[10, 1, 1, 2]])])
    for wrong in [
      TypedHost(name: "here", addresses: [[127, 0, 0, 1]]), TypedHost(name: "none", addresses: []),
      TypedHost(name: "web", port: 80, addresses: [[10, 1, 1, 1]]),
    ] {
      #expect(throws: ContinuityError.self) { try links.connect(to: wrong) }
    }
    devices[0].killAgent()
    devices[0].start()
    let restarted = try core(devices[0]).links
    #expect(restarted.typedHosts.map(\.name) == ["den"])
    try restarted.forget(host: "den")
    #expect(restarted.typedHosts == [])
    #expect(throws: ContinuityError.self) { try restarted.forget(host: "den") }
  }
}
