// SPDX-License-Identifier: MIT

public import UserActivities

/// An object of the responder chain that may take part in a user activity: `NSResponder`, as far as Handoff
/// goes.
@MainActor
open class Responder: UserActivityRestoring {
  /// Who is asked after this one. Not retained.
  public weak var nextResponder: Responder?

  /// The activity that this object shares. Setting it makes the activity managed; when its last owner lets
  /// go, it is invalidated (semantics 31).
  public var userActivity: UserActivity? {
    didSet { if userActivity !== oldValue { shareActivity(insteadOf: oldValue) } }
  }

  /// A responder without an activity.
  public init() {}

  isolated deinit { userActivity?.removeOwner(self) }

  /// Puts this object's part of the state into `activity`; called once per update round, after `userInfo` was
  /// emptied.
  open func updateUserActivityState(_ activity: UserActivity) {}

  /// Shows what a continued `activity` says. Politely: what the person has begun here is not disturbed.
  open func restoreUserActivityState(_ activity: UserActivity) {}

  private func shareActivity(insteadOf former: UserActivity?) {
    userActivity?.addOwner(self)
    former?.removeOwner(self)
    Application.current?.activityOwnerDidChange()
  }
}

extension Responder: ActivityOwner {
  package var isDocument: Bool { self is Document }

  package var chainLength: Int {
    var length = 0
    var next = nextResponder
    while let responder = next, length < 1024 {
      length += 1
      next = responder.nextResponder
    }
    return length
  }
}
