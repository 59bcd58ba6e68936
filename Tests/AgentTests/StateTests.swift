// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import ActivityWire
import FolderAccess
import Glibc
import LinuxSystem
import SyncedFolders
import TestSupport
import Testing
import Trust
import TrustCiphers
import VersionHistory

@testable import Agent
@testable import AgentEngine

/// What the agent still knows after a crash, and what it says when it does not.
@Suite struct StateTests {
  private func state() throws -> AgentState {
    var state = AgentState()
    state.folders = [
      AgentState.RegisteredFolder(id: .random(), name: "Notes", path: Array("/home/a/Notes".utf8))
    ]
    state.reservedSequence = 65
    state.highWater[AgentState.HighWaterKey(device: .random(), kind: 1)] =
      AgentState.HighWaterMark(sequence: 7, hash: [UInt8](repeating: 3, count: 32))
    state.toldClaims = [.random(), .random()]
    state.continued[OfferID(device: .random(), activity: .random())] = WallTime(milliseconds: 5)
    var app = AppManifest(appID: "org.example.app", name: "Example")
    app.team = [UInt8](repeating: 1, count: 32)
    let started = StartedApp(
      offer: OfferID(device: .random(), activity: .random()), app: app,
      startedAt: WallTime(milliseconds: 7))
    state.startedApps[.random()] = started
    return state
  }

  /// As releases before the database wrote them.
  private func formerHistories() throws -> (places: [DocumentPlace], bytes: [UInt8]) {
    let places = try (1...3).map { number in
      DocumentPlace(
        folder: .random(), path: try #require(RelativePath("notes/\(number).md")))
    }
    let entries = places.enumerated().map { number, place -> CBOR in
      let versions = (0...UInt8(number)).flatMap { [UInt8](repeating: $0, count: 6) }
      return .array([
        .bytes(place.folder.bytes), .array(place.path.components.map(CBOR.bytes)), .bytes(versions),
        .unsigned(UInt64(number) + 5),
      ])
    }
    return (places, CBOR.array(entries).encoded)
  }

  @Test func stateComesBackAndNoPrefixOfItDoes() throws {
    let state = try state()
    #expect(try AgentState(decoding: state.encoded) == state)
    for count in state.encoded.indices {
      #expect(throws: ContinuityError.self) { try AgentState(decoding: Array(state.encoded.prefix(count))) }
    }
  }

  @Test func historiesOfAnOlderReleaseAreTakenOverOnce() throws {
    let scratch = try Scratch()
    _ = try store(scratch)
    let (places, bytes) = try formerHistories()
    try Scratch.write(bytes, to: scratch.path + "/state/histories")
    for _ in 0..<2 {
      let store = try store(scratch)
      #expect(store.losses.isEmpty && store.problems.isEmpty)
      for (number, place) in places.enumerated() {
        #expect(store.histories[place].versions.map(\.bytes[0]) == (0...number).map { UInt8($0) })
        #expect(store.histories[place].generation == UInt64(number) + 5)
      }
      #expect(!Scratch.names(in: scratch.path + "/state").contains("histories"))
    }
  }

  @Test func noPrefixOfAnOlderReleasesHistoriesIsTakenForAllOfThem() throws {
    let (places, bytes) = try formerHistories()
    #expect(try FormerHistories(decoding: bytes).entries.map(\.place) == places)
    for count in bytes.indices {
      #expect(throws: ContinuityError.self) { try FormerHistories(decoding: Array(bytes.prefix(count))) }
    }
  }

  @Test func whatThisDeviceItselfSaidIsKnownAgainAfterALoss() throws {
    let scratch = try Scratch()
    let place = DocumentPlace(
      folder: .random(), path: try #require(RelativePath("plan.md")))
    let digests = try (1...3).map { try #require(ContentDigest(bytes: [UInt8](repeating: $0, count: 32))) }
    var state = DeviceState(issuedAt: .now, bootNonce: [UInt8](repeating: 1, count: 16))
    do {
      let store = try store(scratch)
      for digest in digests {
        let sighting = VersionSighting(digest, size: 1, source: .published)
        store.changeHistory(of: place, because: sighting) { $0.record(digest) }
      }
      var snapshot = ActivitySnapshot(id: .random(), type: "a.b", appID: "a", changedAt: .now)
      snapshot.document = DocumentReference(
        folder: place.folder, path: place.path,
        version: store.histories[place].version(digests[2], size: 1))
      state.activities = [snapshot]
    }
    try Scratch.write("damaged", to: scratch.path + "/state/history.sqlite")
    unlink(scratch.path + "/state/history.sqlite-wal")
    let store = try store(scratch)
    #expect(store.losses.count == 1)
    store.recallHistories(from: state, except: [])
    #expect(store.histories[place].versions == digests.reversed().map(\.prefix))
  }

  private func store(_ scratch: Scratch) throws -> StateStore {
    try StateStore(
      directory: OwnDirectory.privateDirectory(scratch.path + "/state"), deviceName: "desktop")
  }

  @Test("what files and devices are called follows each change of the identity")
  func names() throws {
    let scratch = try Scratch()
    let store = try store(scratch)
    #expect(store.shownName(of: store.identity.id) == "desktop")
    let former = store.fileName(.state)
    try store.changeIdentity { (identity) throws(ContinuityError) in
      try identity.rename(to: "kitchen", at: .now)
    }
    #expect(store.shownName(of: store.identity.id) == "kitchen")
    #expect(store.fileName(.state) == former)
    var generator = SystemRandomNumberGenerator()
    var host = try Identity.found(name: "host", at: .now, using: &generator, ciphers: StandardCiphers())
    let invitation = try host.invite(at: .now, sequence: 1, using: &generator)
    try store.changeIdentity { (identity) throws(ContinuityError) in
      var generator = SystemRandomNumberGenerator()
      _ = try identity.join(
        invitation.words, records: [invitation.file.bytes], at: .now, sequence: 1, using: &generator)
    }
    #expect(store.shownName(of: host.id) == "host")
    #expect(store.fileName(.state) == store.identity.fileName(.state) && store.fileName(.state) != former)
  }

  @Test func noSequenceIsUsedTwiceHoweverOftenTheAgentDies() throws {
    let scratch = try Scratch()
    var used: [UInt64] = []
    for _ in 0..<4 {
      let store = try store(scratch)
      for _ in 0..<70 { used.append(try store.nextSequence()) }
    }
    #expect(Set(used).count == used.count)
    #expect(used == used.sorted() && used[0] >= 1)
  }

  @Test func aNumberThatNoCounterReachesDoesNotEndTheCounter() throws {
    let scratch = try Scratch()
    let store = try store(scratch)
    let (absurd, real) = (try store.skipSequences(through: .max - 65), try store.skipSequences(through: 1000))
    #expect(!absurd && real)
    for expected in UInt64(1001)...1100 { #expect(try store.nextSequence() == expected) }
  }

  @Test(arguments: ["state", "identity"]) func damagedKeysAndCountersAreRefusedWithASentence(
    _ name: String
  ) throws {
    let scratch = try Scratch()
    _ = try store(scratch)
    if name == "state" { _ = try store(scratch).nextSequence() }
    try Scratch.write("damaged", to: scratch.path + "/state/" + name)
    let error = #expect(throws: ContinuityError.self) { try store(scratch) }
    #expect(error?.code == .agentUnavailable)
    #expect(error?.description.contains("damaged") == true)
    #expect(Scratch.bytes(at: scratch.path + "/state/" + name) == Array("damaged".utf8))
  }

  @Test func damagedHistoriesAndOffersAreToldAndDoNotStopTheAgent() throws {
    let scratch = try Scratch()
    _ = try store(scratch)
    for name in ["histories", "history.sqlite", "own-state"] {
      try Scratch.write("damaged", to: scratch.path + "/state/" + name)
    }
    let store = try store(scratch)
    #expect(store.ownRecord() == nil)
    #expect(store.losses.count == 3)
    for name in ["histories.damaged", "history.sqlite.damaged"] {
      #expect(Scratch.bytes(at: scratch.path + "/state/" + name) == Array("damaged".utf8))
    }
  }

  @Test func aChangeThatCannotBeWrittenDoesNotHappenAndIsTold() throws {
    let scratch = try Scratch()
    let store = try store(scratch)
    mkdir(scratch.path + "/state/state", 0o700)
    #expect(throws: ContinuityError.self) { try store.nextSequence() }
    #expect(store.problems.count == 1)
    rmdir(scratch.path + "/state/state")
    #expect(try store.nextSequence() == 1)
    #expect(store.problems.isEmpty)
  }
}
