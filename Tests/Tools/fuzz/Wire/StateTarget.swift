// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import TestSamples

/// What a record of a device's state holds: read twice, it is the same, and its paths stay in their folders.
struct StateTarget: FuzzTarget {
  static let name = "state"
  static let longest = 4096
  static let words = CBORWords.all

  func seeds() throws -> [[UInt8]] {
    let empty = DeviceState(
      issuedAt: WallTime(milliseconds: 1), lifetime: 600, bootNonce: [UInt8](repeating: 5, count: 16))
    return [empty.recordPayload().bytes] + (1...3).map { RecordSamples.state(seed: $0).recordPayload().bytes }
  }

  func check(_ input: [UInt8]) throws {
    guard let state = try? DeviceState(recordPayload: input) else { return }
    let again = state.cbor.encoded
    try expect((try? DeviceState(recordPayload: again)) == state, "a state is another one when read again")
    try expect(
      (try? DeviceState(recordPayload: again))?.cbor.encoded == again, "a state is written in two ways")
    for activity in state.activities {
      for document in [activity.document].compactMap(\.self) + activity.translatedDocuments {
        try PathTarget.checkNames(document.path)
      }
    }
    let carried = state.recordPayload()
    try expect(carried.bytes.count <= CBOR.Limits.record.bytes, "a payload is longer than its limit")
    try expect((try? DeviceState(recordPayload: carried.bytes)) != nil, "a payload cannot be read")
  }
}

extension RecordSamples {
  /// A state with all its fields.
  static func state(seed: UInt64) -> DeviceState {
    var generator = SeededGenerator(seed: seed)
    var state = fullState(generator: &generator)
    state.reachability = Reachability(
      addresses: [[192, 168, 1, 2], [UInt8](repeating: 0xfd, count: 16)], port: 40_000, period: seed)
    return state
  }
}
