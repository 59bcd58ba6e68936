// SPDX-License-Identifier: MIT

public import ActivityModel

/// When a private copy is written back into its folder, and when it ends. Without files and clocks.
///
/// What was saved into the copy takes the place of a file only once that is the version which was opened, so
/// that the sync engine sees a save like any other. Until then the copy is the only place of that text, and
/// stays, whether or not an app has it open.
public struct PrivateCopyMachine: Sendable {
  /// What lies at a place.
  public enum Content: Hashable, Sendable {
    /// Nothing does.
    case absent
    /// It cannot be told now.
    case unknown
    /// This, which stands so to the version that was opened, and was last changed so long ago.
    case version(ContentDigest, Arrival, quiet: Duration = .zero)
  }

  /// What happened.
  public enum Event: Sendable {
    /// The copy was saved, the folder changed, an app closed the copy, or time passed.
    case due
    /// This was found. An app uses the copy, or is about to.
    case found(copy: Content, folder: Content, isUsed: Bool)
    /// The writing that was asked for came to this.
    case laid(LayingOutcome)
    /// The copy lies under another name now, and holds this; nil where it could not be moved.
    case tookAway(ContentDigest?)
    /// A person wants it in the folder now, whatever lies there.
    case hurried
  }

  /// What is to be done.
  public enum Action: Hashable, Sendable {
    /// Look at the copy and at the folder's file, and tell `found`.
    case look
    /// Write what the copy holds over the folder's file, and tell `laid`.
    case lay(ContentDigest)
    /// Write it beside that, as a conflict copy, and tell `laid`.
    case layBeside(ContentDigest)
    /// What was laid is what the folder has to hold from now on.
    case rebase(ContentDigest)
    /// Move the copy's file out of the apps' way, and tell `tookAway`.
    case takeAway
    /// Its file gets its name back, where nothing has that: it was saved meanwhile.
    case putBack
    /// Tell the apps that their document lies in the folder now.
    case tellMoved
    /// It is not needed any more.
    case remove
    /// Come again in a moment, with `due`.
    case comeAgain
  }

  /// A text that the person does not know beside it must lie still for so long before the copy goes there.
  public static let settled = Duration.seconds(30)

  private enum Phase: Hashable, Sendable {
    case idle
    case looking
    case laying(ContentDigest, isHurried: Bool, isThere: Bool)
    case takingAway(ContentDigest, End)
  }

  /// What becomes of a copy that holds nothing of its own any more.
  private enum End: Hashable, Sendable {
    /// Its document lies in the folder.
    case moved
    /// Nobody has it open, and nobody changed it.
    case dropped
  }

  private var phase = Phase.idle
  private var base: ContentDigest
  private var isDue = false
  private var isHurried = false
  /// Whether the apps were told that their document lies in the folder.
  public private(set) var isMoved: Bool
  /// Whether the copy held a text that the folder does not have when it was looked at last.
  public private(set) var isChanged = false
  /// Why the last writing did not work; a clause, to follow a colon.
  public private(set) var failure: String?

  /// A copy of the version that has this digest.
  public init(base: ContentDigest, isMoved: Bool = false) { (self.base, self.isMoved) = (base, isMoved) }

  /// Whether nothing is under way.
  public var isIdle: Bool { phase == .idle && !isDue }

  /// What to do about an event.
  public mutating func handle(_ event: Event) -> [Action] {
    switch (event, phase) {
    case (.due, .idle):
      phase = .looking
      return [.look]
    case (.due, _):
      isDue = true
      return []
    case (.hurried, _):
      isHurried = true
      return handle(.due)
    case (.found(let copy, let folder, let isUsed), .looking):
      phase = .idle
      return decide(copy, folder, isUsed) + next()
    case (.laid(let outcome), .laying(let digest, let isHurried, let isThere)):
      phase = .idle
      return end(outcome, digest, isHurried, isThere) + next()
    case (.tookAway(let digest), .takingAway(let expected, let end)):
      phase = .idle
      return ended(digest, expected, end) + next()
    case (.found, _), (.laid, _), (.tookAway, _): return []
    }
  }

  private mutating func next() -> [Action] {
    guard isDue, phase == .idle else { return [] }
    isDue = false
    phase = .looking
    return [.look]
  }

  private mutating func decide(_ copy: Content, _ folder: Content, _ isUsed: Bool) -> [Action] {
    let isHurried = isHurried
    self.isHurried = false
    switch copy {
    case .unknown: return []
    case .absent:
      isChanged = false
      // An editor that saves may have it away for a moment, and one that was told it is moved may come late.
      return isUsed ? [] : [.remove]
    case .version(let digest, _, _):
      isChanged = digest != base
      if isChanged || isHurried { return write(digest, folder, isHurried) }
      if !isUsed { return takeAway(digest, .dropped) }
      switch folder {
      // The app goes on in the file that it has.
      case .version(base, _, _): return write(digest, folder, isHurried)
      case .version(_, .ahead, _): return takeAway(digest, .moved)
      default: return []
      }
    }
  }

  private mutating func write(_ digest: ContentDigest, _ folder: Content, _ isHurried: Bool) -> [Action] {
    switch folder {
    case .version(base, _, _): return lay(digest, isHurried, isThere: digest == base)
    case .version(digest, _, _):
      // It was written by an agent that ended right then.
      base = digest
      return [.rebase(digest)] + takeAway(digest, .moved)
    case .version(_, .behind, _), .absent: return isHurried ? lay(digest, isHurried) : []
    case .version(_, _, let quiet):
      return isHurried || quiet >= Self.settled ? layBeside(digest) : []
    case .unknown: return []
    }
  }

  private mutating func lay(
    _ digest: ContentDigest, _ isHurried: Bool, isThere: Bool = false
  ) -> [Action] {
    phase = .laying(digest, isHurried: isHurried, isThere: isThere)
    return [.lay(digest)]
  }

  private mutating func layBeside(_ digest: ContentDigest) -> [Action] {
    phase = .laying(digest, isHurried: false, isThere: false)
    return [.layBeside(digest)]
  }

  private mutating func takeAway(_ digest: ContentDigest, _ end: End) -> [Action] {
    phase = .takingAway(digest, end)
    return [.takeAway]
  }

  private mutating func end(
    _ outcome: LayingOutcome, _ digest: ContentDigest, _ isHurried: Bool, _ isThere: Bool
  ) -> [Action] {
    failure = nil
    switch outcome {
    case .laid:
      isChanged = false
      base = digest
      return [.rebase(digest)] + takeAway(digest, .moved)
    case .failed where isThere, .kept where isThere:
      // The folder has it all the same.
      return takeAway(digest, .moved)
    case .failed(let why):
      failure = why
      return []
    case .kept: return isHurried ? layBeside(digest) : []
    case .otherBytes, .changed, .cancelled: return [.comeAgain]
    }
  }

  private mutating func ended(
    _ digest: ContentDigest?, _ expected: ContentDigest, _ end: End
  ) -> [Action] {
    guard digest == expected else { return digest == nil ? [.comeAgain] : [.putBack, .comeAgain] }
    guard end == .moved else { return [.remove] }
    isMoved = true
    return [.tellMoved, .comeAgain]
  }
}
