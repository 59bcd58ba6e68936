// SPDX-License-Identifier: MIT

import ActivityModel
import Testing

@testable import LocalNetwork

/// Streams on one link, whose frames are carried by the test.
@Suite struct LinkStreamsTests {
  private static let one = StreamNumber(rawValue: 1)

  /// The machine, as an object: what it returns is expected.
  private final class Streams {
    private var machine = LinkStreams()

    var next: (number: StreamNumber, count: Int)? { machine.next }
    func open(_ number: StreamNumber) -> Bool { machine.open(number) }
    func isAwaited(_ number: StreamNumber) -> Bool { machine.isAwaited(number) }
    func noteReadable(_ number: StreamNumber) { machine.noteReadable(number) }
    func take(_ read: LinkStreams.Read, of number: StreamNumber) -> [LinkStreams.Step] {
      machine.take(read, of: number)
    }
    func take(_ frame: [UInt8]) -> [LinkStreams.Step] { machine.take(frame) }
    func noteWritten(_ number: StreamNumber, _ count: Int) -> [LinkStreams.Step] {
      machine.noteWritten(number, count)
    }
    func stop(_ number: StreamNumber) -> [LinkStreams.Step] { machine.stop(number) }
    func reset(_ number: StreamNumber, isTold: Bool) -> [LinkStreams.Step] {
      machine.reset(number, isTold: isTold)
    }
  }

  /// An app at one end, which writes and reads when the test says so.
  private struct End {
    let streams = Streams()
    /// What the app will write, and what came for it.
    var toWrite: [UInt8] = []
    var (isClosed, isGone) = (false, false)
    var came: [UInt8] = []
    /// What waits for the app to read.
    var waiting: [UInt8] = []
    /// Frames on their way to the other end.
    var sent: [[UInt8]] = []
    var ends: [StreamDirection] = []
    var closed: [StreamEnd?] = []
    var most = 0

    mutating func perform(_ steps: [LinkStreams.Step]) {
      for step in steps {
        switch step {
        case .say(let frame): sent.append(frame)
        case .write(_, let bytes):
          waiting += bytes
          most = max(most, waiting.count)
        case .end(_, let direction): ends.append(direction)
        case .close(_, let end): closed.append(end)
        case .misbehaved: Issue.record("misbehaved")
        }
      }
    }

    /// What the link asks for; whether anything was done.
    mutating func go() -> Bool {
      if streams.isAwaited(one), !toWrite.isEmpty || isClosed { streams.noteReadable(one) }
      guard let (number, count) = streams.next else { return false }
      if toWrite.isEmpty {
        perform(streams.take(isClosed ? .end(isGone: isGone) : .nothing, of: number))
        return isClosed
      }
      perform(streams.take(.bytes(Array(toWrite.prefix(count))), of: number))
      toWrite.removeFirst(min(count, toWrite.count))
      return true
    }

    mutating func read(_ count: Int) {
      let read = waiting.prefix(count)
      came += read
      waiting.removeFirst(read.count)
      if !read.isEmpty { perform(streams.noteWritten(one, read.count)) }
    }
  }

  private static func pair() -> (End, End) {
    let (here, there) = (End(), End())
    #expect(here.streams.open(one) && there.streams.open(one))
    #expect(!here.streams.open(one), "a number that is in use")
    return (here, there)
  }

  /// Carries what was sent from one end to the other.
  private static func carry(_ from: inout End, _ to: inout End) {
    let frames = from.sent
    from.sent = []
    for frame in frames { to.perform(to.streams.take(frame)) }
  }

  private static func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: ($0 &* 7) &+ ($0 >> 8)) }
  }

  @Test func whoeverReadsNothingIsSentNoMoreThanAWindowAndNothingIsLost() {
    var (here, there) = Self.pair()
    let text = Self.bytes(2_000_000)
    here.toWrite = text
    here.isClosed = true
    while here.go() {}
    Self.carry(&here, &there)
    #expect(there.waiting.count == LinkStreams.firstWindow && !here.streams.isAwaited(Self.one))
    // It reads a little, stops, and goes on.
    var rounds = 0
    while there.came.count < text.count, rounds < 100_000 {
      rounds += 1
      there.read(rounds % 7 == 0 ? 50_000 : 3_000)
      Self.carry(&there, &here)
      while here.go() {}
      Self.carry(&here, &there)
    }
    #expect(there.came == text && there.ends == [.writing] && there.closed.isEmpty)
    #expect(there.most <= LinkStreams.window)
    // The other direction ends, too.
    there.isClosed = true
    while there.go() {}
    Self.carry(&there, &here)
    #expect(here.ends == [.writing] && here.closed == [.whole] && there.closed == [.whole])
  }

  @Test func whoeverReadsNoMoreStopsWhoeverWrites() {
    var (here, there) = Self.pair()
    here.toWrite = Self.bytes(500_000)
    _ = here.go()
    Self.carry(&here, &there)
    there.perform(there.streams.stop(Self.one))
    // What was on its way is passed over.
    _ = here.go()
    Self.carry(&here, &there)
    Self.carry(&there, &here)
    #expect(here.ends == [.reading] && !here.go() && here.closed.isEmpty)
    // An app that is gone ends both directions.
    there.isClosed = true
    there.isGone = true
    while there.go() {}
    Self.carry(&there, &here)
    #expect(here.closed == [.whole] && there.closed == [.whole])
  }

  @Test func anAppThatIsGoneEndsBothDirectionsThoughTheOtherWritesNothing() {
    var (here, there) = Self.pair()
    here.isClosed = true
    here.isGone = true
    while here.go() {}
    Self.carry(&here, &there)
    #expect(here.closed == [.whole] && there.ends == [.writing, .reading] && there.closed == [.whole])
    #expect(there.streams.take(Self.frame(0, [1])) == [], "late bytes of a stream that is over")
  }

  @Test func aStreamThatIsGivenUpIsTheOtherDevicesToTell() {
    var (here, there) = Self.pair()
    here.perform(here.streams.reset(Self.one, isTold: true))
    Self.carry(&here, &there)
    #expect(here.closed == [nil] && there.closed == [.reset])
    // Whoever says yes too late has one that is not here any more.
    #expect(here.streams.reset(Self.one, isTold: true) == [.say(Self.frame(4))])
    #expect(here.streams.open(Self.one), "the number is free")
    // Whoever has heard of none would not understand.
    #expect(here.streams.reset(Self.one, isTold: false) == [.close(Self.one, nil)])
    #expect(here.streams.reset(Self.one, isTold: false) == [])
  }

  @Test func streamsTakeTurns() {
    let streams = Streams()
    let numbers = (1...3).map { StreamNumber(rawValue: $0) }
    for number in numbers {
      #expect(streams.open(number))
      streams.noteReadable(number)
    }
    var order: [StreamNumber] = []
    for _ in 0..<6 {
      guard let (number, count) = streams.next else { break }
      order.append(number)
      _ = streams.take(.bytes(Self.bytes(count)), of: number)
    }
    #expect(order == numbers + numbers)
  }

  @Test func noMoreStreamsThanMayBeAreOpen() {
    let streams = Streams()
    for number in 1...UInt32(StreamMachine.linkLimit) {
      #expect(streams.open(StreamNumber(rawValue: number)))
    }
    #expect(!streams.open(StreamNumber(rawValue: 1000)))
  }

  private static func frame(_ word: UInt8, _ content: [UInt8] = [], of number: UInt8 = 1) -> [UInt8] {
    [0, 0, 0, number, word] + content
  }

  @Test(arguments: [
    [], [0, 0, 0, 1], [0, 0, 0, 1, 5], frame(0), frame(1, [1]), frame(1, [0, 0, 0, 0, 1]), frame(2, [1]),
    frame(3, [1]), frame(4, [1]), frame(1, [255, 255, 255, 255]),
  ])
  func whatNoDeviceSaysIsAFault(frame: [UInt8]) {
    let streams = Streams()
    #expect(streams.open(Self.one))
    #expect(streams.take(frame) == [.misbehaved])
  }

  @Test func whoeverSendsMoreThanThereIsRoomForOrAfterItsEndMisbehaves() {
    let streams = Streams()
    #expect(streams.open(Self.one))
    var left = LinkStreams.firstWindow
    while left > 0 {
      let count = min(left, LinkStreams.pieceLimit)
      let bytes = [UInt8](repeating: 1, count: count)
      #expect(streams.take(Self.frame(0, bytes)) == [.write(Self.one, bytes)])
      left -= count
    }
    #expect(streams.take(Self.frame(0, [1])) == [.misbehaved])
    let other = Streams()
    #expect(other.open(Self.one))
    #expect(other.take(Self.frame(2)) == [.end(Self.one, .writing)])
    #expect(other.take(Self.frame(0, [1])) == [.misbehaved] && other.take(Self.frame(2)) == [.misbehaved])
  }
}
