// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityIndex
import ActivityModel
import ActivityWire
import AgentClient
import FolderAccess
import Glibc
import LinuxSystem
import SyncedFolders
import TestSupport
import Testing
import Trust
import VersionHistory

@testable import Agent
@testable import AgentEngine

/// Devices whose agents run in this process, on one loop that the test turns.
final class World {
  let scratch: Scratch
  let loop: EventLoop
  /// The least time between two records of agents that start from now on.
  var publishInterval = Duration.milliseconds(20)
  /// How often agents that start from now on tell how far a large document was read.
  var progressInterval = Duration.milliseconds(20)
  /// The variables of a person's session, for agents that start from now on; nil where nobody sits.
  var environment: [String: String]?
  private var connections: UInt64 = 0

  init(inMemory: Bool = false) throws {
    signal(SIGPIPE, SIG_IGN)
    scratch = try Scratch("agent", inMemory: inMemory)
    loop = try EventLoop()
  }

  func device(_ name: String) throws -> InProcessDevice { try InProcessDevice(name, in: self) }

  /// Turns the loop until `condition` holds; else fails with `state`.
  func run(
    _ what: String, within limit: Duration = .seconds(8), state: () -> String = { "" },
    sourceLocation: SourceLocation = #_sourceLocation, until condition: () -> Bool
  ) throws {
    var isOver = false
    let timer = loop.schedule(at: .now + limit) { isOver = true }
    defer { loop.cancel(timer) }
    while !condition() {
      try #require(!isOver, "\(what) did not come; \(state())", sourceLocation: sourceLocation)
      loop.turn()
    }
  }

  /// Turns the loop for what is ready now.
  func settle() {
    var isOver = false
    loop.schedule(at: .now + .milliseconds(30)) { isOver = true }
    while !isOver { loop.turn() }
  }

  func connect(to core: AgentCore) throws -> TestClient {
    var ends: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    connections += 1
    core.accept(ClientConnection(number: connections, socket: Descriptor(owning: ends[0]), loop: loop))
    let client = TestClient(try AgentPlaces(environment: ["HOME": scratch.path]))
    client.link.adopt(ends[1])
    let descriptor = ends[1]
    // Before the number is closed, for the next socket may get it at once.
    client.onDeinit = { [weak loop] in loop?.forget(descriptor) }
    client.link.connectionDidChange = { [weak loop] isUp in if !isUp { loop?.forget(descriptor) } }
    loop.watch(descriptor) { [weak client] _ in client?.link.readable() }
    return client
  }
}

/// One agent's core, and its synced folder. No socket and no process: the test says what the watcher would.
final class InProcessDevice {
  let world: World
  let name: String
  let folder: String
  let stateDirectory: String
  private(set) var core: AgentCore

  init(_ name: String, in world: World) throws {
    self.world = world
    self.name = name
    folder = try world.scratch.folder("\(name)-folder")
    stateDirectory = world.scratch.path + "/\(name)-state"
    core = try Self.start(stateDirectory, name, world)
  }

  deinit {
    core.watch.stop()
    core.links.stop()
  }

  private static func start(_ directory: String, _ name: String, _ world: World) throws -> AgentCore {
    var timing = ExchangeMachine.Timing()
    timing.publishInterval = world.publishInterval
    var hashing = HashingMachine.Timing()
    hashing.progress = world.progressInterval
    var lists = SavedListMachine.Timing()
    (lists.patience, lists.pause) = (world.publishInterval, world.publishInterval)
    let core = try AgentCore(
      loop: world.loop, directory: OwnDirectory.privateDirectory(directory), deviceName: name,
      environment: world.environment, timing: timing, hashing: hashing, lists: lists)
    try core.start()
    return core
  }

  /// As after `kill -9`: whatever was only in memory is gone.
  func restart() throws {
    core.endClients()
    core.watch.stop()
    core.links.stop()
    core.presence.stop()
    core.saved.stop()
    core.lists.stop()
    // A process that ended would hold it no longer.
    core.closeDatabases()
    core = try Self.start(stateDirectory, name, world)
  }

  var records: String { folder + "/.continuo" }
  var root: RootNumber { core.folders.roots[0].number }

  /// What the watcher would tell after anything changed.
  func look() { core.receive(.rescan(root, path: [])) }

  /// What this device last said of itself.
  var record: DeviceState? { core.store.ownRecord() }

  /// Answers a command, waiting for it.
  func ask(_ command: AgentCommand, sourceLocation: SourceLocation = #_sourceLocation) throws -> AgentAnswer {
    let client = try world.connect(to: core)
    return try client.ask(command, world, sourceLocation: sourceLocation)
  }

  func status() throws -> AgentStatus {
    guard case .status(let status) = try ask(.status) else {
      throw Scratch.Failure(description: "status was not answered")
    }
    return status
  }

  func addFolder() throws { _ = try ask(.addFolder(path: Array(folder.utf8), name: "Notes")) }

  /// What an app has saved, the oldest first.
  func kept(of appID: String) -> [ActivitySnapshot] {
    let kept = try? core.store.savedActivities.recent(of: appID, atMost: 999, at: .now)
    return kept?.reversed().map(\.snapshot) ?? []
  }

  /// An engine carries records to another device, in one go; documents only by name.
  func carry(to other: InProcessDevice, documents: [String] = [], records isWith: Bool = true) throws {
    mkdir(other.records, 0o755)
    for file in isWith ? Scratch.names(in: records) : [] where !file.hasSuffix("~") {
      guard let bytes = Scratch.bytes(at: "\(records)/\(file)") else { continue }
      if Scratch.bytes(at: "\(other.records)/\(file)") != bytes {
        try Scratch.write(bytes, to: "\(other.records)/\(file)")
      }
    }
    for document in documents {
      let bytes = try #require(Scratch.bytes(at: "\(folder)/\(document)"))
      try Scratch.write(bytes, to: "\(other.folder)/\(document)")
    }
    if !other.core.folders.roots.isEmpty { other.look() }
    world.settle()
  }
}

/// An app's end of a connection, with everything that it was told.
final class TestClient {
  let link: AgentClient
  private(set) var reports: [AgentReport] = []
  private(set) var answers: [UInt64: AgentAnswer] = [:]
  private(set) var delivered: [(request: RequestID, delivery: Delivery, bytes: [UInt8]?)] = []
  /// What became of streams, and the socket that came along, which the test may take.
  var streams: [(request: RequestID, report: StreamsReport, socket: Descriptor?)] = []
  /// The other ends, as an app keeps them.
  var keptEnds: [RequestID: Descriptor] = [:]

  var onDeinit: () -> Void = {}

  deinit { if link.isConnected { onDeinit() } }

  init(_ places: AgentPlaces) {
    link = AgentClient(places: places, startsAgent: false)
    link.didAnswer = { [weak self] in self?.answers[$0] = $1 }
    link.didReceive = { [weak self] report, descriptor in
      self?.reports.append(report)
      if case .deliver(let request, let delivery) = report {
        self?.delivered.append((request, delivery, descriptor.map(Scratch.bytes(of:))))
      }
      if case .streams(let request, let news) = report {
        let socket = descriptor.map { Descriptor(owning: $0) }
        if news == .prepared {
          self?.keptEnds[request] = socket
        } else {
          self?.streams.append((request, news, socket))
        }
      } else if let descriptor {
        close(descriptor)
      }
    }
  }

  func ask(
    _ command: AgentCommand, _ world: World, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> AgentAnswer {
    link.send(command, number: 1)
    try world.run("an answer", within: .seconds(15), sourceLocation: sourceLocation) { answers[1] != nil }
    return try #require(answers[1], sourceLocation: sourceLocation)
  }

  func hello(_ appID: String = "org.continuo.edit") {
    let manifest = AppManifest(appID: appID, name: "Editor", activityTypes: ["public.text-editing"])
    link.send(.hello(manifest), descriptor: nil)
  }

  /// Offers the document at `path`, as it lies there, or as it was when `file` was opened, which is closed.
  @discardableResult
  func offer(
    _ path: String, id: ActivityID = .random(), line: Int64 = 1, at time: UInt64, withDescriptor: Bool = true,
    saved: FileMark? = nil, from file: Int32? = nil, flags: ActivityFlags = [.handoff]
  ) -> ActivityID {
    var snapshot = ActivitySnapshot(
      id: id, type: "public.text-editing", appID: "org.continuo.edit",
      changedAt: WallTime(milliseconds: time))
    snapshot.userInfo[.text(NSUserActivityDocumentURLKey)] = .url(FileURL.text(of: Array(path.utf8)))
    snapshot.userInfo[.text("line")] = .int(line)
    snapshot.flags = flags
    // The times of these tests are small numbers, long ago.
    snapshot.expiresAt = WallTime(milliseconds: 4_000_000_000_000)
    let descriptor = file ?? (withDescriptor ? open(path, O_RDONLY) : -1)
    link.send(.update(snapshot, saved: saved ?? FileMark(descriptor: descriptor)), descriptor: descriptor)
    if descriptor >= 0 { close(descriptor) }
    return id
  }

  var offers: [Offer] {
    reports.reversed().lazy.compactMap { if case .offers(let offers) = $0 { offers } else { nil } }.first
      ?? []
  }

  func failures(of request: RequestID) -> [ContinuityError] {
    reports.compactMap {
      if case .fail(request, let error) = $0 { error } else { nil }
    }
  }

  func changes(of path: [UInt8]) -> Int {
    reports.count { if case .documentChanged(path, .changed) = $0 { true } else { false } }
  }

  var waits: Int { reports.count { if case .progress = $0 { true } else { false } } }
}

extension AgentCore {
  var watch: any FolderWatching { ports.watch }

  /// As when the process ends.
  func closeDatabases() {
    (store.histories as? DocumentHistories)?.close()
    (store.savedActivities as? ActivityIndex)?.close()
  }
}

/// Two devices that share a folder and are paired; `desktop` offers `plan.md`, whose first version both have.
struct Pair {
  let world: World
  let desktop: InProcessDevice
  let laptop: InProcessDevice
  let editor: TestClient
  let viewer: TestClient
  let activity = ActivityID.random()

  /// `inMemory` for folders of so many files that a disk would be what is waited for.
  init(inMemory: Bool = false, preparing prepare: (World) -> Void = { _ in }) throws {
    world = try World(inMemory: inMemory)
    prepare(world)
    desktop = try world.device("desktop")
    laptop = try world.device("laptop")
    try Scratch.write("one", to: desktop.folder + "/plan.md")
    try desktop.addFolder()
    try desktop.carry(to: laptop, documents: ["plan.md"])
    try laptop.addFolder()
    guard case .words(let words) = try desktop.ask(.pair(deviceName: nil)) else {
      throw Scratch.Failure(description: "no words")
    }
    try desktop.carry(to: laptop)
    guard case .joined = try laptop.ask(.join(words: words.joined(separator: " "), deviceName: nil)) else {
      throw Scratch.Failure(description: "not joined")
    }
    try laptop.carry(to: desktop)
    try desktop.carry(to: laptop)
    editor = try world.connect(to: desktop.core)
    editor.hello()
    viewer = try world.connect(to: laptop.core)
    viewer.hello()
  }

  /// The desktop's editor has these open, too, and is in the plan; its record says so.
  func offerPlan(with names: [String], at time: UInt64 = 1_000) throws {
    var snapshot = ActivitySnapshot(
      id: activity, type: "public.text-editing", appID: "org.continuo.edit",
      changedAt: WallTime(milliseconds: time))
    func url(_ name: String) -> UserInfoValue {
      .url(FileURL.text(of: Array("\(desktop.folder)/\(name)".utf8)))
    }
    snapshot.userInfo[.text(NSUserActivityDocumentURLKey)] = url("plan.md")
    snapshot.userInfo[.text(ContinuoOpenDocumentURLsKey)] = .array(names.map(url))
    snapshot.expiresAt = WallTime(milliseconds: 4_000_000_000_000)
    editor.link.send(.update(snapshot, saved: nil), descriptor: nil)
    try world.run("the record") {
      desktop.record?.activities.contains { $0.changedAt.milliseconds == time } == true
    }
  }

  /// The desktop saves and offers `text`; its record is on the laptop afterwards, the document is not.
  func offer(_ text: String, at time: UInt64 = 1_000) throws {
    try Scratch.write(text, to: desktop.folder + "/plan.md")
    editor.offer(desktop.folder + "/plan.md", id: activity, line: 7, at: time)
    try world.run("the record") {
      desktop.record?.activities.contains { $0.id == activity && $0.changedAt.milliseconds == time } == true
    }
    try desktop.carry(to: laptop)
  }

  /// The laptop finds a record of the desktop that is dated twenty years ahead.
  func bringRecordOfTheFuture() throws {
    var state = try #require(desktop.record)
    state.issuedAt = WallTime.now.adding(seconds: 20 * 365 * 24 * 3600)
    var generator = SystemRandomNumberGenerator()
    let file = try desktop.core.store.identity.stateFile(
      state.recordPayload().bytes, sequence: 1 << 20, using: &generator)
    try Scratch.write(file.bytes, to: "\(laptop.records)/\(file.name)")
    laptop.look()
  }

  /// The viewer has the document open, takes the offer of `text`, and is handed it once it is there.
  func deliver(_ text: String, whileOpenAt path: [UInt8]) throws -> RequestID {
    viewer.link.send(.opened(path: path), descriptor: nil)
    try offer(text)
    let request = RequestID.random()
    viewer.link.send(.accept(offerID, request), descriptor: nil)
    try world.run("progress") { viewer.waits > 0 }
    try write(text)
    try world.run("the delivery") { !viewer.delivered.isEmpty }
    return request
  }

  var offerID: OfferID { OfferID(device: desktop.core.store.identity.id, activity: activity) }

  func write(_ text: String) throws {
    try Scratch.write(text, to: laptop.folder + "/plan.md")
    laptop.look()
  }
}
