// SPDX-License-Identifier: MIT

public import ActivityModel

/// An activity in another device's last record that nobody is shown here.
public struct HiddenOffer: Hashable, Sendable {
  /// Which one.
  public var id: OfferID
  /// As the record has it.
  public var snapshot: ActivitySnapshot
  /// Who says it.
  public var deviceName: String
  /// Why it is not shown.
  public var cause: Reason

  /// An activity that is not shown for `cause`.
  public init(id: OfferID, snapshot: ActivitySnapshot, deviceName: String, cause: Reason) {
    self.id = id
    self.snapshot = snapshot
    self.deviceName = deviceName
    self.cause = cause
  }
}

/// What another device said last, for whoever asks how things stand.
public struct DeviceReport: Hashable, Sendable {
  /// Which device.
  public var device: DeviceID
  /// What people call it.
  public var name: String
  /// When it wrote its last record, by its own clock.
  public var issuedAt: WallTime
  /// When that was read here first by this agent, by the clock here.
  public var heardAt: WallTime?
  /// The highest number that it had read of each device's records.
  public var acknowledgements: [DeviceID: UInt64]
  /// Whether two computers use its identity.
  public var isCopied: Bool
  /// Whether its record ended here, though it is dated later.
  public var isOver: Bool
}
