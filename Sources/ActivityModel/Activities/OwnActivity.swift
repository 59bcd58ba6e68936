// SPDX-License-Identifier: MIT

/// An activity of this device, offered or not, with the reason: what `continuo offers --own` lists.
public struct OwnActivity: Hashable, Sendable {
  /// The activity.
  public var id: ActivityID
  /// The activity type.
  public var type: String
  /// The app that made it.
  public var appID: String
  /// The title, or what stands for it.
  public var title: String
  /// When it last changed.
  public var changedAt: WallTime
  /// Why it is not offered, in one sentence with the remedy; empty while it is offered.
  public var reason: String
  /// How other devices' last tries to continue it ended, one sentence each.
  public var remarks: [String]

  /// The activity that `snapshot` tells of; `reason` is empty when it is offered. Its texts are
  /// cleaned for display.
  public init(_ snapshot: ActivitySnapshot, reason: String, remarks: [String] = []) {
    id = snapshot.id
    type = snapshot.type
    appID = snapshot.appID
    title = DisplayText.shown(
      snapshot.title.isEmpty ? snapshot.document?.path.displayName ?? snapshot.type : snapshot.title)
    changedAt = snapshot.changedAt
    self.reason = DisplayText.shown(reason)
    self.remarks = remarks.map { DisplayText.shown($0) }
  }

  /// Whether other devices can continue it now.
  public var isOffered: Bool { reason.isEmpty }
}
