// SPDX-License-Identifier: MIT

import ActivityModel
import SyncedFolders
import Testing

/// Saves of other programs, as recorded in `Fixtures/recordings`: what lies between two versions is never
/// taken for one.
@Suite struct OpenDocumentMachineTests {
  /// One document on a disk in memory, and a clock that jumps from event to event.
  struct Disk {
    private var machine = OpenDocumentMachine(path: OpenFolder.path("plan.md"))
    private var now = Instant(nanoseconds: 1_000_000_000_000)
    private var text: String?
    private var changed = Instant(nanoseconds: 900_000_000_000)
    private var inode: UInt64 = 1
    private var size: UInt64 = 0
    private var wake: Instant?
    private(set) var reads = 0
    /// What a disk that fails refuses.
    enum Refusal { case looks, reads }
    var refusal: Refusal?
    /// What apps are told, and when.
    private(set) var told: [String] = []
    /// What the history keeps besides.
    private(set) var held: Set<String> = []

    init(_ text: String) {
      self.text = text
      size = UInt64(text.utf8.count)
    }

    var isAsleep: Bool { wake == nil }

    /// After so many milliseconds the file holds this; nil: there is none.
    mutating func holds(
      _ text: String?, after milliseconds: Int, isNew: Bool = false, size: UInt64? = nil, hint: Bool = true
    ) {
      pass(milliseconds)
      self.text = text
      self.size = size ?? UInt64(text?.utf8.count ?? 0)
      changed = now
      if isNew { inode += 1 }
      if hint { send(.hint) }
    }

    mutating func hint(after milliseconds: Int) {
      pass(milliseconds)
      send(.hint)
    }

    mutating func pass(_ milliseconds: Int) {
      let target = now + .milliseconds(milliseconds)
      while let next = wake, next <= target {
        wake = nil
        now = max(now, next)
        send(.timer)
      }
      now = target
    }

    private var stamp: FileStamp {
      FileStamp(
        device: 1, inode: inode, size: size, modified: 0, changed: Int64(changed.nanoseconds) + 1)
    }

    private mutating func send(_ event: OpenDocumentMachine.Event) {
      var actions = machine.handle(event, at: now)
      while !actions.isEmpty {
        switch actions.removeFirst() {
        case .observe where refusal == .looks:
          actions += machine.handle(.observed(.unreadable("the disk fails")), at: now)
        case .observe: actions += machine.handle(.observed(text == nil ? .absent : .file(stamp)), at: now)
        case .search: actions += machine.handle(.found(nil), at: now)
        case .listCopies: actions += machine.handle(.copies([]), at: now)
        case .moved, .conflict: Issue.record("it is elsewhere")
        case .hash where refusal == .reads:
          actions += machine.handle(.hashed(.failed("the disk fails")), at: now)
        case .hash:
          reads += 1
          let outcome = HashOutcome.stable(ArrivalScript.digest(text ?? ""), stamp, quiet: now - changed)
          actions += machine.handle(.hashed(outcome), at: now)
        case .held(let digest, _): held.insert(name(digest))
        case .saved(let digest, _): told.append(name(digest))
        case .deleted: told.append("deleted")
        case .wake(let moment): wake = moment
        }
      }
    }

    private func name(_ digest: ContentDigest) -> String {
      String(decoding: digest.bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  @Test func theEmptyMomentOfAnEditorThatMakesTheFileAnewIsNoVersion() {
    // vim, backupcopy=no: renamed away, made anew, empty for a while, written.
    for pause in [1, 90, 150, 900] {
      var disk = Disk("one")
      disk.holds(nil, after: 10)
      disk.holds("", after: 1, isNew: true)
      disk.holds("two", after: pause)
      disk.pass(5000)
      #expect(disk.told == ["two"], "empty for \(pause) ms")
      #expect(!disk.held.contains("") && disk.isAsleep)
    }
  }

  @Test func aFileThatIsCutAndThenWrittenInPiecesCountsWhenItLiesStill() {
    var disk = Disk("one")
    disk.holds("", after: 10)
    disk.holds("tw", after: 20)
    disk.holds("two", after: 80)
    disk.holds("two and", after: 90)
    disk.holds("two and three", after: 90)
    disk.pass(99)
    #expect(disk.told == [])
    disk.pass(5000)
    #expect(disk.told == ["two and three"])
    #expect(disk.held.isSuperset(of: ["tw", "two"]), "an engine may have picked them up")
  }

  @Test func anEarlyCloseOnTheOldBytesTellsNothingNew() {
    // GIO closes the old file after looking at it, writes another and renames it.
    var disk = Disk("one")
    disk.hint(after: 10)
    disk.hint(after: 5)
    #expect(disk.told == ["one", "one"], "whoever has these bytes is told nothing")
    #expect(disk.reads == 1)
    disk.holds("two", after: 5, isNew: true)
    disk.hint(after: 1)
    disk.pass(5000)
    #expect(disk.told.drop { $0 == "one" } == ["two"])
  }

  @Test func aWriterThatWasKilledLeavesWhatItLeft() {
    var disk = Disk("one and two")
    disk.holds("one and th", after: 10)
    disk.pass(99)
    #expect(disk.told == [])
    disk.pass(5000)
    #expect(disk.told == ["one and th"])
  }

  @Test func aFileThatWasEmptiedOnPurposeCountsASecondLater() {
    var disk = Disk("one")
    disk.holds("", after: 10)
    disk.pass(990)
    #expect(disk.told == [])
    disk.pass(5000)
    #expect(disk.told == [""])
  }

  @Test func aFileThatIsGoneForAMomentIsNotDeletedAndOneThatStaysAwayIsToldOnce() {
    var disk = Disk("one")
    disk.holds(nil, after: 10)
    disk.holds("two", after: 900, isNew: true)
    disk.pass(5000)
    #expect(disk.told == ["two"])
    disk.holds(nil, after: 10)
    disk.hint(after: 500)
    disk.pass(5000)
    disk.hint(after: 10)
    disk.pass(5000)
    #expect(disk.told == ["two", "deleted"] && disk.isAsleep)
    disk.holds("three", after: 10, isNew: true)
    disk.pass(5000)
    #expect(disk.told == ["two", "deleted", "three"])
  }

  @Test func aHintThatWasLostLeavesNoOldVersionStanding() {
    var disk = Disk("one")
    disk.holds("", after: 10)
    disk.holds("two", after: 50, hint: false)
    disk.pass(5000)
    #expect(disk.told == ["two"])
  }

  @Test func aLargeFileThatIsWrittenAThousandTimesIsReadOnce() {
    var disk = Disk("one")
    for piece in 0..<1000 { disk.holds("part \(piece)", after: 10, size: 50_000_000 + UInt64(piece)) }
    disk.pass(5000)
    #expect(disk.told == ["part 999"])
    #expect(disk.reads == 1)
  }

  @Test(arguments: [Disk.Refusal.looks, .reads])
  func aFileThatCouldNotBeReadIsReadWhenTheDiskWorksAgainWithoutAnEvent(refusal: Disk.Refusal) {
    var disk = Disk("one")
    disk.refusal = refusal
    disk.holds("two", after: 10)
    disk.pass(70_000)
    #expect(disk.told == [] && !disk.isAsleep)
    disk.refusal = nil
    disk.pass(30_000)
    #expect(disk.told == ["two"] && disk.isAsleep)
  }
}
