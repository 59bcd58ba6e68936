// SPDX-License-Identifier: MIT

import ActivityModel
import AgentClient
import Glibc
import LinuxSystem
import LocalNetwork
import TestSupport
import Testing
import Trust

@testable import Agent
@testable import AgentEngine

/// Continuation streams between apps of two devices: real agents, and real network processes on loopback.
@Suite(.waiting, .timeLimit(.minutes(20))) struct LinkedStreamsTests {
  /// Two apps, of which the laptop's has an activity of the desktop's.
  struct Apps {
    let pair: Pair
    let delivery = RequestID.random()

    init(flags: ActivityFlags = [.handoff, .streams]) throws {
      pair = try Pair.linked()
      try Scratch.write("one", to: pair.desktop.folder + "/plan.md")
      pair.editor.offer(pair.desktop.folder + "/plan.md", id: pair.activity, at: 1_000, flags: flags)
      try pair.awaitStanding(.current)
      pair.viewer.link.send(.accept(pair.offerID, delivery), descriptor: nil)
      try pair.world.run("the delivery") { !pair.viewer.delivered.isEmpty }
    }

    /// What the laptop's app is told.
    func ask() throws -> (report: StreamsReport, socket: Descriptor?) {
      let request = RequestID.random()
      pair.viewer.link.send(.openStreams(request, to: delivery), descriptor: nil)
      try pair.world.run("an answer", within: .seconds(15)) {
        pair.viewer.streams.contains { $0.request == request }
      }
      let found = try #require(pair.viewer.streams.first { $0.request == request })
      pair.viewer.streams.removeAll { $0.request == request }
      return (found.report, found.socket)
    }

    /// The ends of both apps; the laptop's first.
    func open() throws -> (Descriptor, Descriptor) {
      let (report, socket) = try ask()
      #expect(report == .opened)
      let offered = try #require(pair.editor.streams.first)
      pair.editor.streams.removeFirst()
      #expect(offered.report == .offered(pair.activity, device: "laptop"))
      return (try #require(socket), try #require(offered.socket))
    }

    /// Why the laptop's app gets none.
    func refusal() throws -> String {
      let (report, _) = try ask()
      guard case .failed(let error) = report, error.code == .connectionUnavailable else {
        Issue.record("\(report)")
        return ""
      }
      return error.description
    }

    /// The bytes come without the agents.
    func read(_ socket: Descriptor, _ count: Int) throws -> [UInt8] {
      var found: [UInt8] = []
      while found.count < count {
        var room = [UInt8](repeating: 0, count: count - found.count)
        let more = try LinkedStreamsTests.readSome(of: socket, into: &room)
        try #require(more > 0, "an end after \(found.count) bytes")
        found += room.prefix(more)
      }
      return found
    }

    func hasEnded(_ socket: Descriptor) throws {
      var room = [UInt8](repeating: 0, count: 64)
      #expect(try LinkedStreamsTests.readSome(of: socket, into: &room) == 0, "an end, and nothing before it")
    }
  }

  private static func readSome(of socket: Descriptor, into room: inout [UInt8]) throws -> Int {
    try #require(Poll.wait(for: socket.number, until: .readable, atMost: .seconds(10)), "nothing came")
    return try socket.read(into: &room)
  }

  @Test func whatOneAppWritesTheOtherReadsUntilItsEnd() throws {
    let apps = try Apps()
    let (laptop, desktop) = try apps.open()
    try laptop.writeAll(Array("the selection".utf8))
    #expect(try apps.read(desktop, 13) == Array("the selection".utf8))
    UnixSocket.shutDown(laptop, ending: .writing)
    try apps.hasEnded(desktop)
    // The other direction goes on.
    try desktop.writeAll(Array("thanks".utf8))
    #expect(try apps.read(laptop, 6) == Array("thanks".utf8))
    desktop.close()
    try apps.hasEnded(laptop)
    try apps.pair.world.run("the agents' news") {
      [apps.pair.viewer, apps.pair.editor].allSatisfy { $0.streams.map(\.report) == [.ended] }
    }
  }

  // MARK: Whoever may not have them

  @Test func whatWasNotDeliveredToAnAppIsNoneOfItsStreams() throws {
    let apps = try Apps()
    let stranger = try apps.pair.world.connect(to: apps.pair.laptop.core)
    stranger.hello("org.example.other")
    try apps.pair.world.run("an agent that takes it") { !stranger.reports.isEmpty }
    let request = RequestID.random()
    stranger.link.send(.openStreams(request, to: apps.delivery), descriptor: nil)
    try apps.pair.world.run("an answer") { !stranger.streams.isEmpty }
    guard case .failed(let error) = stranger.streams[0].report else {
      Issue.record("\(stranger.streams)")
      return
    }
    #expect(error.code == .invalidRequest && stranger.streams[0].socket == nil)
    #expect(apps.pair.editor.streams.isEmpty)
  }

  @Test func anAppThatSupportsNoneIsNotAsked() throws {
    let apps = try Apps(flags: [.handoff])
    #expect(try apps.refusal().contains("opens no streams"))
    #expect(apps.pair.editor.streams.isEmpty)
  }

  @Test func anAppThatIsGoneIsSaidToBe() throws {
    let apps = try Apps()
    apps.pair.editor.link.disconnect()
    apps.pair.world.settle()
    #expect(try apps.refusal().hasPrefix("The app on desktop has ended"))
  }

  /// A member that lies asks for what was never offered to it, under numbers that are not its own.
  @Test func aMemberHasNoStreamsToWhatItWasNotOffered() throws {
    let apps = try Apps()
    let (world, laptop) = (apps.pair.world, apps.pair.laptop.core)
    let link = try #require(laptop.linkedDocuments.present.keys.min())
    let isDialled = link < .firstAccepted
    func say(_ number: UInt32, _ activity: ActivityID) {
      let word = StreamWord.open(StreamNumber(rawValue: number), activity)
      laptop.ports.network.send(.send(link, .request, word.encoded))
    }
    say(isDialled ? 101 : 102, .random())
    say(isDialled ? 102 : 101, apps.pair.activity)
    // A word that nobody waits for.
    laptop.ports.network.send(
      .send(link, .request, StreamWord.accept(StreamNumber(rawValue: 7)).encoded))
    let (laptopEnd, desktopEnd) = try apps.open()
    try laptopEnd.writeAll([9])
    #expect(try apps.read(desktopEnd, 1) == [9])
    world.settle()
    #expect(apps.pair.editor.streams.isEmpty, "one pair, and that was asked for rightly")
  }

  /// A record tells of activities in folders that a device does not have; it cannot continue them.
  @Test func aMemberHasNoStreamsToWhatLiesInAFolderThatItDoesNotHave() throws {
    let apps = try Apps()
    let (pair, hidden) = (apps.pair, ActivityID.random())
    let folder = try pair.world.scratch.folder("private")
    _ = try pair.desktop.ask(.addFolder(path: Array(folder.utf8), name: "Private"))
    try Scratch.write("mine", to: folder + "/diary.md")
    pair.editor.offer(folder + "/diary.md", id: hidden, at: 2_000, flags: [.handoff, .streams])
    try pair.world.run("the record") {
      pair.desktop.record?.activities.contains { $0.id == hidden } == true
    }
    let link = try #require(pair.laptop.core.linkedDocuments.present.keys.min())
    let number = StreamNumber(rawValue: link < .firstAccepted ? 101 : 102)
    func ask() {
      let word = StreamWord.open(number, hidden)
      pair.laptop.core.ports.network.send(.send(link, .request, word.encoded))
    }
    ask()
    // Nor by saying that it has continued it.
    let claim = Claim(
      source: pair.desktop.core.store.identity.id, activity: hidden, request: .random(), outcome: .opened,
      at: WallTime(milliseconds: 3_000))
    pair.desktop.core.streams.continued([claim], by: pair.laptop.core.store.identity.id)
    ask()
    _ = try apps.open()
    #expect(pair.editor.streams.isEmpty)
  }

  /// What was continued is not offered any more, and its streams are what it was continued for.
  @Test func s24f_whatWasContinuedMayBeAskedForStill() throws {
    let apps = try Apps()
    apps.pair.viewer.link.send(.outcome(apps.delivery, .opened), descriptor: nil)
    try apps.pair.world.run("the receipt") {
      apps.pair.editor.reports.contains { if case .continued = $0 { true } else { false } }
    }
    // As an app does that gives its work up.
    apps.pair.editor.link.send(.withdraw(apps.pair.activity), descriptor: nil)
    try apps.pair.world.run("the end of the offer") { apps.pair.desktop.record?.activities.isEmpty == true }
    _ = try apps.open()
    // Once its app is gone, nobody has them.
    apps.pair.editor.link.disconnect()
    apps.pair.world.settle()
    #expect(try apps.refusal().contains("has this activity no more"))
  }

  @Test func s24e_anActivityHasFourPairsAtATime() throws {
    let apps = try Apps()
    var pairs = try (0..<4).map { _ in try apps.open() }
    #expect(try apps.refusal().contains("close some of them first"))
    pairs.removeLast()
    try apps.pair.world.run("their ends") {
      [apps.pair.viewer, apps.pair.editor].allSatisfy { $0.streams.map(\.report) == [.ended] }
    }
    (apps.pair.viewer.streams, apps.pair.editor.streams) = ([], [])
    _ = try apps.open()
  }

  /// An app that asks again and again, without an answer between: four are opened, and each other one is
  /// refused with a reason.
  @Test func ofAThousandRequestsFourAreOpened() throws {
    let apps = try Apps()
    let requests = (0..<1000).map { _ in RequestID.random() }
    for request in requests {
      apps.pair.viewer.link.send(.openStreams(request, to: apps.delivery), descriptor: nil)
    }
    try apps.pair.world.run("the answers", within: .seconds(30)) {
      apps.pair.viewer.link.writable()
      return apps.pair.viewer.streams.count >= requests.count && apps.pair.editor.streams.count >= 4
    }
    let answered = apps.pair.viewer.streams
    #expect(Set(answered.map(\.request)) == Set(requests) && answered.count == requests.count)
    #expect(answered.count { $0.report == .opened } == 4 && apps.pair.editor.streams.count == 4)
    let refused = answered.compactMap {
      if case .failed(let error) = $0.report { error.description } else { nil }
    }
    #expect(refused.count == 996 && refused.allSatisfy { $0.contains("close some of them first") })
  }

  // MARK: Ends

  /// What lies unread between them would keep the writer waiting.
  @Test func whoeverWritesMuchHearsThatNobodyReadsAnyMore() throws {
    let apps = try Apps()
    let (laptop, desktop) = try apps.open()
    let piece = [UInt8](repeating: 1, count: 64 << 10)
    repeat {
      while (try? UnixSocket.sendAtOnce(piece[...], to: laptop.number)) != nil {}
    } while Poll.wait(for: laptop.number, until: .writable, atMost: .milliseconds(300))
    // As an app's input does that is closed.
    UnixSocket.shutDown(desktop, ending: .reading)
    #expect(Poll.wait(for: laptop.number, until: .writable, atMost: .seconds(10)))
    #expect(throws: Errno.brokenPipe) { try UnixSocket.sendAtOnce(piece[...], to: laptop.number) }
    // The other direction goes on, to a whole end.
    try desktop.writeAll([3])
    UnixSocket.shutDown(desktop, ending: .writing)
    #expect(try apps.read(laptop, 1) == [3])
    try apps.hasEnded(laptop)
  }

  /// Both apps hear why before they read an end that is none.
  @Test(arguments: [true, false]) func aLinkThatDropsEndsBothSidesWithAReason(isKilled: Bool) throws {
    let apps = try Apps()
    let (world, pair) = (apps.pair.world, apps.pair)
    let (laptop, desktop) = try apps.open()
    try laptop.writeAll(Array("half of it".utf8))
    #expect(Poll.wait(for: desktop.number, until: .readable, atMost: .seconds(10)))
    if isKilled {
      kill(Int32(pair.laptop.core.ports.network.process), SIGKILL)
    } else {
      try pair.laptop.lan(.off)
    }
    try world.run("the news", within: .seconds(15)) {
      [pair.viewer, pair.editor].allSatisfy { $0.streams.count == 1 }
    }
    for (client, name) in [(pair.viewer, "desktop"), (pair.editor, "laptop")] {
      guard case .failed(let error) = client.streams[0].report else {
        Issue.record("\(client.streams)")
        return
      }
      #expect(error.code == .connectionUnavailable && error.description.contains("The link to \(name) ended"))
    }
    // The test holds what the apps would close now; what came before is read first.
    #expect(try apps.read(desktop, 10) == Array("half of it".utf8))
    for socket in [laptop, desktop] {
      var room: [UInt8] = [0]
      #expect(throws: Errno.wouldBlock) { try socket.read(into: &room) }
    }
    (pair.viewer.keptEnds, pair.editor.keptEnds) = ([:], [:])
    try apps.hasEnded(laptop)
    try apps.hasEnded(desktop)
  }

  @Test func withoutALinkThatIsSaid() throws {
    let apps = try Apps()
    try apps.pair.laptop.lan(.off)
    #expect(try apps.refusal() == "There is no link to desktop: `continuo lan status` says why.")
  }

  /// As one of an earlier release: it passes over what it is asked.
  @Test func aDeviceThatSaysNothingIsNotWaitedForLong() throws {
    let apps = try Apps()
    // It links as it did: only what is asked of it is passed over.
    let network = apps.pair.desktop.core.ports.network
    let take = network.onReport
    network.onReport = { if case .received(_, .request, _) = $0 {} else { take($0) } }
    var (began, refusal) = (Instant.now, "")
    // A link that a busy machine lost meanwhile is not what this shows: the next one is as silent.
    for _ in 0..<3 where refusal.isEmpty || refusal.contains("link to desktop") {
      try apps.pair.world.run("a link", within: .seconds(45)) {
        apps.pair.laptop.core.lanStatus.links.map(\.link.state) == [.linked]
      }
      began = Instant.now
      refusal = try apps.refusal()
    }
    #expect(refusal.contains("may be of an earlier release"), "\(refusal)")
    #expect(Instant.now - began < .seconds(14))
  }

  // MARK: Much

  /// The reader stops, and goes on.
  @Test func muchGoesThroughWhileNobodyHoldsMoreThanAWindow() throws {
    let apps = try Apps()
    let (laptop, desktop) = try apps.open()
    let total = 24 << 20
    let piece = (0..<(256 << 10)).map { UInt8(truncatingIfNeeded: ($0 &* 31) &+ ($0 >> 8)) }
    var (sent, came) = (0, 0)
    /// Whether anything could be written.
    func write() -> Bool {
      guard sent < total else { return false }
      let rest = piece[(sent % piece.count)...].prefix(total - sent)
      guard let count = try? UnixSocket.sendAtOnce(rest, to: laptop.number) else { return false }
      sent += count
      if sent == total { UnixSocket.shutDown(laptop, ending: .writing) }
      return true
    }
    func read() throws {
      var room = [UInt8](repeating: 0, count: 64 << 10)
      let count = try Self.readSome(of: desktop, into: &room)
      let start = came % piece.count
      let expected = (piece + piece)[start..<start + count]
      try #require(count > 0 && expected.elementsEqual(room[..<count]), "other bytes from \(came) on")
      came += count
    }
    while came < 4 << 20 {
      while write() {}
      try read()
    }
    // It reads nothing: what can be written comes to its end.
    while write() || Poll.wait(for: laptop.number, until: .writable, atMost: .milliseconds(300)) {}
    #expect(sent - came < 2 << 20, "\(sent - came) bytes are held by sockets and one window")
    while came < total {
      while write() {}
      try read()
    }
    try apps.hasEnded(desktop)
  }

  @Test func manyShortStreamsFourAtATime() throws {
    let apps = try Apps()
    for round in 0..<100 {
      let pairs = try (0..<4).map { _ in try apps.open() }
      for (laptop, desktop) in pairs {
        try laptop.writeAll([UInt8(round)])
        laptop.close()
        #expect(try apps.read(desktop, 1) == [UInt8(round)])
        desktop.close()
      }
      try apps.pair.world.run("their ends") {
        [apps.pair.viewer, apps.pair.editor].allSatisfy { $0.streams.count == 4 }
      }
      for client in [apps.pair.viewer, apps.pair.editor] {
        #expect(client.streams.allSatisfy { $0.report == .ended })
        (client.streams, client.keptEnds) = ([], [:])
      }
    }
  }
}
