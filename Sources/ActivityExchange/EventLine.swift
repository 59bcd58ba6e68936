// SPDX-License-Identifier: MIT

/// Events that are taken one after the other: one that comes up while another is performed waits until that
/// is done, and is taken in its order. Not thread-safe.
package final class EventLine<Event> {
  private var waiting: [Event] = []
  private var isFeeding = false

  /// A line in which no event waits.
  package init() {}

  /// Whether no event waits.
  package var isEmpty: Bool { waiting.isEmpty }

  /// Has `take` called with the event, and then with those that came up meanwhile: at once, unless one is
  /// being taken now.
  package func feed(_ event: Event, _ take: (Event) -> Void) { feed([event], take) }

  /// The same for several, between which no other comes.
  package func feed(_ events: [Event], _ take: (Event) -> Void) {
    waiting += events
    guard !isFeeding else { return }
    isFeeding = true
    defer { isFeeding = false }
    while !waiting.isEmpty { take(waiting.removeFirst()) }
  }
}
