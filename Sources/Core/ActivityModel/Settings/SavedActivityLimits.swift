// SPDX-License-Identifier: MIT

/// How much is kept of what can be found again; pure. The oldest goes first. One app can crowd out only its
/// own, until all have too much.
public struct SavedActivityLimits: Hashable, Sendable {
  /// Activities of one app.
  public var count = 20_000
  /// Bytes of one app's activities, as they are stored.
  public var bytes = 32 << 20
  /// Bytes of all apps' activities.
  public var totalBytes = 64 << 20
  /// Days after its last change for which one without an expiration date is kept.
  public var days = Int(ActivitySnapshot.lifetime / secondsOfDay)

  private static let secondsOfDay: UInt64 = 24 * 3600

  /// The usual ones.
  public init() {}

  /// The widest that a person can set: what holds while nobody knows what was set.
  public static let widest: Self = {
    var limits = Self()
    (limits.count, limits.bytes, limits.totalBytes, limits.days) = (100_000, 1024 << 20, 4096 << 20, 3650)
    return limits
  }()

  /// Until when it is kept: as its app said, else for `days`.
  public func expiry(of snapshot: ActivitySnapshot) -> WallTime {
    snapshot.expiresAt ?? snapshot.changedAt.adding(seconds: UInt64(days) * Self.secondsOfDay)
  }
}
