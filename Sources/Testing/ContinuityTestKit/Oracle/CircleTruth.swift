// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel

/// Who was removed, stolen and let in, as the oracle saw it happen.
struct CircleTruth {
  /// By device: the last good number of each device whose removal it has learnt.
  private var learned: [Int: [DeviceID: UInt64]] = [:]
  /// In which step each device learnt of a removal last.
  private var learnedAt: [Int: Int] = [:]
  /// Whom thieves let in, and by which stolen device.
  private(set) var accomplices: [DeviceID: DeviceID] = [:]

  mutating func stolen(_ device: DeviceID, _ accomplice: DeviceID) { accomplices[accomplice] = device }

  /// Only devices of the circle sign removals in these worlds.
  mutating func learned(_ device: Device, _ statements: [CircleMembership.Statement]) {
    let before = learned[device.number]
    defer { if learned[device.number] != before { learnedAt[device.number] = device.world.step } }
    for case .removed(let subject, _, let removal) in statements {
      let before = learned[device.number]?[subject] ?? .max
      learned[device.number, default: [:]][subject] = min(before, removal.lastGoodSequence)
    }
  }

  /// S3: nothing that a device signed after its last good record is believed where its removal is known.
  func refuses(_ device: Device, _ sender: DeviceID, _ sequence: UInt64) -> Bool {
    learned[device.number]?[sender].map { sequence > $0 } ?? false
  }

  /// Whether what the device knows of removals is older than the step that is under way: in that step its
  /// lists may still be those of before.
  func isSettled(_ device: Device) -> Bool { learnedAt[device.number] != device.world.step }

  /// S3: no offer of a device stands where its removal is known.
  func isRemoved(_ device: Device, _ other: DeviceID) -> Bool { learned[device.number]?[other] != nil }
}

extension World {
  /// The devices that nobody stole, and that belong for all of these: all of them in histories in which
  /// nobody leaves.
  var faithful: [Device] {
    guard simulation.faults.contains(.revocation) else { return devices }
    let honest = devices.filter { !$0.isStolen }
    return honest.filter { device in
      device.circle?.members.contains(device.id) != false
        && honest.allSatisfy { $0.circle?.removed.contains(device.id) != true }
    }
  }

  func isFaithful(_ device: Device) -> Bool { faithful.contains { $0 === device } }

  /// After healing all who belong agree on who does: nobody of these was removed, or let in by a thief whom
  /// somebody removed without knowing the accomplice.
  func checkCircle() {
    let devices = faithful
    guard let members = devices.first?.circle?.members else { return }
    for device in devices {
      guard let circle = device.circle else { continue }
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
      device.circle?.statements.contains { statement in
        guard case .removed(_, _, let removal) = statement else { return false }
        return removal.kept.contains(accomplice)
      } ?? false
    }
  }
}
