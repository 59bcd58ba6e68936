// SPDX-License-Identifier: MIT

public import ActivityModel

/// When a device lays its newest record into a folder again, where the record is missing or is not what was
/// written: an engine brought an old copy back, or somebody removed it. One for each folder.
///
/// At most once a minute, so that an engine or a second device that takes it away each time, is answered and
/// not fought; and never at once, for an engine that replaces the file may have removed it a moment ago.
public struct OwnRecordMachine: Hashable, Sendable {
  /// What the shell tells.
  public enum Event: Hashable, Sendable {
    /// The folder was looked at: whether it holds the record as it was written.
    case looked(isIntact: Bool)
    /// The moment that was asked for has come.
    case timer
  }

  /// What the shell does.
  public enum Action: Hashable, Sendable {
    /// Look into the folder, and say what is there.
    case look
    /// Lay the record into the folder.
    case write
    /// Say when this moment has come, and forget an earlier one; nil for none.
    case wake(Instant?)
  }

  /// How long a record is missing before it is written again.
  public static let patience = Duration.seconds(2)
  /// The least time between two such writes.
  public static let pause = Duration.seconds(60)

  private var due: Instant?
  private var earliest: Instant?

  /// Of a folder where the record was not missed yet.
  public init() {}

  /// Decides.
  public mutating func handle(_ event: Event, at now: Instant) -> [Action] {
    switch event {
    case .timer:
      guard let due else { return [] }
      return now >= due ? [.look] : [.wake(due)]
    case .looked(isIntact: true):
      guard due != nil else { return [] }
      due = nil
      return [.wake(nil)]
    case .looked(isIntact: false):
      guard let due else {
        let first = max(now + Self.patience, earliest ?? now)
        due = first
        return [.wake(first)]
      }
      guard now >= due else { return [] }
      self.due = nil
      earliest = now + Self.pause
      return [.write]
    }
  }
}
