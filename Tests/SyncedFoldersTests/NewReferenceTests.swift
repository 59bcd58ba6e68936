// SPDX-License-Identifier: MIT

import ActivityModel
import SyncedFolders
import Testing

/// A newer announcement is answered, also when the document stands to it as it stood to the one before.
@Suite struct NewReferenceTests {
  @Test func howItStandsToANewerAnnouncementIsToldAgain() throws {
    let digest = try #require(ContentDigest(bytes: [UInt8](repeating: 1, count: 32)))
    let path = try #require(RelativePath("a.txt"))
    let folder = try #require(FolderID(bytes: [UInt8](repeating: 5, count: 16)))
    let stamp = FileStamp(device: 1, inode: 1, size: 9, modified: 0, changed: 0)
    let now = Instant(nanoseconds: 1_000_000_000)
    var reference = DocumentReference(
      folder: folder, path: path, version: DocumentVersion(digest: digest, size: 9))
    var machine = ArrivalMachine(reference: reference, deviceName: "desk")
    _ = machine.handle(.folder(.here(name: "notes")), at: now)
    _ = machine.handle(.observed(.file(stamp)), at: now)
    let first = machine.handle(.hashed(.stable(digest, stamp, quiet: .seconds(9))), at: now)
    #expect(Self.reports(first) == [.current])
    reference.version.generation += 1
    #expect(Self.reports(machine.handle(.reference(reference), at: now)) == [.current])
    #expect(machine.answer?.arrival == .current)
    // Once is enough.
    #expect(Self.reports(machine.handle(.observed(.file(stamp)), at: now)) == [])
  }

  @Test func howItStoodToAFormerVersionIsNoAnswer() throws {
    let folder = try #require(FolderID(bytes: [UInt8](repeating: 5, count: 16)))
    let large: UInt64 = 9 << 20
    let now = Instant(nanoseconds: 1_000_000_000)
    var reference = DocumentReference(
      folder: folder, path: OpenFolder.path("a.txt"), version: .init(digest: Self.digest(1), size: large))
    var machine = ArrivalMachine(reference: reference, deviceName: "desk")
    _ = machine.handle(.folder(.here(name: "notes")), at: now)
    let first = FileStamp(device: 1, inode: 1, size: large, modified: 0, changed: 0)
    _ = machine.handle(.observed(.file(first)), at: now)
    _ = machine.handle(.timer, at: now + .seconds(2))
    _ = machine.handle(.observed(.file(first)), at: now + .seconds(2))
    let read = HashOutcome.stable(Self.digest(2), first, quiet: .seconds(9))
    #expect(Self.reports(machine.handle(.hashed(read), at: now + .seconds(2))) == [.diverged])
    // Another file came, which is not read at once, and then another announcement.
    let second = FileStamp(device: 1, inode: 2, size: large, modified: 1, changed: 1)
    _ = machine.handle(.hint, at: now + .seconds(3))
    _ = machine.handle(.observed(.file(second)), at: now + .seconds(3))
    reference.version = .init(digest: Self.digest(2), size: large)
    #expect(Self.reports(machine.handle(.reference(reference), at: now + .seconds(3))) == [])
    #expect(machine.answer == nil)
    #expect(Self.reports(machine.handle(.siblings([]), at: now + .seconds(3))) == [])
  }

  @Test func anotherPathHasAPastOfItsOwn() throws {
    let (one, two, three) = (Self.digest(1), Self.digest(2), Self.digest(3))
    let folder = try #require(FolderID(bytes: [UInt8](repeating: 5, count: 16)))
    let stamp = FileStamp(device: 1, inode: 1, size: 9, modified: 0, changed: 0)
    let now = Instant(nanoseconds: 1_000_000_000)
    let reference = { (name: String, digest: ContentDigest) in
      DocumentReference(
        folder: folder, path: OpenFolder.path(name), version: DocumentVersion(digest: digest, size: 9))
    }
    var past = DocumentHistory()
    past.record(two)
    let cases: [(DocumentHistory?, Arrival)] = [(past, .ahead), (nil, .diverged)]
    for (known, expected) in cases {
      var machine = ArrivalMachine(reference: reference("a.txt", one), deviceName: "desk")
      var other = DocumentHistory()
      other.record(known == nil ? two : one)
      _ = machine.handle(.history(other), at: now)
      _ = machine.handle(.folder(.here(name: "notes")), at: now)
      _ = machine.handle(.observed(.absent), at: now)
      _ = machine.handle(.found(nil), at: now)
      // The document was renamed there, and edited under its new name.
      _ = machine.handle(.reference(reference("b.txt", two), history: known), at: now)
      _ = machine.handle(.observed(.file(stamp)), at: now)
      let actions = machine.handle(.hashed(.stable(three, stamp, quiet: .seconds(9))), at: now)
      #expect(Self.reports(actions) == [expected])
    }
  }

  @Test func aNewAnnouncementIsAnsweredAlsoWhereItsFolderIsAway() throws {
    let now = Instant(nanoseconds: 1_000_000_000)
    let folders = [5, 6].compactMap { FolderID(bytes: [UInt8](repeating: $0, count: 16)) }
    let reference = { (folder: Int, digest: UInt8) in
      DocumentReference(
        folder: folders[folder], path: OpenFolder.path("a.txt"),
        version: DocumentVersion(digest: Self.digest(digest), size: 9))
    }
    // Of a folder that it was not told of yet it says nothing.
    var fresh = ArrivalMachine(reference: reference(0, 1), deviceName: "desk")
    #expect(Self.reports(fresh.handle(.reference(reference(0, 2)), at: now)) == [])
    var machine = ArrivalMachine(reference: reference(0, 1), deviceName: "desk")
    #expect(Self.reports(machine.handle(.folder(.away(name: "notes")), at: now)) == [.folderUnknown])
    #expect(Self.reports(machine.handle(.reference(reference(0, 2)), at: now)) == [.folderUnknown])
    #expect(machine.answer?.arrival == .folderUnknown)
    // In another folder nothing is known before that is told of.
    #expect(Self.reports(machine.handle(.reference(reference(1, 3)), at: now)) == [])
    #expect(machine.answer == nil)
    let actions = machine.handle(.folder(.here(name: "work")), at: now)
    #expect(actions == [.observe(OpenFolder.path("a.txt"))])
    #expect(Self.reports(machine.handle(.reference(reference(0, 4)), at: now)) == [])
    #expect(Self.reports(machine.handle(.observed(.absent), at: now)) == [])
    #expect(Self.reports(machine.handle(.folder(.away(name: "notes")), at: now)) == [.folderUnknown])
  }

  private static func digest(_ byte: UInt8) -> ContentDigest { ArrivalScript.digest("\(byte)") }

  private static func reports(_ actions: [ArrivalMachine.Action]) -> [Arrival] {
    actions.compactMap { if case .report(let status) = $0 { status.arrival } else { nil } }
  }
}
