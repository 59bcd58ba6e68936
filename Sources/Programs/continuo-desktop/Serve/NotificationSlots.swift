// SPDX-License-Identifier: MIT

/// Which notification of the agent is which one of the server, and what is still to be sent. Calls for one
/// number are in order: what is to be shown while an answer is awaited follows it. Pure.
struct NotificationSlots {
  /// What is to be sent to the server.
  enum Call: Equatable {
    /// Show this; in place of the one with that ID, which is 0 for none.
    case notify(UInt64, NotificationOrder, replaces: UInt32)
    /// Take it away.
    case close(UInt32)
  }

  private struct Slot {
    /// The server's ID; nil until it has told it.
    var id: UInt32?
    /// Whether the answer to a `notify` is awaited.
    var isCalling = false
    /// What follows it.
    var waiting: NotificationOrder?
    /// Whether it is to be taken away once it is there.
    var isWithdrawn = false
    /// Lets the app that is started for it take the focus.
    var token: String?
  }

  /// So many may be shown at once.
  static let limit = 64

  private var slots: [UInt64: Slot] = [:]

  /// Nil when too many are shown.
  mutating func show(_ number: UInt64, _ order: NotificationOrder) -> [Call]? {
    guard slots[number] != nil || slots.count < Self.limit else { return nil }
    var slot = slots[number] ?? Slot()
    slot.isWithdrawn = false
    defer { slots[number] = slot }
    guard !slot.isCalling else {
      slot.waiting = order
      return []
    }
    slot.isCalling = true
    return [.notify(number, order, replaces: slot.id ?? 0)]
  }

  mutating func withdraw(_ number: UInt64) -> [Call] {
    guard var slot = slots[number] else { return [] }
    guard !slot.isCalling else {
      (slot.isWithdrawn, slot.waiting) = (true, nil)
      slots[number] = slot
      return []
    }
    // Its token may still be asked for.
    slots[number] = slot.token == nil ? nil : Slot(token: slot.token)
    return slot.id.map { [.close($0)] } ?? []
  }

  /// The server has shown it under that ID; nil when it has not.
  mutating func answered(_ number: UInt64, id: UInt32?) -> [Call] {
    guard var slot = slots[number] else { return id.map { [.close($0)] } ?? [] }
    (slot.isCalling, slot.id) = (false, id)
    if slot.isWithdrawn || id == nil && slot.waiting == nil {
      slots[number] = nil
      return id.map { [.close($0)] } ?? []
    }
    guard let waiting = slot.waiting else {
      slots[number] = slot
      return []
    }
    (slot.waiting, slot.isCalling) = (nil, true)
    slots[number] = slot
    return [.notify(number, waiting, replaces: id ?? 0)]
  }

  /// The server has closed the one with that ID: its number.
  mutating func closed(_ id: UInt32) -> UInt64? {
    guard let number = number(of: id) else { return nil }
    slots[number]?.id = nil
    if slots[number]?.isCalling == false, slots[number]?.token == nil { slots[number] = nil }
    return number
  }

  /// The number of the one with that ID.
  func number(of id: UInt32) -> UInt64? { slots.first { $0.value.id == id }?.key }

  /// The server has given this token for the one with that ID.
  mutating func keep(_ token: String, for id: UInt32) {
    if let number = number(of: id) { slots[number]?.token = token }
  }

  /// The token for that number, which counts once.
  mutating func takeToken(of number: UInt64) -> String? {
    guard let token = slots[number]?.token else { return nil }
    slots[number]?.token = nil
    if slots[number]?.id == nil, slots[number]?.isCalling == false { slots[number] = nil }
    return token
  }

  /// The server is gone with all that it showed.
  mutating func forgetAll() { slots = [:] }

  /// The IDs of all that are shown.
  var shown: [UInt32] { slots.values.compactMap(\.id).sorted() }
}

/// One notification, as the agent orders it. The texts are plain.
struct NotificationOrder: Equatable {
  var summary: String
  var body: String
  var entry: String
  var isSilent: Bool
  var percent: Int32?
  var actions: [String]

  /// From the fields behind the number; nil when they are cut.
  init?(_ fields: ArraySlice<String>) {
    let fields = Array(fields)
    guard fields.count >= 6, let count = Int(fields[5]), (0...16).contains(count),
      fields.count == 6 + 2 * count
    else { return nil }
    (summary, body, entry, isSilent) = (fields[0], fields[1], fields[2], fields[3] == "1")
    percent = Int32(fields[4])
    actions = Array(fields[6...])
  }
}
