// SPDX-License-Identifier: MIT

import ActivityModel
import AgentClient
import LinuxSystem
import TestSupport
import Testing

@testable import Agent
@testable import AgentEngine

/// What was handed over is found again on both devices, where a person set that, and nowhere else.
@Suite(.waiting) struct HandedOverTests {
  private let pair: Pair
  private var devices: [InProcessDevice] { [pair.desktop, pair.laptop] }

  init() throws { pair = try Pair() }

  private func set(_ isOn: Bool, on devices: [InProcessDevice]) {
    var settings = AgentSettings()
    settings.search.keepsHandedOver = isOn
    for device in devices { device.core.use(settings) }
  }

  /// The desktop's document is continued on the laptop, which tells the desktop.
  private func handOver(_ outcome: ContinuationOutcome = .opened) throws {
    try pair.offer("two")
    try pair.write("two")
    let request = RequestID.random()
    pair.viewer.link.send(.accept(pair.offerID, request), descriptor: nil)
    try pair.world.run("the delivery") { !pair.viewer.delivered.isEmpty }
    pair.viewer.link.send(.outcome(request, outcome), descriptor: nil)
    try pair.world.run("the claim") { pair.laptop.record?.claims.isEmpty == false }
    try pair.laptop.carry(to: pair.desktop)
  }

  private func kept(_ device: InProcessDevice) -> [ActivitySnapshot] { device.kept(of: "org.continuo.edit") }

  /// Whether any file of the device's index holds `text`, in whatever case.
  private func isReadable(_ text: String, on device: InProcessDevice) -> Bool {
    Scratch.isReadable(text, in: device.stateDirectory, namesBeginning: "activities")
  }

  @Test func s11h_whatWasHandedOverIsKeptOnBothDevices() throws {
    set(true, on: devices)
    try handOver()
    for device in devices {
      #expect(
        kept(device).map(\.documentPath) == [Array((device.folder + "/plan.md").utf8)], "\(device.name)")
      guard case .found(let found) = try device.ask(.find(words: "plan", atMost: 9)) else { continue }
      #expect(found.count == 1)
    }
  }

  @Test func s11h_nothingIsKeptUnlessThatIsSet() throws {
    try handOver()
    #expect(devices.allSatisfy { kept($0).isEmpty }, "nobody has read the settings yet")
    set(false, on: devices)
    #expect(devices.allSatisfy { kept($0).isEmpty })
  }

  @Test(arguments: [ContinuationOutcome.declined, .failed])
  func s11h_whatWasNotContinuedIsNotKept(_ outcome: ContinuationOutcome) throws {
    set(true, on: devices)
    try handOver(outcome)
    #expect(devices.allSatisfy { kept($0).isEmpty })
  }

  /// What a line that is wrong was to say is not known.
  @Test func s11h_aWrongLineDeletesNothing() throws {
    set(true, on: devices)
    try handOver()
    try pair.laptop.restart()
    var settings = AgentSettings()
    (settings.search.isWhole, settings.search.limits.count) = (false, 0)
    pair.laptop.core.use(settings)
    #expect(kept(pair.laptop).count == 1)
    settings.search.isWhole = true
    settings.search.limits.count = 100
    pair.laptop.core.use(settings)
    #expect(kept(pair.laptop).isEmpty, "now it is off")
  }

  @Test func s11h_turningItOffErasesIt() throws {
    set(true, on: devices)
    try handOver()
    #expect(isReadable("plan.md", on: pair.laptop))
    try pair.laptop.restart()
    #expect(kept(pair.laptop).count == 1, "before the settings are read nothing is deleted")
    set(false, on: devices)
    for device in devices {
      #expect(kept(device).isEmpty && !isReadable("plan.md", on: device), "\(device.name)")
    }
  }

  @Test func s11h_itIsContinuedAsItWas() throws {
    set(true, on: devices)
    try handOver()
    let identifier = try #require(kept(pair.laptop).first?.persistentIdentifier)
    let asker = try pair.world.connect(to: pair.laptop.core)
    let key = SavedActivity.Key(appID: "org.continuo.edit", identifier: identifier)
    asker.link.send(.restoreSaved(key, onTerminal: true), number: 1)
    try pair.world.run("the delivery") { pair.viewer.delivered.count == 2 }
    let again = pair.viewer.delivered[1]
    #expect(again.bytes == Array("two".utf8) && again.delivery.status.cause == nil)
    #expect(again.delivery.activity.userInfo[.text("line")] == .int(7))
    #expect(again.delivery.activity.persistentIdentifier == nil)
    #expect(!again.delivery.activity.flags.contains(.handedOver))
    pair.viewer.link.send(.outcome(again.request, .opened), descriptor: nil)
    pair.world.settle()
    #expect(kept(pair.laptop).count == 1)
  }

  /// What its app keeps stands for it, and what its app deletes is gone.
  @Test func s11h_anAppsOwnWordCountsMore() throws {
    set(true, on: devices)
    var snapshot = ActivitySnapshot(
      id: .random(), type: "public.text-editing", appID: "org.continuo.edit", changedAt: .now)
    (snapshot.title, snapshot.persistentIdentifier) = ("Soup", "soup")
    let core = pair.laptop.core
    core.keepHandedOver(snapshot)
    #expect(kept(pair.laptop).map(\.flags) == [[.handoff, .handedOver]])
    snapshot.flags.formUnion([.search, .handedOver])
    try change(.save(RequestID.random(), snapshot))
    #expect(kept(pair.laptop).map(\.flags) == [[.handoff, .search]])
    core.keepHandedOver(snapshot)
    #expect(kept(pair.laptop).map(\.flags) == [[.handoff, .search]])
    try change(.deleteSaved(RequestID.random(), identifiers: ["soup"]))
    core.keepHandedOver(snapshot)
    #expect(kept(pair.laptop).count == 1)
    try change(.deleteSaved(RequestID.random(), identifiers: ["soup"]))
    #expect(kept(pair.laptop).isEmpty)
  }

  private func change(_ request: AgentRequest) throws {
    let before = answers
    pair.viewer.link.send(request, descriptor: nil)
    try pair.world.run("the answer") { answers > before }
  }

  private var answers: Int {
    pair.viewer.reports.count { if case .kept(_, nil) = $0 { true } else { false } }
  }
}
