// SPDX-License-Identifier: MIT

public import ActivityModel

/// What was deleted here of that which other devices keep for search: hidden here, and asked for, until its
/// owner lists it no more (semantics 11k).
///
/// A value: whoever keeps it writes it durably before anybody hears that something was deleted.
public struct RequestedDeletions: Hashable, Sendable {
  /// What is asked for, and until when.
  public struct Request: Hashable, Sendable {
    /// The newest state that is to go.
    public var changedAt: WallTime
    /// When it is forgotten: an owner that is away for so long does not come back.
    public var until: WallTime

    /// A request for that state.
    public init(changedAt: WallTime, until: WallTime) { (self.changedAt, self.until) = (changedAt, until) }
  }

  /// As many as devices of a usual circle can list together; beyond, those that end first are forgotten.
  public static let limit = 2048
  /// How long one is remembered at least, in seconds: a year.
  public static let lifetime: UInt64 = 366 * 24 * 3600

  /// Each names the device that is asked.
  public private(set) var requests: [SavedActivity.Key: Request]

  /// Those that were asked for before.
  public init(_ requests: [SavedActivity.Key: Request] = [:]) { self.requests = requests }

  /// Whether nothing is asked for.
  public var isEmpty: Bool { requests.isEmpty }

  /// A person's app deleted these activities of other devices.
  public mutating func ask(for activities: [SavedActivity], at now: WallTime) {
    for activity in activities {
      guard let key = activity.key, key.device != nil else { continue }
      let changedAt = activity.snapshot.changedAt
      let until = max(now.adding(seconds: Self.lifetime), activity.snapshot.expiresAt ?? now)
      requests[key] = Request(
        changedAt: max(changedAt, requests[key]?.changedAt ?? changedAt), until: until)
    }
    for (key, _) in inOrder.prefix(max(requests.count - Self.limit, 0)) { requests[key] = nil }
  }

  /// Whether that state of an activity was deleted here.
  public func hides(_ key: SavedActivity.Key, changedAt: WallTime) -> Bool {
    requests[key].map { changedAt <= $0.changedAt } ?? false
  }

  /// A device lists these states in one of its parts, and none besides: what it deleted, or keeps anew, is
  /// asked for no more.
  public mutating func listed(
    _ states: [SavedActivity.Key: WallTime], by device: DeviceID, in part: Int, at now: WallTime
  ) {
    requests = requests.filter { key, request in
      guard key.device == device, SavedActivityList.part(of: key) == part else { return true }
      return request.until > now && states[key].map { $0 <= request.changedAt } ?? false
    }
  }

  /// Only these devices belong to the circle.
  public mutating func keep(of devices: Set<DeviceID>) {
    requests = requests.filter { $0.key.device.map(devices.contains) ?? false }
  }

  /// What other devices are asked in that part of this one's list, the first to end first.
  public func deletions(in part: Int) -> [SavedActivityList.Deletion] {
    inOrder.filter { SavedActivityList.part(of: $0.key) == part }.map {
      SavedActivityList.Deletion(of: $0.key, changedAt: $0.value.changedAt)
    }
  }

  /// In one order on every run.
  public var inOrder: [(key: SavedActivity.Key, value: Request)] {
    requests.map { (name: $0.key.name, entry: (key: $0.key, value: $0.value)) }
      .sorted { ($0.entry.value.until, $0.name) < ($1.entry.value.until, $1.name) }.map(\.entry)
  }
}
