// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import ActivityWire
import AgentClient
import AppSession
import CLinux
import Foundation
import Glibc
import Testing
import UserActivities

@Suite("An app's end of the socket")
struct AgentClientTests {
  private func places(_ folder: SampleFolder, _ subfolder: String = "run") throws -> AgentPlaces {
    try AgentPlaces(environment: ["HOME": folder.directory, "XDG_RUNTIME_DIR": folder.path(subfolder)])
  }

  private func pair(_ client: AgentClient) throws -> Int32 {
    var ends: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    client.adopt(ends[0])
    return ends[1]
  }

  private func client() throws -> AgentClient {
    AgentClient(places: try places(SampleFolder()), startsAgent: false)
  }

  private func put(_ message: AgentMessage, to socket: Int32) {
    let frame = FrameBuffer.frame(message.encoded)
    #expect(write(socket, frame, frame.count) == frame.count)
  }

  private func messages(on socket: Int32) throws -> [ClientMessage] {
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    let count = recv(socket, &buffer, buffer.count, Int32(MSG_DONTWAIT))
    var frames = FrameBuffer()
    frames.append(buffer.prefix(max(0, count)))
    var messages: [ClientMessage] = []
    while let content = try frames.next() { messages.append(try ClientMessage(decoding: content)) }
    return messages
  }

  @Test func requestsGoOutInOrderAfterTheVersion() throws {
    let client = try client()
    let other = try pair(client)
    defer { close(other) }
    client.send(.opened(path: [1]), descriptor: nil)
    client.send(.listFolders, number: 4)
    #expect(
      try messages(on: other) == [
        .version(ClientMessage.currentVersion), .request(.opened(path: [1])), .command(4, .listFolders),
      ])
  }

  @Test func reportsAndTheirDescriptorsComeInWhateverTheChunks() throws {
    let client = try client()
    let other = try pair(client)
    defer { close(other) }
    var received: [AgentReport] = []
    client.didReceive = { report, _ in received.append(report) }
    let bytes = [AgentMessage.version(1), .report(.offers([])), .report(.roots([]))]
      .flatMap { FrameBuffer.frame($0.encoded) }
    for byte in bytes {
      #expect(write(other, [byte], 1) == 1)
      client.readable()
    }
    #expect(received == [.offers([]), .roots([])])
    #expect(client.isConnected)
  }

  @Test func aDescriptorBelongsToTheFrameItCameBeside() throws {
    let client = try client()
    var ends: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    client.adopt(ends[0])
    let folder = SampleFolder()
    folder.write("a.txt", "held")
    var received: [(AgentReport, Bool)] = []
    client.didReceive = { report, descriptor in
      received.append((report, descriptor != nil))
      if let descriptor { close(descriptor) }
    }
    put(.report(.offers([])), to: ends[1])
    let file = open(folder.path("a.txt"), O_RDONLY)
    defer { close(file) }
    sendFrame(.report(.roots([])), beside: file, to: ends[1])
    put(.report(.offers([])), to: ends[1])
    client.readable()
    #expect(received.map(\.1) == [false, true, false])
    close(ends[1])
  }

  private func sendFrame(_ message: AgentMessage, beside descriptor: Int32, to socket: Int32) {
    let frame = FrameBuffer.frame(message.encoded)
    #expect(continuo_send(socket, frame, frame.count, descriptor) == frame.count)
  }

  @Test func anAgentThatGoesAwayOrTalksNonsenseEndsTheConnectionOnly() throws {
    for bytes: [UInt8] in [[], [0xff, 0xff, 0xff, 0xff], [0, 0, 0, 0], FrameBuffer.frame([0x01])] {
      let client = try client()
      let other = try pair(client)
      var states: [Bool] = []
      client.connectionDidChange = { states.append($0) }
      #expect(write(other, bytes, bytes.count) == bytes.count)
      close(other)
      client.readable()
      #expect(states == [false])
      #expect(client.descriptor == -1 && client.lastError != nil)
      client.send(.opened(path: [1]), descriptor: nil)
    }
  }

  @Test func anAgentOfAnotherVersionIsRefusedWithAnInstruction() throws {
    let client = try client()
    let other = try pair(client)
    defer { close(other) }
    put(.version(99), to: other)
    client.readable()
    #expect(client.lastError?.description.contains("continuo agent stop") == true)
  }

  @Test func aStalledAgentIsWaitedForAndThenGivenUp() throws {
    let client = try client()
    let other = try pair(client)
    defer { close(other) }
    var stalls = 0
    client.outputDidStall = { stalls += 1 }
    let path = [UInt8](repeating: 0x61, count: 4000)
    while client.isConnected, !client.wantsToWrite { client.send(.opened(path: path), descriptor: nil) }
    #expect(stalls == 1 && client.isConnected)
    #expect(!client.flush(for: .milliseconds(20)))
    for _ in 0..<2000 where client.isConnected { client.send(.opened(path: path), descriptor: nil) }
    #expect(!client.isConnected)
  }

  @Test func aDirectoryThatOthersCanEnterIsRefused() throws {
    let folder = SampleFolder()
    try #require(mkdir(folder.path("run"), 0o700) == 0)
    try #require(mkdir(folder.path("run/continuo"), 0o755) == 0)
    let client = AgentClient(places: try places(folder), startsAgent: false)
    client.connect()
    #expect(!client.isConnected)
    #expect(client.lastError?.description.contains("chmod 700") == true)
  }

  @Test func aSocketOfAnyPathLengthIsReached() throws {
    for subfolder in ["run", String(repeating: "long", count: 40)] {
      let folder = SampleFolder()
      let places = try places(folder, subfolder)
      try #require(mkdir(folder.path(subfolder), 0o700) == 0)
      try #require(mkdir(places.runtimeDirectory, 0o700) == 0)
      let listener = try listen(in: places.runtimeDirectory)
      defer { close(listener) }
      let client = AgentClient(places: places, startsAgent: false)
      client.connect()
      #expect(client.isConnected, "\(client.lastError?.description ?? "")")
    }
  }

  private func listen(in directory: String) throws -> Int32 {
    let held = open(directory, O_RDONLY | O_DIRECTORY)
    defer { close(held) }
    let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) {
      $0.copyBytes(from: "/proc/self/fd/\(held)/agent.sock".utf8)
    }
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(bound == 0 && Glibc.listen(listener, 4) == 0)
    return listener
  }

  @Test func withoutAnAgentThePausesGrowToTwoSeconds() throws {
    let client = try client()
    client.connect()
    var pauses = [client.retryDelay]
    for _ in 0..<8 {
      client.retry()
      pauses.append(client.retryDelay)
    }
    #expect(pauses.first == .milliseconds(20) && pauses[1] == .milliseconds(40) && pauses.last == .seconds(2))
    #expect(client.lastError?.code == .agentUnavailable)
  }

  @Test func anAgentThatEndsEachConnectionIsTriedMoreAndMoreRarely() throws {
    let client = try client()
    var pauses: [Duration] = []
    for _ in 0..<9 {
      let other = try pair(client)
      put(.version(ClientMessage.currentVersion), to: other)
      client.readable()
      #expect(client.isGreeted)
      close(other)
      client.readable()
      pauses.append(client.retryDelay)
      client.retry()
    }
    #expect(pauses == pauses.sorted() && pauses.first == .milliseconds(20) && pauses.last == .seconds(2))
  }

  @Test func afterALongConnectionThePausesStartAnew() throws {
    var time = ContinuousClock.now
    let client = AgentClient(places: try places(SampleFolder()), startsAgent: false, now: { time })
    for _ in 0..<3 { client.retry() }
    for isGreeting in [false, true] {
      let other = try pair(client)
      if isGreeting { put(.version(ClientMessage.currentVersion), to: other) }
      client.readable()
      time += .seconds(2)
      close(other)
      client.readable()
      #expect(client.retryDelay == .milliseconds(isGreeting ? 20 : 160))
    }
  }

  @MainActor
  @Test func theMainQueueReadsForASession() async throws {
    let session = Session(manifest: AppManifest(appID: "org.example.editor", name: "editor"))
    let connection = AgentConnection(session: session, places: try places(SampleFolder()), startsAgent: false)
    let listener = ReportListener()
    session.host = listener
    let other = try pair(connection.client)
    #expect(
      try messages(on: other) == [
        .version(ClientMessage.currentVersion), .request(.hello(session.manifest)),
      ] + AppAbility.allCases.map { _ in .version(ClientMessage.currentVersion) },
      "said again, once for each ability")
    let (offers, feed) = AsyncStream<Void>.makeStream()
    listener.offersDidChange = { feed.yield() }
    put(.report(.offers([])), to: other)
    for await _ in offers { break }
    close(other)
    let (ends, end) = AsyncStream<Void>.makeStream()
    listener.connectionDidChange = { end.yield() }
    if session.app.isConnected { for await _ in ends { break } }
    #expect(!session.app.isConnected)
    connection.close(within: .zero)
  }
}

@MainActor
private final class ReportListener: SessionHost {
  func wake() {}
  var offersDidChange: () -> Void = {}
  var connectionDidChange: () -> Void = {}

  func save(_ activity: UserActivity, isLast: Bool) -> SaveRound { SaveRound() }
  func save(_ activity: UserActivity, requestedBy device: String) async throws {}
  func receive(_ report: AppSession.Report) {
    if report == .offersChanged { offersDidChange() }
    if report == .connectionChanged { connectionDidChange() }
  }
}
