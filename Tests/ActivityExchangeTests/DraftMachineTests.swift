// SPDX-License-Identifier: MIT

import ActivityModel
import Testing

@testable import ActivityExchange

@Suite struct DraftMachineTests {
  private let request = RequestID.random()
  private let draft: Draft
  private var machine = DraftMachine()
  private let start = Instant(nanoseconds: 1_000_000_000)

  init() throws {
    let digest = try #require(ContentDigest(bytes: [UInt8](repeating: 7, count: 32)))
    draft = Draft(digest: digest, size: 5, changedAt: WallTime(milliseconds: 9))
  }

  private mutating func handle(_ event: DraftMachine.Event, after time: Duration = .zero) -> [DraftMachine
    .Action]
  {
    machine.handle(event, at: start + time)
  }

  private mutating func want(isTaken: Bool = true, isHere: Bool = false) -> [DraftMachine.Action] {
    handle(.wanted(request, draft, isTaken: isTaken, isHere: isHere))
  }

  @Test mutating func whatIsHereIsDelivered() {
    #expect(want(isHere: true) == [.deliver(request, draft)] && machine.nextMoment == nil)
  }

  @Test mutating func whatIsElsewhereIsFetchedKeptAndDelivered() {
    #expect(want() == [.fetch(request, draft)])
    #expect(handle(.came(request, draft.digest)) == [.keep(request, draft)])
    #expect(handle(.kept(request, draft.digest, isRight: true)) == [.deliver(request, draft)])
    #expect(handle(.kept(request, draft.digest, isRight: true)).isEmpty, "once")
    #expect(machine.nextMoment == nil)
  }

  @Test mutating func otherBytesThanWereOfferedFail() {
    _ = want()
    _ = handle(.came(request, draft.digest))
    #expect(handle(.kept(request, draft.digest, isRight: false)) == [.fail(request)])
  }

  @Test mutating func whatDoesNotComeIsLookedAtAgain() {
    _ = want()
    #expect(handle(.missed(request, draft.digest)) == [.lookAgain(request, draft)])
    #expect(handle(.missed(request, draft.digest)).isEmpty)
  }

  @Test mutating func anAppThatSaysLaterThatItTakesDraftsGetsIt() {
    #expect(want(isTaken: false).isEmpty)
    #expect(handle(.taken(request), after: .milliseconds(10)) == [.fetch(request, draft)])
    #expect(handle(.taken(request)).isEmpty, "it is being had")
    _ = want(isTaken: false, isHere: true)
    #expect(handle(.taken(request)) == [.deliver(request, draft)])
  }

  @Test mutating func anAppThatSaysNothingOfThatIsRefused() {
    _ = want(isTaken: false)
    #expect(handle(.time, after: .milliseconds(999)).isEmpty)
    #expect(handle(.time, after: DraftMachine.greetingPatience) == [.refuse(request)])
    #expect(handle(.taken(request)).isEmpty)
  }

  @Test(arguments: [false, true]) mutating func nobodyWaitsForEver(isComing: Bool) {
    _ = want()
    if isComing { _ = handle(.came(request, draft.digest), after: .seconds(30)) }
    #expect(machine.nextMoment == start + DraftMachine.patience)
    #expect(handle(.time, after: DraftMachine.patience - .milliseconds(1)).isEmpty)
    #expect(handle(.time, after: DraftMachine.patience) == [.fail(request)])
    #expect(handle(.kept(request, draft.digest, isRight: true)).isEmpty, "too late")
  }

  /// Another text took its place: what comes of the former one counts no more.
  @Test mutating func whatWasWantedBeforeCountsNoMore() throws {
    _ = want()
    let other = try #require(ContentDigest(bytes: [UInt8](repeating: 8, count: 32)))
    let next = Draft(digest: other, size: 6, changedAt: WallTime(milliseconds: 10))
    #expect(handle(.wanted(request, next, isTaken: true, isHere: false)) == [.fetch(request, next)])
    #expect(handle(.came(request, draft.digest)).isEmpty && handle(.missed(request, draft.digest)).isEmpty)
    #expect(handle(.came(request, other)) == [.keep(request, next)])
  }
}
