// SPDX-License-Identifier: MIT

import SyncedFolders
import Testing

/// When a document that could not be read for an update is read again.
@Suite struct RereadPacingTests {
  @Test func anUpdateIsReadAgainForAsLongAsNothingNewerIsTold() {
    var pacing = RereadPacing(isLasting: true)
    #expect(pacing.pause(after: .unreadable) == .milliseconds(50))
    #expect(pacing.pause(after: .changing) == .milliseconds(100))
    for _ in 0..<100 { #expect(pacing.pause(after: .unreadable) != nil) }
    #expect(pacing.pause(after: .unreadable) == RereadPacing.longest)
  }

  @Test func anotherFileInItsPlaceEndsItSoon() {
    var pacing = RereadPacing(isLasting: true)
    let pauses = (0..<5).map { _ in pacing.pause(after: .replaced) }
    #expect(
      pauses == [.milliseconds(50), .milliseconds(100), .milliseconds(200), .milliseconds(400), nil])
  }

  @Test func aLookThatIsMadeAnewAnywayIsTriedOnlyWhileTheFileIsWritten() {
    var pacing = RereadPacing(isLasting: false)
    #expect(pacing.pause(after: .changing) == .milliseconds(50))
    #expect(pacing.pause(after: .unreadable) == nil)
  }
}
