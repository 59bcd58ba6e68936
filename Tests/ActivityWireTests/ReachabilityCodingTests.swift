// SPDX-License-Identifier: MIT

import ActivityModel
import Testing

@testable import ActivityWire

/// Where a device is, in its record: additional, bounded, and never a reason to refuse the record.
@Suite struct ReachabilityCodingTests {
  private func state(_ reachability: Reachability?) -> DeviceState {
    var state = DeviceState(issuedAt: WallTime(milliseconds: 1), bootNonce: [UInt8](repeating: 3, count: 16))
    state.reachability = reachability
    return state
  }

  private func decoded(_ value: CBOR) throws -> DeviceState {
    guard case .map(var fields) = state(nil).cbor else { throw CBOR.mismatch("state", expected: "a map") }
    fields[128] = value
    return try DeviceState(recordPayload: CBOR.map(fields).encoded)
  }

  private static let addresses: [[UInt8]] = [[10, 0, 0, 1], [UInt8](repeating: 0xfd, count: 16)]

  @Test func itComesBackAsItWent() throws {
    for addresses in [[], Self.addresses, Array(repeating: [10, 0, 0, 1], count: 8)] {
      let place = try #require(Reachability(addresses: addresses, port: 1024, period: .max))
      let bytes = state(place).recordPayload().bytes
      #expect(try DeviceState(recordPayload: bytes).reachability == place)
      #expect(try DeviceState(recordPayload: bytes).recordPayload().bytes == bytes)
    }
    #expect(try DeviceState(recordPayload: state(nil).recordPayload().bytes).reachability == nil)
  }

  @Test func itStandsUnderAKeyThatEarlierReleasesPassOver() throws {
    let place = try #require(Reachability(addresses: Self.addresses, port: 4000, period: 9))
    guard case .map(let fields) = state(place).cbor else { return }
    #expect(fields[128] != nil && fields.count == 7)
    try fields.closed("state", known: 1...6)
  }

  @Test func whatNoDeviceSaysIsIgnoredAndTheRecordStands() throws {
    let good: [CBOR] = [.array([.bytes([10, 0, 0, 1])]), .unsigned(4000), .unsigned(1)]
    #expect(try decoded(.array(good)).reachability != nil)
    #expect(try decoded(.array(good + [.text("later")])).reachability != nil, "a later release says more")
    var hostile: [CBOR] = [.null, .unsigned(1), .array([]), .array(Array(good.prefix(2))), .text("10.0.0.1")]
    for (place, values): (Int, [CBOR]) in [
      (0, [.null, .bytes([1]), .array([.bytes([])]), .array([.bytes([1, 2, 3])]), .array([.unsigned(1)])]),
      (0, [.array(Array(repeating: .bytes([10, 0, 0, 1]), count: 9))]),
      (1, [.unsigned(0), .unsigned(1023), .unsigned(65_536), .unsigned(.max), .negative(0), .bytes([1])]),
      (2, [.null, .negative(4), .text("1"), .bytes([0])]),
    ] {
      for value in values {
        var fields = good
        fields[place] = value
        hostile.append(.array(fields))
      }
    }
    for value in hostile {
      let state = try decoded(value)
      #expect(state.reachability == nil && state.bootNonce.count == 16, "\(value)")
    }
  }

  @Test func everyPrefixOfARecordWithItIsRefused() throws {
    let place = try #require(Reachability(addresses: Self.addresses, port: 4000, period: 1 << 40))
    let bytes = state(place).recordPayload().bytes
    for length in 0..<bytes.count {
      #expect(throws: ContinuityError.self) { try DeviceState(recordPayload: Array(bytes.prefix(length))) }
    }
  }

  @Test func noneIsMadeOfWhatNoDeviceSays() {
    #expect(Reachability(addresses: Array(repeating: [10, 0, 0, 1], count: 9), port: 4000, period: 1) == nil)
    #expect(Reachability(addresses: [[1, 2, 3]], port: 4000, period: 1) == nil)
    #expect(Reachability(addresses: [], port: 1023, period: 1) == nil)
  }
}
