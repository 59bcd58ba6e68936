// SPDX-License-Identifier: MIT

/// What an app answers when another device, on which a person goes on with an activity of it, asks it to save
/// the document first.
public enum SaveAnswer: Hashable, Sendable {
  /// It has saved what it had, and offered that: in the state that was changed then, or a later one.
  case saved(changedAt: WallTime)
  /// It has not, and why: one clean sentence, or nothing.
  case refused(String)
}

/// What became of asking another device to save before an activity of it is continued here.
public enum SaveOutcome: Hashable, Sendable {
  /// Its document is this version now; whether text that was typed after that is not in it.
  case saved(ContentDigest, hasTextAfter: Bool)
  /// It did not save: why, in one clean sentence, or nothing.
  case notSaved(String)
  /// Nobody could be asked.
  case notAsked
}
