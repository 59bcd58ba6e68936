// SPDX-License-Identifier: MIT

/// What will happen, ordered by virtual time, then by the order in which it was asked for.
struct EventQueue {
  struct Event {
    var time: UInt64
    var number: UInt64
    /// Where everything random in this event, and in what follows from it, comes from.
    var seed: UInt64
    /// Whose: it waits while this device is suspended, and is void once the device was switched off.
    var device: Int
    var life: UInt32
    /// It waits for the end of a sleep.
    var isDeferred = false
    var kind: StepKind
    var perform: () throws -> Void
  }

  private var heap: [Event] = []
  private var count: UInt64 = 0

  var isEmpty: Bool { heap.isEmpty }
  var next: UInt64? { heap.first?.time }

  mutating func add(_ event: Event) {
    var event = event
    count += 1
    event.number = count
    heap.append(event)
    var index = heap.count - 1
    while index > 0 {
      let parent = (index - 1) / 2
      guard Self.precedes(heap[index], heap[parent]) else { break }
      heap.swapAt(index, parent)
      index = parent
    }
  }

  mutating func take() -> Event? {
    guard let first = heap.first, let last = heap.popLast() else { return nil }
    guard !heap.isEmpty else { return first }
    heap[0] = last
    var index = 0
    while true {
      var least = index
      for child in [2 * index + 1, 2 * index + 2]
      where child < heap.count && Self.precedes(heap[child], heap[least]) { least = child }
      guard least != index else { return first }
      heap.swapAt(index, least)
      index = least
    }
  }

  /// All sleepers are awake from `time` on.
  mutating func release(at time: UInt64) {
    let events = heap.sorted(by: Self.precedes)
    heap = []
    for var event in events {
      if event.isDeferred { event.time = min(event.time, time) }
      event.isDeferred = false
      add(event)
    }
  }

  private static func precedes(_ left: Event, _ right: Event) -> Bool {
    left.time != right.time ? left.time < right.time : left.number < right.number
  }
}

/// Kinds of steps, for the trace.
enum StepKind: UInt8 {
  case command, message, timer, watch, hint, hash, engine, app, fault, presence
}
