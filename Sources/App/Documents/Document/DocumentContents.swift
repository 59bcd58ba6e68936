// SPDX-License-Identifier: MIT

import ActivityModel
import Foundation
import LinuxSystem
import UserActivities

extension Document {
  /// Reads the document's file again: what the person changed since it was saved is given up, once that has
  /// succeeded. Nobody is asked. See `revert(toContentsOf:ofType:)`. Throws `invalidRequest` where the
  /// document has no file, and what reading throws.
  public func revertToSaved() throws {
    guard let fileURL else {
      throw ContinuityError(
        .invalidRequest, subject: shownName,
        description: "\(shownName) was never saved; there is nothing to revert to.")
    }
    try revert(toContentsOf: fileURL, ofType: savingType(fileURL))
  }

  func takeContents(of url: URL, ofType type: String) throws {
    currentSave?.finish()
    let place = try Self.resolved(url)
    let file = try DocumentFile.read(place)
    try UnfinishedWrite.check(file, at: place)
    if place == path {
      try load(file, type: type)
      isRecovered = false
      userActivity?.needsSave = true
    } else {
      try read(from: file.data, ofType: type)
      updateChangeCount(.changeReadOtherContents)
    }
  }

  /// An untitled document of this class with this one's content.
  func copyOfContents() throws -> Document {
    // The bytes are taken for a copy, so no save may wait to hear of its own.
    currentSave?.finish()
    let controller = DocumentController.shared
    guard let type = try fileType ?? fileURL.map({ try controller.typeForContents(of: $0) }) else {
      throw ContinuityError(
        .invalidRequest, subject: shownName,
        description: "\(shownName) has no type yet; save it under a name.")
    }
    let copy = Self.init(registeredAs: type)
    try copy.read(from: data(ofType: type), ofType: type)
    copy.fileType = type
    copy.draftName = draftNameOfCopy
    copy.updateChangeCount(.changeReadOtherContents)
    controller.addDocument(copy)
    return copy
  }

  private var draftNameOfCopy: String {
    guard let name = fileURL.flatMap(FilePath.init)?.name else { return shownName + " copy" }
    let stem = name.dropFirst().lastIndex(of: UInt8(ascii: ".")).map { name[..<$0] } ?? name[...]
    return DisplayText.shown(stem) + " copy"
  }
}
