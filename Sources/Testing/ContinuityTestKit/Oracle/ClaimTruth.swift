// SPDX-License-Identifier: MIT

import ActivityModel

/// Which claims of other devices an app may be told of: those on its activity, and those on what an app of
/// this device left open of the same document a minute before, unless it was continued there in between.
struct ClaimTruth {
  private struct Place: Hashable {
    var device: Int
    var path: RelativePath
  }

  private var claimed: [ActivityID: Set<RequestID>] = [:]
  /// Continuations that some record told their source of.
  private(set) var requests: Set<RequestID> = []
  private var told: [ActivityID: Int] = [:]
  /// What was left open there, and when.
  private var left: [Place: [ActivityID: Instant]] = [:]
  private var predecessors: [ActivityID: Set<ActivityID>] = [:]

  mutating func record(_ claim: Claim) {
    claimed[claim.activity, default: []].insert(claim.request)
    requests.insert(claim.request)
  }

  /// An activity that was offered before, and begins again, goes on with what was left open like a new one.
  mutating func begin(_ activity: ActivityID, of path: RelativePath, on device: Int, at now: Instant) {
    let former = left[Place(device: device, path: path)] ?? [:]
    let recent = former.filter { $0.key != activity && $0.value + .seconds(60) >= now }.keys
    predecessors[activity, default: []].formUnion(recent)
  }

  /// Its app lost the agent, or went away.
  mutating func leave(_ activity: ActivityID, of path: RelativePath, on device: Int, at now: Instant) {
    left[Place(device: device, path: path), default: [:]][activity] = now
  }

  mutating func continueHere(_ path: RelativePath, on device: Int) {
    for activity in (left.removeValue(forKey: Place(device: device, path: path)) ?? [:]).keys {
      for successor in predecessors.keys { predecessors[successor]?.remove(activity) }
    }
  }

  /// Whether each claim was told once at most.
  mutating func tell(_ activity: ActivityID) -> Bool {
    told[activity, default: 0] += 1
    let line = (predecessors[activity] ?? []).union([activity])
    let claims = line.reduce(into: Set()) { $0.formUnion(claimed[$1] ?? []) }
    return line.reduce(0) { $0 + (told[$1] ?? 0) } <= claims.count
  }
}
