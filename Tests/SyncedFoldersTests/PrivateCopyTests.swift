// SPDX-License-Identifier: MIT

import ActivityModel
import SyncedFolders
import Testing

@Suite("A private copy")
struct PrivateCopyTests {
  private static let place = DocumentPlace(
    folder: FolderID(bytes: Array(repeating: 1, count: 16))!, path: RelativePath("plan.md")!)

  private static func digest(_ number: UInt8) -> ContentDigest {
    ContentDigest(bytes: Array(repeating: number, count: 32))!
  }

  private static func copy() -> PrivateCopy {
    PrivateCopy(
      id: PrivateCopy.ID(bytes: Array(repeating: 2, count: 16))!, place: place,
      base: DocumentVersion(digest: digest(9), size: 4, generation: 1))
  }

  @Test("Once the folder has what it began with, it comes after what lay there before")
  func comesAfterThePast() {
    var past = DocumentHistory()
    for number: UInt8 in [2, 3, 9] { past.record(Self.digest(number)) }
    var copy = Self.copy()
    let opened = copy.version(Self.digest(9), size: 4, after: past)
    #expect(opened.lineage == [3, 2].map { Self.digest($0).prefix })
    _ = copy.hold(Self.digest(10), size: 5)
    let saved = copy.version(Self.digest(11), size: 6, after: past)
    #expect(saved.lineage == [10, 9, 3, 2].map { Self.digest($0).prefix })
    #expect((saved.digest, saved.size) == (Self.digest(11), 6))
    #expect(saved.generation >= past.generation)
  }

  @Test("What lies in a folder that has not had it is no ancestor")
  func saysNothingOfOthers() {
    var past = DocumentHistory()
    past.record(Self.digest(3))
    #expect(Self.copy().version(Self.digest(9), size: 4, after: past) == Self.copy().base)
    #expect(
      Self.copy().version(Self.digest(10), size: 4, after: past).lineage == [Self.digest(9).prefix])
  }
}
