// SPDX-License-Identifier: MIT

import ActivityModel
import SyncedFolders
import Testing

@Suite struct PrivateCopyMachineTests {
  typealias Content = PrivateCopyMachine.Content
  typealias Action = PrivateCopyMachine.Action

  private static func digest(_ number: UInt8) -> ContentDigest {
    ContentDigest(bytes: [UInt8](repeating: number, count: 32)) ?? digest(0)
  }
  private static let (older, opened, saved, other) = (digest(1), digest(2), digest(3), digest(4))

  private var machine = PrivateCopyMachine(base: Self.opened)

  private mutating func found(
    _ copy: Content, folder: Content, isUsed: Bool = true, hurried: Bool = false
  ) -> [Action] {
    #expect(machine.handle(hurried ? .hurried : .due) == [.look])
    return machine.handle(.found(copy: copy, folder: folder, isUsed: isUsed))
  }

  private static func holds(_ digest: ContentDigest, _ standing: Arrival = .current) -> Content {
    .version(digest, standing)
  }

  @Test mutating func itWaitsForWhatWasOpened() {
    #expect(found(Self.holds(Self.saved), folder: Self.holds(Self.older, .behind)) == [])
    #expect(machine.isChanged && machine.isIdle)
    #expect(found(Self.holds(Self.saved), folder: .absent) == [])
    #expect(found(Self.holds(Self.saved), folder: .unknown, isUsed: false) == [])
    #expect(found(Self.holds(Self.saved), folder: Self.holds(Self.opened)) == [.lay(Self.saved)])
    #expect(machine.handle(.laid(.laid)) == [.rebase(Self.saved), .takeAway])
    #expect(machine.handle(.tookAway(Self.saved)) == [.tellMoved, .comeAgain])
    #expect(machine.isMoved && !machine.isChanged)
    #expect(found(.absent, folder: Self.holds(Self.saved)) == [], "somebody has it open")
    #expect(found(.absent, folder: Self.holds(Self.saved), isUsed: false) == [.remove])
  }

  @Test mutating func aSaveInTheLastMomentIsTheNextOne() {
    #expect(found(Self.holds(Self.opened), folder: Self.holds(Self.opened)) == [.lay(Self.opened)])
    #expect(machine.handle(.laid(.laid)) == [.rebase(Self.opened), .takeAway])
    #expect(machine.handle(.tookAway(Self.saved)) == [.putBack, .comeAgain])
    #expect(!machine.isMoved)
    #expect(found(Self.holds(Self.saved), folder: Self.holds(Self.opened)) == [.lay(Self.saved)])
    // What was saved while it was written is looked at again.
    #expect(machine.handle(.due) == [])
    #expect(machine.handle(.laid(.otherBytes)) == [.comeAgain, .look])
    #expect(
      machine.handle(
        .found(copy: Self.holds(Self.other), folder: Self.holds(Self.opened), isUsed: true))
        == [.lay(Self.other)])
  }

  @Test mutating func whatIsUnchangedGoesWhenNobodyUsesIt() {
    #expect(found(Self.holds(Self.opened), folder: Self.holds(Self.older, .behind)) == [])
    #expect(
      found(Self.holds(Self.opened), folder: Self.holds(Self.older, .behind), isUsed: false) == [.takeAway])
    #expect(machine.handle(.tookAway(Self.opened)) == [.remove])
    #expect(!machine.isMoved, "there is nothing in the folder to go to")
  }

  @Test mutating func whatCameAfterWhatWasOpenedIsShownOrLiesBeside() {
    #expect(found(Self.holds(Self.opened), folder: Self.holds(Self.other, .ahead)) == [.takeAway])
    machine = PrivateCopyMachine(base: Self.opened)
    let written = Content.version(Self.other, .ahead, quiet: .seconds(5))
    #expect(found(Self.holds(Self.saved), folder: written) == [], "it may still be on its way")
    let settled = Content.version(Self.other, .diverged, quiet: .seconds(30))
    #expect(found(Self.holds(Self.saved), folder: settled) == [.layBeside(Self.saved)])
    #expect(machine.handle(.laid(.failed("no space"))) == [])
    #expect(machine.failure == "no space" && machine.isChanged)
  }

  @Test mutating func aPersonDoesNotWait() {
    let old = Self.holds(Self.older, .behind)
    #expect(found(Self.holds(Self.saved), folder: old, hurried: true) == [.lay(Self.saved)])
    #expect(machine.handle(.laid(.kept)) == [.layBeside(Self.saved)])
    #expect(machine.handle(.laid(.laid)) == [.rebase(Self.saved), .takeAway])
    // Also what nobody changed: the app goes on in the folder.
    machine = PrivateCopyMachine(base: Self.opened)
    #expect(
      found(Self.holds(Self.opened), folder: .absent, isUsed: false, hurried: true) == [.lay(Self.opened)])
    // The folder does not have it, so it stays.
    #expect(machine.handle(.laid(.failed("no folder"))) == [] && machine.failure == "no folder")
    #expect(
      found(Self.holds(Self.opened), folder: Self.holds(Self.other, .diverged), hurried: true)
        == [.layBeside(Self.opened)])
    #expect(machine.handle(.laid(.laid)) == [.rebase(Self.opened), .takeAway], "the app goes where it lies")
    machine = PrivateCopyMachine(base: Self.opened)
    let other = Self.holds(Self.other, .diverged)
    #expect(found(Self.holds(Self.saved), folder: other, hurried: true) == [.layBeside(Self.saved)])
  }

  @Test mutating func whatAnAgentWroteBeforeItEndedIsKnownAgain() {
    #expect(
      found(Self.holds(Self.saved), folder: Self.holds(Self.saved, .diverged))
        == [.rebase(Self.saved), .takeAway])
  }

  @Test mutating func aFileThatIsAwayForAMomentIsNotTheEnd() {
    #expect(found(.absent, folder: Self.holds(Self.older, .behind)) == [])
    #expect(found(.unknown, folder: Self.holds(Self.opened), isUsed: false) == [])
    #expect(found(Self.holds(Self.opened), folder: Self.holds(Self.other, .ahead)) == [.takeAway])
    #expect(machine.handle(.tookAway(nil)) == [.comeAgain])
    // What cannot be laid is there already.
    #expect(found(Self.holds(Self.opened), folder: Self.holds(Self.opened)) == [.lay(Self.opened)])
    #expect(machine.handle(.laid(.failed("two names"))) == [.takeAway])
  }
}
