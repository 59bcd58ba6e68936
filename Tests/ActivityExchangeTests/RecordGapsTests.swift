// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import Testing

/// An engine that leaves records out is found out (T43), and who is silent is not blamed.
@Suite struct RecordGapsTests {
  private static let own = ExchangeWorld.id(1, DeviceID.self)
  private static let laptop = ExchangeWorld.id(2, DeviceID.self)
  private static let phone = ExchangeWorld.id(3, DeviceID.self)
  private var gaps = RecordGaps(own: Self.own)
  private var now = Instant(nanoseconds: 0)

  private var found: [RecordGaps.Gap] { gaps.gaps(among: [Self.laptop, Self.phone]) }

  /// Records of that device, so many seconds one after the other, each with what it has read.
  private mutating func hear(
    _ device: DeviceID, _ numbers: ClosedRange<UInt64>, every seconds: Int,
    reading: (UInt64) -> [DeviceID: UInt64]
  ) {
    for number in numbers {
      now = now + .seconds(seconds)
      gaps.heard(device, saying: number, reading: reading(number), at: now)
    }
  }

  @Test mutating func whoGoesOnWritingAndNeverReadsIsTold() {
    gaps.said(7)
    hear(Self.laptop, 1...11, every: 60) { _ in [:] }
    #expect(found.isEmpty, "ten minutes are not over")
    hear(Self.laptop, 12...12, every: 1) { _ in [Self.own: 6] }
    #expect(found == [.unread(by: Self.laptop)])
    // That this device says more does not begin the time anew.
    gaps.said(9)
    hear(Self.laptop, 13...13, every: 1) { _ in [Self.own: 6] }
    #expect(found == [.unread(by: Self.laptop)])
    hear(Self.laptop, 14...14, every: 1) { _ in [Self.own: 7] }
    #expect(found.isEmpty)
  }

  @Test mutating func whoReadsLateButReadsIsNotTold() {
    for number in 1...600 as ClosedRange<UInt64> {
      gaps.said(number)
      hear(Self.laptop, number...number, every: 10) { _ in [Self.own: number > 30 ? number - 30 : 0] }
      #expect(found.isEmpty)
    }
  }

  @Test mutating func whoIsOffOrWritesNothingIsNotTold() {
    gaps.said(7)
    now = now + .seconds(86_400)
    #expect(found.isEmpty, "nothing was heard at all")
    hear(Self.laptop, 1...1, every: 1) { _ in [:] }
    // Two nights, and each morning a record that was written before the engine had brought anything.
    hear(Self.laptop, 2...3, every: 40_000) { _ in [:] }
    #expect(found.isEmpty)
    // The same record is read again and again.
    for _ in 0..<100 { hear(Self.laptop, 3...3, every: 60) { _ in [:] } }
    #expect(found.isEmpty)
  }

  @Test mutating func whatAnotherOneReadsAndDoesNotComeIsTold() {
    hear(Self.laptop, 1...1, every: 1) { _ in [:] }
    hear(Self.phone, 1...12, every: 60) { [Self.laptop: 10 + $0] }
    #expect(found == [.missing(from: Self.laptop, readBy: Self.phone)])
    #expect(gaps.gaps(among: [Self.phone]).isEmpty, "the laptop was removed")
    // An older one than the first that is missing is no end of it.
    hear(Self.laptop, 10...10, every: 1) { _ in [:] }
    #expect(found == [.missing(from: Self.laptop, readBy: Self.phone)])
    hear(Self.laptop, 11...11, every: 1) { _ in [:] }
    #expect(found.isEmpty)
  }

  @Test mutating func whatIsMissingOfOneThatIsOffIsNotTold() {
    hear(Self.laptop, 1...1, every: 1) { _ in [:] }
    hear(Self.phone, 1...100, every: 60) { _ in [Self.laptop: 5] }
    #expect(found.isEmpty, "the laptop said nothing after its fifth record")
    // Nor of one that was never heard: it may have no folder with this device.
    var others = RecordGaps(own: Self.own)
    for number in 1...100 as ClosedRange<UInt64> {
      others.heard(
        Self.phone, saying: number, reading: [Self.laptop: number],
        at: Instant(nanoseconds: 0) + .seconds(Int(number) * 60))
    }
    #expect(others.gaps(among: [Self.laptop, Self.phone]).isEmpty)
  }
}
