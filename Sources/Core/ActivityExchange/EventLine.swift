// SPDX-License-Identifier: MIT

/// Events that are taken one after the other: one that comes up while another is performed waits until that
/// is done, and is taken in its order. Not thread-safe.
///
/// Each event of the agent goes through one of these, so they are specialized where they are used.
public final class EventLine<Event> {
  @usableFromInline var waiting: [Event] = []
  @usableFromInline var isFeeding = false

  /// A line in which no event waits.
  @inlinable public init() {}

  /// Whether no event waits.
  @inlinable public var isEmpty: Bool { waiting.isEmpty }

  /// Has `take` called with the event, and then with those that came up meanwhile: at once, unless one is
  /// being taken now.
  @inlinable public func feed(_ event: Event, to take: (Event) -> Void) {
    guard !isFeeding else { return waiting.append(event) }
    isFeeding = true
    defer { isFeeding = false }
    take(event)
    takeWaiting(take)
  }

  /// The same for several, between which no other comes.
  @inlinable public func feed(_ events: [Event], to take: (Event) -> Void) {
    waiting += events
    guard !isFeeding else { return }
    isFeeding = true
    defer { isFeeding = false }
    takeWaiting(take)
  }

  @inlinable func takeWaiting(_ take: (Event) -> Void) {
    while !waiting.isEmpty { take(waiting.removeFirst()) }
  }
}
