// SPDX-License-Identifier: MIT

import ActivityExchange
import Testing

/// Which records are believed, and which numbers are used.
@Suite struct RecordLedgerTests {
  private let mark = RecordLedger.Mark(sequence: 5, hash: [1])

  @Test func onlyNewerRecordsAreNews() {
    func verdict(_ sequence: UInt64, _ hash: [UInt8]) -> RecordLedger.Verdict {
      RecordLedger.verdict(on: RecordLedger.Mark(sequence: sequence, hash: hash), after: mark)
    }
    #expect(verdict(6, [2]) == .newest)
    #expect(verdict(5, [1]) == .known)
    #expect(verdict(5, [2]) == .clone)
    #expect(verdict(4, [1]) == .outdated)
    #expect(RecordLedger.verdict(on: mark, after: nil) == .newest)
  }

  @Test func whoHasANewKeyIsNotBelievedUnderAFormerOne() {
    let new = RecordLedger.Mark(sequence: 5, hash: [1], epoch: 2)
    let late = RecordLedger.Mark(sequence: 6, hash: [2], epoch: 1)
    #expect(RecordLedger.verdict(on: late, after: new) == .outdated)
    #expect(RecordLedger.verdict(on: .init(sequence: 6, hash: [2], epoch: 3), after: new) == .newest)
  }

  @Test func aNumberIsReservedBeforeItIsUsed() {
    var counter = SequenceCounter(reserved: 10)
    #expect(counter.neededReservation == 74)
    counter.reserve(74)
    #expect(counter.neededReservation == nil)
    #expect((counter.advance(), counter.advance()) == (10, 11))
    // After a crash nothing of the block is used again.
    #expect(SequenceCounter(reserved: counter.reserved).next == 74)
  }

  @Test func aCounterThatWasSetBackGoesOnAboveWhatOthersSaw() throws {
    var counter = SequenceCounter(reserved: 10)
    #expect(counter.reservation(toSkip: 9) == nil)
    #expect(counter.reservation(toSkip: 1 << 62) == nil)
    let needed = try #require(counter.reservation(toSkip: 200))
    counter.reserve(needed)
    counter.skip(through: 200)
    #expect(counter.advance() == 201)
    #expect(counter.neededReservation != nil)
  }
}
