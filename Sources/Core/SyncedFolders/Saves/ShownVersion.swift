// SPDX-License-Identifier: MIT

public import ActivityModel

/// What one app shows of a document, as far as its agent knows: decides whether the app is told what the disk
/// holds. A value; whoever keeps it says what happened.
///
/// Both sides talk at once: what an app said before it could have heard of something tells nothing about what
/// it shows after. So each thing said has a number, and counts only when nothing later is known. The numbers
/// count up with all that the agent hears from its apps and tells them.
///
/// A wrong guess must never be one that keeps silent. In doubt the app is told once too often: it finds that
/// it shows those bytes already.
public struct ShownVersion: Hashable, Sendable {
  /// Nil when it is not known: then whatever the disk holds is told.
  private var digest: ContentDigest?
  /// Whether it was told that the document is gone.
  private var isGone = false
  /// The number of the last thing said or told that counted.
  private var since: UInt64 = 0
  /// The number of the last thing told.
  private var told: UInt64 = 0
  /// The number with which the app last said that it had saved.
  private var saved: UInt64 = 0

  /// Of an app that has said nothing yet.
  public init() {}

  /// The app opened the document with number `said`, perhaps not for the first time.
  public mutating func opens(said: UInt64) {
    shows(nil, said: said)
    isGone = false
  }

  /// The app said with number `said` that it shows this; nil: it shows something, and nobody can tell what.
  public mutating func shows(_ digest: ContentDigest?, said: UInt64) {
    guard said >= since else { return }
    since = said
    self.digest = digest
    if digest != nil { isGone = false }
  }

  /// The app said with number `said` that it saved; what, is still to be found out.
  public mutating func saves(said: UInt64) { saved = said }

  /// The app said with number `said` that it took what was handed to it with number `handed`. Whoever keeps
  /// the value looks at the disk then, for what lies there may have come before.
  ///
  /// What it was told since, or saved since, it may have shown before it took this or after.
  public mutating func took(_ digest: ContentDigest, handed: UInt64, said: UInt64) {
    shows(max(told, saved) > handed ? nil : digest, said: said)
  }

  /// The disk holds this. True when the app has to be told, with number `telling`: it shows something else,
  /// or saved what is still to be found out.
  public mutating func mustHear(of digest: ContentDigest, telling: UInt64) -> Bool {
    let isUnanswered = saved > since
    guard self.digest != digest || isUnanswered else { return false }
    // Its own save may come to nothing yet: then it has to hear once more.
    self.digest = isUnanswered ? nil : digest
    isGone = false
    (since, told) = (telling, telling)
    return true
  }

  /// The document is gone. True when the app has to be told, with number `telling`.
  public mutating func mustHearOfEnd(telling: UInt64) -> Bool {
    guard !isGone else { return false }
    digest = nil
    isGone = true
    (since, told) = (telling, telling)
    return true
  }

  /// The app was told that the document is elsewhere now, where it is here again.
  public mutating func moved() { isGone = false }
}
