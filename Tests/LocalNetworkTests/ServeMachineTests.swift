// SPDX-License-Identifier: MIT

import ActivityModel
import Testing

@testable import LocalNetwork

/// Which of its documents a device sends to others that ask.
@Suite struct ServeMachineTests {
  private static let start = Instant(nanoseconds: 1_000_000_000)
  private static let plan = identifier(1) as ActivityID
  private static let list = identifier(2) as ActivityID
  private static let laptop = identifier(3) as DeviceID
  private static let phone = identifier(4) as DeviceID
  private static let first = ServeMachine.Offered(digest: digest(1), size: 10)
  private static let second = ServeMachine.Offered(digest: digest(2), size: 10)

  static func identifier<Kind>(_ number: UInt8) -> Identifier<Kind> {
    var numbers = CountingNumbers(last: UInt64(number) << 32)
    return Identifier(using: &numbers)
  }

  static func digest(_ number: UInt8) -> ContentDigest {
    let bytes = [UInt8](repeating: number, count: 32)
    return ContentDigest(bytes: bytes) ?? digest(number &+ 1)
  }

  private var machine = ServeMachine()

  init() { _ = machine.handle(.offered([Self.plan: [Self.first]]), at: Self.start) }

  private static func sending(_ number: UInt32, to device: DeviceID = laptop) -> DocumentTransfer {
    DocumentTransfer(with: device, as: TransferNumber(rawValue: number))
  }

  private mutating func ask(
    _ number: UInt32, of activity: ActivityID = plan, _ version: ServeMachine.Offered = first,
    by device: DeviceID = laptop, at now: Instant = start
  ) -> [ServeMachine.Action] {
    let transfer = TransferNumber(rawValue: number)
    return machine.handle(
      .said(device, .ask(transfer, activity, version.digest, size: version.size)), at: now)
  }

  @Test mutating func whatTheRecordOffersIsSentAndNothingElse() {
    #expect(ask(1) == [.open(Self.sending(1), Self.plan, Self.first)])
    #expect(ask(2, of: Self.list) == [.refuse(Self.sending(2), .notOffered)])
    #expect(ask(3, Self.second) == [.refuse(Self.sending(3), .changed)])
    let otherSize = ServeMachine.Offered(digest: Self.first.digest, size: 11)
    #expect(ask(4, otherSize) == [.refuse(Self.sending(4), .changed)])
    #expect(ask(1).isEmpty, "a number in use")
    #expect(machine.handle(.said(Self.laptop, .refuse(.init(rawValue: 1), .busy)), at: Self.start).isEmpty)
  }

  @Test mutating func aFileThatCannotBeOpenedIsRefused() {
    _ = ask(1)
    let refused = machine.handle(.opened(Self.sending(1), .unreadable), at: Self.start)
    #expect(refused == [.refuse(Self.sending(1), .unreadable)])
    #expect(machine.handle(.opened(Self.sending(1), .unreadable), at: Self.start).isEmpty, "once")
    _ = ask(2)
    #expect(machine.handle(.opened(Self.sending(2), nil), at: Self.start).isEmpty)
  }

  @Test mutating func whatIsOfferedNoMoreStops() {
    _ = machine.handle(.offered([Self.plan: [Self.first], Self.list: [Self.second]]), at: Self.start)
    _ = ask(1)
    _ = ask(2, of: Self.list, Self.second, by: Self.phone)
    let stopped = machine.handle(.offered([Self.plan: [Self.second]]), at: Self.start)
    let both = [Self.sending(1), Self.sending(2, to: Self.phone)].sorted()
    #expect(
      stopped
        == both.flatMap { each -> [ServeMachine.Action] in
          [.stop(each), .refuse(each, each.device == Self.laptop ? .changed : .notOffered)]
        })
  }

  @Test mutating func whoCancelsOrLosesItsLinkIsSentNoMore() {
    _ = ask(1)
    let cancel = ServeMachine.Event.said(Self.laptop, .cancel(TransferNumber(rawValue: 1)))
    #expect(machine.handle(cancel, at: Self.start) == [.stop(Self.sending(1))])
    #expect(machine.handle(cancel, at: Self.start).isEmpty)
    _ = ask(2)
    #expect(machine.handle(.unlinked(Self.laptop), at: Self.start).isEmpty, "the link took it along")
    #expect(machine.handle(.offered([:]), at: Self.start).isEmpty)
  }

  @Test mutating func aFewAtATimeAndNotTheSameForEver() {
    let documents = (10..<20).map { (Self.identifier($0) as ActivityID, $0) }
    let offered = Dictionary(
      uniqueKeysWithValues: documents.map {
        ($0.0, Set([ServeMachine.Offered(digest: Self.digest($0.1), size: 1)]))
      })
    _ = machine.handle(.offered(offered), at: Self.start)
    for (number, (activity, byte)) in documents.enumerated() {
      let version = ServeMachine.Offered(digest: Self.digest(byte), size: 1)
      let sending = Self.sending(UInt32(number))
      let isTaken = number < ServeMachine.limit
      #expect(
        ask(UInt32(number), of: activity, version)
          == [isTaken ? .open(sending, activity, version) : .refuse(sending, .busy)])
    }
    let version = ServeMachine.Offered(digest: Self.digest(10), size: 1)
    #expect(
      ask(0, of: documents[0].0, version, by: Self.phone)
        == [.open(Self.sending(0, to: Self.phone), documents[0].0, version)], "others have their own")
    // One after the other, the same one four times a minute.
    for number in 100..<110 as Range<UInt32> {
      let asked = ask(number, of: documents[0].0, version, by: Self.phone)
      _ = machine.handle(.ended(Self.sending(number, to: Self.phone)), at: Self.start)
      let sending = Self.sending(number, to: Self.phone)
      #expect(asked == [number < 103 ? .open(sending, documents[0].0, version) : .refuse(sending, .busy)])
    }
    let later = Self.start + ServeMachine.window
    let sending = Self.sending(200, to: Self.phone)
    #expect(
      ask(200, of: documents[0].0, version, by: Self.phone, at: later)
        == [.open(sending, documents[0].0, version)])
  }
}

/// Numbers that are the same in each run.
private struct CountingNumbers: RandomNumberGenerator {
  var last: UInt64

  mutating func next() -> UInt64 {
    last += 1
    return last
  }
}
