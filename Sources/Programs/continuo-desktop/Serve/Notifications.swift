// SPDX-License-Identifier: MIT

import ActivityModel

/// Shows the agent's notifications, and tells what becomes of them.
final class Notifications {
  /// Goes to the agent.
  var onEvent: ([String]) -> Void = { _ in }
  /// Nothing stands any more, and nothing is awaited; after `withdrawAll`.
  var onEmpty: () -> Void = {}

  private let bus: SessionBus
  private let server: NotificationServer
  /// What is said where the server shows no buttons.
  private let withoutButtons: String
  private var slots = NotificationSlots<ShownNotification>()
  private var tokens = ActivationTokens()
  private var isEnding = false
  /// Calls of `CloseNotification` without an answer.
  private var closing = 0

  private static let nobody =
    "Nothing shows notifications in this session; start a program that does, such as that of your desktop,"
    + " mako or dunst."
  private static let tooMany =
    "\(NotificationSlots<ShownNotification>.limit) notifications of Continuo are shown already; close some."

  init(_ bus: SessionBus, _ server: NotificationServer, in language: ReasonLanguage) {
    withoutButtons = language.withoutButtons
    self.bus = bus
    self.server = server
    server.onChange = { [weak self] in self?.serverChanged() }
    server.onSignal = { [weak self] in self?.heard($0, $1) }
  }

  // MARK: What the agent orders

  func show(_ number: Int, _ text: ShownNotification) {
    guard server.isPresent else { return onEvent(["unshown", "\(number)", Self.nobody]) }
    guard slots.takes(number) else { return onEvent(["unshown", "\(number)", Self.tooMany]) }
    act(slots.show(number, text))
  }

  func withdraw(_ number: Int) { act(slots.withdraw(number)) }

  /// Takes everything back, and says when it is done.
  func withdrawAll() {
    isEnding = true
    for step in slots.withdrawAll() { act(step) }
    reportEmpty()
  }

  /// What the desktop wants to see from an app that is started by an action of that notification.
  ///
  /// Good for one start.
  func takeToken(_ number: Int?) -> String? { number.flatMap { tokens.remove($0) } }

  // MARK: What is sent

  private func act(_ step: NotificationSlots<ShownNotification>.Step?) {
    switch step {
    case .notify(let number, let ticket, let id, let text):
      let arguments = text.arguments(
        replacing: id, for: server.capabilities, instead: withoutButtons)
      bus.call(server.call("Notify", arguments)) { [weak self] in self?.answered(number, ticket, $0) }
    case .close(let id):
      closing += 1
      bus.call(server.call("CloseNotification", [.number(id)])) { [weak self] _ in
        self?.closing -= 1
        self?.reportEmpty()
      }
    case nil: break
    }
  }

  private func answered(_ number: Int, _ ticket: Int, _ result: Result<BusValue, SessionBus.Fault>) {
    let id = (try? result.get())?[0].number
    let answer = slots.answered(number, ticket: ticket, id: id)
    if answer.isNews {
      if case .failure(let fault) = result {
        onEvent(["unshown", "\(number)", "The notification was not shown: \(fault.reason)."])
      } else {
        onEvent(["shown", "\(number)"])
      }
    }
    act(answer.step)
    reportEmpty()
  }

  private func reportEmpty() {
    if isEnding, slots.isEmpty, closing == 0 { onEmpty() }
  }

  // MARK: What the server says

  private func serverChanged() {
    slots.forget()
    onEvent(["server", server.isPresent ? "present" : "absent"] + server.capabilities)
    reportEmpty()
  }

  private func heard(_ signal: String, _ values: BusValue) {
    guard let id = values[0].number else { return }
    switch signal {
    case "ActivationToken":
      if let number = slots.number(of: id), let token = values[1].text { tokens.record(token, for: number) }
    case "ActionInvoked":
      if let number = slots.number(of: id), let key = values[1].text {
        tokens.press(number)
        onEvent(["action", "\(number)", key])
      }
    case "NotificationClosed":
      let reasons: [UInt32: String] = [1: "expired", 2: "dismissed", 3: "closed"]
      let reason = values[1].number.flatMap { reasons[$0] } ?? "unknown"
      // A server may still list it, and let a person press it there.
      guard let number = reason == "expired" ? slots.number(of: id) : slots.closed(id) else { return }
      onEvent(["closed", "\(number)", reason])
    default: break
    }
  }
}

/// The newest activation tokens, each for the notification that it came with. They outlive it: what is
/// pressed is taken away by the server and by the agent, before the agent starts an app for it.
struct ActivationTokens {
  private static let limit = 64
  private var tokens: [(number: Int, token: String, isPressed: Bool)] = []

  mutating func record(_ token: String, for number: Int) {
    forget(number)
    tokens.append((number, token, false))
    if tokens.count > Self.limit { tokens.removeFirst() }
  }

  /// A token comes before the press that it is for: one that was pressed for already is none for this one.
  mutating func press(_ number: Int) {
    guard let place = tokens.firstIndex(where: { $0.number == number }) else { return }
    if tokens[place].isPressed { tokens.remove(at: place) } else { tokens[place].isPressed = true }
  }

  private mutating func forget(_ number: Int) { tokens.removeAll { $0.number == number } }

  mutating func remove(_ number: Int) -> String? {
    defer { forget(number) }
    return tokens.last { $0.number == number }?.token
  }
}
