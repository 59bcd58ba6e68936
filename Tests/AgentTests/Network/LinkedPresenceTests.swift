// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import ActivityWire
import AgentClient
import Glibc
import LinuxSystem
import LocalNetwork
import TestSupport
import Testing
import Trust

@testable import Agent
@testable import AgentEngine

/// Who has which document open, told between linked devices: real agents, and real network processes on
/// loopback (semantics 34h).
@Suite(.waiting, .timeLimit(.minutes(20))) struct LinkedPresenceTests {
  private let pair: Pair
  /// The activity of the laptop's own app in the same document.
  private let reading = ActivityID.random()

  init() throws {
    pair = try Pair.linkedWithOneVersion()
    pair.viewer.offer(pair.laptop.folder + "/plan.md", id: reading, at: 1_500)
    try pair.world.run("the laptop's offer", within: .seconds(10)) {
      pair.editor.offers.contains { $0.id.activity == reading }
    }
  }

  private func share(_ isShared: Bool, on devices: InProcessDevice...) throws {
    for device in devices {
      guard case .done = try device.ask(.setPresence("Notes", isShared: isShared)) else {
        Issue.record("\(device.name) did not take it")
        return
      }
    }
  }

  private func move(to line: UInt32) {
    pair.editor.link.send(.cursorMoved(pair.activity, line: line), descriptor: nil)
  }

  /// What an app was told last of who is in its document; nil for nothing so far.
  private func presence(_ client: TestClient, _ activity: ActivityID) -> [DocumentPresence]? {
    client.reports.lazy.compactMap {
      if case .presence(activity, let others) = $0 { others } else { nil }
    }.last
  }

  private func await(_ line: UInt32?) throws {
    let expected = [DocumentPresence(offer: pair.offerID, deviceName: "desktop", line: line)]
    try pair.world.run("line \(line.map(String.init) ?? "none")", within: .seconds(5)) {
      presence(pair.viewer, reading) == expected
    }
  }

  @Test func s34h_aDeviceShowsWhereAnotherOneIsUntilItLeaves() throws {
    move(to: 3)
    try share(true, on: pair.desktop, pair.laptop)
    try self.await(3)
    try pair.world.run("the other way", within: .seconds(5)) {
      presence(pair.editor, pair.activity)?.map(\.deviceName) == ["laptop"]
    }
    #expect(presence(pair.editor, pair.activity)?.first?.line == nil, "that app says no line")
    for line in [7, 39, 0] as [UInt32] {
      move(to: line)
      try self.await(line)
    }
    pair.editor.link.disconnect()
    try pair.world.run("that it has left", within: .seconds(5)) { presence(pair.viewer, reading) == [] }
  }

  /// An editor that runs for weeks has had many documents open.
  @Test func manyDocumentsThatWereClosedTakeNoRoom() throws {
    for _ in 0..<200 { pair.editor.link.send(.cursorMoved(.random(), line: 1), descriptor: nil) }
    move(to: 3)
    try share(true, on: pair.desktop, pair.laptop)
    try self.await(3)
  }

  /// It is off at first, and each of the two devices has to be told.
  @Test func s34h_nothingIsToldOrShownUnlessBothPersonsWantIt() throws {
    move(to: 3)
    try share(true, on: pair.laptop)
    pair.world.settle()
    #expect(presence(pair.viewer, reading) == nil, "the desktop tells nothing")
    try share(true, on: pair.desktop)
    try self.await(3)
    try share(false, on: pair.laptop)
    try pair.world.run("nobody", within: .seconds(5)) { presence(pair.viewer, reading) == [] }
    move(to: 4)
    pair.world.settle()
    #expect(presence(pair.viewer, reading) == [], "the laptop shows nothing")
    try share(true, on: pair.laptop)
    try self.await(4)
    try share(false, on: pair.desktop)
    try pair.world.run("that nothing is told", within: .seconds(5)) { presence(pair.viewer, reading) == [] }
    let state = pair.laptop.core.store.state
    #expect(try AgentState(decoding: state.encoded).folders.map(\.sharesPresence) == [true])
  }

  @Test func s34h_aLinkThatEndsLeavesNobody() throws {
    try share(true, on: pair.desktop, pair.laptop)
    move(to: 3)
    try self.await(3)
    try pair.laptop.lan(.off)
    try pair.world.run("nobody", within: .seconds(10)) { presence(pair.viewer, reading) == [] }
    try pair.laptop.lan(.on(port: nil))
    try pair.awaitLink()
    try self.await(3)
  }

  /// An app of an earlier release would end the connection over what it does not understand.
  @Test func anAppThatDoesNotTakeItIsNotTold() throws {
    var ends: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
    let (world, core) = (pair.world, pair.laptop.core)
    BorrowedDescriptor(ends[0]).setNonBlocking()
    core.accept(ClientConnection(number: 900, socket: Descriptor(owning: ends[0]), loop: world.loop))
    let old = Descriptor(owning: ends[1])
    let manifest = AppManifest(
      appID: "org.example.reader", name: "Reader", activityTypes: ["public.text-editing"])
    var snapshot = ActivitySnapshot(
      id: .random(), type: "public.text-editing", appID: manifest.appID,
      changedAt: WallTime(milliseconds: 1_700))
    snapshot.flags = [.handoff]
    snapshot.expiresAt = WallTime(milliseconds: 4_000_000_000_000)
    snapshot.userInfo[.text(NSUserActivityDocumentURLKey)] = .url(
      FileURL.text(of: Array((pair.laptop.folder + "/plan.md").utf8)))
    let greeting = ClientMessage.version(ClientMessage.currentVersion)
    let said = [greeting, .request(.hello(manifest)), greeting, greeting, greeting]
    for message in said + [.request(.update(snapshot, saved: nil))] {
      try old.writeAll(FrameBuffer.frame(message.encoded))
    }
    try world.run("its offer", within: .seconds(10)) {
      pair.editor.offers.contains { $0.id.activity == snapshot.id }
    }
    try share(true, on: pair.desktop, pair.laptop)
    move(to: 3)
    try self.await(3)
    var (frames, room) = (FrameBuffer(), [UInt8](repeating: 0, count: 1 << 16))
    let count = try old.read(into: &room)
    frames.append(room.prefix(count))
    while let frame = try frames.next() {
      if case .report(.presence) = try AgentMessage(decoding: frame) { Issue.record("it was told") }
    }
  }

  /// A device is there once, however many of its apps have the document open: where one says it is.
  @Test func ofSeveralAppsTheOneThatSaysItsLineIsShown() throws {
    try share(true, on: pair.desktop, pair.laptop)
    let others = try (1...4).map { number in
      let other = try pair.world.connect(to: pair.desktop.core)
      other.hello("org.example.viewer-\(number)")
      other.offer(pair.desktop.folder + "/plan.md", id: .random(), at: 1_800)
      return other
    }
    move(to: 3)
    try self.await(3)
    withExtendedLifetime(others) {}
  }

  /// A member may say what it likes: what it does not offer is shown to nobody, whatever lies here.
  @Test func aMemberIsShownInNothingThatItDoesNotOffer() throws {
    try share(true, on: pair.desktop, pair.laptop)
    let network = pair.desktop.core.ports.network
    let link = try #require(pair.desktop.core.linkedDocuments.present.keys.min())
    // The laptop's own activity, and one that nobody has.
    for activity in [reading, .random()] {
      network.send(.send(link, .request, PresenceWord.here(activity, line: 9).encoded))
    }
    move(to: 3)
    try self.await(3)
    #expect(presence(pair.viewer, reading)?.count == 1)
  }

  /// What is open of a folder that the other device does not have stays here.
  @Test func aFolderThatADeviceDoesNotHaveIsNotTold() throws {
    let hidden = ActivityID.random()
    let folder = try pair.world.scratch.folder("private")
    _ = try pair.desktop.ask(.addFolder(path: Array(folder.utf8), name: "Private"))
    guard case .done = try pair.desktop.ask(.setPresence("Private", isShared: true)) else {
      Issue.record("it was not taken")
      return
    }
    try share(true, on: pair.desktop, pair.laptop)
    try Scratch.write("mine", to: folder + "/diary.md")
    pair.editor.offer(folder + "/diary.md", id: hidden, at: 3_000)
    try pair.world.run("the record") {
      pair.desktop.record?.activities.contains { $0.id == hidden } == true
    }
    pair.editor.link.send(.cursorMoved(hidden, line: 1), descriptor: nil)
    move(to: 5)
    try self.await(5)
    let device = pair.desktop.core.store.identity.id
    #expect(pair.laptop.core.documentPresence.heard[device]?.keys.contains(hidden) != true)
  }

  @Test func aFolderThatIsNotThereIsRefused() throws {
    guard case .failed(let error) = try pair.laptop.ask(.setPresence("nowhere", isShared: true)) else {
      Issue.record("nothing was refused")
      return
    }
    #expect(error.code == .invalidRequest)
  }
}
