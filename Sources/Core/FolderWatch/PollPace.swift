// SPDX-License-Identifier: MIT

/// How often polled folders are looked at: every two seconds while they change, ever slower to ten seconds
/// while they do not, and never for more than a fiftieth of the time, whatever a look costs.
public struct PollPace: Sendable {
  /// Between looks at folders that change.
  public static let shortest = Duration.seconds(2)
  /// Between looks at folders that do not.
  public static let longest = Duration.seconds(10)
  /// However long a look takes, the next one comes after this.
  public static let utmost = Duration.seconds(300)
  private static let share = 50

  private var pause = PollPace.shortest

  /// A pace that begins fast.
  public init() {}

  /// The pause after a round that took so long.
  public mutating func pause(afterRoundOf cost: Duration, sawChange: Bool) -> Duration {
    pause = sawChange ? Self.shortest : min(pause * 3 / 2, Self.longest)
    return min(max(pause, cost * Self.share), Self.utmost)
  }
}
