// SPDX-License-Identifier: MIT

import ActivityModel

/// Where the person is in the documents of this app, for devices that show it, and which of those are there
/// as well (semantics 34h).
struct DocumentPresences: Hashable, Sendable {
  /// The line of each cursor, from 0.
  private var lines: [ActivityID: UInt32] = [:]
  /// Which other devices have documents open, as the agent said last.
  private(set) var others: [ActivityID: [DocumentPresence]] = [:]
  /// Whether the agent has said what it takes.
  private var isHeard = false
  /// Whose lines the agent does not know, and before when it is told nothing more.
  private var unsaid: Set<ActivityID> = []
  private var mayTell: Instant?

  /// Between two messages with lines: keys may be faster than what a socket holds.
  private static let pause = Duration.milliseconds(50)

  /// When lines may be said that are not said yet.
  var nextDeadline: Instant? { isHeard && !unsaid.isEmpty ? mayTell : nil }

  /// The cursor is in another line, or said to be in the same one.
  mutating func move(_ activity: ActivityID, to line: UInt32, at now: Instant) -> [SessionMachine.Action] {
    guard lines.updateValue(line, forKey: activity) != line else { return [] }
    unsaid.insert(activity)
    return tell(at: now)
  }

  /// The agent has said what it takes, and which folders are synced; again whenever that changes.
  mutating func connect(at now: Instant) -> [SessionMachine.Action] {
    guard !isHeard else { return [] }
    (isHeard, unsaid, mayTell) = (true, Set(lines.keys), nil)
    return tell(at: now)
  }

  /// Says the newest line of each, unless something was said a moment ago.
  mutating func tell(at now: Instant) -> [SessionMachine.Action] {
    guard isHeard, !unsaid.isEmpty, mayTell.map({ $0 <= now }) ?? true else { return [] }
    defer { unsaid = [] }
    mayTell = now + Self.pause
    return unsaid.sorted().compactMap { activity in
      lines[activity].map { .send(.cursorMoved(activity, line: $0)) }
    }
  }

  /// Nobody tells who is there any more.
  mutating func disconnect() -> [SessionMachine.Action] {
    isHeard = false
    defer { others = [:] }
    return others.keys.sorted().map { .presence($0, []) }
  }

  /// Nothing is kept of an activity that ended.
  mutating func invalidate(_ activity: ActivityID) -> [SessionMachine.Action] {
    lines[activity] = nil
    unsaid.remove(activity)
    return receive(activity, [])
  }

  /// What the agent says, as long as it says something new.
  mutating func receive(
    _ activity: ActivityID, _ present: [DocumentPresence]
  ) -> [SessionMachine.Action] {
    guard others[activity] ?? [] != present else { return [] }
    others[activity] = present.isEmpty ? nil : present
    return [.presence(activity, present)]
  }
}
