// SPDX-License-Identifier: MIT

/// What will happen, ordered by virtual time, then by the order in which it was asked for.
struct EventQueue {
  struct Event {
    var time: UInt64
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

  /// An event's place in time, and where it is kept: only this moves in the heap.
  private struct Entry {
    var time: UInt64
    var number: UInt64
    var slot: Int
  }

  private var heap: [Entry] = []
  private var slots: [Event?] = []
  private var free: [Int] = []
  private var count: UInt64 = 0

  var isEmpty: Bool { heap.isEmpty }

  mutating func add(_ event: Event) {
    count += 1
    let slot = free.popLast() ?? slots.count
    if slot == slots.count { slots.append(event) } else { slots[slot] = event }
    rise(Entry(time: event.time, number: count, slot: slot))
  }

  private mutating func rise(_ entry: Entry) {
    heap.append(entry)
    var index = heap.count - 1
    while index > 0 {
      let parent = (index - 1) / 2
      guard Self.precedes(entry, heap[parent]) else { break }
      heap[index] = heap[parent]
      index = parent
    }
    heap[index] = entry
  }

  /// The next event that is due until `end`.
  mutating func removeNext(until end: UInt64 = .max) -> Event? {
    guard let first = heap.first, first.time <= end, let last = heap.popLast() else { return nil }
    free.append(first.slot)
    // At once: each access to an array that is changed looks whether somebody else has it.
    heap.withUnsafeMutableBufferPointer { if !$0.isEmpty { Self.sink(last, in: $0) } }
    return slots[first.slot].take()
  }

  /// Puts an entry in the place of the first one, and in order.
  private static func sink(_ entry: Entry, in heap: UnsafeMutableBufferPointer<Entry>) {
    var index = 0
    while true {
      var child = 2 * index + 1
      guard child < heap.count else { break }
      if child + 1 < heap.count, precedes(heap[child + 1], heap[child]) { child += 1 }
      guard precedes(heap[child], entry) else { break }
      heap[index] = heap[child]
      index = child
    }
    heap[index] = entry
  }

  /// All sleepers are awake from `time` on, and what an engine held back comes within `engines`, in its
  /// order.
  mutating func release(at time: UInt64, engines: UInt64) {
    let entries = heap.sorted(by: Self.precedes)
    heap = []
    for var entry in entries {
      if slots[entry.slot]?.isDeferred == true {
        entry.time = min(entry.time, time)
        slots[entry.slot]?.time = entry.time
      }
      slots[entry.slot]?.isDeferred = false
      if slots[entry.slot]?.kind == .engine {
        entry.time = min(entry.time, time + engines)
        slots[entry.slot]?.time = entry.time
      }
      count += 1
      entry.number = count
      rise(entry)
    }
  }

  private static func precedes(_ left: Entry, _ right: Entry) -> Bool {
    left.time != right.time ? left.time < right.time : left.number < right.number
  }
}

/// Kinds of steps, for the trace.
enum StepKind: UInt8 {
  case command, message, timer, watch, hint, hash, engine, app, fault, presence, network
}
