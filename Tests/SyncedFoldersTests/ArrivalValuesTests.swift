// SPDX-License-Identifier: MIT

import ActivityModel
import Testing

@testable import SyncedFolders

/// The values that `ArrivalMachine` orders, each by itself.
@Suite struct ArrivalValuesTests {
  private let start = Instant(nanoseconds: 1_000_000_000_000)
  private let timing = ArrivalMachine.Timing()

  private func stamp(_ changed: Int64, size: UInt64 = 12, inode: UInt64 = 1) -> FileStamp {
    FileStamp(device: 1, inode: inode, size: size, modified: changed, changed: changed)
  }

  private func reading(_ stamp: FileStamp, quiet: Duration = .seconds(60)) -> FileReading {
    FileReading(stamp: stamp, digest: ArrivalScript.digest("new"), quiet: quiet, at: start)
  }

  // MARK: ArrivalWait

  @Test func s50b_aLongerWaitBeganWhenTheFirstOneBegan() {
    var wait = ArrivalWait()
    #expect(wait.nextMoment == nil)
    wait.begin(for: .seconds(10), recheck: .seconds(30), at: start)
    wait.begin(for: .seconds(60), recheck: .seconds(30), at: start + .seconds(5))
    #expect(wait.since == start)
    #expect(!wait.isOver(at: start + .seconds(64)))
    #expect(wait.isOver(at: start + .seconds(65)))
    wait.end()
    #expect(wait == ArrivalWait())
  }

  @Test func thePathIsRecheckedOnceInAnInterval() {
    var wait = ArrivalWait()
    wait.begin(for: .seconds(90), recheck: .seconds(30), at: start)
    #expect(wait.nextMoment == start + .seconds(30))
    #expect(wait.recheck(every: .seconds(30), at: start + .seconds(29)) == false)
    #expect(wait.recheck(every: .seconds(30), at: start + .seconds(31)) == true)
    #expect(wait.recheck(every: .seconds(30), at: start + .seconds(32)) == false)
    #expect(wait.nextMoment == start + .seconds(61))
  }

  // MARK: DocumentLook

  @Test func aHintDuringALookMakesItsAnswerOlder() {
    var look = DocumentLook(at: OpenFolder.path("a.txt"))
    #expect(look.finish(.observing) == .stray)
    #expect(look.hint() == true)
    look.observe(OpenFolder.path("a.txt"))
    #expect(look.hint() == false)
    #expect(look.finish(.hashing) == .stray)
    #expect(look.finish(.observing) == .useful(isHinted: true))
    look.hash()
    #expect(look.finish(.hashing) == .useful(isHinted: false))
  }

  @Test func onlyAReadingOrASearchOfAnotherFileIsStopped() {
    var look = DocumentLook(at: OpenFolder.path("a.txt"))
    #expect(look.outdate() == false)
    look.observe(OpenFolder.path("a.txt"))
    #expect(look.finish(.observing) == .useful(isHinted: false))
    look.observe(OpenFolder.path("a.txt"))
    #expect(look.outdate() == false)
    #expect(look.finish(.observing) == .outdated)
    look.hash()
    #expect(look.isReading)
    #expect(look.outdate() == true)
    #expect(!look.isReading)
    #expect(look.finish(.hashing) == .outdated)
    look.search()
    #expect(look.outdate() == true)
  }

  @Test func theEndOfAnAbsenceWaitsForTheLookUnderWay() {
    var look = DocumentLook(at: OpenFolder.path("a.txt"))
    look.beginGrace(until: start + .seconds(1))
    look.schedule(at: start + .seconds(3))
    look.scheduleOnce(at: start + .seconds(2))
    #expect(look.nextMoment == start + .seconds(1))
    look.observe(OpenFolder.path("a.txt"))
    #expect(look.nextMoment == start + .seconds(3))
    #expect(look.takeSchedule(at: start + .seconds(2)) == false)
    #expect(look.takeSchedule(at: start + .seconds(3)) == true)
    #expect(look.takeSchedule(at: start + .seconds(3)) == false)
  }

  // MARK: FileReadings

  @Test func aReadingStandsForItsStampOnceThatIsOlderThanATick() {
    var file = FileReadings()
    file.record(reading(stamp(1)))
    #expect(file.reading(for: stamp(1)) != nil)
    #expect(file.reading(for: stamp(2)) == nil)
    file.record(reading(stamp(1), quiet: .milliseconds(3)))
    #expect(file.reading(for: stamp(1)) == nil)
    #expect(file.ofSeenFile != nil)
    file.see(stamp(2), at: start)
    #expect(file.ofSeenFile == nil)
  }

  @Test func onlyALargeFileWaitsForItsReading() {
    var file = FileReadings()
    let large = timing.throttledSize + 1
    file.see(stamp(1), at: start)
    #expect(file.pauseEnd(of: stamp(1), expected: 12, timing) == nil)
    file.see(stamp(1, size: large, inode: 2), at: start)
    let whole = stamp(1, size: large, inode: 2)
    #expect(file.pauseEnd(of: whole, expected: large, timing) == start + HashOutcome.tick)
    #expect(file.pauseEnd(of: whole, expected: 12, timing) == start + timing.settled)
    // Written in place, and read in vain twice.
    let written = stamp(2, size: large, inode: 2)
    file.see(written, at: start)
    #expect(file.recordFailure(timing) == timing.retry)
    #expect(file.recordFailure(timing) == timing.retry * 2)
    #expect(file.pauseEnd(of: written, expected: large, timing) == start + timing.pause * 4)
  }

  @Test func aFileGrowsWhileAWriterInPlaceMakesItLonger() {
    var file = FileReadings()
    file.see(stamp(1, size: 4), at: start)
    #expect(file.growingSize == nil)
    file.see(stamp(2, size: 8), at: start)
    #expect(file.growingSize == 8)
    file.see(stamp(3, size: 8), at: start)
    #expect(file.growingSize == 8)
    file.see(stamp(4, size: 2), at: start)
    #expect(file.growingSize == nil)
    #expect(file.isRewritten)
    file.see(stamp(5, size: 9, inode: 2), at: start)
    #expect(!file.isRewritten)
  }

  // MARK: KnownPast and RenameSearch

  @Test func bytesThatNoHistoryHoldsAreNotCertain() throws {
    var past = KnownPast()
    let version = DocumentVersion(digest: ArrivalScript.digest("new"), size: 3)
    let old = DocumentVersion(digest: ArrivalScript.digest("old"), size: 3)
    #expect(past.standing(of: version.digest, to: version, isMoved: false) == (.current, true))
    #expect(past.standing(of: old.digest, to: version, isMoved: false) == (.diverged, false))
    past.recordOutdated(old)
    #expect(past.standing(of: old.digest, to: version, isMoved: false) == (.behind, true))
    var history = DocumentHistory()
    history.record(version.digest)
    past.record(history)
    #expect(past.hasVersions)
    #expect(past.standing(of: ArrivalScript.digest("own"), to: version, isMoved: false) == (.ahead, false))
  }

  @Test func onlyADocumentThatWasHereIsSearchedUnderOtherNames() throws {
    let reference = DocumentReference(
      folder: try #require(FolderID(bytes: [UInt8](repeating: 7, count: 16))), path: OpenFolder.path("a.txt"),
      version: DocumentVersion(digest: ArrivalScript.digest("new"), size: 12))
    var rename = RenameSearch()
    let none = rename.begin(for: reference, past: KnownPast(), at: start)
    #expect(none == nil)
    #expect(rename.pauseEnd(.seconds(1), at: start) == nil)
    rename.recordDocument(reading(stamp(5), quiet: .nanoseconds(20)), at: start + .nanoseconds(100))
    let search = rename.begin(for: reference, past: KnownPast(), at: start)
    #expect(search?.wasHere == true)
    #expect(search?.lastSeen == 125)
    #expect(rename.pauseEnd(.seconds(1), at: start + .milliseconds(999)) == start + .seconds(1))
    #expect(rename.pauseEnd(.seconds(1), at: start + .seconds(1)) == nil)
    rename.end(found: OpenFolder.path("b.txt"))
    rename.forget()
    #expect(rename.found == nil)
    #expect(!rename.wasHere(KnownPast()))
  }

  // MARK: ConflictEvidence and UnfinishedCopy

  @Test func conflictCopiesThatNobodyAskedForChangeNothing() {
    var evidence = ConflictEvidence()
    let copies = [ConflictCopy(name: [2]), ConflictCopy(name: [1])]
    #expect(evidence.receive(copies, wanted: true) == false)
    evidence.expectCopies()
    #expect(evidence.receive(copies, wanted: false) == false)
    #expect(evidence.copies == [])
    evidence.expectCopies()
    #expect(evidence.receive(copies, wanted: true) == true)
    #expect(evidence.copies == copies.reversed())
  }

  @Test func markersAreAskedForOnceForAFileAsItIs() {
    var evidence = ConflictEvidence()
    #expect(!evidence.isMarked(nil))
    #expect(evidence.askForMarkers(in: stamp(1)) == true)
    #expect(evidence.askForMarkers(in: stamp(1)) == false)
    evidence.receive(markers: true)
    #expect(evidence.isMarked(stamp(1)))
    #expect(!evidence.isMarked(stamp(2)))
    #expect(evidence.askForMarkers(in: stamp(2)) == true)
    evidence.receive(markers: false)
    #expect(!evidence.isMarked(stamp(2)))
  }

  @Test func anUnfinishedCopyIsMeasuredOnceInAnInterval() {
    var copy = UnfinishedCopy()
    #expect(copy.request(every: .seconds(1), at: start) == true)
    #expect(copy.begin(wanted: false, at: start) == false)
    #expect(copy.begin(wanted: true, at: start) == true)
    #expect(copy.begin(wanted: true, at: start) == false)
    copy.receive(7)
    #expect(copy.bytes == 7)
    #expect(copy.request(every: .seconds(1), at: start + .milliseconds(400)) == false)
    #expect(copy.nextMoment == start + .seconds(1))
    #expect(copy.isDue(at: start + .seconds(1)))
    copy.schedule(at: nil)
    #expect(copy.nextMoment == nil)
    copy.receive(nil)
    copy.schedule(at: start + .seconds(2))
    #expect(copy.nextMoment == nil)
  }

  // MARK: ReportedStanding

  @Test func aReportIsNewsOnceUnlessTheReferenceChanged() {
    var standing = ReportedStanding()
    #expect(standing.isAwaited)
    #expect(standing.report(ArrivalStatus(.current), .plain) == true)
    #expect(standing.report(ArrivalStatus(.current), .plain) == false)
    #expect(!standing.isAwaited)
    standing.expectReport()
    #expect(standing.answer == nil)
    #expect(standing.status == ArrivalStatus(.current))
    #expect(standing.report(ArrivalStatus(.current), .plain) == true)
    #expect(standing.answer == ArrivalStatus(.current))
  }
}
