// SPDX-License-Identifier: MIT

import ActivityModel

/// When to look and when to read.
extension ArrivalMachine {
  /// Looks now, or again after the look under way: its answer may be older than the hint.
  mutating func beginLook() {
    guard case .here = folder else { return }
    guard look == .none else {
      isHinted = true
      return
    }
    isHinted = false
    observe(reference.path)
  }

  private mutating func observe(_ path: RelativePath) {
    look = .observing
    looksAt = path
    actions.append(.observe(path))
  }

  /// Ends the look under way. Nil when its answer is of no use any more: about another path, or about a
  /// folder that was away meanwhile; else whether a hint came meanwhile.
  mutating func endLook() -> Bool? {
    look = .none
    defer { isHinted = false }
    guard isOutdated else { return isHinted }
    isOutdated = false
    beginLook()
    return nil
  }

  mutating func take(_ observation: FileObservation, at now: Instant) {
    guard look == .observing, let again = endLook() else { return }
    if let moved, looksAt == reference.path {
      guard observation != .absent else {
        isHinted = again
        return observe(moved)
      }
      // R6: when the old name is back, the old name wins.
      self.moved = nil
      seen = nil
    }
    switch observation {
    case .absent:
      takeAbsence(at: now)
    case .unreadable(let why):
      forget()
      report(.unreadable, .unreadable(why))
      // A disk that works again makes no event.
      if !again { lookAt = now + timing.recheck }
    case .other(let kind):
      forget()
      report(.unreadable, .unreadable("it is \(kind.description), not a file"))
    case .file(let stamp):
      takeFile(stamp, at: now)
    }
    // Hashing opens the file only now, after the hint; anything else must look once more.
    if again, look == .none { beginLook() }
    if again, look == .searching { isHinted = true }
  }

  private mutating func forget() {
    seen = nil
    graceEnd = nil
    lookAt = nil
  }

  /// Every update of some engines removes the file for a moment (R5): what was waited for is still waited
  /// for, and only a claim about bytes that are gone is taken back at once.
  private mutating func takeAbsence(at now: Instant) {
    seen = nil
    lookAt = nil
    moved = nil
    if let graceEnd {
      if graceEnd <= now { search(at: now) }
      return
    }
    guard let status, status.arrival != .missing, status.arrival != .folderUnknown else {
      return search(at: now)
    }
    graceEnd = now + timing.grace
    if status.arrival != .behind { report(.missing, .replaced) }
  }

  mutating func concludeMissing() {
    report(.missing)
    askForCopies()
  }

  private mutating func takeFile(_ stamp: FileStamp, at now: Instant) {
    graceEnd = nil
    lookAt = nil
    note(stamp, at: now)
    if let hashed, hashed.stamp == stamp, hashed.quiet >= stamp.tick {
      noteDocument(hashed, at: now)
      return judge(hashed, at: now)
    }
    if let pauseEnd = pauseEnd(of: stamp), pauseEnd > now {
      lookAt = pauseEnd
      if seen?.isRewritten == true { return reportWriting() }
      return stamp.size == reference.version.size ? () : report(.behind, .otherSize(stamp.size))
    }
    look = .hashing
    actions.append(.hash(looksAt, stamp))
  }

  private mutating func note(_ stamp: FileStamp, at now: Instant) {
    guard let before = seen, before.stamp.isSameFile(as: stamp) else {
      seen = Sighting(stamp: stamp, since: now)
      return
    }
    guard before.stamp != stamp else { return }
    seen = Sighting(
      stamp: stamp, since: now, isRewritten: true,
      isGrowing: stamp.size > before.stamp.size || (before.isGrowing && stamp.size == before.stamp.size))
  }

  /// Reading 50 MB a thousand times while they are written helps nobody (R4): each reading in vain doubles
  /// the pause. A small file is read at once; a large one that came whole as soon as its stamp is old enough
  /// to stand for what is read, so that no later hint asks for it all again. One of another size is read only
  /// to tell an older version from a newer one, which has time.
  private func pauseEnd(of stamp: FileStamp) -> Instant? {
    guard let seen, stamp.size > timing.throttledSize else { return nil }
    guard stamp.size == reference.version.size else { return seen.since + timing.settled }
    return seen.since + (seen.isRewritten ? backoff(timing.pause) : HashOutcome.tick)
  }

  mutating func take(_ outcome: HashOutcome, at now: Instant) {
    guard look == .hashing, let again = endLook() else { return }
    switch outcome {
    case .stable(let digest, let stamp, let quiet):
      failedHashes = 0
      note(stamp, at: now)
      let reading = Reading(stamp: stamp, digest: digest, quiet: quiet, at: now)
      hashed = reading
      noteDocument(reading, at: now)
      if !again { judge(reading, at: now) }
    case .unstable, .cancelled:
      if !again { lookAt = now + backoff(timing.retry) }
      failedHashes += 1
      reportWriting()
    case .failed(let why):
      forget()
      report(.unreadable, .unreadable(why))
      if !again { lookAt = now + timing.recheck }
    }
    if again { beginLook() }
  }

  private func backoff(_ first: Duration) -> Duration {
    min(first * (1 << min(failedHashes, 10)), timing.longestRetry)
  }

  mutating func askForCopies() {
    expectsCopies = true
    actions.append(.listSiblings)
  }

  /// Once per file as it is: reading it again would tell the same.
  mutating func askForMarkers(in stamp: FileStamp) {
    guard asked != stamp else { return }
    asked = stamp
    actions.append(.readMarkers(looksAt))
  }

  mutating func take(markers found: Bool) {
    marked = found ? asked : nil
    if status?.arrival == .diverged { reportAgain() }
  }
}
