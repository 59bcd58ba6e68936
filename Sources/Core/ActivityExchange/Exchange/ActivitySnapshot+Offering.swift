// SPDX-License-Identifier: MIT

public import ActivityModel

extension ActivitySnapshot {
  /// Eligible, typed, not expired when taken, and with its required keys: what 17 asks of the state itself.
  public var isOfferable: Bool { reasonWithheld == nil }

  /// Why the state itself keeps the activity from being offered; nil when it does not.
  public var reasonWithheld: Reason? {
    if type.isEmpty { return .untyped }
    if !flags.contains(.handoff) { return .notEligible }
    if let missing = requiredUserInfoKeys?.sorted().first(where: { userInfo[.text($0)] == nil }) {
      return .requiredKeyMissing(missing)
    }
    if let expiresAt, expiresAt <= changedAt { return .expired }
    return nil
  }
}
