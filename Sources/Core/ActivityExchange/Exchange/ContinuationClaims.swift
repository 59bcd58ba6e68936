// SPDX-License-Identifier: MIT

import ActivityModel

/// The claims that this device's record makes, and those of other devices that its apps were told.
struct ContinuationClaims: Hashable, Sendable {
  private var made: [Claim] = []
  /// Claims of other devices that were told to their app, so that each is told once.
  private(set) var told: Set<RequestID>

  /// How many claims a record holds.
  private static let recordLimit = 32
  /// How many told claims are remembered: more than 32 devices' records can hold.
  private static let toldLimit = 1024

  init(told: Set<RequestID>) { self.told = told }

  /// The last run of this device made these.
  mutating func restore(_ claims: [Claim]) { made = claims }

  mutating func make(_ claim: Claim) { made.append(claim) }

  func hasMade(_ request: RequestID) -> Bool { made.contains { $0.request == request } }

  /// What the next record claims; forgets what is too old to be claimed.
  mutating func recorded(wall: WallTime) -> [Claim] {
    made.removeAll { $0.at.adding(seconds: DeviceState.lifetimeLimit) < wall }
    made = Array(made.suffix(Self.recordLimit))
    return made
  }

  /// A claim of another device is to be told: whether it was not told yet.
  mutating func record(_ claim: Claim) -> Bool { told.insert(claim.request).inserted }

  /// Forgets what no device claims any more, when too many are remembered.
  mutating func forgetTold(except claimed: @autoclosure () -> [RequestID]) {
    if told.count > Self.toldLimit { told.formIntersection(claimed()) }
  }
}
