// SPDX-License-Identifier: MIT

/// That a document which an app shows here is open on another device as well, and where the person is in it.
public struct DocumentPresence: Hashable, Sendable {
  /// What that device offers of it.
  public var offer: OfferID
  /// What the device is called, cleaned for display.
  public var deviceName: String
  /// The line of its cursor, from 0; nil where its app does not say.
  public var line: UInt32?

  /// A document that is open at `line` where `offer` comes from.
  public init(offer: OfferID, deviceName: String, line: UInt32?) {
    self.offer = offer
    self.deviceName = DisplayText.shown(deviceName)
    self.line = line
  }
}
