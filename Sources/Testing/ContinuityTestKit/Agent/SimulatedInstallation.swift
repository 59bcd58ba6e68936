// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import AgentEngine
import ActivityWire
import Trust

// A device as it is when its circle was made and its folder registered.
extension Device {
  /// Writes what an agent finds when it starts for the first time.
  func install(_ documents: DocumentsOverLan = .proven) {
    disk.files["identity"] = identity.encoded
    let folder = CBOR.array([
      .bytes(World.folder.bytes), .text(world.folderName), .bytes(EditorApp.root),
    ])
    let nothing = CBOR.array([])
    var fields: CBORMap = [1: .array([folder]), 2: .unsigned(1), 3: nothing, 4: nothing, 5: nothing]
    if documents != .proven {
      fields[10] = .array([.array([.bytes(World.folder.bytes), .unsigned(documents.rawValue)])])
    }
    disk.files["state"] = CBOR.map(fields).encoded
  }

  /// Its agent knows who belongs to the circle.
  func learn(_ membership: CircleMembership) {
    circle = membership
    world.oracle.circle.learned(self, membership.statements)
  }
}

// What people do to a circle, and what a thief does.
extension World {
  /// The person at the device takes another one out.
  func revokeSomebody(_ device: Device) {
    guard !device.isStolen, let circle = device.circle,
      let target = random.pick(circle.members.subtracting([device.id]).sorted())
    else { return }
    revoke(target, on: device)
  }

  /// Somebody at a device that was stolen, or that others removed, takes out who removed it, or another one.
  func retaliate() {
    let removed = devices.filter { device in
      device.isStolen
        || devices.contains { !$0.isStolen && $0.circle?.removed.contains(device.id) == true }
    }
    guard let device = random.pick(removed), let circle = device.circle else { return }
    let removers = devices.filter { $0.circle?.removed.contains(device.id) == true }.map(\.id)
    let others = circle.members.subtracting([device.id])
    let enemies = others.intersection(removers)
    guard let target = random.pick((enemies.isEmpty || random.chance(30) ? others : enemies).sorted())
    else { return }
    revoke(target, on: device)
    if device.circle?.removed.contains(target) == true { count(.retaliations) }
  }

  private func revoke(_ target: DeviceID, on device: Device) {
    guard let agent = device.agent, device.circle?.members.contains(device.id) == true,
      let member = agent.core.store.identity.circle.roster[target]
    else { return }
    let known = device.circle?.known ?? []
    let answer = agent.perform(.revoke(member.keys.fingerprint))
    let isDone = if case .done = answer { true } else { false }
    oracle.circle.removed(target, by: device.id, isDone: isDone, whoKnew: known)
  }

  /// A thief has the device: lets another one in, removes somebody who might remove it, and goes on with what
  /// the agent finds then.
  func steal(_ device: Device) throws {
    guard let files = device.disk.files["identity"], let circle = device.circle,
      var thief = try? Identity(encoded: files, ciphers: ciphers), thief.isConfirmed
    else { return }
    device.isStolen = true
    guard
      var accomplice = try? Identity.found(
        name: "accomplice \(device.number)", at: device.wall, using: &random, ciphers: ciphers)
    else { return }
    try? SimulatedCircle.pair(&thief, &accomplice, ciphers, &random, at: device.wall)
    if let target = random.pick(circle.members.subtracting([device.id]).sorted()) {
      let news = try? thief.revoke(target, lastGoodSequence: 0, at: device.wall, using: &random)
      if news != nil {
        oracle.circle.removed(target, by: device.id, isDone: true, whoKnew: circle.known)
      }
    }
    oracle.circle.stolen(device.id, accomplice)
    device.disk.files["identity"] = thief.encoded
    device.learn(thief.circle.roster.membership)
    count(.removals)
    if device.agent != nil { try device.killAgent() }
  }
}
