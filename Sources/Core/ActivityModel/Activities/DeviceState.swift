// SPDX-License-Identifier: MIT

/// Everything one device says of itself at one moment: the content of its state record.
public struct DeviceState: Hashable, Sendable {
  /// When it was written, by the writer's clock.
  public var issuedAt: WallTime
  /// How long it may be believed, in seconds; at most `lifetimeLimit`.
  public var lifetime: UInt64
  /// What the device offers, newest first, at most `activityLimit`.
  public var activities: [ActivitySnapshot]
  /// The highest sequence seen of each other device.
  public var acknowledgements: [DeviceID: UInt64]
  /// Sixteen random bytes of the writing agent's run; another value under the same key tells of a clone.
  public var bootNonce: [UInt8]
  /// What the device continued.
  public var claims: [Claim]
  /// Where it is reached on networks; nil where it is on none, or says so of none.
  public var reachability: Reachability?

  /// Seven days.
  public static let lifetimeLimit: UInt64 = 7 * 24 * 3600
  /// The most activities a record carries.
  public static let activityLimit = 8

  /// A state with nothing offered.
  public init(issuedAt: WallTime, lifetime: UInt64 = DeviceState.lifetimeLimit, bootNonce: [UInt8]) {
    self.issuedAt = issuedAt
    self.lifetime = min(lifetime, Self.lifetimeLimit)
    self.bootNonce = bootNonce
    activities = []
    acknowledgements = [:]
    claims = []
  }
}

/// "This device continued it": travels back to the source.
public struct Claim: Hashable, Sendable {
  /// The device whose activity was continued.
  public var source: DeviceID
  /// What was continued there.
  public var activity: ActivityID
  /// The continuation; what makes a repeated claim recognisable.
  public var request: RequestID
  /// How it ended.
  public var outcome: ContinuationOutcome
  /// When, by the claiming device's clock.
  public var at: WallTime
  /// Why it came to nothing, in the app's words; empty where it did not say.
  public var message: String
  /// In which state: when the continued activity had last changed, by the source's clock; nil where an
  /// earlier release does not say.
  public var changedAt: WallTime?

  /// A claim on `activity` of `source`.
  public init(
    source: DeviceID, activity: ActivityID, request: RequestID, outcome: ContinuationOutcome, at: WallTime,
    message: String = "", changedAt: WallTime? = nil
  ) {
    self.source = source
    self.activity = activity
    self.request = request
    self.outcome = outcome
    self.at = at
    self.message = message
    self.changedAt = changedAt
  }
}

/// Who continued an activity, and when: what its source is told.
public struct ContinuationReceipt: Hashable, Sendable {
  /// The name of the device that has it now.
  public var device: String
  /// When it was continued, by that device's clock; nil where an earlier release does not say.
  public var at: WallTime?
  /// In which state: when the activity had last changed, by the clock here; nil where an earlier release does
  /// not say.
  public var changedAt: WallTime?

  /// A receipt of `device`.
  public init(device: String, at: WallTime? = nil, changedAt: WallTime? = nil) {
    self.device = device
    self.at = at
    self.changedAt = changedAt
  }
}

extension ContinuationReceipt {
  /// Whether what was continued is the state that the activity has had since that change, by the clock here;
  /// nil where that is not known.
  public func covers(_ change: WallTime) -> Bool? { changedAt.map { $0 >= change } }
}

extension Claim {
  /// What the source is told of it by the device of that name.
  public func receipt(by device: String) -> ContinuationReceipt {
    ContinuationReceipt(device: device, at: at, changedAt: changedAt)
  }
}

/// How a delivered activity ended in the app.
public enum ContinuationOutcome: UInt64, Hashable, Sendable, CaseIterable {
  /// The app delegate took it.
  case handled = 0
  /// The delegate declined and the document controller opened the document.
  case opened = 1
  /// The delegate declined and there was no document to open.
  case declined = 2
  /// It could not be shown.
  case failed = 3

  /// Whether the person now has the activity on this device.
  public var isContinued: Bool { self == .handled || self == .opened }
}
