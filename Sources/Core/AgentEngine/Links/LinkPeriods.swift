// SPDX-License-Identifier: MIT

import ActivityModel
import LocalNetwork
import Trust

/// Under which numbers this device is reached: the present one, and the one before for those that have not
/// heard of it. All of one key of the circle; a value.
struct LinkPeriods: Hashable, Sendable {
  /// The key that links are made with.
  let epoch: EpochKey
  /// What the record says.
  private(set) var current: UInt64
  private var former: UInt64?

  init(epoch: EpochKey, first: UInt64) { (self.epoch, current) = (epoch, first) }

  /// A day is over.
  mutating func turn(to next: UInt64) { (former, current) = (current, next) }

  /// Whether somebody who uses it is answered.
  func contains(_ period: UInt64) -> Bool { period == current || period == former }

  /// What the network process answers.
  func keys(of device: DeviceID) -> [ReceivingKey] {
    [current, former].compactMap { $0 }.map { period in
      ReceivingKey(
        period: period, key: epoch.linkKey(to: device, period: period),
        context: EpochKey.linkContext(of: device, period: period))
    }
  }
}

/// How often this device signs for links: a signature for whoever asks is something to be careful with.
struct SigningBudget: Hashable, Sendable {
  /// So many in `window`, and more only where so many others may have to be met again.
  static let limit = 10
  /// For each other device: two links of which one stays, and the same once more.
  static let limitOfDevice = 4
  static let window = Duration.seconds(60)

  private var moments: [Instant] = []

  /// Whether one more may be signed now, in a circle of so many others; it counts then.
  mutating func take(others: Int, at now: Instant) -> Bool {
    moments.removeAll { now - $0 >= Self.window }
    guard moments.count < max(Self.limit, Self.limitOfDevice * others) else { return false }
    moments.append(now)
    return true
  }
}
