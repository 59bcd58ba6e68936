// SPDX-License-Identifier: MIT

import ActivityExchange
public import ActivityModel
import AppSession
import LinuxSystem
import UserActivities

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

  /// Whether it is linked with this device, and has the document open this very moment (semantics 34h):
  /// known in folders alone where the person wants that (`continuo folder set --presence on`).
  public let isPresent: Bool
  /// The line of its cursor, from 0; nil where `isPresent` is false, or its app does not say.
  public let line: Int?

  init(_ offer: Offer, since: WallTime, presence: DocumentPresence? = nil) {
    isPresent = presence != nil
    line = presence?.line.map { Int($0) }
    self.offer = offer.id
    deviceName = offer.deviceName
    self.since = since
    hasUnsavedChanges = offer.flags.contains(.unsavedChanges)
    isLeftOpen = offer.flags.contains(.leftOpen)
  }

  /// One sentence for a person: "laptop has this open, at line 40" where that is known, else with this
  /// device's time of day: "laptop is editing this since 10:42".
  public var sentence: String {
    let clock = LocalTime.shown(since)?.text ?? "?"
    guard !isLeftOpen else { return "\(deviceName) left this open at \(clock)" }
    let unsaved = hasUnsavedChanges ? ", with unsaved changes" : ""
    guard !isPresent else {
      return "\(deviceName) has this open\(line.map { ", at line \($0 + 1)" } ?? "")\(unsaved)"
    }
    return "\(deviceName) is editing this since \(clock)\(unsaved)"
  }
}

extension Document {
  /// Who edits this document on other devices, the latest to change it first; empty for a document outside
  /// every synced folder. `application(_:otherEditorsDidChange:)` tells when it changes.
  public var otherEditors: [OtherEditor] { Application.current?.otherEditors(of: self) ?? [] }
}

extension Document {
  /// The cursor is in that line now, from 0: shown on linked devices that have the document open, in folders
  /// where the person wants that (semantics 34h). Cheap, and may be said as often as it moves; nothing is
  /// published or saved by it.
  public func cursorDidMove(toLine line: Int) {
    guard let line = UInt32(exactly: line), cursorLine != line else { return }
    cursorLine = line
    tellCursor()
  }

  /// Also when it gets an activity.
  func tellCursor() {
    guard let line = cursorLine, let userActivity else { return }
    Application.current?.session.handle(.cursorMoved(userActivity.id, line: line))
  }
}

extension Application {
  func otherEditors(of document: Document) -> [OtherEditor] {
    // Asked for with each key: without any offer, nothing is looked for.
    guard !offers.isEmpty, let path = document.path else { return [] }
    return offers.of(documentAt: path.bytes, among: roots)
      .map { offer in
        OtherEditor(
          offer, since: offeredSince[offer.id] ?? offer.changedAt,
          presence: presence(in: document).first { $0.offer == offer.id })
      }
  }

  private func presence(in document: Document) -> [DocumentPresence] {
    document.userActivity.map { session.app.presence(of: $0.id) } ?? []
  }

  /// Offers changed, or who is present: tells of the documents whose other editors did.
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
