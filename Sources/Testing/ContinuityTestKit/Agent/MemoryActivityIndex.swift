// SPDX-License-Identifier: MIT

import ActivityModel
import AgentEngine

/// The saved activities on the device's disk; words are looked for as they are written.
final class MemoryActivityIndex: ActivityIndexing {
  private let process: AgentProcess

  init(_ process: AgentProcess) { self.process = process }

  let losses: [String] = []
  let hasRemains = false

  private var kept: [SavedActivity] { process.device.disk.savedActivities }

  func nextExpiry() -> WallTime? { kept.map(\.snapshot.expiry).min() }
  func erase() {}

  func save(_ activities: [SavedActivity], at wall: WallTime) {
    change { kept in
      for activity in activities where activity.snapshot.isToBeKept && activity.snapshot.expiry > wall {
        var stored = activity
        stored.snapshot = activity.snapshot.forKeeping
        kept.removeAll {
          $0.appID == stored.appID && $0.device == nil
            && $0.snapshot.persistentIdentifier == stored.snapshot.persistentIdentifier
        }
        kept.append(stored)
      }
    }
  }

  func delete(_ identifiers: [String]?, domains: [String]?, of appID: String) {
    change { kept in
      kept.removeAll {
        $0.appID == appID && $0.device == nil
          && (identifiers?.contains($0.snapshot.persistentIdentifier ?? "") ?? (domains == nil))
      }
    }
  }

  func deleteHandedOver() { change { $0.removeAll(where: \.isHandedOver) } }

  /// A simulated device has room, and its activities the usual time.
  func use(_ limits: SavedActivityLimits) {}

  func removeExpired(at wall: WallTime) { change { $0.removeAll { $0.snapshot.expiry <= wall } } }

  func search(
    _ words: String, of appID: String?, atMost limit: Int, at wall: WallTime
  ) -> [SavedActivity] {
    let sought = words.lowercased().split(separator: " ")
    return recent(of: appID, atMost: .max, at: wall).filter { activity in
      let text = ([activity.snapshot.title] + activity.snapshot.keywords).joined(separator: " ").lowercased()
      return sought.allSatisfy(text.contains)
    }.prefix(limit).map(\.self)
  }

  func activity(_ key: SavedActivity.Key, at wall: WallTime) -> SavedActivity? {
    recent(of: nil, atMost: .max, at: wall).first { $0.key == key }
  }

  func own(atMost limit: Int, at wall: WallTime) -> [SavedActivity] {
    Array(recent(of: nil, atMost: .max, at: wall).filter { $0.device == nil }.prefix(limit))
  }

  func ofOthers() -> [SavedActivity] { kept.filter { $0.device != nil } }

  func take(_ activities: [SavedActivity], of device: DeviceID, part: Int, at wall: WallTime) {
    change { kept in
      kept.removeAll { $0.device == device && $0.key.map(SavedActivityList.part) == part }
      for activity in activities.reversed() where activity.snapshot.expiry > wall {
        kept.append(
          SavedActivity(appID: activity.appID, snapshot: activity.snapshot.forKeeping, device: device))
      }
    }
  }

  func forget(_ keys: [SavedActivity.Key]) {
    change { kept in kept.removeAll { $0.key.map(keys.contains) ?? false } }
  }

  func recent(of appID: String?, atMost limit: Int, at wall: WallTime) -> [SavedActivity] {
    kept.reversed().filter { activity in
      guard activity.snapshot.expiry > wall else { return false }
      return appID.map { $0 == activity.appID && activity.device == nil } ?? true
    }.prefix(limit).map(\.self)
  }

  private func change(_ body: (inout [SavedActivity]) -> Void) {
    if process.isAlive { body(&process.device.disk.savedActivities) }
  }
}
