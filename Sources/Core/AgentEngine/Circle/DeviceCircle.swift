// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import ActivityWire
import Trust

/// This device's circle: who belongs to it, under which names, and what follows when one leaves. Loop thread
/// only.
final class DeviceCircle {
  private let ports: AgentPorts
  private let store: StateStore
  private let records: DeviceRecords
  private let exchange: ExchangeDriver
  /// Who may be believed has changed: records that were refused may count now.
  private let readEverythingAgain: () -> Void

  init(
    ports: AgentPorts, store: StateStore, records: DeviceRecords, exchange: ExchangeDriver,
    readEverythingAgain: @escaping () -> Void
  ) {
    self.ports = ports
    self.store = store
    self.records = records
    self.exchange = exchange
    self.readEverythingAgain = readEverythingAgain
  }

  // MARK: Names

  /// What people call the device.
  func name(of device: DeviceID) -> String { store.shownName(of: device) ?? "another device" }

  /// Gives this device another name; the circle learns it from the roster.
  func rename(_ name: String) throws(ContinuityError) -> AgentAnswer {
    func refused(_ sentence: String) -> ContinuityError {
      ContinuityError(.invalidRequest, subject: name, description: sentence)
    }
    guard name.contains(where: { !$0.isWhitespace }) else {
      throw refused("The name is empty: give another.")
    }
    if let removal { throw ContinuityError(.invalidRequest, subject: name, because: removal) }
    guard store.identity.isConfirmed else {
      throw refused("This device waits to be let into its circle: rename it when the answer has come.")
    }
    try rename(to: name)
    // Of two devices of one name, both are shown otherwise.
    readEverythingAgain()
    let shown = self.name(of: store.identity.id)
    let isAlone = store.identity.isAlone
    let others = isAlone ? "" : "; the others show it once their folders are in step"
    guard shown == store.identity.name else {
      return .done(
        "This device is called \(store.identity.name) now\(others). Another device is called so, too: this "
          + "one is shown as \(shown).")
    }
    return .done("This device is called \(shown) now\(others).")
  }

  /// The same, whatever the circle is; nothing when the device is called so.
  func rename(to name: String) throws(ContinuityError) {
    guard name != store.identity.name else { return }
    try store.changeIdentity { (identity) throws(ContinuityError) in
      try identity.rename(to: name, at: ports.wall)
    }
    if store.identity.circle.roster.devices.count > 1 { publishRoster() }
  }

  // MARK: Who belongs to it

  /// Tells the roster to whom it concerns; again after a while where it could not be written.
  func publishRoster() {
    do throws(ContinuityError) {
      try records.publisher.publishRoster()
    } catch {
      ports.log("the roster could not be written: code \(error.code)")
      ports.scheduler.schedule(at: ports.now + .seconds(30)) { [weak self] in self?.publishRoster() }
    }
  }

  /// Takes a device out of the circle for good: by its name, or by the beginning of its ID.
  func revoke(_ named: String) throws(ContinuityError) -> AgentAnswer {
    let device = try member(named)
    let before = store.identity
    let stay = before.devicesLetIn(by: device.id).filter { $0.id != before.id }.map(\.name)
    let lastGood = RecordKind.allCases.compactMap {
      store.state.highWater[AgentState.HighWaterKey(device: device.id, kind: UInt64($0.rawValue))]?.sequence
    }.max()
    let news = try store.changeIdentity { (identity) throws(ContinuityError) in
      var generator = ports.random
      return try identity.revoke(
        device.id, lastGoodSequence: lastGood ?? 0, at: ports.wall, using: &generator)
    }
    if let ended = news.endedPairing { records.publisher.retract(ended.name) }
    records.publisher.leaveEpoch(of: before)
    changed(news)
    guard device.id != before.id else {
      return .done("This device has left the circle: it offers nothing, and is offered nothing, any more.")
    }
    var sentence =
      "\(device.name) is removed. It can no longer read new activity, and nothing it says is believed; what "
      + "it already received stays there."
    if !stay.isEmpty {
      sentence += " It had let in \(stay.joined(separator: ", ")), which stays: "
      sentence += "revoke that too, unless you let it in."
    }
    if news.endedPairing != nil { sentence += " The open invitation is closed with it." }
    return .done(sentence)
  }

  /// Acts on what the circle has become, and tells the others.
  func changed(_ news: RosterNews) {
    for device in news.joined { ports.log("device \(device.id) joined the circle") }
    for device in news.left { ports.log("device \(device.id) belongs to the circle no more") }
    if !news.left.isEmpty { exchange.feed(.left(Set(news.left.map(\.id)))) }
    if store.identity.isRemoved {
      ports.log("this device was removed from the circle: it publishes nothing any more")
      exchange.feed(.left(Set(store.identity.otherDevices.map(\.id))))
    }
    publishRoster()
    readEverythingAgain()
    if news.hasNewKey { exchange.feed(.audienceChanged) }
  }

  /// The devices of the circle, this one first, and those that were removed.
  var devices: [CircleDevice] {
    let identity = store.identity
    var devices = [
      CircleDevice(name: identity.name, shownID: identity.keys.publicKeys.fingerprint, isThisDevice: true)
    ]
    devices += identity.otherDevices.map {
      CircleDevice(name: $0.name, shownID: $0.keys.fingerprint, isThisDevice: false)
    }
    for removed in identity.circle.roster.removedDevices {
      let removal = CircleDevice.Removal(at: removed.at, remover: removed.remover.name)
      if removed.device.id == identity.id {
        devices[0].removal = removal
      } else {
        devices.append(
          CircleDevice(
            name: removed.device.name, shownID: removed.device.keys.fingerprint, isThisDevice: false,
            removal: removal))
      }
    }
    return devices
  }

  /// What a person should know on a device that was removed; nil on any other.
  var removal: Reason? {
    guard store.identity.isRemoved else { return nil }
    let removed = store.identity.circle.roster.removedDevices.first { $0.device.id == store.identity.id }
    return .removed(by: removed.flatMap { $0.remover.id == store.identity.id ? nil : $0.remover.name })
  }

  private func member(_ named: String) throws(ContinuityError) -> RosterDevice {
    func refused(_ sentence: String) -> ContinuityError {
      ContinuityError(.invalidRequest, subject: named, description: sentence)
    }
    let roster = store.identity.circle.roster
    guard store.identity.isConfirmed else {
      throw refused("This device belongs to no circle from which it could remove one.")
    }
    guard roster.devices.count > 1 else { throw refused("This device is the only one of its circle.") }
    var found = roster.devices.filter { $0.name == named || store.shownName(of: $0.id) == named }
    if found.isEmpty { found = roster.devices.filter { Self.id($0.keys.fingerprint, begins: named) } }
    if found.count == 1 { return found[0] }
    guard found.isEmpty else {
      throw refused(
        "\(found.count) devices are called \(named): give the beginning of an ID of `continuo devices`."
      )
    }
    let isGone = roster.removedDevices.contains {
      $0.device.name == named || Self.id($0.device.keys.fingerprint, begins: named)
    }
    throw refused(
      isGone
        ? "\(named) was removed already: `continuo devices` tells when."
        : "No device is called \(named); there are \(roster.devices.map(\.name).joined(separator: ", ")).")
  }

  private static func id(_ shown: String, begins typed: String) -> Bool {
    func plain(_ text: String) -> String { text.uppercased().filter { $0 != "-" } }
    return typed.count >= 4 && plain(shown).hasPrefix(plain(typed))
  }

  /// This device becomes a new one, in a circle of its own. Another computer that uses the former identity
  /// may go on with it: it hears so in the last record under that.
  func reset() throws(ContinuityError) -> AgentAnswer {
    let before = store.identity
    do throws(ContinuityError) {
      try records.publisher.sayLastWord(TwinWatch.leaving)
    } catch {
      ports.log("the last record of the former identity could not be written: code \(error.code)")
    }
    if let pairing = before.pairing { records.publisher.retract(pairing.file.name) }
    try store.changeIdentity { (identity) throws(ContinuityError) in
      var generator = ports.random
      identity = try Identity.found(
        name: before.name, at: ports.wall, using: &generator, ciphers: ports.ciphers)
    }
    // What it had heard is sealed for the former circle.
    try store.change {
      $0.highWater = [:]
      $0.copied = nil
    }
    records.beginAnew()
    ports.log("this device has a new identity, \(store.identity.id)")
    exchange.feed(.left(Set(before.otherDevices.map(\.id))))
    readEverythingAgain()
    exchange.feed(.audienceChanged)
    return .done(
      "\(before.name) is a new device now (\(store.identity.keys.publicKeys.fingerprint)); its folders and "
        + "documents are as they were. Pair it: `continuo pair` on another device, then `continuo join` here."
    )
  }
}
