// SPDX-License-Identifier: MIT

/// Events for one machine, taken one after the other: one that comes up while another is performed waits
/// until that is done, and is taken in its order. Loop thread only.
final class EventLine<Event> {
  private var waiting: [Event] = []
  private var isFeeding = false

  /// Whether no event waits.
  var isEmpty: Bool { waiting.isEmpty }

  /// Has `take` called with the event, and then with those that came up meanwhile: at once, unless one is
  /// being taken now.
  func feed(_ event: Event, _ take: (Event) -> Void) {
    waiting.append(event)
    guard !isFeeding else { return }
    isFeeding = true
    defer { isFeeding = false }
    while !waiting.isEmpty { take(waiting.removeFirst()) }
  }
}
