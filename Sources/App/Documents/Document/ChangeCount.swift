// SPDX-License-Identifier: MIT

extension Document {
  /// What happened to a document's content: `NSDocument.ChangeType`.
  public enum ChangeType: Hashable, Sendable {
    /// An edit.
    case changeDone
    /// An edit taken back.
    case changeUndone
    /// The content is what the file holds.
    case changeCleared
    /// An edit that had been taken back was made again.
    case changeRedone
    /// An edit that nobody would miss, such as where a film stands: it goes into the next save and into the
    /// activity, and is no reason to save, or to ask before closing. Apple's flag is combined with another
    /// change; here it stands alone.
    case changeDiscardable
    /// The content came from elsewhere than from the document's file, so no undoing makes it the file's.
    case changeReadOtherContents
    /// What the document holds was put where it can be brought back from after a crash. It stays edited.
    case changeAutosaved
  }
}

/// How far a content is from the one that it was counted from: edits, less edits taken back.
struct ChangeCount: Hashable {
  private var count = 0
  /// Other edits took the place of some that were taken back: no number of them leads there again.
  private var isLost = false

  /// Whether the content may differ.
  var isEdited: Bool { count != 0 || isLost }

  mutating func record(_ change: Document.ChangeType) {
    switch change {
    case .changeDone:
      if count < 0 { isLost = true }
      count += 1
    case .changeRedone: count += 1
    case .changeUndone: count -= 1
    case .changeCleared: self = ChangeCount()
    case .changeReadOtherContents: isLost = true
    case .changeDiscardable, .changeAutosaved: break
    }
  }

  /// The content became another one altogether.
  mutating func lose() { isLost = true }
}

/// Whether a content is kept anywhere but in memory: counts what changed since it was last put away.
struct UnkeptChanges: Hashable {
  private var changes: UInt64 = 0
  private var kept: UInt64 = 0

  /// Whether something changed since.
  var exist: Bool { changes != kept }
  /// Names the content as it is now, for `keep`.
  var now: UInt64 { changes }

  mutating func record(_ change: Document.ChangeType) {
    switch change {
    case .changeCleared, .changeAutosaved: kept = changes
    default: changes &+= 1
    }
  }

  /// What the content was at `moment` is kept.
  mutating func keep(_ moment: UInt64) { kept = moment }
}
