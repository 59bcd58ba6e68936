// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import ActivityWire
import Trust

extension AgentCore {
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
    if let ended = news.endedPairing { records.retract(ended.name) }
    records.leaveEpoch(of: before)
    circleChanged(news)
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
  func circleChanged(_ news: RosterNews) {
    for device in news.joined { ports.log("device \(device.id) joined the circle") }
    for device in news.left { ports.log("device \(device.id) belongs to the circle no more") }
    if !news.left.isEmpty { feed(.left(Set(news.left.map(\.id)))) }
    if store.identity.isRemoved {
      ports.log("this device was removed from the circle: it publishes nothing any more")
      feed(.left(Set(store.identity.otherDevices.map(\.id))))
    }
    publishRoster()
    readEverythingAgain()
    if news.hasNewKey { feed(.audienceChanged) }
  }

  /// The devices of the circle, this one first, and those that were removed.
  func circleDevices() -> [CircleDevice] {
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
      ContinuityError(.invalidRequest, subject: named, sentence)
    }
    let roster = store.identity.circle.roster
    guard store.identity.isConfirmed else {
      throw refused("This device belongs to no circle from which it could remove one.")
    }
    guard roster.devices.count > 1 else { throw refused("This device is the only one of its circle.") }
    var found = roster.devices.filter { $0.name == named || store.identity.shownName(of: $0.id) == named }
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
}
