// SPDX-License-Identifier: MIT

import ActivityModel
import AgentClient
import FolderAccess
import LinuxSystem
import LocalNetwork
import TestSupport
import Testing

@testable import Agent
@testable import AgentEngine

/// Real agents with real network processes, on loopback: what `continuo lan` asks of them. An engine carries
/// only when a test says so.
@Suite(.waiting, .timeLimit(.minutes(20))) struct LinkedAgentsTests {
  @Test func whatIsSavedIsOfferedOnTheOtherDeviceThoughNothingIsCarried() throws {
    let pair = try Pair.linkedWithOneVersion()
    for device in [pair.desktop, pair.laptop] {
      let status = try device.lan()
      #expect(status.isOn && status.process > 0 && status.isConfined != nil && status.problem == nil)
      #expect(status.addresses.contains([127, 0, 0, 1]) && status.links.allSatisfy { $0.cause == nil })
    }
    for (text, time) in [("two", 2_000), ("three", 3_000)] as [(String, UInt64)] {
      let began = Instant.now
      try pair.offerOverLink(text, at: time)
      #expect(Instant.now - began < .seconds(1), "a folder would be as fast")
    }
    // The document is another matter: it comes with the folder.
    #expect(pair.viewer.offers.first?.status.arrival == .behind)
  }

  @Test func switchedOffNobodyCanConnectAndTheCircleIsToldNoAddress() throws {
    let pair = try Pair.linked()
    let port = try pair.desktop.lan().port
    #expect(try Self.isListening(port, pair.world))
    let status = try pair.desktop.lan(.off)
    #expect(!status.isOn && status.port == 0 && status.process == 0 && status.addresses.isEmpty)
    #expect(status.links.map(\.link.state) == [.off] && status.links.allSatisfy { $0.cause == nil })
    #expect(try !Self.isListening(port, pair.world))
    try pair.world.run("the end of the link", within: .seconds(5)) {
      pair.laptop.core.lanStatus.links.map(\.link.state) != [.linked]
    }
    try pair.world.run("the record without an address") {
      pair.desktop.record.map { $0.reachability == nil } == true
    }
    try pair.desktop.carry(to: pair.laptop)
    #expect(try pair.laptop.lan().links.map(\.cause) == [.linkOff(device: "desktop")])
    // Again, as if nothing had been: at the port that firewalls and others know.
    #expect(try pair.desktop.switchOn().port == port)
    try pair.world.run("the record with an address") { pair.desktop.record?.reachability != nil }
    try pair.desktop.carry(to: pair.laptop)
    try pair.awaitLink()
  }

  /// What a link alone had told of is not known to the next agent, until the devices meet again.
  @Test func s36d_whatIsAcceptedAgainAfterARestartWaitsForTheLink() throws {
    let pair = try Pair.linkedWithOneVersion()
    try pair.offerOverLink("two", at: 2_000)
    try pair.laptop.restart()
    try pair.laptop.switchOn()
    let (app, request, unknown) = (
      try pair.world.connect(to: pair.laptop.core), RequestID.random(), RequestID.random()
    )
    app.hello()
    app.link.send(.accept(pair.offerID, request), descriptor: nil)
    let other = OfferID(device: pair.offerID.device, activity: .random())
    app.link.send(.accept(other, unknown), descriptor: nil)
    try pair.world.run("the continuation", within: .seconds(20)) {
      app.reports.contains { if case .willContinue(request, _) = $0 { true } else { false } }
    }
    #expect(app.failures(of: request).isEmpty)
    try pair.world.run("the end of what is not offered", within: .seconds(15)) {
      app.failures(of: unknown).map(\.cause) == [.offerGone]
    }
  }

  /// T19: who was removed is cut off, though it would go on.
  @Test func aDeviceThatIsRemovedLosesItsLinkWithinTwoSeconds() throws {
    let pair = try Pair.linked()
    let began = Instant.now
    guard case .done = try pair.desktop.ask(.revoke("laptop")) else {
      Issue.record("not removed")
      return
    }
    #expect(pair.desktop.core.lanStatus.links.isEmpty)
    try pair.world.run("the end of the link", within: .seconds(5)) {
      pair.laptop.core.lanStatus.links.map(\.link.state) != [.linked]
    }
    #expect(Instant.now - began < .seconds(2))
    #expect(pair.desktop.core.links.transports.isEmpty)
  }

  @Test func aDeviceThatDoesNotAnswerIsToldWithWhatMayBeInTheWay() throws {
    let pair = try Pair()
    try pair.desktop.switchOn()
    try pair.world.run("the record with an address") { pair.desktop.record?.reachability != nil }
    // As behind a firewall: nobody takes connections there, and nothing is said of that.
    pair.desktop.core.ports.network.stop()
    try pair.desktop.carry(to: pair.laptop)
    try pair.laptop.switchOn()
    try pair.world.run("the cause", within: .seconds(8)) {
      pair.laptop.core.lanStatus.links.contains { $0.cause?.kind == .linkUnanswered }
    }
    guard case .explained(let rows, _) = try pair.laptop.ask(.explain(app: nil, skipping: 0)) else {
      Issue.record("not explained")
      return
    }
    let place = try #require(pair.laptop.core.links.places[pair.desktop.core.store.id])
    let port = try #require(place).port
    let cause = Reason.linkUnanswered(device: "desktop", port: UInt64(port))
    #expect(rows.contains { $0.subject == .device && $0.statements == [Explanation.Statement(cause)] })
  }

  // MARK: What is in the way

  @Test func aPortThatIsTakenIsRefusedInASentenceAndWhatWasOnStaysOn() throws {
    let world = try World()
    let device = try world.device("desktop")
    let taken = try TCPSocket.listener(port: 0)
    let port = try #require(TCPSocket.port(of: taken))
    let error = try #require(try device.refusal(of: .on(port: port)))
    #expect(error.code == .agentUnavailable && error.description.contains("say another one with --port"))
    #expect(try !device.lan().isOn && device.lan().problem == nil)
    let first = try device.switchOn()
    #expect(try device.refusal(of: .on(port: port)) != nil)
    let status = try device.lan()
    #expect(status.isOn && status.port == first.port && status.process == first.process)
    #expect(try Self.isListening(first.port, world))
    #expect(try device.refusal(of: .on(port: 80))?.code == .invalidRequest)
  }

  /// What a file says holds as soon as it can.
  @Test func aPortOfTheSettingsThatIsTakenIsAProblemUntilItIsFree() throws {
    let world = try World()
    let device = try world.device("desktop")
    var settings = AgentSettings()
    do {
      let taken = try TCPSocket.listener(port: 0)
      (settings.isLanEnabled, settings.network.port) = (true, try #require(TCPSocket.port(of: taken)))
      device.core.use(settings)
      let status = try device.lan()
      #expect(!status.isOn && status.problem?.contains("\(settings.network.port)") == true)
      #expect(try device.status().problems.contains { $0 == status.problem })
      device.core.lan.retry()
      #expect(try !device.lan().isOn)
    }
    device.core.lan.retry()
    let status = try device.lan()
    #expect(status.isOn && status.port == settings.network.port && status.problem == nil)
    settings.isLanEnabled = false
    device.core.use(settings)
    #expect(try !device.lan().isOn && device.lan().problem == nil)
  }

  /// The file may be read at any time: what it said before is no news, and undoes nothing.
  @Test func aFileThatSaysTheSameAsBeforeUndoesNoCommand() throws {
    let world = try World()
    let device = try world.device("desktop")
    var settings = AgentSettings()
    device.core.use(settings)
    let port = try device.lan(.on(port: nil)).port
    device.core.use(settings)
    #expect(try device.lan().port == port && device.lan().isOn)
    settings.isLanEnabled = true
    device.core.use(settings)
    #expect(try device.lan().port == port)
    #expect(try !device.lan(.off).isOn)
    device.core.use(settings)
    #expect(try !device.lan().isOn)
    settings.isLanEnabled = false
    device.core.use(settings)
    settings.isLanEnabled = true
    device.core.use(settings)
    #expect(try device.lan().isOn)
  }

  @Test func withoutItsProgramTheLanStaysOff() throws {
    let world = try World()
    let state = try OwnDirectory.privateDirectory(world.scratch.path + "/state")
    let ports = AgentPorts.real(loop: world.loop, directory: state)
    ports.network = NetworkProcess(loop: world.loop, program: { nil })
    let core = try AgentCore(ports, deviceName: "desktop")
    try core.start()
    defer { core.stop() }
    let client = try world.connect(to: core)
    guard case .failed(let error) = try client.ask(.lan(.on(port: nil)), world) else {
      Issue.record("it is on without its program")
      return
    }
    #expect(error.description.contains("continuo-lan") && error.description.contains("folders alone"))
    #expect(!core.lanStatus.isOn && core.lanStatus.problem == nil)
  }

  // MARK: What a person names

  @Test func computersThatWereNamedAreListedAndForgotten() throws {
    let world = try World()
    let device = try world.device("desktop")
    let host = TypedHost(name: "tower", port: 47_000, addresses: [[192, 168, 1, 20]])
    #expect(try device.lan(.connect(host)).typed == [host])
    try device.restart()
    #expect(try device.lan().typed == [host] && !device.lan().isOn)
    for addresses in [[[224, 0, 0, 1]], [[255, 255, 255, 255]], [[127, 0, 0, 1]]] as [[[UInt8]]] {
      let refusal = try device.refusal(of: .connect(TypedHost(name: "x", addresses: addresses)))
      #expect(refusal?.code == .invalidRequest, "\(addresses)")
    }
    #expect(try device.refusal(of: .forget("towel"))?.description.contains("towel") == true)
    #expect(try device.lan(.forget("tower")).typed == [])
  }

  @Test func aNetworkThatIsSwitchedOffIsListedAndItsAddressesAreNotTold() throws {
    let world = try World()
    let device = try world.device("desktop")
    // The rules are tested by themselves; this is the way from the command to them.
    for interface in Set(OwnAddresses.list().map(\.interface)).union(["wlan7"]) {
      #expect(try device.lan(.network(interface, isOn: false)).offNetworks.contains(interface))
    }
    let status = try device.lan(.on(port: nil))
    #expect(status.addresses.isEmpty && status.isOn)
    #expect(device.core.lan.settings.offInterfaces == Set(status.offNetworks))
    for interface in status.offNetworks { _ = try device.lan(.network(interface, isOn: true)) }
    #expect(try device.lan().offNetworks.isEmpty)
  }

  /// Whether somebody who connects is taken by somebody.
  private static func isListening(_ port: UInt16, _ world: World) throws -> Bool {
    guard let socket = try? TCPSocket.connecting(to: [127, 0, 0, 1], port: port) else { return false }
    var entries = [Poll.Entry(socket.number, for: .writable)]
    try #require(Poll.wait(for: &entries, atMost: .seconds(5)), "neither taken nor refused")
    return TCPSocket.failure(of: socket) == nil
  }
}

extension InProcessDevice {
  /// Asks for something that is done.
  @discardableResult
  func lan(_ command: LanCommand = .status, sourceLocation: SourceLocation = #_sourceLocation) throws
    -> LanStatus
  {
    let answer = try ask(.lan(command), sourceLocation: sourceLocation)
    guard case .lan(let status) = answer else {
      throw Scratch.Failure(description: "\(command) was answered by \(answer)")
    }
    return status
  }

  /// How a command is refused; nil where it is not.
  func refusal(of command: LanCommand) throws -> ContinuityError? {
    guard case .failed(let error) = try ask(.lan(command)) else { return nil }
    return error
  }

  /// Devices of one computer may be told to link.
  @discardableResult
  func switchOn(onLoopback usesLoopback: Bool = true) throws -> LanStatus {
    var settings = AgentSettings()
    settings.network.usesLoopback = usesLoopback
    core.use(settings)
    return try lan(.on(port: nil))
  }
}

extension Pair {
  /// Two devices that were carried to each other once since the LAN is on, and are linked.
  static func linked() throws -> Pair {
    let pair = try Pair()
    for device in [pair.desktop, pair.laptop] { try device.switchOn() }
    try pair.desktop.carry(to: pair.laptop)
    try pair.laptop.carry(to: pair.desktop)
    try pair.awaitLink()
    return pair
  }

  /// The same, and the version that both devices have is offered: the laptop has seen it.
  static func linkedWithOneVersion() throws -> Pair {
    let pair = try linked()
    try pair.offerOverLink("one", at: 1_000)
    try pair.awaitStanding(.current)
    return pair
  }

  /// Until the laptop says so of a document that the desktop offers.
  func awaitStanding(_ arrival: Arrival, of activity: ActivityID? = nil) throws {
    try world.run("the standing \(arrival)", within: .seconds(10)) {
      viewer.offers.contains {
        $0.id.activity == activity ?? self.activity && $0.status.arrival == arrival
      }
    }
  }

  /// Saved and offered on the desktop, and known on the laptop, though nothing is carried.
  func offerOverLink(
    _ text: String, at time: UInt64, as name: String = "plan.md", id: ActivityID? = nil
  ) throws {
    let activity = id ?? self.activity
    try Scratch.write(text, to: "\(desktop.folder)/\(name)")
    editor.offer("\(desktop.folder)/\(name)", id: activity, at: time)
    try world.run("the offer of \(text)", within: .seconds(5)) {
      viewer.offers.contains { $0.id.activity == activity && $0.changedAt.milliseconds == time }
    }
  }

  /// Until both say that they are linked.
  func awaitLink(sourceLocation: SourceLocation = #_sourceLocation) throws {
    let devices = [desktop, laptop]
    try world.run(
      "the link", within: .seconds(45),
      state: { devices.map { "\($0.name): \($0.core.lanStatus)" }.joined(separator: "; ") },
      sourceLocation: sourceLocation
    ) {
      devices.allSatisfy { $0.core.lanStatus.links.map(\.link.state) == [.linked] }
    }
  }
}
