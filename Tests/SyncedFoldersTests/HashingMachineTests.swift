// SPDX-License-Identifier: MIT

import ActivityModel
import SyncedFolders
import Testing

/// Whose turn it is to be read, who shares a reading, and when progress is told.
@Suite struct HashingMachineTests {
  private typealias Ticket = HashingMachine.Ticket
  private let start = Instant(nanoseconds: 1_000_000_000_000)
  private let path: RelativePath

  init() throws { path = try #require(RelativePath("plan.iso")) }

  private func stamp(_ size: UInt64, changed: Int64 = 1) -> FileStamp {
    FileStamp(device: 1, inode: size, size: size, modified: changed, changed: changed)
  }

  private func request(
    _ size: UInt64, isAwaited: Bool = false, isFresh: Bool = false
  ) -> HashingMachine.Request {
    .init(
      subject: .init(root: [1], path: path, stamp: stamp(size)), size: size, isAwaited: isAwaited,
      isFresh: isFresh)
  }

  private func read(_ size: UInt64, quiet: Duration = .seconds(60)) -> HashOutcome {
    .stable(ArrivalScript.digest("read"), stamp(size), quiet: quiet)
  }

  /// A machine for one reading at a time, and what it said to these questions without speaking of timers.
  private func machine(
    asked: [HashingMachine.Request], limit: Int = 1
  ) -> (HashingMachine, [HashingMachine.Action]) {
    var machine = HashingMachine(limit: limit)
    var actions: [HashingMachine.Action] = []
    for (number, request) in asked.enumerated() {
      actions += said(&machine, .asked(Ticket(rawValue: UInt64(number)), request))
    }
    return (machine, actions)
  }

  private func said(
    _ machine: inout HashingMachine, _ event: HashingMachine.Event, after pause: Duration = .zero
  ) -> [HashingMachine.Action] {
    machine.handle(event, at: start + pause).filter { if case .wake = $0 { false } else { true } }
  }

  private func ticket(_ number: UInt64) -> Ticket { Ticket(rawValue: number) }

  @Test func aSmallerFileDoesNotWaitForALargerOneWhichGoesOnAfterwards() {
    var (machine, actions) = machine(asked: [request(1_000_000_000), request(5_000_000)])
    #expect(
      actions == [
        .start(ticket(0), for: ticket(0)), .pause(ticket(0)), .start(ticket(1), for: ticket(1)),
      ])
    #expect(
      said(&machine, .finished(ticket(1), read(5_000_000)))
        == [.answer([ticket(1)]), .resume(ticket(0))])
  }

  @Test func whatAPersonWaitsForGoesFirstAlsoWhenItIsLarger() {
    var (machine, actions) = machine(asked: [request(5_000_000), request(1_000_000_000)])
    #expect(actions == [.start(ticket(0), for: ticket(0))])
    #expect(
      said(&machine, .awaited(ticket(1), true))
        == [.pause(ticket(0)), .start(ticket(1), for: ticket(1))])
    #expect(
      said(&machine, .awaited(ticket(1), false)) == [.pause(ticket(1)), .resume(ticket(0))])
  }

  @Test func noMoreRunAtOnceThanTheMachineWasGiven() {
    let sizes = (1...50).map { UInt64(51 - $0) * 2_000_000 }
    var (machine, actions) = machine(asked: sizes.map { request($0) }, limit: 2)
    var running: Set<Ticket> = []
    var order: [Ticket] = []
    func follow(_ actions: [HashingMachine.Action]) {
      for action in actions {
        switch action {
        case .start(let job, _), .resume(let job): running.insert(job)
        case .pause(let job): running.remove(job)
        default: break
        }
        #expect(running.count <= 2)
      }
    }
    follow(actions)
    while let job = running.min(by: { sizes[Int($0.rawValue)] < sizes[Int($1.rawValue)] }) {
      running.remove(job)
      order.append(job)
      actions = said(&machine, .finished(job, read(sizes[Int(job.rawValue)])))
      follow(actions)
    }
    #expect(order.map(\.rawValue) == (0..<50).reversed())
    #expect(machine.isIdle)
  }

  @Test func oneReadingAnswersAllWhoAskForTheSameUnchangedFile() {
    var (machine, actions) = machine(asked: [request(5_000_000), request(5_000_000), request(5_000_000)])
    #expect(actions == [.start(ticket(0), for: ticket(0))])
    #expect(said(&machine, .withdrawn(ticket(0))) == [])
    #expect(
      said(&machine, .finished(ticket(0), read(5_000_000))) == [.answer([ticket(1), ticket(2)])])
    #expect(machine.isIdle)
  }

  @Test func whoAskedLaterIsNotAnsweredByAReadingThatAWriteMayHaveOvertakenWithinOneTick() {
    var (machine, _) = machine(asked: [request(5_000_000), request(5_000_000)])
    #expect(
      said(&machine, .finished(ticket(0), read(5_000_000, quiet: .milliseconds(3))))
        == [.answer([ticket(0)]), .start(ticket(1), for: ticket(1))])
    #expect(
      said(&machine, .finished(ticket(1), read(5_000_000, quiet: .milliseconds(40))))
        == [.answer([ticket(1)])])
  }

  @Test func wholeSecondsNeedLongerSilence() {
    #expect(stamp(1, changed: 7_000_000_000).tick > .seconds(2))
    #expect(stamp(1, changed: 7_000_000_001).tick == HashOutcome.tick)
  }

  @Test func whatIsHandedOverIsReadAnewThoughTheSameFileIsBeingRead() {
    let (_, actions) = machine(
      asked: [request(5_000_000), request(5_000_000, isAwaited: true, isFresh: true)], limit: 2)
    #expect(
      actions == [.start(ticket(0), for: ticket(0)), .start(ticket(1), for: ticket(1))])
  }

  @Test func whatNobodyWantsAnyMoreStopsOrNeverBegins() {
    var (machine, _) = machine(asked: [request(5_000_000), request(6_000_000)])
    #expect(said(&machine, .withdrawn(ticket(1))) == [])
    #expect(said(&machine, .withdrawn(ticket(0))) == [.stop(ticket(0))])
    #expect(said(&machine, .finished(ticket(0), .cancelled)) == [])
    #expect(machine.isIdle)
  }

  @Test func whoAsksWhileAnUnwantedReadingStopsGetsOneOfItsOwn() {
    var (machine, _) = machine(asked: [request(5_000_000)])
    _ = said(&machine, .withdrawn(ticket(0)))
    #expect(
      said(&machine, .asked(ticket(7), request(5_000_000))) == [.start(ticket(7), for: ticket(7))])
    #expect(said(&machine, .finished(ticket(0), .cancelled)) == [])
    #expect(said(&machine, .finished(ticket(7), read(5_000_000))) == [.answer([ticket(7)])])
  }

  @Test func progressIsToldTwiceASecondAndOnlyWhileSomethingIsRead() {
    var machine = HashingMachine(limit: 1)
    let half = start + .milliseconds(500)
    #expect(
      machine.handle(.asked(ticket(0), request(1_000_000_000)), at: start)
        == [.start(ticket(0), for: ticket(0)), .wake(at: half)])
    #expect(
      machine.handle(.timer, at: half)
        == [.measure(ticket(0)), .wake(at: half + .milliseconds(500))])
    #expect(machine.handle(.read(ticket(0), 4), at: half) == [.progress(ticket(0), 4)])
    #expect(machine.handle(.read(ticket(0), 4), at: half) == [], "nothing new")
    #expect(
      machine.handle(.finished(ticket(0), read(1_000_000_000)), at: half)
        == [.answer([ticket(0)]), .wake(at: nil)])
  }

  @Test func aDiskThatGivesNothingMakesRoomForOthers() {
    var (machine, _) = machine(asked: [request(1_000_000), request(2_000_000)])
    #expect(said(&machine, .read(ticket(0), 0), after: .seconds(1)) == [])
    #expect(
      said(&machine, .read(ticket(0), 0), after: .seconds(2)) == [.start(ticket(1), for: ticket(1))])
    #expect(
      said(&machine, .finished(ticket(0), read(1_000_000)), after: .seconds(90))
        == [.answer([ticket(0)])])
  }

  @Test func digestsAreKeptForAsManyFilesAsThereIsRoomAndNeverAfterAnUnsureReading() {
    var cache = DigestCache(limit: 10)
    cache.record(read(99, quiet: .milliseconds(3)))
    cache.record(.unstable)
    #expect(cache.digest(of: stamp(99)) == nil)
    cache.record(read(99, quiet: .milliseconds(3)), trust: .always)
    #expect(cache.digest(of: stamp(99)) != nil, "a later write gives another stamp")
    cache.removeAll()
    for size in UInt64(1)...10 { cache.record(read(size)) }
    #expect(cache.digest(of: stamp(1)) != nil, "used last from here on")
    cache.record(read(11))
    #expect(cache.digest(of: stamp(1)) != nil && cache.digest(of: stamp(11)) != nil)
    #expect(cache.digest(of: stamp(2)) == nil)
    #expect(cache.digest(of: stamp(1, changed: 2)) == nil)
    cache.removeAll()
    #expect(cache.digest(of: stamp(11)) == nil)
  }
}
