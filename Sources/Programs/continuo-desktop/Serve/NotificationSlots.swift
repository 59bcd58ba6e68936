// SPDX-License-Identifier: MIT

/// Which of the agent's notifications stands under which of the server's IDs, and what has to wait.
///
/// The server is told one thing at a time for each, so that a later text replaces the earlier one.
struct NotificationSlots<Content> {
  /// What is to be sent now.
  enum Step {
    /// `ticket` belongs into `answered`.
    case notify(number: Int, ticket: Int, replaces: UInt32, Content)
    case close(UInt32)
  }

  /// What an answer of the server means.
  struct Answer {
    /// Whether the agent is to hear of it.
    var isNews: Bool
    var step: Step?
  }

  private struct Slot {
    /// The server's; 0 while there is none.
    var id: UInt32 = 0
    /// Of the call that was not answered yet.
    var ticket: Int?
    var waiting: Content?
    var isWithdrawn = false
  }

  static var limit: Int { 64 }

  private var slots: [Int: Slot] = [:]
  private var lastTicket = 0

  var isEmpty: Bool { slots.isEmpty }

  func holds(_ number: Int) -> Bool { slots[number] != nil }

  /// Whether there is room for it.
  func takes(_ number: Int) -> Bool { slots[number] != nil || slots.count < Self.limit }

  /// Nil when it waits for an answer. There must be room.
  mutating func show(_ number: Int, _ content: Content) -> Step? {
    var slot = slots[number] ?? Slot()
    defer { slots[number] = slot }
    slot.isWithdrawn = false
    guard slot.ticket == nil else {
      slot.waiting = content
      return nil
    }
    return notify(number, &slot, content)
  }

  private mutating func notify(_ number: Int, _ slot: inout Slot, _ content: Content) -> Step {
    lastTicket += 1
    slot.ticket = lastTicket
    return .notify(number: number, ticket: lastTicket, replaces: slot.id, content)
  }

  mutating func withdraw(_ number: Int) -> Step? {
    guard var slot = slots[number] else { return nil }
    guard slot.ticket != nil else {
      slots[number] = nil
      return .close(slot.id)
    }
    slot.isWithdrawn = true
    slot.waiting = nil
    slots[number] = slot
    return nil
  }

  mutating func withdrawAll() -> [Step] {
    slots.keys.sorted().compactMap { withdraw($0) }
  }

  /// The server's ID, or nil for an error. An answer of a server that is gone is no news while that number
  /// was shown anew.
  mutating func answered(_ number: Int, ticket: Int, id: UInt32?) -> Answer {
    guard var slot = slots[number] else { return Answer(isNews: false) }
    guard slot.ticket == ticket else { return Answer(isNews: false) }
    slot.ticket = nil
    if let id { slot.id = id }
    if slot.isWithdrawn {
      slots[number] = nil
      return Answer(isNews: false, step: slot.id == 0 ? nil : .close(slot.id))
    }
    guard let waiting = slot.waiting else {
      slots[number] = slot.id == 0 ? nil : slot
      return Answer(isNews: true)
    }
    slot.waiting = nil
    let step = notify(number, &slot, waiting)
    slots[number] = slot
    return Answer(isNews: true, step: step)
  }

  /// The agent's number of what the server closed, when nothing new is on its way there.
  mutating func closed(_ id: UInt32) -> Int? {
    guard let number = number(of: id) else { return nil }
    guard slots[number]?.ticket == nil else {
      slots[number]?.id = 0
      return nil
    }
    slots[number] = nil
    return number
  }

  func number(of id: UInt32) -> Int? {
    id == 0 ? nil : slots.first { $0.value.id == id }?.key
  }

  /// The server is gone, and everything with it.
  mutating func forget() { slots = [:] }
}
