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
    // Once is enough.
    #expect(Self.reports(machine.handle(.observed(.file(stamp)), at: now)) == [])
  }

  private static func reports(_ actions: [ArrivalMachine.Action]) -> [Arrival] {
    actions.compactMap { if case .report(let status) = $0 { status.arrival } else { nil } }
  }
}
