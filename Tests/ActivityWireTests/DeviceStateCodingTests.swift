// SPDX-License-Identifier: MIT

import ActivityModel
import Testing
import TestSamples

@testable import ActivityWire

@Suite struct DeviceStateCodingTests {
  @Test func aStateComesBackAsItWent() throws {
    var generator = SeededGenerator(seed: 10)
    let state = RecordSamples.fullState(generator: &generator)
    let (bytes, dropped) = state.recordPayload()
    #expect(dropped.isEmpty)
    #expect(try DeviceState(recordPayload: bytes) == state)
    #expect(try DeviceState(recordPayload: bytes).recordPayload().bytes == bytes)
  }

  @Test func flagsOfOneMachineStayThereButTravelOverTheSocket() throws {
    var generator = SeededGenerator(seed: 11)
    var snapshot = RecordSamples.fullSnapshot(generator: &generator)
    snapshot.flags = [.streams, .handoff, ActivityFlags(rawValue: 1 << 40), ActivityFlags(rawValue: 1 << 31)]
    #expect(try ActivitySnapshot(cbor: snapshot.cbor).flags == snapshot.flags)
    var state = DeviceState(issuedAt: WallTime(milliseconds: 1), bootNonce: [UInt8](repeating: 0, count: 16))
    state.activities = [snapshot]
    let carried = try #require(try DeviceState(recordPayload: state.recordPayload().bytes).activities.first)
    #expect(carried.flags == [.streams, .handoff, ActivityFlags(rawValue: 1 << 31)])
  }

  @Test func aRecordWithAFlagOfOneMachineIsRefused() throws {
    var generator = SeededGenerator(seed: 12)
    let state = RecordSamples.fullState(generator: &generator)
    guard case .map(var fields) = state.cbor else { return }
    fields[3] = .array([state.activities[0].cbor])
    #expect(throws: ContinuityError.self) { try DeviceState(cbor: .map(fields)) }
  }

  @Test func aStateOver48KibibytesDropsItsOldestActivitiesAndSaysWhich() throws {
    var generator = SeededGenerator(seed: 13)
    var state = DeviceState(issuedAt: WallTime(milliseconds: 1), bootNonce: [UInt8](repeating: 0, count: 16))
    state.activities = (0..<5).map { _ in
      var snapshot = RecordSamples.fullSnapshot(generator: &generator)
      snapshot.userInfo[.text("data")] = .bytes([UInt8](repeating: 7, count: 14_000))
      return snapshot
    }
    let (bytes, dropped) = state.recordPayload()
    #expect(bytes.count <= 48 * 1024)
    #expect(dropped.map(\.activity) == [state.activities[4].id, state.activities[3].id])
    #expect(try DeviceState(recordPayload: bytes).activities == Array(state.activities.prefix(3)))
  }

  @Test func theNinthActivityIsDroppedAndOneThatCannotTravelTakesNoPlace() throws {
    var generator = SeededGenerator(seed: 14)
    var state = DeviceState(issuedAt: WallTime(milliseconds: 1), bootNonce: [UInt8](repeating: 0, count: 16))
    state.activities = (0..<10).map { _ in RecordSamples.fullSnapshot(generator: &generator) }
    state.activities[2].userInfo = [.text("data"): .bytes([UInt8](repeating: 7, count: 17_000))]
    let (bytes, dropped) = state.recordPayload()
    #expect(dropped.map(\.activity) == [state.activities[2].id, state.activities[9].id])
    #expect(dropped.first?.reason.code == .userInfoTooLarge)
    #expect(try DeviceState(recordPayload: bytes).activities.count == 8)
  }

  @Test func moreItemsThanARecordHoldsDropActivitiesToo() throws {
    var generator = SeededGenerator(seed: 15)
    let deep = RecordSamples.reference(
      Array(repeating: "a", count: 32).joined(separator: "/"), generator: &generator)
    var state = DeviceState(issuedAt: WallTime(milliseconds: 1), bootNonce: [UInt8](repeating: 0, count: 16))
    state.activities = (0..<4).map { _ in
      var snapshot = RecordSamples.fullSnapshot(generator: &generator)
      snapshot.translatedDocuments = Array(repeating: deep, count: 16)
      return snapshot
    }
    let (bytes, dropped) = state.recordPayload()
    #expect(!dropped.isEmpty)
    #expect(try DeviceState(recordPayload: bytes).activities.count == 4 - dropped.count)
  }

  @Test func fieldsOfWrongTypeMissingUnknownOrOutOfBoundsAreRefused() throws {
    var generator = SeededGenerator(seed: 16)
    guard case .map(let good) = RecordSamples.fullSnapshot(generator: &generator).cbor else { return }
    let long = String(repeating: "a", count: 5000)
    let bad: [(UInt64, CBOR?)] = [
      (1, nil), (1, .bytes([1])), (2, nil), (2, .text("")), (2, .text(long)), (2, .text("a\u{7}")),
      (3, .bytes([])), (4, nil), (4, .bytes([])), (4, .text("a\u{202e}b")), (4, .text("a\nb")),
      (4, .text(long)),
      (5, .null), (6, .null), (6, .bytes([0xa0])), (6, .bytes([0x81, 0x01])), (7, .text("line")),
      (7, .array([.text("b"), .text("a")])), (8, .text(long)), (9, .negative(1)), (10, .null), (11, .null),
      (12, nil), (12, .text("")), (13, .text("")), (14, .array([])), (14, .array([.text("a"), .text("a")])),
      (15, .text(long)), (16, .text(long)), (17, .text(long)), (18, .array([])), (18, nil), (19, .text("")),
      (19, .bytes([UInt8](repeating: 0, count: 16_385))), (20, .map([:])), (21, .null), (127, .null),
    ]
    for (key, value) in bad {
      var fields = good
      fields[key] = value
      #expect(throws: ContinuityError.self, "field \(key): \(String(describing: value))") {
        try ActivitySnapshot(cbor: .map(fields))
      }
    }
    var extended = good
    extended[128] = .null
    #expect(try ActivitySnapshot(cbor: .map(extended)).cbor == .map(good))
  }

  @Test func theFieldsOfAStateAreCheckedToo() throws {
    var generator = SeededGenerator(seed: 17)
    guard case .map(let good) = RecordSamples.fullState(generator: &generator).cbor else { return }
    let acknowledgement = CBOR.array([.bytes([UInt8](repeating: 1, count: 16)), .unsigned(1)])
    let bad: [(UInt64, CBOR?)] = [
      (1, nil), (2, .unsigned(604_801)), (3, .array(Array(repeating: .null, count: 9))), (3, nil), (4, nil),
      (4, .array([acknowledgement, acknowledgement])), (4, .array([.null])), (5, .bytes([])),
      (6, .array([.map([:])])), (6, nil), (7, .null),
    ]
    for (key, value) in bad {
      var fields = good
      fields[key] = value
      #expect(throws: ContinuityError.self, "field \(key)") { try DeviceState(cbor: .map(fields)) }
    }
  }

  @Test func everyPrefixOfAStateIsRefused() throws {
    var generator = SeededGenerator(seed: 18)
    let bytes = RecordSamples.fullState(generator: &generator).recordPayload().bytes
    for length in 0..<bytes.count {
      #expect(throws: ContinuityError.self) { try DeviceState(recordPayload: Array(bytes.prefix(length))) }
    }
  }

  @Test func whateverIsDecodedIsWrittenBackAlike() throws {
    var generator = SeededGenerator(seed: 19)
    let bytes = RecordSamples.fullState(generator: &generator).recordPayload().bytes
    var accepted = 0
    for _ in 0..<2_000 {
      var mutated = bytes
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        mutated[Int.random(in: mutated.indices, using: &generator)] = UInt8.random(
          in: 0...255, using: &generator)
      }
      // A refusal is as good as a value that comes back; anything else ends the test process.
      guard let state = try? DeviceState(recordPayload: mutated) else { continue }
      accepted += 1
      guard try CBOR(decoding: mutated).hasOnlyKnownKeys else { continue }
      let (again, dropped) = state.recordPayload()
      #expect(again == mutated && dropped.isEmpty)
    }
    #expect(accepted > 100)
  }
}

extension CBOR {
  /// Keys from 128 on are ignored, and so not written back.
  fileprivate var hasOnlyKnownKeys: Bool {
    switch self {
    case .array(let elements): elements.allSatisfy(\.hasOnlyKnownKeys)
    case .map(let entries): entries.allSatisfy { $0.key < 128 && $0.value.hasOnlyKnownKeys }
    default: true
    }
  }
}
