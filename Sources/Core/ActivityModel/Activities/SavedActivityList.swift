// SPDX-License-Identifier: MIT

/// What a device tells its circle of the activities that its apps had kept for search: one part of it, which
/// is a record of its own (semantics 11i).
public struct SavedActivityList: Hashable, Sendable {
  /// The device is asked to delete an activity that it has, because a person's app did that elsewhere.
  public struct Deletion: Hashable, Sendable {
    /// Which one, and on which device.
    public var key: SavedActivity.Key
    /// The state that is to go, and any before it: what its app keeps later stays.
    public var changedAt: WallTime

    /// A deletion of that state.
    public init(of key: SavedActivity.Key, changedAt: WallTime) {
      (self.key, self.changedAt) = (key, changedAt)
    }
  }

  /// So many parts a device has.
  public static let partCount = 4

  /// The activities, as records have them, newest first.
  public var activities: [ActivitySnapshot]
  /// What other devices are asked to delete, the first asked first.
  public var deletions: [Deletion]

  /// A part that says so.
  public init(activities: [ActivitySnapshot] = [], deletions: [Deletion] = []) {
    (self.activities, self.deletions) = (activities, deletions)
  }

  /// Whether it says nothing.
  public var isEmpty: Bool { activities.isEmpty && deletions.isEmpty }

  /// The part in which an activity stands, on whatever device: it follows from what the activity is called,
  /// so that a change of one changes one record, and no activity stands in two.
  public static func part(of key: SavedActivity.Key) -> Int {
    var sum = Checksum()
    sum.add(Array(key.appID.utf8))
    sum.add(Array(key.identifier.utf8))
    return Int(sum.mixed(bits: 2))
  }
}

extension SavedActivity {
  /// Whether other devices of the circle may hear of it: kept because its app wants it found, eligible for
  /// hand-off, too, and holding what it requires.
  public var isToBeTold: Bool {
    !isHandedOver && snapshot.flags.isSuperset(of: [.search, .handoff]) && snapshot.isToBeKept
      && snapshot.holdsRequiredKeys
  }
}
