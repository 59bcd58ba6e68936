// SPDX-License-Identifier: MIT

import ActivityModel
import LocalNetwork
import Testing

/// What the network process decides about links.
@Suite struct LinkMachineTests {
  private static let start = Instant(nanoseconds: 1_000_000_000)
  private static let exporter = [UInt8](repeating: 1, count: 32)

  private static func header(_ kind: UInt8, _ count: Int) -> [UInt8] {
    [kind] + (0..<4).reversed().map { UInt8(truncatingIfNeeded: count >> (8 * $0)) }
  }

  private static func accepted(_ number: UInt32) -> LinkNumber {
    LinkNumber(rawValue: LinkNumber.firstAccepted.rawValue + number)
  }

  private static func secure(_ number: LinkNumber) -> LinkMachine.Event {
    .secured(number, exporter: exporter, period: 1)
  }

  /// A machine with one link that is admitted.
  private func admitted(_ number: LinkNumber = accepted(0)) -> LinkMachine {
    var machine = LinkMachine()
    let proof = Self.header(0, 1) + [5]
    for event: LinkMachine.Event in [
      .accepted, Self.secure(number), .received(number, proof), .ordered(.admit(number)),
    ] {
      _ = machine.handle(event, at: Self.start)
    }
    return machine
  }

  @Test func aLinkFromItsFirstByteToItsEnd() {
    var machine = LinkMachine()
    let number = Self.accepted(0)
    #expect(machine.handle(.accepted, at: Self.start) == [.begin(number)])
    #expect(machine.room(of: number) == 0 && machine.deadline == Self.start + .seconds(5))
    #expect(
      machine.handle(Self.secure(number), at: Self.start)
        == [.report(.secured(number, exporter: Self.exporter, period: 1))])
    #expect(machine.room(of: number) == 4101)
    #expect(machine.handle(.ordered(.prove(number, [9])), at: Self.start).isEmpty)
    #expect(machine.hasOutput(number) && machine.next(of: number) == .piece(Self.header(0, 1) + [9]))
    #expect(machine.handle(.ordered(.prove(number, [9])), at: Self.start).isEmpty)
    #expect(!machine.hasOutput(number), "a device proves itself once")

    // The other one has admitted this one already, and goes on: that waits.
    let bytes = Self.header(0, 2) + [1, 2] + Self.header(1, 1) + [3]
    #expect(machine.handle(.received(number, bytes), at: Self.start) == [.report(.proof(number, [1, 2]))])
    #expect(machine.room(of: number) == 0, "nothing more is read before it is admitted")
    #expect(
      machine.handle(.ordered(.admit(number)), at: Self.start) == [.report(.received(number, .record, [3]))])
    #expect(machine.room(of: number) == 16384 && machine.deadline == nil)
    #expect(machine.handle(.ordered(.send(number, .request, [4])), at: Self.start).isEmpty)
    #expect(machine.next(of: number) == .piece(Self.header(2, 1) + [4]))
    #expect(
      machine.handle(.ended(number, isFault: false), at: Self.start)
        == [.drop(number), .report(.closed(number, .ended))])
    #expect(machine.handle(.ended(number, isFault: false), at: Self.start).isEmpty)
  }

  @Test func beforeItIsAdmittedADeviceSaysItsProofAndNothingElse() {
    let number = Self.accepted(0)
    for bytes in [
      Self.header(1, 1) + [3], Self.header(2, 1), Self.header(0, 4097), Self.header(0, 0), Self.header(9, 1),
    ] {
      var machine = LinkMachine()
      _ = machine.handle(.accepted, at: Self.start)
      _ = machine.handle(Self.secure(number), at: Self.start)
      // As soon as that can be told: a header alone is no frame yet.
      let actions = machine.handle(.received(number, bytes + [UInt8](repeating: 1, count: 9)), at: Self.start)
      #expect(actions == [.drop(number), .report(.closed(number, .misbehaved))], "\(bytes)")
    }
    var machine = LinkMachine()
    _ = machine.handle(.accepted, at: Self.start)
    #expect(machine.handle(.ordered(.admit(number)), at: Self.start).isEmpty, "nor admitted without it")
    #expect(machine.handle(.ordered(.send(number, .record, [1])), at: Self.start).isEmpty)
    #expect(
      machine.handle(.ordered(.prove(number, [1])), at: Self.start).isEmpty && !machine.hasOutput(number))
  }

  @Test func anAdmittedDeviceProvesNothingMoreAndSaysNothingTooLong() {
    let number = Self.accepted(0)
    for bytes in [Self.header(0, 1) + [1], Self.header(1, 32 << 20)] {
      var machine = admitted()
      #expect(
        machine.handle(.received(number, bytes), at: Self.start)
          == [.drop(number), .report(.closed(number, .misbehaved))])
    }
  }

  @Test func nobodyIsWaitedForLongerThanFiveSeconds() {
    var machine = LinkMachine()
    let dialled = [1, 2, 3].map { LinkNumber(rawValue: $0) }
    for number in dialled { #expect(machine.handle(.dialled(number), at: Self.start) == [.begin(number)]) }
    _ = machine.handle(.connected(dialled[1]), at: Self.start)
    _ = machine.handle(.connected(dialled[2]), at: Self.start)
    _ = machine.handle(Self.secure(dialled[2]), at: Self.start)
    _ = machine.handle(.accepted, at: Self.start + .seconds(1))
    #expect(machine.handle(.time, at: Self.start + .milliseconds(4999)).isEmpty)
    let ended = machine.handle(.time, at: Self.start + .seconds(5))
    #expect(
      ended == [
        .drop(dialled[0]), .report(.closed(dialled[0], .unreachable)),
        .drop(dialled[1]), .report(.closed(dialled[1], .misbehaved)),
        .drop(dialled[2]), .report(.closed(dialled[2], .misbehaved)),
      ])
    #expect(machine.deadline == Self.start + .seconds(6))
    // The agent never knew of it.
    #expect(machine.handle(.time, at: Self.start + .seconds(6)) == [.drop(Self.accepted(0))])
    var admitted = admitted()
    #expect(admitted.deadline == nil && admitted.handle(.time, at: Self.start + .seconds(900)).isEmpty)
  }

  @Test func whoFailsBeforeTheKeyIsShownIsToldOnlyWhereItWasDialled() {
    var machine = LinkMachine()
    _ = machine.handle(.accepted, at: Self.start)
    #expect(
      machine.handle(.ended(Self.accepted(0), isFault: true), at: Self.start) == [.drop(Self.accepted(0))])
    let number = LinkNumber(rawValue: 1)
    _ = machine.handle(.dialled(number), at: Self.start)
    #expect(machine.handle(.dialled(number), at: Self.start).isEmpty, "a number that is in use")
    _ = machine.handle(.connected(number), at: Self.start)
    #expect(
      machine.handle(.ended(number, isFault: true), at: Self.start)
        == [.drop(number), .report(.closed(number, .refused))])
    #expect(machine.handle(.dialled(.firstAccepted), at: Self.start).isEmpty)
  }

  @Test func theStrangerThatWaitsLongestGivesWayAndNobodyWhoHasShownTheKey() {
    var machine = LinkMachine()
    for number in 0..<8 {
      let now = Self.start + .milliseconds(number)
      #expect(machine.handle(.accepted, at: now) == [.begin(Self.accepted(UInt32(number)))])
    }
    _ = machine.handle(Self.secure(Self.accepted(0)), at: Self.start)
    #expect(
      machine.handle(.accepted, at: Self.start + .milliseconds(9))
        == [.drop(Self.accepted(1)), .begin(Self.accepted(8))])
    for number in 2...8 { _ = machine.handle(Self.secure(Self.accepted(UInt32(number))), at: Self.start) }
    #expect(machine.handle(.accepted, at: Self.start + .milliseconds(9)).isEmpty)
    // What this device dials has room in any case.
    let own = LinkNumber(rawValue: 1)
    #expect(machine.handle(.dialled(own), at: Self.start) == [.begin(own)])
  }

  @Test func aDeviceThatDoesNotReadLosesItsLink() {
    var machine = admitted()
    let number = Self.accepted(0)
    let frame = [UInt8](repeating: 1, count: 1 << 20)
    for _ in 0..<5 {
      #expect(machine.handle(.ordered(.send(number, .record, frame)), at: Self.start).isEmpty)
    }
    #expect(
      machine.handle(.ordered(.send(number, .record, [1])), at: Self.start)
        == [.drop(number), .report(.closed(number, .misbehaved))])
    #expect(machine.next(of: number) == nil)
  }
}
