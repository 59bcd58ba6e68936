// SPDX-License-Identifier: MIT

import ActivityModel

/// Where the person is in the documents of this app, for devices that show it, and which of those are there
/// as well (semantics 34h).
struct DocumentPresences: Hashable, Sendable {
  /// The line of each cursor, from 0.
  private var lines: [ActivityID: UInt32] = [:]
  /// Which other devices have documents open, as the agent said last.
  private(set) var others: [ActivityID: [DocumentPresence]] = [:]
  /// Whether this agent knows the lines: it has said by then what it takes.
  private var isTold = false

  /// The cursor is in another line, or said to be in the same one.
  mutating func move(_ activity: ActivityID, to line: UInt32) -> [SessionMachine.Action] {
    guard lines.updateValue(line, forKey: activity) != line, isTold else { return [] }
    return [.send(.cursorMoved(activity, line: line))]
  }

  /// The agent has said what it takes, and which folders are synced; again whenever that changes.
  mutating func connect() -> [SessionMachine.Action] {
    guard !isTold else { return [] }
    isTold = true
    return lines.sorted { $0.key < $1.key }.map { .send(.cursorMoved($0.key, line: $0.value)) }
  }

  /// Nobody tells who is there any more.
  mutating func disconnect() -> [SessionMachine.Action] {
    isTold = false
    defer { others = [:] }
    return others.keys.sorted().map { .presence($0, []) }
  }

  /// Nothing is kept of an activity that ended.
  mutating func invalidate(_ activity: ActivityID) -> [SessionMachine.Action] {
    lines[activity] = nil
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
