// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import ActivityWire
import AgentClient
import Glibc
import LinuxSystem
import TestSupport
import Testing
import Trust

@testable import Agent
@testable import AgentEngine

/// What `continuo why` is told by an agent: each thing has its reason, and none is passed over in silence.
@Suite(.serialized) struct WhyTests {
  private static let editorID = "org.continuo.edit"

  private func why(
    _ device: InProcessDevice, _ subject: Explanation.Subject, app: String? = nil
  ) throws -> [Explanation] {
    let answer = try device.ask(.explain(app: app, skipping: 0))
    guard case .explained(let all, let total) = answer else {
      throw Scratch.Failure(description: "\(answer)")
    }
    #expect(all.count == total && all.allSatisfy { !$0.statements.isEmpty })
    return all.filter { $0.subject == subject }
  }

  /// The names of the reasons of each row.
  private func names(_ rows: [Explanation]) -> [[String]] { rows.map { $0.statements.map(\.name) } }

  // MARK: What this device does

  /// An app's activity as its session tells of it, with nothing missing.
  private func whole(_ device: InProcessDevice) -> ActivitySnapshot {
    var snapshot = ActivitySnapshot(
      id: .random(), type: "public.text-editing", appID: Self.editorID, changedAt: .now)
    snapshot.userInfo[.text(NSUserActivityDocumentURLKey)] = .url(
      FileURL.text(of: Array((device.folder + "/plan.md").utf8)))
    return snapshot
  }

  struct OwnCase: Sendable {
    var reason: String
    var change: @Sendable (inout ActivitySnapshot) -> Void
    init(_ reason: String, _ change: @escaping @Sendable (inout ActivitySnapshot) -> Void) {
      (self.reason, self.change) = (reason, change)
    }
  }

  static let ownCases = [
    OwnCase("offered") { _ in },
    OwnCase("untyped") { $0.type = "" },
    OwnCase("not-eligible") { $0.flags = [] },
    OwnCase("required-key-missing") { $0.requiredUserInfoKeys = ["column"] },
    OwnCase("expired") { $0.expiresAt = WallTime(milliseconds: $0.changedAt.milliseconds - 1) },
    OwnCase("unchanged") { $0.changedAt = WallTime(milliseconds: 1_000) },
    OwnCase("outside-folders") {
      $0.userInfo[.text(NSUserActivityDocumentURLKey)] = .url(FileURL.text(of: Array("/etc/hosts".utf8)))
    },
  ]

  @Test(arguments: WhyTests.ownCases.indices) func anActivityOfThisDeviceHasItsReason(_ index: Int) throws {
    let test = Self.ownCases[index]
    let world = try World()
    let device = try world.device("desktop")
    try device.addFolder()
    try Scratch.write("text", to: device.folder + "/plan.md")
    let editor = try world.connect(to: device.core)
    editor.hello()
    var snapshot = whole(device)
    test.change(&snapshot)
    if let cause = snapshot.reasonWithheld {
      editor.link.send(.withheld(OwnActivity(snapshot, because: cause)), descriptor: nil)
    } else {
      editor.link.send(.update(snapshot, saved: nil), descriptor: nil)
    }
    try world.run("the activity") { !device.core.ownActivities().isEmpty }
    let rows = try why(device, .own)
    #expect(names(rows) == [[test.reason]])
    #expect(rows[0].isWell == (test.reason == "offered") && rows[0].appID == Self.editorID)
  }

  @Test func whatDoesNotFitTheRecordIsTooLargeAndIsNotCalledOffered() throws {
    let world = try World()
    let device = try world.device("desktop")
    try device.addFolder()
    let editor = try world.connect(to: device.core)
    editor.hello()
    for number in 0..<4 {
      var snapshot = ActivitySnapshot(
        id: .random(), type: "public.text-editing", appID: Self.editorID,
        changedAt: WallTime(milliseconds: WallTime.now.milliseconds + UInt64(number)))
      snapshot.userInfo[.text("text")] = .text(String(repeating: "x", count: 15_000))
      editor.link.send(.update(snapshot, saved: nil), descriptor: nil)
    }
    try world.run("the record") { !device.core.records.publisher.leftOut.isEmpty }
    #expect(names(try why(device, .own)) == [["offered"], ["offered"], ["offered"], ["too-large"]])
  }

  @Test func aPayloadThatCannotTravelIsTooLargeByItsApp() throws {
    var snapshot = ActivitySnapshot(
      id: .random(), type: "public.text-editing", appID: Self.editorID, changedAt: .now)
    snapshot.userInfo[.text("text")] = .text(String(repeating: "x", count: 70_000))
    let obstacle = try #require(snapshot.obstacle)
    #expect(obstacle.cause.kind == .tooLarge && obstacle.code == .userInfoTooLarge)
    #expect(Explanation.Statement(obstacle.cause).sentence.contains("(70005 bytes)"))
  }

  @Test func anOpenDocumentThatIsNotCurrentSaysSo() throws {
    let world = try World()
    let device = try world.device("desktop")
    try device.addFolder()
    try Scratch.write("text", to: device.folder + "/plan.md")
    let editor = try world.connect(to: device.core)
    editor.hello()
    let path = Array((device.folder + "/plan.md").utf8)
    editor.link.send(.opened(path: path), descriptor: nil)
    editor.link.send(.opened(path: Array("/etc/hosts".utf8)), descriptor: nil)
    try world.run("the document") { device.core.opened.all.count == 2 }
    let rows = try why(device, .document)
    #expect(names(rows) == [["not-current"], ["outside-folders"]])
    #expect(rows[0].path == path && rows[0].title == "plan.md")
    // An activity that its app keeps to itself is that of the document.
    var snapshot = whole(device)
    snapshot.title = "plan.md"
    editor.link.send(.withheld(OwnActivity(snapshot, because: .notEligible)), descriptor: nil)
    try world.run("the activity") { !device.core.ownActivities().isEmpty }
    #expect(names(try why(device, .document)) == [["outside-folders"]])
    #expect(try why(device, .own).map(\.path) == [path])
  }

  @Test func anOfferSaysWhomItHasReached() throws {
    let pair = try Pair()
    try pair.offer("two")
    #expect(try why(pair.desktop, .own).map { $0.statements[0].name } == ["offered"])
    pair.viewer.offer(pair.laptop.folder + "/plan.md", at: 5_000)
    try pair.world.run("the record") { pair.laptop.record?.activities.isEmpty == false }
    try pair.laptop.carry(to: pair.desktop)
    let sentence = try why(pair.desktop, .own)[0].statements[0].sentence
    #expect(Reason(sentence) == .offered(to: ["laptop"]))
  }

  // MARK: What others offer

  @Test func anOfferStandsAsItsDocumentDoesAndSinceWhen() throws {
    let pair = try Pair()
    try pair.offer("one", at: 500)
    try pair.world.run("the first version") { pair.viewer.offers.first?.status.arrival == .current }
    let before = WallTime.now
    try pair.offer("two")
    try pair.world.run(
      "the standing", state: { "\(pair.viewer.offers.map(\.status))" },
      until: { pair.viewer.offers.first?.status.cause?.kind == .behind })
    let row = try #require(try why(pair.laptop, .offer).first)
    #expect(names([row]) == [["behind"]] && !row.isWell)
    #expect(row.path == Array((pair.laptop.folder + "/plan.md").utf8))
    let since = try #require(row.since)
    #expect(before <= since && since <= .now)
    // A newer version is announced, and what is here is behind since then still.
    try pair.offer("three", at: 2_000)
    pair.world.settle()
    #expect(try why(pair.laptop, .offer).first?.since == since)
    try pair.write("three")
    try pair.world.run("the version") { pair.viewer.offers.first?.status.arrival == .current }
    let current = try why(pair.laptop, .offer)
    #expect(names(current) == [["continuable"]] && current[0].isWell && current[0].since == nil)
  }

  @Test func noAppAnotherTeamAndAnAppByItsID() throws {
    let pair = try Pair()
    try pair.offer("two")
    try pair.write("two")
    try pair.world.run("the version") { pair.viewer.offers.first?.status.arrival == .current }
    pair.viewer.link.disconnect()
    pair.world.settle()
    let row = try why(pair.laptop, .offer)[0]
    #expect(Reason(row.statements[0].sentence) == .noApp(type: "public.text-editing", maker: Self.editorID))
    var state = try #require(pair.desktop.record)
    state.activities[0].type = "org.example.drawing"
    state.activities[0].team = [UInt8](repeating: 1, count: 32)
    pair.laptop.core.handle(
      .state(pair.desktop.core.store.identity.id, name: "desktop", sequence: 1 << 40, sealedFor: [], state))
    let drawing = try pair.world.connect(to: pair.laptop.core)
    var manifest = AppManifest(appID: "org.draw", name: "Draw", activityTypes: ["org.example.drawing"])
    manifest.team = [UInt8](repeating: 2, count: 32)
    drawing.link.send(.hello(manifest), descriptor: nil)
    try pair.world.run("the app") { pair.laptop.core.clients.manifests.count == 1 }
    #expect(names(try why(pair.laptop, .offer)) == [["other-team"]])
    #expect(names(try why(pair.laptop, .offer, app: "org.draw")) == [["other-team"]])
    // It made what is offered, and is not here.
    #expect(names(try why(pair.laptop, .offer, app: Self.editorID)) == [["no-app"]])
    guard case .failed(let error) = try pair.laptop.ask(.explain(app: "org.none", skipping: 0)) else {
      throw Scratch.Failure(description: "an app that is nowhere")
    }
    #expect(error.description.contains("org.none"))
  }

  @Test func aFolderThatIsNotHere() throws {
    let pair = try Pair()
    try pair.offer("two")
    var state = try #require(pair.desktop.record)
    let document = try #require(state.activities[0].document)
    state.activities[0].document = DocumentReference(
      folder: .random(), path: document.path, version: document.version)
    pair.laptop.core.handle(
      .state(pair.desktop.core.store.identity.id, name: "desktop", sequence: 1 << 40, sealedFor: [], state))
    let row = try why(pair.laptop, .offer)[0]
    #expect(names([row]) == [["folder-unknown"]] && row.path == nil)
  }

  struct HiddenCase: Sendable {
    var reason: String
    var change: @Sendable (inout DeviceState) -> Void
    init(_ reason: String, _ change: @escaping @Sendable (inout DeviceState) -> Void) {
      (self.reason, self.change) = (reason, change)
    }
  }

  static let hiddenCases = [
    HiddenCase("expired") {
      $0.activities[0].expiresAt = WallTime(milliseconds: WallTime.now.milliseconds - 700_000)
      $0.activities[0].changedAt = WallTime(milliseconds: 1_000)
    },
    HiddenCase("unchanged") {
      $0.activities[0].expiresAt = nil
      $0.activities[0].changedAt = WallTime(milliseconds: 1_000)
    },
    HiddenCase("required-key-missing") { $0.activities[0].requiredUserInfoKeys = ["column"] },
    HiddenCase("silent") { $0.issuedAt = WallTime(milliseconds: 1_000) },
    HiddenCase("kept-back") {
      guard let document = $0.activities[0].document, let path = RelativePath(".continuo/d.rec") else {
        return
      }
      $0.activities[0].document = DocumentReference(
        folder: document.folder, path: path, version: document.version)
    },
  ]

  @Test(arguments: WhyTests.hiddenCases.indices) func whatIsNotShownHasItsRow(_ index: Int) throws {
    let test = Self.hiddenCases[index]
    let pair = try Pair()
    try pair.offer("two")
    var state = try #require(pair.desktop.record)
    test.change(&state)
    var generator = SystemRandomNumberGenerator()
    let file = try pair.desktop.core.store.identity.stateFile(
      state.recordPayload().bytes, sequence: 1 << 20, using: &generator)
    try Scratch.write(file.bytes, to: "\(pair.laptop.records)/\(file.name)")
    pair.laptop.look()
    try pair.world.run("the record") { pair.laptop.core.allOffers().isEmpty }
    let rows = try why(pair.laptop, .offer)
    #expect(names(rows) == [[test.reason]] && rows[0].deviceName == "desktop" && !rows[0].isWell)
  }

  @Test func whatWasContinuedHereSaysSo() throws {
    let pair = try Pair()
    let request = try pair.deliver("two", whileOpenAt: Array((pair.laptop.folder + "/plan.md").utf8))
    pair.viewer.link.send(.outcome(request, .opened), descriptor: nil)
    try pair.world.run("the claim") { pair.laptop.core.allOffers().isEmpty }
    #expect(names(try why(pair.laptop, .offer)) == [["continued-here"]])
  }

  // MARK: Who is not heard

  @Test func aRevokedDevice() throws {
    let pair = try Pair()
    try pair.offer("two")
    _ = try pair.laptop.ask(.revoke("desktop"))
    #expect(names(try why(pair.laptop, .device)) == [["device-removed"]])
    #expect(try why(pair.laptop, .offer).isEmpty)
    try pair.laptop.carry(to: pair.desktop)
    try pair.world.run("the news") { pair.desktop.core.circle.removal != nil }
    #expect(names(try why(pair.desktop, .device)).first == ["removed"])
  }

  @Test func aDeviceThatTwoComputersAre() throws {
    let pair = try Pair()
    try pair.offer("two")
    var state = try #require(pair.desktop.record)
    // A run that had ended speaks again.
    for (sequence, run) in [(1, 1), (2, 2), (3, 1)] as [(UInt64, UInt8)] {
      state.bootNonce = [UInt8](repeating: run, count: 16)
      pair.laptop.core.handle(
        .state(
          pair.desktop.core.store.identity.id, name: "desktop", sequence: 1 << 40 + sequence, sealedFor: [],
          state))
    }
    let rows = try why(pair.laptop, .device)
    #expect(rows.map { Reason($0.statements[0].sentence) } == [.deviceCopied(device: "desktop")])
  }

  @Test func aDeviceWhoseRecordIsDatedAheadAndHasOutlivedItself() throws {
    let pair = try Pair()
    try pair.offer("two")
    let identity = pair.desktop.core.store.identity
    try pair.bringRecordOfTheFuture()
    try pair.world.run("the record") { pair.laptop.core.store.state.early[identity.id] != nil }
    #expect(try why(pair.laptop, .device).isEmpty)
    let ago = WallTime(milliseconds: WallTime.now.milliseconds - (DeviceState.lifetimeLimit + 700) * 1000)
    try pair.laptop.core.store.change { $0.early[identity.id]?.arrivedAt = ago }
    try pair.laptop.restart()
    pair.world.settle()
    let rows = try why(pair.laptop, .device)
    #expect(rows.map { Reason($0.statements[0].sentence) } == [.silent(device: "desktop")])
  }

  @Test func recordsThatAreNotBelievedOrOfANewerFormatAreCounted() throws {
    let pair = try Pair()
    try pair.offer("two")
    #expect(try why(pair.laptop, .folder).isEmpty)
    let record = try #require(pair.desktop.core.records.publisher.current?.bytes)
    for number in 0..<2 {
      var altered = record
      altered[record.count - 1 - number] ^= 1
      try Scratch.write(altered, to: pair.laptop.records + "/d-altered\(number).rec")
    }
    var newer = record
    newer[8] = 2
    try Scratch.write(newer, to: pair.laptop.records + "/d-newer.rec")
    pair.laptop.look()
    pair.world.settle()
    let folder = try why(pair.laptop, .folder)
    #expect(folder.map { Reason($0.statements[0].sentence) } == [.untrusted(2, folder: "Notes")])
    #expect(names(try why(pair.laptop, .device)) == [["newer-format"]])
    // Asked again, nothing is counted twice; what is gone is gone.
    #expect(try why(pair.laptop, .folder) == folder)
    for number in 0..<2 { unlink(pair.laptop.records + "/d-altered\(number).rec") }
    unlink(pair.laptop.records + "/d-newer.rec")
    #expect(try why(pair.laptop, .folder).isEmpty && why(pair.laptop, .device).isEmpty)
  }

  @Test func aFolderThroughWhichNoRecordComes() throws {
    let pair = try Pair()
    let second = try pair.world.scratch.folder("second")
    _ = try pair.laptop.ask(.addFolder(path: Array(second.utf8), name: "Second"))
    let rows = try why(pair.laptop, .folder)
    #expect(rows.map { Reason($0.statements[0].sentence) } == [.recordsLeftOut(folder: "Second")])
  }

  @Test func whatTakesSeveralMessagesIsToldInParts() throws {
    let world = try World()
    let device = try world.device("desktop")
    try device.addFolder()
    let client = try world.connect(to: device.core)
    client.hello()
    let name = String(repeating: "n", count: 200)
    for number in 0..<300 {
      client.link.send(.opened(path: Array("/\(number)-\(name)".utf8)), descriptor: nil)
      // A socket holds only so much.
      if number % 50 == 49 {
        try world.run("the documents") { device.core.opened.all.count == number + 1 }
      }
    }
    var rows: [Explanation] = []
    var messages = 0
    repeat {
      let answer = try device.ask(.explain(app: nil, skipping: UInt64(rows.count)))
      guard case .explained(let more, 300) = answer, !more.isEmpty else {
        throw Scratch.Failure(description: "\(messages) messages")
      }
      rows += more
      messages += 1
    } while rows.count < 300
    #expect(messages > 1 && Set(rows.map(\.title)).count == 300)
  }
}
