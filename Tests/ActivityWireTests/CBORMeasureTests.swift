// SPDX-License-Identifier: MIT

import ActivityModel
import Testing
import TestSamples

@testable import ActivityWire

@Suite struct CBORMeasureTests {
  @Test func whatIsCountedIsWhatIsWritten() throws {
    var generator = SeededGenerator(seed: 31)
    for _ in 0..<20 {
      let value = RecordSamples.fullState(generator: &generator).cbor
      #expect(CBORMeasure(of: value).bytes == value.encoded.count)
    }
    let lengths = [0, 23, 24, 255, 256, 65_535, 65_536]
    let numbers = lengths.map { CBOR.unsigned(UInt64($0)) } + [.negative(1 << 40), .double(.nan), .double(1)]
    let texts = lengths.map { CBOR.text(String(repeating: "a", count: $0)) }
    let long = CBOR.map([0: .array(numbers), 24: .array(texts), 1 << 40: .bytes([1, 2]), 7: .null])
    #expect(CBORMeasure(of: long).bytes == long.encoded.count)
  }

  @Test(arguments: ["depth", "entries", "items", "bytes"])
  func aLimitHoldsForTheMeasureAsForTheDecoder(_ limit: String) {
    for size in 1...9 {
      var value = CBOR.null
      switch limit {
      case "depth": for _ in 0..<size { value = .map([1: .array([value])]) }
      case "bytes": value = .array([.bytes([UInt8](repeating: 1, count: size)), .text("é")])
      case "items": value = .array((0..<size).map { .map([1: .unsigned(UInt64($0))]) })
      default: value = .map([1: .array(Array(repeating: .null, count: size))])
      }
      let limits = CBOR.Limits(
        depth: limit == "depth" ? 6 : 99, entries: limit == "entries" ? 5 : 99,
        items: limit == "items" ? 9 : 99, bytes: limit == "bytes" ? 9 : 99)
      let isTaken = (try? CBOR(decoding: value.encoded, limits: limits)) != nil
      #expect(CBORMeasure(of: value).fits(limits) == isTaken, "\(limit) \(size)")
    }
  }
}
