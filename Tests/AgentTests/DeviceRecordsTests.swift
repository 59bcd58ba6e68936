// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import Glibc
import LinuxSystem
import TestSupport
import Testing
import Trust

@testable import Agent
@testable import AgentEngine

/// What is believed of other devices' records, and what a disk that is full may cost.
@Suite(.serialized) struct DeviceRecordsTests {
  @Test func anOlderRecordThatComesAgainChangesNothing() throws {
    let pair = try Pair()
    try pair.offer("two")
    let name = try #require(pair.desktop.core.records.publisher.current?.name)
    let old = try #require(Scratch.bytes(at: pair.laptop.records + "/" + name))
    try pair.offer("three", at: 2_000)
    try Scratch.write(old, to: pair.laptop.records + "/" + name)
    pair.laptop.look()
    pair.world.settle()
    #expect(pair.viewer.offers.map(\.changedAt.milliseconds) == [2_000])
    try pair.laptop.restart()
    let viewer = try pair.world.connect(to: pair.laptop.core)
    viewer.hello()
    pair.world.settle()
    #expect(viewer.offers.isEmpty, "an old record is not believed after a restart either")
  }

  @Test func anEqualNumberWithOtherBytesIsTheSignOfACopiedDevice() throws {
    let pair = try Pair()
    try pair.offer("two")
    let identity = pair.desktop.core.store.identity
    let current = try #require(pair.desktop.core.records.publisher.current)
    let sequence = try RecordHeader(record: current.bytes).sequence
    var generator = SystemRandomNumberGenerator()
    let (payload, _) = DeviceState(
      issuedAt: .now, bootNonce: [UInt8](repeating: 9, count: 16)
    ).recordPayload()
    let twin = try identity.stateFile(payload, sequence: sequence, using: &generator)
    try Scratch.write(twin.bytes, to: pair.laptop.records + "/d-copy.rec")
    pair.laptop.look()
    pair.world.settle()
    #expect(try pair.laptop.status().problems.contains { $0.contains("Two computers") })
    #expect(pair.viewer.offers.map(\.changedAt.milliseconds) == [1_000])
  }

  @Test func aRecordUnderTheNameOfAConflictCopyCounts() throws {
    let pair = try Pair()
    try pair.offer("two")
    let current = try #require(pair.desktop.core.records.publisher.current)
    let sequence = try RecordHeader(record: current.bytes).sequence
    var generator = SystemRandomNumberGenerator()
    let nonce = [UInt8](repeating: 9, count: 16)
    let (payload, _) = DeviceState(issuedAt: .now, bootNonce: nonce).recordPayload()
    let later = try pair.desktop.core.store.identity.stateFile(
      payload, sequence: sequence + 1, using: &generator)
    let copy = current.name.replacing(".rec", with: ".sync-conflict-20261122-040000-ABCDEFG.rec")
    try Scratch.write(later.bytes, to: pair.laptop.records + "/" + copy)
    pair.laptop.look()
    pair.world.settle()
    #expect(pair.viewer.offers.isEmpty, "the later record, under whatever name, is the one that counts")
  }

  @Test func aDeviceThatWasSetBackGoesOnAboveWhatOthersSawAndIsHeardAgain() throws {
    let pair = try Pair()
    let kept = try #require(Scratch.bytes(at: pair.desktop.stateDirectory + "/state"))
    for round in 1...3 { try pair.offer("text \(round)", at: UInt64(round)) }
    let seen = try RecordHeader(record: #require(pair.desktop.core.records.publisher.current).bytes).sequence
    for _ in 0..<80 { _ = try pair.desktop.core.store.nextSequence() }
    try pair.offer("last", at: 5)
    let high = try RecordHeader(record: #require(pair.desktop.core.records.publisher.current).bytes).sequence
    #expect(high > seen + 64)
    try Scratch.write(kept, to: pair.desktop.stateDirectory + "/state")
    try pair.desktop.restart()
    try pair.world.run("a record above") {
      pair.desktop.core.records.publisher.current.flatMap { try? RecordHeader(record: $0.bytes).sequence }
        ?? 0 > high
    }
    #expect(try pair.desktop.status().problems.contains { $0.contains("set back") })
  }

  @Test func aRecordThatTheOwnDiskRefusedToRememberIsReadAgain() throws {
    let pair = try Pair()
    let state = pair.laptop.stateDirectory + "/state"
    let kept = try #require(Scratch.bytes(at: state))
    unlink(state)
    mkdir(state, 0o700)
    try pair.offer("two")
    // Once more, when the file is no longer so fresh that it would be read again anyway.
    pair.laptop.look()
    pair.world.settle()
    #expect(pair.viewer.offers.isEmpty)
    #expect(try pair.laptop.status().problems.contains { $0.contains("state") })
    rmdir(state)
    try Scratch.write(kept, to: state)
    pair.laptop.look()
    try pair.world.run("the offer") { !pair.viewer.offers.isEmpty }
    #expect(try pair.laptop.status().problems.isEmpty)
  }

  @Test func aRecordThatCouldNotBeReadIsReadAgainWithoutAnEvent() throws {
    let pair = try Pair()
    try pair.offer("two")
    let core = pair.laptop.core
    let name = try #require(pair.desktop.core.records.publisher.current?.name)
    let transport = try #require(core.folders.root(pair.laptop.root)?.presence?.transport)
    let file = open(pair.laptop.records + "/" + name, O_RDWR | O_CLOEXEC)
    defer { close(file) }
    // While somebody has a lease on a file, F_SETLEASE, who opens it without waiting is refused.
    let (setSignal, setLease): (Int32, Int32) = (10, 1024)
    guard fcntl(file, setSignal, SIGWINCH) == 0, fcntl(file, setLease, F_WRLCK) == 0 else {
      return print("this file system knows no leases: the test is left out")
    }
    core.collector.readEverythingAgain()
    #expect(!core.records.reader.collect(transport).isComplete)
    #expect(core.collector.recollecting.isEmpty)
    core.collector.collect(pair.laptop.root)
    #expect(core.collector.recollecting == [pair.laptop.root], "a disk that works again makes no event")
    try #require(fcntl(file, setLease, F_UNLCK) == 0)
    #expect(core.records.reader.collect(transport).isComplete)
  }

  @Test func aFolderThatTakesNoRecordIsToldAndSuppliedLater() throws {
    let pair = try Pair()
    try pair.offer("two")
    let name = try #require(pair.desktop.core.records.publisher.current?.name)
    let file = pair.desktop.records + "/" + name
    unlink(file)
    mkdir(file, 0o755)
    pair.editor.offer(pair.desktop.folder + "/plan.md", id: pair.activity, line: 8, at: 2_000)
    try pair.world.run("the refusal") { pair.desktop.core.records.publisher.hasUnsupplied }
    #expect(try pair.desktop.status().problems.contains { $0.contains(".continuo") })
    rmdir(file)
    pair.desktop.core.records.publisher.supplyAgain()
    #expect(Scratch.bytes(at: file) == pair.desktop.core.records.publisher.current?.bytes)
    #expect(try pair.desktop.status().problems.isEmpty)
  }

  @Test func tenThousandOtherFilesHideNoRecord() throws {
    let pair = try Pair()
    for number in 0..<10_000 {
      close(open(pair.laptop.records + "/c-\(number).rec", O_WRONLY | O_CREAT, 0o644))
    }
    for number in 0..<300 {
      let junk = [UInt8](repeating: 7, count: RecordHeader.recordSizes[0])
      try Scratch.write(junk, to: pair.laptop.records + "/d-\(number).rec")
    }
    try pair.offer("two")
    try pair.world.run("the offer") { pair.viewer.offers.map(\.changedAt.milliseconds) == [1_000] }
  }
}
