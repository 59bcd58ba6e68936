// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import ActivityWire
import AgentEngine
import SyncedFolders
import Trust

/// Holds what an agent decides against what really happened.
final class JudgingObserver: AgentObserver {
  private let process: AgentProcess
  private var removed: Set<DeviceID> = []
  /// Which of the claims of the last state its record carried.
  private var carrying: (claims: [Claim], carried: [Claim]) = ([], [])

  init(_ process: AgentProcess) {
    self.process = process
    removed = process.device.circle?.removed ?? []
  }

  private var device: Device { process.device }
  private var world: World { process.world }

  func noted(_ sighting: VersionSighting, at place: DocumentPlace) {
    if process.isAlive { world.oracle.noted(device, place.path, sighting.digest) }
  }

  func adopted(_ version: DocumentVersion, at place: DocumentPlace, from sender: DeviceID) {
    guard process.isAlive else { return }
    let reference = DocumentReference(folder: place.folder, path: place.path, version: version)
    world.oracle.adopted(device, sender, reference)
  }

  func translated(_ snapshot: ActivitySnapshot, withFile: Bool) {
    guard process.isAlive else { return }
    world.judge { $0.translated(device, snapshot, withFile: withFile) }
  }

  func stands(_ standing: Standing) {
    guard process.isAlive else { return }
    world.record(standing.status.arrival.rawValue)
    world.judge {
      $0.stands(
        device, standing.status, standing.reference, standing.offer.device,
        read: standing.hasJustLooked ? standing.read : nil, there: there(standing))
    }
  }

  /// What lies there at this moment, where nothing can have happened since the look.
  private func there(_ standing: Standing) -> ContentDigest? {
    guard standing.hasJustLooked,
      let content = device.folder.content(at: standing.location.components), content.size <= 1 << 20
    else { return nil }
    return world.contents.digest(of: content)
  }

  func delivering(_ request: RequestID) { if process.isAlive { world.count(.deliveries) } }
  func postponed(_ request: RequestID) { if process.isAlive { world.count(.postponed) } }

  func published(_ state: DeviceState, sequence: UInt64, record: [UInt8]) {
    guard process.isAlive else { return }
    world.count(.records)
    world.record(record)
    world.judge { $0.published(device, sequence, record, state, carried: carried(of: state)) }
    if !removed.isEmpty { world.checkReaders(of: device, removed) }
  }

  /// The claims that the state's record carries: what does not fit into it is not in it. No claim depends on
  /// anything else in the record.
  private func carried(of state: DeviceState) -> [Claim] {
    if state.claims != carrying.claims {
      var claiming = state
      claiming.activities = []
      let record = try? DeviceState(recordPayload: claiming.recordPayload().bytes)
      carrying = (state.claims, record?.claims ?? [])
    }
    return carrying.carried
  }

  func accepted(_ record: OpenedRecord, bytes: [UInt8]) {
    guard process.isAlive else { return }
    guard record.kind == .state else {
      if world.oracle.circle.isRemoved(device, record.device) {
        world.violate(.noInvention, "the roster of a removed device was believed")
      }
      return
    }
    device.heard.insert(record.device)
    world.judge { $0.accepted(device, QuickCode.code(bytes[...], 0), record.device, record.sequence) }
  }

  func acceptedAgain(_ record: OpenedRecord, bytes: [UInt8]) {
    guard process.isAlive, record.kind == .state else { return }
    world.judge {
      $0.acceptedAgain(device, QuickCode.code(bytes[...], 0), record.device, record.sequence)
    }
  }

  func saysClone(_ device: DeviceID) {
    guard process.isAlive else { return }
    world.judge { $0.saysClone(self.device, device) }
  }

  func learned(_ circle: CircleMembership) {
    guard process.isAlive else { return }
    device.learn(circle)
    if circle.removed != removed { world.count(.removals) }
    removed = circle.removed
  }
}
