// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import AgentClient
import Documents
import FolderAccess
import Foundation
import Glibc
import LinuxSystem
import SyncedFolders
import Testing
import UserActivities

@testable import Agent
@testable import AgentEngine

extension OneApplicationAtATime {
  /// What one save comes to, with a real agent: one update with its hash, one record.
  @MainActor
  @Suite("What a save comes to with a real agent")
  struct SaveCountTests {
    let app = SampleApp(isSynced: false, isConnected: false)

    @Test func s25f_anAutosaveIsOneUpdateAndOneRecord() async throws {
      let agent = try CountingAgent(app)
      let document = try await app.open("plan.md", "a")
      app.application.mainDocument = document
      try agent.settle()
      for text in ["b", "c", "d"] {
        agent.forget()
        document.type(text)
        app.advance(.milliseconds(2300))
        #expect(app.folder.text("plan.md") == document.text, "it has saved itself")
        app.advance(.zero)
        app.advance(.seconds(1))
        try agent.settle(looking: false)
        #expect(agent.updates == 1)
        #expect(agent.hashes == agent.hashesOfASave)
        try agent.settle()
        #expect(agent.updates == 1, "the watcher's word of it is no news")
        #expect(try agent.records == 1)
        #expect(agent.offered?.size == UInt64(document.text.utf8.count))
      }
    }

    @Test func s25f_aSaveByThePersonIsOneUpdateAndOneRecord() async throws {
      let agent = try CountingAgent(app)
      let document = try await app.open("plan.md", "a")
      app.application.mainDocument = document
      try agent.settle()
      agent.forget()
      document.type("b")
      try await document.save()
      app.advance(.zero)
      app.advance(.seconds(3))
      try agent.settle(looking: false)
      #expect(agent.updates == 1 && agent.hashes == agent.hashesOfASave)
      try agent.settle()
      #expect(agent.updates == 1)
      #expect(try agent.records == 1)
      #expect(agent.offered?.size == 2)
    }
  }
}

/// A real agent of the app's, which counts.
@MainActor
private final class CountingAgent: AgentLink {
  private(set) var updates = 0
  private let core: AgentCore
  private let loop: EventLoop
  private let client: AgentClient
  private let app: SampleApp
  private let state = SampleFolder()
  private var former = 0
  private let events = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))

  init(_ app: SampleApp) throws {
    self.app = app
    loop = try EventLoop()
    var timing = ExchangeMachine.Timing()
    timing.publishInterval = .milliseconds(20)
    core = try AgentCore(
      loop: loop, directory: OwnDirectory.privateDirectory(state.path("state")), deviceName: "desktop",
      timing: timing)
    try core.start()
    // The test says when the watcher would have told something.
    core.ports.watch.stop()
    client = AgentClient(
      places: try AgentPlaces(environment: ["HOME": state.directory]), startsAgent: false)
    try connect()
  }

  private func connect() throws {
    var ends: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    core.accept(ClientConnection(number: 1, socket: Descriptor(owning: ends[0]), loop: loop))
    let app = app
    client.didReceive = { report, descriptor in
      MainActor.assumeIsolated { app.report(report, descriptor: descriptor) }
    }
    var isAnswered = false
    client.didAnswer = { _, _ in isAnswered = true }
    client.adopt(ends[1])
    loop.watch(ends[1]) { [client] _ in client.readable() }
    client.send(.addFolder(path: Array(app.folder.directory.utf8), name: "Notes"), number: 1)
    try run("the folder") { isAnswered }
    inotify_add_watch(events, app.folder.path(".continuo"), UInt32(IN_MOVED_TO))
    app.useAgent(self)
  }

  nonisolated func send(_ request: AgentRequest, descriptor: Int32?) {
    MainActor.assumeIsolated {
      if case .update = request { updates += 1 }
      client.send(request, descriptor: descriptor)
    }
  }

  /// One for the update, which answers the hints. Where a later write might leave the stamp as it was, the
  /// hints lead to one more, and to another when the file has lain still.
  var hashesOfASave: Int {
    core.folders.roots.first?.presence?.directory.stampTrust == .always ? 1 : 3
  }

  /// How often a file was read for its digest.
  var hashes: Int { core.hasher.known.filesRead - former }

  /// How often this device's record was written.
  var records: Int {
    get throws {
      let name = try #require(Self.records(in: app.folder.path(".continuo")).first)
      var count = 0
      var buffer = [UInt8](repeating: 0, count: 65536)
      while true {
        let size = read(events, &buffer, buffer.count)
        guard size > 0 else { return count }
        count += String(decoding: buffer[..<size], as: UTF8.self).ranges(of: name).count
      }
    }
  }

  private static func records(in folder: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasPrefix("d-") && $0.hasSuffix(".rec") }
  }

  /// The version that this device offers.
  var offered: DocumentVersion? { core.store.ownRecord()?.activities.first?.document?.version }

  /// What was counted is no longer counted.
  func forget() {
    updates = 0
    former = core.hasher.known.filesRead
    _ = try? records
  }

  /// Until the agent does nothing more of itself; when `looking`, the watcher tells that something changed.
  func settle(looking: Bool = true) throws {
    for _ in 0..<3 {
      if looking, let root = core.folders.roots.first { core.receive(.rescan(root.number, path: [])) }
      var isOver = false
      loop.schedule(at: .now + .milliseconds(100)) { isOver = true }
      try run("a pause") { isOver }
    }
  }

  private func run(_ what: String, until condition: () -> Bool) throws {
    var isOver = false
    let timer = loop.schedule(at: .now + .seconds(8)) { isOver = true }
    defer { loop.cancel(timer) }
    while !condition() {
      try #require(!isOver, "\(what) did not come")
      loop.turn()
    }
  }
}
