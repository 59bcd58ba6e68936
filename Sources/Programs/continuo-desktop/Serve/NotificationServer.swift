// SPDX-License-Identifier: MIT

/// Who shows notifications on the bus: looked for, started if the bus can, followed when another takes over.
final class NotificationServer {
  static let name = "org.freedesktop.Notifications"
  static let path = "/org/freedesktop/Notifications"

  /// Set before `look`. Whether there is one, and what it can; every server is told anew.
  var onChange: () -> Void = {}
  var onSignal: (String, BusValue) -> Void = { _, _ in }

  private(set) var isPresent = false
  private(set) var capabilities: [String] = []
  /// The bus's name of this very server, so that nothing meant for it reaches its successor.
  private(set) var owner: String?

  private let bus: SessionBus
  /// What was said last.
  private var told: Bool?
  private var owners: BusSignals?
  private var signals: BusSignals?
  private var patience: LoopTimer?

  init(_ bus: SessionBus) { self.bus = bus }

  /// The agent hears within this time, even when nobody answers.
  func promiseAnswer(milliseconds: UInt32) {
    patience = LoopTimer(milliseconds: milliseconds) { [weak self] in
      if let self, self.told == nil { self.report(isPresent: false) }
    }
  }

  /// The bus is there.
  func look() {
    owners = bus.signals(
      from: "org.freedesktop.DBus", interface: "org.freedesktop.DBus", member: "NameOwnerChanged",
      about: Self.name
    ) { [weak self] _, values in self?.settle(values[2].text ?? "") }
    bus.call(.bus("GetNameOwner", [.text(Self.name)])) { [weak self] in
      if let owner = try? $0.get()[0].text { self?.settle(owner) } else { self?.startOne() }
    }
  }

  /// The bus is gone.
  func lose() {
    owners = nil
    settle("")
  }

  private func startOne() {
    guard owner == nil else { return }
    bus.call(.bus("ListActivatableNames")) { [weak self] in
      guard let self, self.owner == nil else { return }
      guard let names = try? $0.get()[0].texts, names.contains(Self.name) else {
        return self.report(isPresent: false)
      }
      // Its new owner is told by the bus.
      self.bus.call(.bus("StartServiceByName", [.text(Self.name), .number(0)])) { [weak self] in
        if case .failure = $0, self?.owner == nil { self?.report(isPresent: false) }
      }
    }
  }

  private func settle(_ newOwner: String) {
    guard newOwner != owner ?? "" else { return }
    signals = nil
    guard !newOwner.isEmpty else {
      owner = nil
      return report(isPresent: false)
    }
    owner = newOwner
    isPresent = false
    signals = bus.signals(from: newOwner, interface: Self.name) { [weak self] in self?.onSignal($0, $1) }
    bus.call(call("GetCapabilities")) { [weak self] in
      guard let self, self.owner == newOwner else { return }
      self.report(isPresent: true, (try? $0.get()[0].texts) ?? [])
    }
  }

  private func report(isPresent: Bool, _ capabilities: [String] = []) {
    guard isPresent || told != false else { return }
    told = isPresent
    patience = nil
    self.isPresent = isPresent
    self.capabilities = capabilities
    onChange()
  }

  /// Of the server that is there now.
  func call(_ method: String, _ arguments: [BusValue] = []) -> SessionBus.Call {
    SessionBus.Call(
      destination: owner ?? Self.name, path: Self.path, interface: Self.name, method: method,
      arguments: arguments)
  }
}
