// SPDX-License-Identifier: MIT

/// When a document that an app told of is read again, because it could not be read just now.
///
/// An update is told once: what is given up here would not be offered until its app has something new to say.
public struct RereadPacing: Hashable, Sendable {
  /// Why it could not be read.
  public enum Obstacle: Hashable, Sendable {
    /// It was written while it was read.
    case changing
    /// Nothing is there, or the disk or its permissions refuse: an engine may be replacing it.
    case unreadable
    /// The path names another file than the one that was saved, or another program wrote it since: its app is
    /// told of that, and says anew how things stand.
    case replaced
  }

  /// The longest pause between two tries.
  public static let longest = Duration.seconds(30)
  private static let briefTries = 5

  private let isLasting: Bool
  private var tries = 0

  /// Lasting for an update, which stays true until the app has told another one; otherwise for a look that
  /// is made anew soon anyway.
  public init(isLasting: Bool) { self.isLasting = isLasting }

  /// How long to wait before the next try; nil when there is to be none.
  public mutating func pause(after obstacle: Obstacle) -> Duration? {
    tries += 1
    switch obstacle {
    case .replaced: guard tries < Self.briefTries else { return nil }
    case .changing: guard isLasting || tries < Self.briefTries else { return nil }
    case .unreadable: guard isLasting else { return nil }
    }
    return min(.milliseconds(25 << min(tries, 16)), Self.longest)
  }
}
