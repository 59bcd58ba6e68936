// SPDX-License-Identifier: MIT

import ActivityExchange
import AgentEngine
import ActivityModel
import ActivityWire
import Trust

/// Who was removed, stolen and let in, as the oracle saw it happen.
struct CircleTruth {
  /// By device: the last good number of each device whose removal it has learnt.
  private var learned: [Int: [DeviceID: UInt64]] = [:]
  /// In which step each device learnt of a removal last.
  private var learnedAt: [Int: Int] = [:]
  /// Whom thieves let in, and by which stolen device.
  private(set) var accomplices: [DeviceID: DeviceID] = [:]
  /// What those have, in the order in which they were let in.
  private(set) var intruders: [Identity] = []
  /// What people and thieves did, whatever rosters say of it.
  private var removals: [Removal] = []

  private struct Removal {
    let remover: DeviceID
    let subject: DeviceID
    /// Whether it was answered that it is done; else the power went meanwhile, and it may be so or not.
    let isDone: Bool
    /// Whom thieves had let in and the remover had heard of.
    let knownAccomplices: Set<DeviceID>
  }

  mutating func stolen(_ device: DeviceID, _ accomplice: Identity) {
    accomplices[accomplice.id] = device
    intruders.append(accomplice)
  }

  /// `known` is whom the remover had heard of.
  mutating func removed(
    _ subject: DeviceID, by remover: DeviceID, isDone: Bool, whoKnew known: Set<DeviceID>
  ) {
    removals.append(
      Removal(
        remover: remover, subject: subject, isDone: isDone,
        knownAccomplices: known.intersection(accomplices.keys)))
  }

  /// Removals by devices that nobody stole or removed: nothing that they tell is ever refused, so these
  /// reach all who belong. What others say may be heard too late to be believed.
  private var lasting: [Removal] {
    let doubtful = Set(removals.map(\.subject)).union(accomplices.values)
    return removals.filter { $0.isDone && !doubtful.contains($0.remover) }
  }

  /// Who is out for good for all who belong: whom such a device removed, and whom a thief let in that such
  /// a device removed without having heard of the newcomer.
  var out: Set<DeviceID> {
    let lasting = lasting
    let strangers = accomplices.filter { accomplice, thief in
      lasting.contains { $0.subject == thief && !$0.knownAccomplices.contains(accomplice) }
    }
    return Set(lasting.map(\.subject)).union(strangers.keys)
  }

  /// Whom the device itself removed: out for itself, whatever became of it.
  func removed(by device: DeviceID) -> Set<DeviceID> {
    Set(removals.lazy.filter { $0.isDone && $0.remover == device }.map(\.subject))
  }

  /// Whether somebody who removed the thief had heard of the accomplice.
  func isKept(_ accomplice: DeviceID) -> Bool {
    removals.contains { $0.subject == accomplices[accomplice] && $0.knownAccomplices.contains(accomplice) }
  }

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
  /// The devices that nobody stole, and that nobody who belongs removed, nor they themselves as they know:
  /// all of them in histories in which nobody leaves. All were in one circle when the world began.
  var faithful: [Device] {
    guard simulation.faults.contains(.revocation) else { return devices }
    let honest = devices.filter { !$0.isStolen }
    let belonging = honest.filter { $0.circle?.members.contains($0.id) != false }
    return honest.filter { device in
      (belonging + [device]).allSatisfy { $0.circle?.removed.contains(device.id) != true }
    }
  }

  func isFaithful(_ device: Device) -> Bool { faithful.contains { $0 === device } }

  /// After healing all who belong agree on who does: nobody of these was removed, or let in by a thief whom
  /// somebody removed without knowing the accomplice.
  func checkCircle() {
    checkRemovals()
    let devices = faithful
    guard let members = devices.first?.circle?.members else { return }
    if simulation.faults.contains(.revocation) { checkKeys(devices) }
    let lockedOut = devices.first { !members.contains($0.id) }
    if let lockedOut {
      violate(.offeredInTime, "device \(lockedOut.number) is locked out, and nobody removed it")
    }
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
        guard oracle.circle.isRemoved(device, thief), !oracle.circle.isKept(accomplice) else { continue }
        violate(.noInvention, "device \(device.number) lets in whom the thief let in after it was removed")
      }
    }
  }

  /// S7: what a device says after it learned of removals, the removed devices' agents have no key for.
  func checkReaders(of device: Device, _ removed: Set<DeviceID>) {
    guard let key = device.agent?.core.store.identity.circle.currentEpoch else { return }
    let readers = devices.filter { removed.contains($0.id) && $0 !== device }
    if readers.contains(where: { $0.agent?.core.store.identity.circle.epochs.contains(key) == true }) {
      violate(
        .secrecy, "device \(device.number) said something that a device can read that it knows to be out")
    }
  }

  /// All who belong seal with one key, and nobody who is out can find it in what lies in the folders.
  private func checkKeys(_ faithful: [Device]) {
    let agents = faithful.compactMap(\.agent)
    guard let first = agents.first else { return }
    let key = first.core.store.identity.circle.currentEpoch
    if let other = agents.first(where: { $0.core.store.identity.circle.currentEpoch != key }) {
      violate(
        .offeredInTime, "device \(other.device.number) and device \(first.device.number) have two keys")
    }
    let members = first.core.store.identity.circle.roster.membership.members
    let owned = devices.compactMap { $0.agent?.core.store.identity }.filter { !members.contains($0.id) }
    let found = devices.flatMap { $0.folder.contents(of: RecordFiles.names) }.compactMap {
      contents.bytes(of: $0)
    }
    for var outsider in owned + oracle.circle.intruders where !members.contains(outsider.id) {
      outsider.read(found, at: first.device.wall, &random)
      if outsider.circle.epochs.contains(key) {
        violate(.secrecy, "a device that was removed has the key of those who belong: \(outsider.id)")
      }
    }
  }

  /// Whoever was removed is out: for its remover whatever happened, and for all once all have told all.
  private func checkRemovals() {
    guard simulation.faults.contains(.revocation) else { return }
    let out = oracle.circle.out
    for device in devices {
      guard let members = device.circle?.members else { continue }
      if let one = oracle.circle.removed(by: device.id).first(where: members.contains) {
        violate(.noInvention, "device \(device.number) has forgotten that it removed \(one)")
      }
      guard isFaithful(device), let one = members.first(where: out.contains) else { continue }
      violate(.noInvention, "device \(device.number) takes for one that belongs who was removed: \(one)")
    }
  }
}

extension Identity {
  /// Takes from the rosters among the records what they tell this device.
  fileprivate mutating func read(_ records: [[UInt8]], at now: WallTime, _ random: inout Randomness) {
    // What one of them tells may open another, also one before it: until none has told anything for a round.
    var idle = 0
    for number in 0..<8 * records.count {
      guard idle < records.count else { return }
      idle += 1
      guard let opened = try? open(records[number % records.count]), opened.kind == .roster else { continue }
      let before = circle
      // Where it cannot be taken in, nothing was learnt.
      _ = try? mergeRoster(opened.payload, at: now, using: &random)
      if circle != before { idle = 0 }
    }
  }
}
