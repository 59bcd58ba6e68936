// SPDX-License-Identifier: MIT

import ActivityModel
import AppSession
import Foundation
import LinuxSystem
import UserActivities

// Documents whose text is in no file, and travels all the same when another device goes on with them
// (semantics 36e). Nothing is written to a file by that, on either device.
extension Document {
  /// Whether it is offered although no file has it: it has text, and its class hands over drafts.
  var isHandedOverAsDraft: Bool {
    fileURL == nil && isDocumentEdited && type(of: self).autosavesDrafts
  }

  /// Has the document saved in place, for another device that goes on with it; where that is not possible,
  /// the next round hands over its text. Throws why it does neither.
  func saveForHandingOver() async throws {
    guard type(of: self).autosavesDrafts, continuedOn == nil else { return try await autosaveInPlaceNow() }
    if fileURL != nil, (try? await autosaveInPlaceNow()) != nil { return }
    try Draft.check(size: data(ofType: typeForKeeping).count)
    draftWantedUntil = Application.now + .seconds(10)
  }

  /// Whether a round hands over the text.
  var isDraftWanted: Bool { draftWantedUntil.map { Application.now <= $0 } ?? false }

  /// The text for the other device that wants it, as of now; its descriptor is the caller's.
  func takeDraft() -> SavedFile? {
    guard isDraftWanted else { return nil }
    draftWantedUntil = nil
    guard isDocumentEdited, let data = try? data(ofType: typeForKeeping),
      let file = try? Descriptor.memory(holding: Array(data)),
      let mark = try? file.status().stamp.mark
    else { return nil }
    return SavedFile(descriptor: file.release(), mark: mark)
  }
}

extension DocumentController {
  /// An untitled document with a draft from another device, displayed. Throws where no type of the app has
  /// the activity, and what its class does not take.
  func openDraft(_ draft: Data, of activity: ActivitySnapshot) throws -> Document {
    let types = Application.current?.manifest.documentTypes ?? []
    guard let type = types.first(where: { $0.activityType == activity.type })?.name else {
      throw ContinuityError(
        .documentUnreadable, subject: activity.type,
        description: "This app opens no documents of the activity \(activity.type).")
    }
    let document = try makeUntitledDocument(ofType: type)
    document.fileType = type
    // What has a file there keeps its name; the untitled ones of this app count their own.
    if !activity.flags.contains(.draft), !activity.title.isEmpty {
      document.draftName = DisplayText.shown(activity.title)
    }
    try document.read(from: draft, ofType: type)
    addDocument(document)
    show(document)
    return document
  }
}
