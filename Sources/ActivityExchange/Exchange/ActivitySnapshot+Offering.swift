// SPDX-License-Identifier: MIT

public import ActivityModel

extension ActivitySnapshot {
  /// Eligible, typed, not expired when taken, and with its required keys: what 17 asks of the state itself.
  public var isOfferable: Bool { reasonWithheld == nil }

  /// Why the state itself keeps the activity from being offered; nil when it does not.
  public var reasonWithheld: String? {
    if type.isEmpty { return "It has no type; declare one under NSUserActivityTypes in Info.plist." }
    if !flags.contains(.handoff) { return "Its isEligibleForHandoff is false." }
    if let missing = requiredUserInfoKeys?.sorted().first(where: { userInfo[.text($0)] == nil }) {
      return "The required key \(missing) is missing from its userInfo; add it."
    }
    if let expiresAt, expiresAt <= changedAt { return Self.expired }
    return nil
  }

  static let expired = "Its expirationDate has passed."
}
