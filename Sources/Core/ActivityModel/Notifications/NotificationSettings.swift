// SPDX-License-Identifier: MIT

/// Of which offers a person wants to be told.
public struct NotificationSettings: Hashable, Sendable {
  /// Whether of any.
  public var isEnabled = true
  /// Whether a notification says what, or only on which device: others may read a lock screen.
  public var hidesTitles = false
  /// Activity types of which nothing is told.
  public var offTypes: Set<String> = []
  /// Folders, by name, of whose documents nothing is told.
  public var offFolders: Set<String> = []
  /// Devices, by name, of which nothing is told.
  public var offDevices: Set<String> = []

  /// Tells of everything.
  public init() {}

  /// Whether anything is told of the offer.
  public func tells(of offer: Offer) -> Bool {
    isEnabled && !offTypes.contains(offer.type) && !offFolders.contains(offer.folderName)
      && !offDevices.contains(offer.deviceName)
  }
}
