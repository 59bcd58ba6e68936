// SPDX-License-Identifier: MIT

import ActivityModel
import Testing

@testable import LocalNetwork

/// Documents under way over a link, as the network process decides about them.
@Suite struct LinkFilesTests {
  private static let start = Instant(nanoseconds: 1_000_000_000)
  private static let link = LinkNumber.firstAccepted
  private static let one = TransferNumber(rawValue: 1)
  private static let two = TransferNumber(rawValue: 2)

  private var machine: LinkMachine

  init() {
    machine = LinkMachine()
    let exporter = [UInt8](repeating: 1, count: 32)
    for event: LinkMachine.Event in [
      .accepted, .secured(Self.link, exporter: exporter, period: 1),
      .received(Self.link, [0, 0, 0, 0, 1, 5]), .ordered(.admit(Self.link)),
    ] {
      _ = machine.handle(event, at: Self.start)
    }
  }

  private mutating func handle(_ event: LinkMachine.Event) -> [LinkMachine.Action] {
    machine.handle(event, at: Self.start)
  }

  private mutating func order(_ order: LinkOrder) -> [LinkMachine.Action] { handle(.ordered(order)) }

  /// What comes in one piece.
  private static func piece(_ content: [UInt8]) -> LinkMachine.Event {
    let count = content.count
    return .received(link, [3, 0, 0, UInt8(count >> 8), UInt8(count & 0xff)] + content)
  }

  private static func taken(_ transfer: TransferNumber, isSending: Bool) -> [LinkMachine.Action] {
    [.takeFile(link, transfer, isSending: isSending)]
  }

  private static func sent(_ transfer: TransferNumber, _ end: TransferEnd) -> [LinkMachine.Action] {
    [.closeFile(link, transfer, isSending: true), .report(.fileSent(link, transfer, end))]
  }

  private static func received(_ transfer: TransferNumber, _ end: TransferEnd) -> [LinkMachine.Action] {
    [.closeFile(link, transfer, isSending: false), .report(.fileReceived(link, transfer, end))]
  }

  @Test mutating func documentsTakeTurnsBehindEverythingElse() throws {
    let large = UInt64(LinkFiles.pieceLimit) + 1
    #expect(order(.sendFile(Self.link, Self.one, size: large)) == Self.taken(Self.one, isSending: true))
    #expect(order(.sendFile(Self.link, Self.two, size: 2)) == Self.taken(Self.two, isSending: true))
    _ = order(.send(Self.link, .record, [7]))
    #expect(machine.next(of: Self.link) == .piece([1, 0, 0, 0, 1, 7]), "a record goes first")
    #expect(machine.next(of: Self.link) == .file(Self.one, count: LinkFiles.pieceLimit))
    let whole = [UInt8](repeating: 9, count: LinkFiles.pieceLimit)
    #expect(handle(.read(Self.link, whole)).isEmpty)
    #expect(machine.next(of: Self.link) == .piece([3, 0, 0, 0x3f, 0xfb, 0, 0, 0, 1] + whole))
    #expect(machine.next(of: Self.link) == .file(Self.two, count: 2), "a small one does not wait for it")
    #expect(handle(.read(Self.link, [4, 5])) == Self.sent(Self.two, .whole))
    #expect(machine.next(of: Self.link) == .piece([3, 0, 0, 0, 6, 0, 0, 0, 2, 4, 5]))
    #expect(machine.hasOutput(Self.link))
    #expect(machine.next(of: Self.link) == .file(Self.one, count: 1))
    #expect(handle(.read(Self.link, [1])) == Self.sent(Self.one, .whole))
    #expect(machine.next(of: Self.link) == .piece([3, 0, 0, 0, 5, 0, 0, 0, 1, 1]))
    #expect(machine.next(of: Self.link) == nil && !machine.hasOutput(Self.link))
  }

  @Test mutating func aFileThatIsShorterEndsEarlyAndOneThatIsStoppedSaysSo() {
    _ = order(.sendFile(Self.link, Self.one, size: 9))
    #expect(handle(.read(Self.link, [1, 2])) == Self.sent(Self.one, .early))
    #expect(machine.next(of: Self.link) == .piece([3, 0, 0, 0, 4, 0, 0, 0, 1]))
    _ = order(.sendFile(Self.link, Self.two, size: 9))
    let stopped = order(.stopSending(Self.link, Self.two))
    #expect(stopped == [.closeFile(Self.link, Self.two, isSending: true)])
    #expect(machine.next(of: Self.link) == .piece([3, 0, 0, 0, 4, 0, 0, 0, 2]))
    #expect(order(.stopSending(Self.link, Self.two)).isEmpty && machine.next(of: Self.link) == nil)
    #expect(handle(.read(Self.link, [1])).isEmpty, "nothing was asked for")
  }

  @Test mutating func bytesAreWrittenAsTheyComeAndTheLastOnesSaySo() {
    #expect(order(.receiveFile(Self.link, Self.one, size: 3)) == Self.taken(Self.one, isSending: false))
    #expect(
      handle(Self.piece([0, 0, 0, 1, 8, 9])) == [.write(Self.link, Self.one, [8, 9], isLast: false)])
    #expect(handle(Self.piece([0, 0, 0, 1, 7])) == [.write(Self.link, Self.one, [7], isLast: true)])
    #expect(handle(.wrote(Self.link, Self.one, .whole)) == Self.received(Self.one, .whole))
    #expect(handle(.wrote(Self.link, Self.one, .whole)).isEmpty, "once")
    #expect(handle(Self.piece([0, 0, 0, 1, 7])).isEmpty, "what comes too late is no fault")
  }

  @Test mutating func whatEndsOtherwiseIsTold() {
    _ = order(.receiveFile(Self.link, Self.one, size: 3))
    #expect(handle(Self.piece([0, 0, 0, 1])) == Self.received(Self.one, .early))
    _ = order(.receiveFile(Self.link, Self.two, size: 3))
    _ = handle(Self.piece([0, 0, 0, 2, 1]))
    #expect(handle(.wrote(Self.link, Self.two, .unwritable)) == Self.received(Self.two, .unwritable))
    #expect(handle(Self.piece([0, 0, 0, 2, 1])).isEmpty)
    let three = TransferNumber(rawValue: 3)
    _ = order(.receiveFile(Self.link, three, size: 3))
    #expect(
      order(.stopReceiving(Self.link, three)) == [.closeFile(Self.link, three, isSending: false)])
    #expect(handle(Self.piece([0, 0, 0, 3, 1])).isEmpty && order(.stopReceiving(Self.link, three)).isEmpty)
  }

  @Test(arguments: [[0, 0, 0, 2, 1], [0, 0, 0, 1, 1, 2, 3, 4], [0, 0, 1]])
  func whatNobodyAskedForEndsTheLink(content: [UInt8]) {
    var test = self
    _ = test.order(.receiveFile(Self.link, Self.one, size: 3))
    #expect(
      test.handle(Self.piece(content)) == [.drop(Self.link), .report(.closed(Self.link, .misbehaved))])
  }

  @Test mutating func aFewDocumentsAtATime() {
    for number in 1...UInt32(LinkFiles.limit) {
      let transfer = TransferNumber(rawValue: number)
      #expect(order(.receiveFile(Self.link, transfer, size: 1)) == Self.taken(transfer, isSending: false))
      #expect(order(.sendFile(Self.link, transfer, size: 1)) == Self.taken(transfer, isSending: true))
    }
    let more = TransferNumber(rawValue: 99)
    #expect(
      order(.receiveFile(Self.link, more, size: 1)) == [.report(.fileReceived(Self.link, more, .early))])
    #expect(order(.sendFile(Self.link, more, size: 1)) == [.report(.fileSent(Self.link, more, .early))])
    // A number that was used, and a link that there is not.
    _ = order(.stopReceiving(Self.link, Self.one))
    #expect(
      order(.receiveFile(Self.link, Self.one, size: 1))
        == [.report(.fileReceived(Self.link, Self.one, .early))])
    let nobody = LinkNumber(rawValue: 5)
    #expect(order(.sendFile(nobody, Self.one, size: 1)) == [.report(.fileSent(nobody, Self.one, .early))])
  }
}
