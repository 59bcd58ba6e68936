// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import ActivityWire
import FolderAccess
import Glibc
import LinuxSystem
import TestSupport
import Testing
import Trust
import TrustCiphers

@testable import Agent
@testable import AgentEngine

/// A device that goes on to another computer, by the agents themselves.
@Suite(.serialized) struct MovingTests {
  /// The desktop as it is taken to another computer.
  private func packed(_ pair: Pair) throws -> MovingDevice {
    try pair.desktop.core.packed(home: Array("/nowhere".utf8))
  }

  /// A new computer goes on as `moving`, whose folder came to it.
  private func moveIn(_ moving: MovingDevice, _ pair: Pair) throws -> InProcessDevice {
    let new = try pair.world.device("newer")
    try pair.laptop.carry(to: new, documents: ["plan.md"])
    // On this one computer the old folder lies there still.
    try new.addFolder()
    try new.core.become(moving, home: Array("/nowhere".utf8))
    try new.core.store.change { $0.folders = Array($0.folders.prefix(1)) }
    try new.restart()
    return new
  }

  private func sequence(_ device: InProcessDevice, _ identity: Identity) throws -> UInt64 {
    let bytes = try #require(Scratch.bytes(at: device.records + "/" + identity.fileName(.state)))
    return try identity.open(bytes).sequence
  }

  @Test func itsNumbersGoOnAboveAndNothingIsTakenForACopy() throws {
    let pair = try Pair()
    try pair.offer("two")
    let identity = pair.desktop.core.store.identity
    let moving = try packed(pair)
    try pair.desktop.core.leave()
    let last = try sequence(pair.desktop, identity)
    try pair.desktop.carry(to: pair.laptop)
    #expect(pair.viewer.offers.isEmpty, "the last word withdraws")
    let new = try moveIn(moving, pair)
    #expect(new.core.store.state.folders.map(\.path) == [Array(new.folder.utf8)])
    let app = try pair.world.connect(to: new.core)
    app.hello()
    try Scratch.write("three", to: new.folder + "/plan.md")
    app.offer(new.folder + "/plan.md", at: 2_000)
    try pair.world.run("the offer") { new.record?.activities.isEmpty == false }
    #expect(try sequence(new, identity) > last)
    try new.carry(to: pair.laptop, documents: ["plan.md"])
    try pair.world.run("the offer") { !pair.viewer.offers.isEmpty }
    for device in [new, pair.laptop] { #expect(try device.status().problems.isEmpty) }
    let known = pair.desktop.core.store.state.highWater
    #expect(!known.isEmpty && known.allSatisfy { new.core.store.state.highWater[$0.key] == $0.value })
  }

  /// The keys were not taken away, for the old computer was stopped between two steps.
  @Test func bothComputersAtOnceAreNoticed() throws {
    let pair = try Pair()
    try pair.offer("two")
    let new = try moveIn(try packed(pair), pair)
    let app = try pair.world.connect(to: new.core)
    app.hello()
    let name = pair.desktop.core.store.identity.fileName(.state)
    for round in 0..<4 {
      try Scratch.write("new \(round)", to: new.folder + "/plan.md")
      app.offer(new.folder + "/plan.md", at: 2_000 + UInt64(round))
      try Scratch.write("old \(round)", to: pair.desktop.folder + "/plan.md")
      pair.editor.offer(pair.desktop.folder + "/plan.md", id: pair.activity, at: 2_000 + UInt64(round))
      pair.world.settle()
      for (from, to) in [(pair.desktop, new), (new, pair.desktop)] {
        let bytes = try #require(Scratch.bytes(at: "\(from.records)/\(name)"))
        try Scratch.write(bytes, to: "\(to.records)/d-of-the-other.rec")
        to.look()
        pair.world.settle()
      }
    }
    for device in [pair.desktop, new] {
      #expect(
        try device.status().problems.contains { $0.contains("Another computer uses this device's identity") })
    }
    #expect(throws: ContinuityError.self) { try pair.desktop.core.packed(home: []) }
  }

  @Test func whoHasLeftDoesNotStartAgainAndWritesNoKeyAgain() throws {
    let pair = try Pair()
    try pair.desktop.core.leave()
    let path = pair.desktop.stateDirectory + "/identity"
    let left = try #require(Scratch.bytes(at: path))
    #expect(MovedDevice(encoded: left)?.name == "desktop")
    // What still comes to the agent in its last moments brings no key back.
    try? pair.desktop.core.store.changeIdentity { (identity) throws(ContinuityError) in
      try identity.rename(to: "ghost", at: .now)
    }
    #expect(Scratch.bytes(at: path) == left)
    let error = #expect(throws: ContinuityError.self) { try pair.desktop.restart() }
    #expect(error?.description.contains("continuo reset") == true)
    #expect(Scratch.bytes(at: path) == left)
  }

  /// A disk that takes nothing in the keys' place: a folder lies where the state is written.
  @Test func keysThatCannotBeTakenAwayStay() throws {
    let pair = try Pair()
    let directory = pair.desktop.stateDirectory
    let before = try #require(Scratch.bytes(at: directory + "/identity"))
    let moving = try packed(pair)
    try #require(rename(directory + "/identity", directory + "/kept") == 0)
    try #require(mkdir(directory + "/identity", 0o700) == 0)
    try Scratch.write("in the way", to: directory + "/identity/file")
    #expect(throws: ContinuityError.self) { try pair.desktop.core.leave() }
    #expect(pair.desktop.core.store.hasLeft == nil, "nobody can tell")
    try #require(unlink(directory + "/identity/file") == 0 && rmdir(directory + "/identity") == 0)
    try #require(rename(directory + "/kept", directory + "/identity") == 0)
    #expect(pair.desktop.core.store.hasLeft == false)
    #expect(Scratch.bytes(at: directory + "/identity") == before)
    try pair.desktop.restart()
    #expect(pair.desktop.core.store.identity == moving.identity)
  }

  @Test func keysDoNotComeIntoAStateDirectoryThatIsSynced() throws {
    let pair = try Pair()
    let moving = try packed(pair)
    let new = try pair.world.device("newer")
    let before = new.core.store.identity
    try Scratch.write("", to: new.stateDirectory + "/.stfolder")
    let error = #expect(throws: ContinuityError.self) { try new.core.become(moving, home: []) }
    #expect(error?.description.contains("itself synced") == true)
    #expect(new.core.store.identity == before && new.core.store.state.reservedSequence < 1024)
  }

  @Test func whatItKnowsGoesAlongAndWhatIsHereStays() {
    func folder(_ name: String, _ path: String) -> AgentState.RegisteredFolder {
      .init(id: .random(), name: name, path: Array(path.utf8))
    }
    var old = AgentState()
    old.folders = [
      folder("Notes", "/home/old/Notes"), folder("Disk", "/media/disk"), folder("Elder", "/home/older/x"),
    ]
    old.reservedSequence = 640
    let key = AgentState.HighWaterKey(device: .random(), kind: 1)
    old.highWater = [key: .init(sequence: 7, hash: [1])]
    old.toldClaims = [.random()]
    old.startedApps = [
      .random(): StartedApp(
        offer: OfferID(device: .random(), activity: .random()), app: AppManifest(appID: "a", name: "A"),
        startedAt: .now)
    ]
    let home = (old: Array("/home/old".utf8), new: Array("/home/new".utf8))
    let leaving = old.leaving
    #expect(leaving.reservedSequence == 640 + AgentState.lastNumbers && leaving.startedApps.isEmpty)
    var new = AgentState()
    new.folders = [folder("Notes", "/srv/other"), folder("Mine", "/media/disk")]
    new.reservedSequence = 5000
    let state = new.takingOver(leaving, home: home)
    let places = state.folders.map { "\($0.name) \(String(decoding: $0.path, as: UTF8.self))" }
    #expect(
      places == ["Notes /srv/other", "Mine /media/disk", "Notes 2 /home/new/Notes", "Elder /home/older/x"])
    #expect(state.reservedSequence == 5000 && state.highWater == old.highWater)
    #expect(state.toldClaims == old.toldClaims && state.copied == nil)
    #expect(AgentState().takingOver(leaving, home: home).reservedSequence == 640 + AgentState.lastNumbers)
  }

  /// A file names no cost: the longest one that is read is opened once.
  @Test func theLongestFileOfAStrangerCostsLittle() throws {
    let pair = try Pair()
    var generator = SystemRandomNumberGenerator()
    let (file, words) = try packed(pair).sealed(using: &generator)
    let (head, size) = (Array(file.prefix(48)), MovingDevice.sizeLimit - 56)
    let long = head + UInt64(size).bigEndianBytes + [UInt8](repeating: 7, count: size)
    let start = ProcessorTime.ofThisThread.nanoseconds
    let error = #expect(throws: ContinuityError.self) { try MovingDevice(file: long, words: words) }
    #expect(error?.subject == "words")
    #expect(ProcessorTime.ofThisThread.nanoseconds - start < 10_000_000_000)
  }

  /// Of somebody who told the words, or of a disk that forgets: the agent would end at its next record, and
  /// again whenever it is started.
  @Test func aNumberThatNoCounterReachesIsRefused() throws {
    var state = AgentState()
    state.reservedSequence = SequenceCounter.limit + 4096
    #expect(try AgentState(decoding: state.encoded) == state)
    for number: UInt64 in [1 << 63, .max - 64, .max] {
      state.reservedSequence = number
      #expect(throws: ContinuityError.self) { try AgentState(decoding: state.encoded) }
    }
  }
}
