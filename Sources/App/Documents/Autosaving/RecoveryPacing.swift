// SPDX-License-Identifier: MIT

import ActivityModel

/// When changes that no file holds yet are put where a crash leaves them: after 5 s of quiet, 30 s after the
/// first of them at the latest, and 15 s later where the document saves itself in place; no sooner than 10 s
/// after the last time, nor than 20 times what that took; a minute after a failure.
struct RecoveryPacing: Hashable {
  private var firstChange: Instant?
  private var lastChange = Instant(nanoseconds: 0)
  private var notBefore = Instant(nanoseconds: 0)

  private static let quiet = Duration.seconds(5)
  private static let latest = Duration.seconds(30)
  private static let turnOfSaving = Duration.seconds(15)
  private static let pause = Duration.seconds(10)
  private static let pauseAfterFailure = Duration.seconds(60)

  /// Nil while nothing changed.
  func due(savesItself: Bool) -> Instant? {
    guard let firstChange else { return nil }
    let wanted = min(lastChange + Self.quiet, firstChange + Self.latest)
    return max(notBefore, savesItself ? wanted + Self.turnOfSaving : wanted)
  }

  mutating func changed(at now: Instant) {
    if firstChange == nil { firstChange = now }
    lastChange = now
  }

  /// The contents are taken, or are in the document's own file.
  mutating func taken() { firstChange = nil }

  mutating func kept(from start: Instant, to end: Instant) {
    notBefore = end + max(Self.pause, (end - start) * 20)
  }

  mutating func failed(at now: Instant) {
    if firstChange == nil { firstChange = lastChange }
    notBefore = now + Self.pauseAfterFailure
  }
}
