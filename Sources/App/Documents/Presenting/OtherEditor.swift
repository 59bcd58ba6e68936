// SPDX-License-Identifier: MIT

public import ActivityModel
import LinuxSystem

/// A device that edits a document which is open here: a polite word, no lock. It comes from what the device
/// offers; one that is switched off, or that offers nothing, is not known. Nothing is ever held up by it.
public struct OtherEditor: Hashable, Sendable {
  /// The device's offer: continuing it goes on there.
  public let offer: OfferID
  /// The device's name in the circle.
  public let deviceName: String
  /// Since when, as far as this process knows; by that device's clock.
  public let since: WallTime
  /// Whether it has changes that no saved file holds yet.
  public let hasUnsavedChanges: Bool
  /// Whether its app is gone, with the document left open.
  public let isLeftOpen: Bool

  init(_ offer: Offer, since: WallTime) {
    self.offer = offer.id
    deviceName = offer.deviceName
    self.since = since
    hasUnsavedChanges = offer.flags.contains(.unsavedChanges)
    isLeftOpen = offer.flags.contains(.leftOpen)
  }

  /// One sentence for a person, with this device's time of day: "laptop is editing this since 10:42".
  public var sentence: String {
    let clock = LocalTime.shown(since)?.text ?? "?"
    guard !isLeftOpen else { return "\(deviceName) left this open at \(clock)" }
    let unsaved = hasUnsavedChanges ? ", with unsaved changes" : ""
    return "\(deviceName) is editing this since \(clock)\(unsaved)"
  }
}

extension Document {
  /// Who edits this document on other devices, the latest to change it first; empty for a document outside
  /// every synced folder. `application(_:otherEditorsDidChange:)` tells when it changes.
  public var otherEditors: [OtherEditor] { Application.current?.otherEditors(of: self) ?? [] }
}

extension Application {
  func otherEditors(of document: Document) -> [OtherEditor] {
    guard let path = document.path else { return [] }
    return offers.of(documentAt: path.bytes, among: roots)
      .map { OtherEditor($0, since: offeredSince[$0.id] ?? $0.changedAt) }
  }

  /// Offers changed: tells of the documents whose other editors did.
  func tellOtherEditors() {
    offeredSince = Dictionary(
      offers.map { ($0.id, min($0.changedAt, offeredSince[$0.id] ?? $0.changedAt)) }, uniquingKeysWith: min)
    for document in DocumentController.shared.documents {
      let editors = document.otherEditors
      guard editors != document.toldEditors else { continue }
      document.toldEditors = editors
      delegate?.application(self, otherEditorsDidChange: document)
    }
  }
}
