// SPDX-License-Identifier: MIT

/// Whether the session's screen is known to be open: asked of the shells, which tell when it changes. Where
/// none of them says so it counts as locked.
final class ScreenLock {
  /// Whose lock, and where it answers.
  private struct Locker {
    let name: String
    let path: String
  }

  private static let lockers = [
    Locker(name: "org.gnome.ScreenSaver", path: "/org/gnome/ScreenSaver"),
    Locker(name: "org.freedesktop.ScreenSaver", path: "/org/freedesktop/ScreenSaver"),
  ]

  private let bus: SessionBus
  /// What each said last.
  private var isLocked: [String: Bool] = [:]
  private var signals: [BusSignals] = []

  init(_ bus: SessionBus) { self.bus = bus }

  /// Whether one of them says that the screen is open, and none that it is locked.
  var isOpen: Bool { !isLocked.isEmpty && !isLocked.values.contains(true) }

  /// Asks them, and listens from now on; `ready` is called when each has answered, or is not there.
  func watch(ready: @escaping () -> Void) {
    (isLocked, signals) = ([:], [])
    var awaited = Self.lockers.count
    for locker in Self.lockers {
      let heard = bus.signals(from: locker.name, interface: locker.name, member: "ActiveChanged") {
        [weak self] _, values in
        if case .flag(let isActive) = values[0] { self?.isLocked[locker.name] = isActive }
      }
      if let heard { signals.append(heard) }
      let gone = bus.signals(
        from: "org.freedesktop.DBus", interface: "org.freedesktop.DBus", member: "NameOwnerChanged",
        about: locker.name
      ) { [weak self] _, _ in
        self?.isLocked[locker.name] = nil
        self?.ask(locker)
      }
      if let gone { signals.append(gone) }
      ask(locker) {
        awaited -= 1
        if awaited == 0 { ready() }
      }
    }
  }

  /// Where none of them has said anything yet, they may by the next question.
  func askAgain() {
    if isLocked.isEmpty { for locker in Self.lockers { ask(locker) } }
  }

  private func ask(_ locker: Locker, then: @escaping () -> Void = {}) {
    let question = SessionBus.Call(
      destination: locker.name, path: locker.path, interface: locker.name, method: "GetActive",
      milliseconds: 1000)
    bus.call(question) { [weak self] result in
      if case .success(let answer) = result, case .flag(let isActive) = answer[0] {
        self?.isLocked[locker.name] = isActive
      }
      then()
    }
  }
}
