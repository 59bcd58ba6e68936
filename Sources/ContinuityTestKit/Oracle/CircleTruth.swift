// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel

/// Who was removed, stolen and let in, as the oracle saw it happen.
struct CircleTruth {
  /// By device: the last good number of each device whose removal it has learnt.
  private var learned: [Int: [DeviceID: UInt64]] = [:]
  /// Whom thieves let in, and by which stolen device.
  private(set) var accomplices: [DeviceID: DeviceID] = [:]

  mutating func stolen(_ device: DeviceID, _ accomplice: DeviceID) { accomplices[accomplice] = device }

  /// Only devices of the circle sign removals in these worlds.
  mutating func learned(_ device: Device, _ statements: [CircleMembership.Statement]) {
    for case .removed(let subject, _, let removal) in statements {
      let before = learned[device.number]?[subject] ?? .max
      learned[device.number, default: [:]][subject] = min(before, removal.lastGoodSequence)
    }
  }

  /// S3: nothing that a device signed after its last good record is believed where its removal is known.
  func refuses(_ device: Device, _ sender: DeviceID, _ sequence: UInt64) -> Bool {
    learned[device.number]?[sender].map { sequence > $0 } ?? false
  }

  /// S3: no offer of a device stands where its removal is known.
  func isRemoved(_ device: Device, _ other: DeviceID) -> Bool { learned[device.number]?[other] != nil }
}

extension World {
  /// The devices let each other in, one after the other.
  func foundCircle() {
    guard history.faults.contains(.revocation) else { return }
    var random = Randomness(seed: history.seed ^ 0xc1c1)
    var circle = CircleMembership(founder: devices[0].id)
    for device in devices.dropFirst() {
      circle.insert([.added(device.id, by: devices[random.below(device.number)].id)])
    }
    for device in devices { device.store.circle = circle }
  }

  /// The devices that nobody stole, and that belong for all of these: all of them in histories in which
  /// nobody leaves.
  var faithful: [Device] {
    guard history.faults.contains(.revocation) else { return devices }
    let honest = devices.filter { !$0.isStolen }
    return honest.filter { device in
      device.store.circle?.members.contains(device.id) != false
        && honest.allSatisfy { $0.store.circle?.removed.contains(device.id) != true }
    }
  }

  func isFaithful(_ device: Device) -> Bool { faithful.contains { $0 === device } }

  /// After healing all who belong agree on who does: nobody of these was removed, or let in by a thief whom
  /// somebody removed without knowing the accomplice.
  func checkCircle() {
    let devices = faithful
    guard let members = devices.first?.store.circle?.members else { return }
    for device in devices {
      guard let circle = device.store.circle else { continue }
      if circle.members != members {
        violate(
          .offeredInTime, "device \(device.number) and device \(devices[0].number) disagree on who belongs")
      }
      if let one = circle.members.sorted().first(where: { oracle.circle.isRemoved(device, $0) }) {
        violate(.noInvention, "device \(device.number) takes a removed device for one that belongs: \(one)")
      }
      for (accomplice, thief) in oracle.circle.accomplices where circle.members.contains(accomplice) {
        guard oracle.circle.isRemoved(device, thief), !isKept(accomplice) else { continue }
        violate(.noInvention, "device \(device.number) lets in whom the thief let in after it was removed")
      }
    }
  }

  /// Whether somebody who removed the thief knew the accomplice, and kept it.
  private func isKept(_ accomplice: DeviceID) -> Bool {
    devices.contains { device in
      device.store.circle?.statements.contains { statement in
        guard case .removed(_, _, let removal) = statement else { return false }
        return removal.kept.contains(accomplice)
      } ?? false
    }
  }
}
