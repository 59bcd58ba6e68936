// SPDX-License-Identifier: MIT

import ActivityModel
import Testing

@testable import LocalNetwork

/// Which documents a device asks others for, and when.
@Suite struct FetchMachineTests {
  private typealias Wanted = FetchMachine.Wanted

  private static let start = Instant(nanoseconds: 1_000_000_000)
  private static let desktop = ServeMachineTests.identifier(3) as DeviceID
  private static let phone = ServeMachineTests.identifier(4) as DeviceID

  private var machine = FetchMachine(sizeLimit: 1000)

  private static func offer(_ byte: UInt8, of device: DeviceID = desktop) -> OfferID {
    OfferID(device: device, activity: ServeMachineTests.identifier(byte))
  }

  private static func wanted(_ byte: UInt8, size: UInt64 = 10, isAwaited: Bool = false) -> Wanted {
    Wanted(digest: ServeMachineTests.digest(byte), size: size, isAwaited: isAwaited)
  }

  private static func transfer(_ number: UInt32) -> TransferNumber { TransferNumber(rawValue: number) }

  private mutating func handle(_ event: FetchMachine.Event, after delay: Duration = .zero)
    -> [FetchMachine.Action]
  { machine.handle(event, at: Self.start + delay) }

  /// One document is wanted, and its device is linked.
  private mutating func askForOne() -> FetchMachine.Action {
    _ = handle(.wants([Self.offer(1): Self.wanted(1)]))
    let asked = handle(.linked(Self.desktop))
    #expect(asked == [.ask(Self.desktop, Self.transfer(1), Self.offer(1), Self.wanted(1))])
    return asked[0]
  }

  @Test mutating func aDocumentFromTheOfferToItsBytes() {
    _ = askForOne()
    #expect(
      handle(.received(Self.desktop, Self.transfer(1), .whole))
        == [.judge(Self.desktop, Self.transfer(1), Self.offer(1), Self.wanted(1).digest)])
    #expect(handle(.wants([Self.offer(1): Self.wanted(1)])).isEmpty, "it is being read")
    #expect(handle(.judged(Self.offer(1), Self.wanted(1).digest, isRight: true)).isEmpty)
    #expect(handle(.time, after: .seconds(3600)).isEmpty, "nothing is asked for twice")
    #expect(machine.nextMoment(after: Self.start) == nil)
    #expect(
      handle(.wants([Self.offer(1): Self.wanted(2)]))
        == [.ask(Self.desktop, Self.transfer(2), Self.offer(1), Self.wanted(2))], "the next version")
  }

  @Test mutating func whatIsAwaitedGoesFirstThenWhatIsSmallAndOnlySoMuch() {
    var documents = [Self.offer(1): Self.wanted(1, size: 900, isAwaited: true)]
    for byte in 2...9 as ClosedRange<UInt8> {
      documents[Self.offer(byte)] = Self.wanted(byte, size: UInt64(byte))
    }
    documents[Self.offer(10)] = Self.wanted(10, size: 1001)
    documents[Self.offer(11)] = Self.wanted(11, size: 0)
    documents[Self.offer(12, of: Self.phone)] = Self.wanted(12)
    _ = handle(.wants(documents))
    let asked = handle(.linked(Self.desktop))
    let order = [1, 2, 3, 4] as [UInt8]
    #expect(
      asked
        == order.enumerated().map { index, byte in
          let offer = Self.offer(byte)
          return .ask(
            Self.desktop, Self.transfer(UInt32(index) + 1), offer, documents[offer] ?? Self.wanted(0))
        })
    let next = handle(.received(Self.desktop, Self.transfer(2), .whole))
    #expect(next.last == .ask(Self.desktop, Self.transfer(5), Self.offer(5), Self.wanted(5, size: 5)))
    #expect(handle(.linked(Self.phone)).count == 1, "each device has its own turn")
  }

  @Test mutating func whatIsWantedNoMoreIsCancelled() {
    _ = askForOne()
    #expect(
      handle(.wants([Self.offer(1): Self.wanted(2)])) == [
        .cancel(Self.desktop, Self.transfer(1)),
        .ask(Self.desktop, Self.transfer(2), Self.offer(1), Self.wanted(2)),
      ])
    #expect(handle(.received(Self.desktop, Self.transfer(1), .whole)).isEmpty, "it comes too late")
    #expect(handle(.wants([:])) == [.cancel(Self.desktop, Self.transfer(2))])
  }

  @Test mutating func aLinkThatIsGoneTakesItAlongAndTheNextOneBeginsAnew() {
    _ = askForOne()
    #expect(handle(.unlinked(Self.desktop)) == [.drop(Self.desktop, Self.transfer(1))])
    #expect(handle(.time, after: .seconds(9)).isEmpty)
    #expect(
      handle(.linked(Self.desktop))
        == [.ask(Self.desktop, Self.transfer(1), Self.offer(1), Self.wanted(1))])
    #expect(
      handle(.linked(Self.desktop)) == [
        .drop(Self.desktop, Self.transfer(1)),
        .ask(Self.desktop, Self.transfer(1), Self.offer(1), Self.wanted(1)),
      ])
  }

  @Test mutating func whatBrokeOffIsAskedForAgainAfterLongerAndLongerPauses() {
    _ = askForOne()
    var now = Duration.zero
    for (index, pause) in [1, 2, 4, 8, 16, 32, 60, 60].enumerated() {
      let transfer = Self.transfer(UInt32(index) + 1)
      #expect(
        handle(.received(Self.desktop, transfer, .early), after: now) == [.drop(Self.desktop, transfer)])
      let due = now + .seconds(pause)
      #expect(machine.nextMoment(after: Self.start + now) == Self.start + due)
      #expect(handle(.time, after: due - .milliseconds(1)).isEmpty)
      #expect(handle(.time, after: due).count == 1)
      now = due
    }
  }

  @Test(arguments: [
    (DocumentRefusal.busy, true), (.unreadable, true), (.changed, false), (.notOffered, false),
  ])
  func whatIsRefusedIsAskedForAgainWhereThatMayHelp(refusal: DocumentRefusal, mayHelp: Bool) {
    var test = self
    _ = test.askForOne()
    let refused = test.handle(.refused(Self.desktop, Self.transfer(1), refusal))
    #expect(refused == [.cancel(Self.desktop, Self.transfer(1))])
    #expect(test.handle(.time, after: .seconds(3600)).isEmpty == !mayHelp)
    #expect(
      test.handle(.wants([Self.offer(1): Self.wanted(2)]), after: .seconds(3601)).count == (mayHelp ? 2 : 1))
  }

  @Test mutating func wrongBytesAreAskedForAgain() {
    _ = askForOne()
    _ = handle(.received(Self.desktop, Self.transfer(1), .whole))
    #expect(handle(.judged(Self.offer(1), Self.wanted(1).digest, isRight: false)).isEmpty)
    #expect(handle(.time, after: .milliseconds(999)).isEmpty)
    #expect(handle(.time, after: .seconds(1)).count == 1)
    #expect(handle(.judged(Self.offer(1), Self.wanted(1).digest, isRight: true)).isEmpty, "not under way")
  }

  @Test mutating func whatDoesNotComeIsGivenUp() {
    _ = askForOne()
    #expect(machine.nextMoment(after: Self.start) == Self.start + .seconds(5))
    #expect(handle(.time, after: .seconds(5)) == [.measure(Self.desktop, Self.transfer(1))])
    _ = handle(.measured(Self.desktop, Self.transfer(1), 3), after: .seconds(5))
    #expect(handle(.time, after: .seconds(34)) == [.measure(Self.desktop, Self.transfer(1))])
    _ = handle(.measured(Self.desktop, Self.transfer(1), 3), after: .seconds(34))
    #expect(handle(.time, after: .seconds(35)) == [.cancel(Self.desktop, Self.transfer(1))])
    #expect(handle(.time, after: .seconds(36)).count == 1, "and asked for again")
  }
}
