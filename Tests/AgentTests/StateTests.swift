// SPDX-License-Identifier: MIT

import ActivityModel
import FolderAccess
import Glibc
import SyncedFolders
import Testing

@testable import Agent

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
    return state
  }

  private func histories() throws -> DocumentHistories {
    var histories = DocumentHistories()
    for byte in UInt8(1)...3 {
      let digest = try #require(ContentDigest(bytes: [UInt8](repeating: byte, count: 32)))
      let path = try #require(RelativePath("notes/\(byte).md"))
      histories[DocumentHistories.Place(folder: .random(), path: path)].record(digest)
    }
    return histories
  }

  @Test func stateComesBackAndNoPrefixOfItDoes() throws {
    let state = try state()
    #expect(try AgentState(decoding: state.encoded) == state)
    for count in state.encoded.indices {
      #expect(throws: ContinuityError.self) { try AgentState(decoding: Array(state.encoded.prefix(count))) }
    }
  }

  @Test func historiesComeBackAndNoPrefixOfThemDoes() throws {
    let histories = try histories()
    #expect(try DocumentHistories(decoding: histories.encoded) == histories)
    for count in histories.encoded.indices {
      #expect(throws: ContinuityError.self) {
        try DocumentHistories(decoding: Array(histories.encoded.prefix(count)))
      }
    }
  }

  @Test func aDocumentKeepsItsPastWhenItsFolderGetsAnotherID() throws {
    let (old, new) = (FolderID.random(), FolderID.random())
    let path = try #require(RelativePath("plan.md"))
    let digests = try (1...3).map { try #require(ContentDigest(bytes: [UInt8](repeating: $0, count: 32))) }
    var histories = DocumentHistories()
    histories[.init(folder: old, path: path)].record(digests[0])
    histories[.init(folder: old, path: path)].record(digests[1])
    histories[.init(folder: new, path: path)].record(digests[2])
    let moved = histories.move(from: old, to: new)
    #expect(moved)
    #expect(histories[.init(folder: new, path: path)].versions == [2, 1, 0].map { digests[$0].prefix })
    #expect(histories[.init(folder: old, path: path)].versions.isEmpty)
  }

  private func store(_ scratch: Scratch) throws -> StateStore {
    try StateStore(
      directory: OwnDirectory.privateDirectory(scratch.path + "/state"), deviceName: "desktop")
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
    for name in ["histories", "own-state"] {
      try Scratch.write("damaged", to: scratch.path + "/state/" + name)
    }
    let store = try store(scratch)
    #expect(store.ownRecord() == nil)
    #expect(store.losses.count == 2)
  }

  @Test func aChangeThatCannotBeWrittenDoesNotHappenAndIsTold() throws {
    let scratch = try Scratch()
    let store = try store(scratch)
    mkdir(scratch.path + "/state/state", 0o700)
    #expect(throws: ContinuityError.self) { try store.nextSequence() }
    #expect(store.problem != nil)
    rmdir(scratch.path + "/state/state")
    #expect(try store.nextSequence() == 1)
    #expect(store.problem == nil)
  }
}
