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
  /// Why it is not offered; nil while it is offered.
  public var cause: Reason?
  /// How other devices' last tries to continue it ended, and what of it is left out.
  public var notes: [Reason]

  /// The activity that `snapshot` tells of; `cause` is nil when it is offered. Its texts are
  /// cleaned for display.
  public init(_ snapshot: ActivitySnapshot, because cause: Reason?, notes: [Reason] = []) {
    id = snapshot.id
    type = snapshot.type
    appID = snapshot.appID
    let file = snapshot.documentPath?.split(separator: UInt8(ascii: "/")).last.map { DisplayText.shown($0) }
    let name = snapshot.document?.path.displayName ?? file ?? snapshot.type
    title = DisplayText.shown(snapshot.title.isEmpty ? name : snapshot.title)
    changedAt = snapshot.changedAt
    self.cause = cause
    self.notes = notes
  }

  /// The same, told in sentences; `reason` is empty when it is offered.
  public init(_ snapshot: ActivitySnapshot, reason: String, remarks: [String] = []) {
    self.init(snapshot, because: reason.isEmpty ? nil : Reason(reason), notes: remarks.map { Reason($0) })
  }

  /// `cause` in one sentence with the remedy, cleaned for display; empty while it is offered.
  public var reason: String { cause?.sentence ?? "" }

  /// `notes` in one sentence each, cleaned for display.
  public var remarks: [String] { notes.map(\.sentence) }

  /// Whether other devices can continue it now.
  public var isOffered: Bool { cause == nil }
}
