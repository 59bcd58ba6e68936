// SPDX-License-Identifier: MIT

import ActivityModel
import SyncedFolders
import Testing

/// The last look before a document is handed over.
@Suite struct DeliveryCheckTests {
  private static func digest(_ byte: UInt8) -> ContentDigest? {
    ContentDigest(bytes: [UInt8](repeating: byte, count: 32))
  }

  private func standing(
    of byte: UInt8, quiet: Duration = .seconds(5), agreed: Arrival, history: [UInt8] = []
  ) throws -> Arrival? {
    let version = DocumentVersion(digest: try #require(Self.digest(2)), size: 1)
    var past = DocumentHistory()
    for byte in history { past.record(try #require(Self.digest(byte))) }
    return DeliveryCheck.standing(
      of: try #require(Self.digest(byte)), quiet: quiet, to: version, history: past,
      agreed: ArrivalStatus(agreed))?.arrival
  }

  @Test func theVersionItselfIsCurrentWhateverWasAgreed() throws {
    #expect(try standing(of: 2, agreed: .current) == .current)
    #expect(try standing(of: 2, agreed: .diverged) == .current)
  }

  @Test func otherBytesAreNotCurrent() throws { #expect(try standing(of: 3, agreed: .current) == nil) }

  @Test func whatThePersonChoseIsOpened() throws {
    #expect(try standing(of: 3, agreed: .diverged) == .diverged)
  }

  @Test func unknownBytesAreAheadOnlyWhenTheyLieStill() throws {
    #expect(try standing(of: 3, quiet: .milliseconds(900), agreed: .ahead, history: [1, 2]) == nil)
    #expect(try standing(of: 3, agreed: .ahead, history: [1, 2]) == .ahead)
    #expect(try standing(of: 3, quiet: .zero, agreed: .ahead, history: [1, 2, 3]) == .ahead)
    #expect(try standing(of: 3, agreed: .ahead, history: [1]) == nil)
  }

  @Test func anAncestorUnderAnotherNameIsAnOlderCopyAndNoReturn() throws {
    let (old, new) = (try #require(Self.digest(1)), try #require(Self.digest(2)))
    let version = DocumentVersion(digest: new, size: 1, generation: 2, lineage: [old.prefix])
    var past = DocumentHistory()
    for digest in [old, new] { past.record(digest) }
    #expect(VersionOrder.standing(of: old, to: version, history: past) == .ahead)
    #expect(VersionOrder.standing(of: old, to: version, history: past, isMoved: true) == .behind)
    let found = DeliveryCheck.standing(
      of: old, quiet: .seconds(5), to: version, history: past, isMoved: true, agreed: ArrivalStatus(.ahead))
    #expect(found == nil)
    let later = try #require(Self.digest(3))
    #expect(VersionOrder.standing(of: later, to: version, history: past, isMoved: true) == .ahead)
  }
}
