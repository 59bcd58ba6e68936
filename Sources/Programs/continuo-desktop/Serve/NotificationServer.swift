// SPDX-License-Identifier: MIT

import CDesktopGLib

/// The desktop's notification server: what is shown there, and what a person does with it. Main thread
/// only.
final class NotificationServer {
  private static let name = "org.freedesktop.Notifications"
  private static let path = "/org/freedesktop/Notifications"

  private let bus: SessionBus
  /// Tells the agent.
  private let say: ([String]) -> Void
  private var slots = NotificationSlots()
  private var capabilities: [String] = []
  private var isPresent: Bool?
  /// Counts the servers: an answer of a former one says nothing.
  private var generation = 0

  init(bus: SessionBus, say: @escaping ([String]) -> Void) {
    (self.bus, self.say) = (bus, say)
  }

  // MARK: The server

  /// The bus is there: looks for a server, and hears of each that comes and goes.
  func busConnected() {
    bus.listen(to: Self.name, interface: Self.name)
    bus.listen(to: "org.freedesktop.DBus", interface: "org.freedesktop.DBus", first: Self.name)
    look()
  }

  func busLost() { tell(isPresent: false) }

  /// Asked for what it can do, a server that the bus can start is started. Only then is there one.
  private func look() {
    generation += 1
    let asked = generation
    bus.call(
      SessionBus.Call(
        name: Self.name, path: Self.path, interface: Self.name, method: "GetCapabilities")
    ) { [weak self] reply, _ in
      guard let self, asked == self.generation else { return }
      guard let reply else { return self.tell(isPresent: false) }
      self.capabilities = BusValue.texts(in: reply)
      self.tell(isPresent: true)
    }
  }

  private func tell(isPresent: Bool) {
    guard self.isPresent != isPresent else { return }
    self.isPresent = isPresent
    slots.forgetAll()
    say(["server", isPresent ? "present" : "absent"] + (isPresent ? capabilities : []))
  }

  /// Takes in a signal of the bus.
  func handle(_ signal: SessionBus.Signal) {
    if signal.member == "NameOwnerChanged" {
      generation += 1
      tell(isPresent: false)
      let owner = BusValue.text(in: signal.arguments, at: 2) ?? ""
      return owner.isEmpty ? () : look()
    }
    guard signal.interface == Self.name, let id = BusValue.number(in: signal.arguments, at: 0) else { return }
    switch signal.member {
    case "ActivationToken":
      if let token = BusValue.text(in: signal.arguments, at: 1) { slots.keep(token, for: id) }
    case "ActionInvoked":
      guard let number = slots.number(of: id), let key = BusValue.text(in: signal.arguments, at: 1) else {
        return
      }
      say(["action", "\(number)", key])
    case "NotificationClosed":
      guard let number = slots.closed(id) else { return }
      let reason = BusValue.number(in: signal.arguments, at: 1) ?? 0
      let names: [UInt32: String] = [1: "expired", 2: "dismissed", 3: "closed"]
      say(["closed", "\(number)", names[reason] ?? "unknown"])
    default: break
    }
  }

  // MARK: Orders

  func show(_ number: UInt64, _ order: NotificationOrder) {
    guard isPresent == true else { return }
    guard let calls = slots.show(number, order) else {
      return say(["unshown", "\(number)", "More than \(NotificationSlots.limit) notifications are shown."])
    }
    send(calls)
  }

  func withdraw(_ number: UInt64) { send(slots.withdraw(number)) }

  func token(for number: UInt64) -> String? { slots.takeToken(of: number) }

  /// Takes away all that is shown: nobody would hear what is pressed.
  func closeAll() {
    send(slots.shown.map { .close($0) })
    bus.flush()
  }

  private func send(_ calls: [NotificationSlots.Call]) {
    for call in calls {
      switch call {
      case .close(let id):
        bus.call(
          SessionBus.Call(
            name: Self.name, path: Self.path, interface: Self.name, method: "CloseNotification",
            arguments: BusValue.tuple([BusValue.uint32(id)]), startsService: false)
        ) { _, _ in }
      case .notify(let number, let order, let replaces): notify(number, order, replaces)
      }
    }
  }

  private func notify(_ number: UInt64, _ order: NotificationOrder, _ replaces: UInt32) {
    let asked = generation
    bus.call(
      SessionBus.Call(
        name: Self.name, path: Self.path, interface: Self.name, method: "Notify",
        arguments: arguments(of: order, replaces))
    ) { [weak self] reply, failure in
      guard let self, asked == self.generation else { return }
      let id = BusValue.number(in: reply, at: 0)
      self.say(id == nil ? ["unshown", "\(number)", failure ?? ""] : ["shown", "\(number)"])
      self.send(self.slots.answered(number, id: id))
    }
  }

  private func arguments(of order: NotificationOrder, _ replaces: UInt32) -> OpaquePointer? {
    var body = order.body
    if !order.actions.isEmpty, !capabilities.contains("actions") {
      body += (body.isEmpty ? "" : "\n") + "To continue: continuo resume"
    }
    if capabilities.contains("body-markup"), let escaped = g_markup_escape_text(body, -1) {
      body = String(cString: escaped)
      g_free(escaped)
    }
    var hints = [("urgency", BusValue.byte(order.isSilent ? 0 : 1))]
    if !order.entry.isEmpty { hints.append(("desktop-entry", BusValue.string(order.entry))) }
    if order.isSilent { hints.append(("suppress-sound", BusValue.boolean(true))) }
    if let percent = order.percent { hints.append(("value", BusValue.int32(percent))) }
    let actions = capabilities.contains("actions") ? order.actions : []
    return BusValue.tuple([
      BusValue.string("Continuo"), BusValue.uint32(replaces), BusValue.string(""),
      BusValue.string(order.summary), BusValue.string(body), BusValue.strings(actions),
      BusValue.dictionary(hints), BusValue.int32(-1),
    ])
  }
}
