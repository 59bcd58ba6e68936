// SPDX-License-Identifier: MIT

import ActivityModel
import Foundation
import LinuxSystem

extension Document {
  /// The conflict copies beside the document's file, newest first. Throws as
  /// `FileVersion.unresolvedConflictVersionsOfItem(at:)` does; empty while untitled.
  public func unresolvedConflictVersions() throws -> [FileVersion] {
    guard let url = path?.url else { return [] }
    return try FileVersion.unresolvedConflictVersionsOfItem(at: url)
  }

  /// Makes a version's bytes the document's, and saves them, as `save()` does: a file that somebody else
  /// changed unseen is refused. The copy is removed, if it is still what was listed.
  ///
  /// What the document held before, unsaved changes included, is kept beside it as another version, which is
  /// returned; `remove()` that one when the person is done. Nil when there was no difference. When anything
  /// fails before the document is saved, text and files are as they were; `documentDiverged` from a copy that
  /// changed meanwhile comes after that, and leaves the copy.
  ///
  /// Throws `invalidRequest` for a version of another document, or one that cannot be written, and what
  /// saving throws.
  @discardableResult
  public func choose(_ version: FileVersion) async throws -> FileVersion? {
    while let currentSave { await currentSave.ended() }
    guard let path, path == version.original, let fileType, !isReadOnly else {
      throw ContinuityError(
        .invalidRequest, subject: version.path.shown,
        description:
          "\(version.path.shown) is no version of a document that can be saved; open its document for "
          + "writing."
      )
    }
    let chosen = try version.contents()
    let former = try data(ofType: fileType)
    guard former != chosen || isDocumentEdited else {
      try version.remove()
      return nil
    }
    let kept = former == chosen ? nil : try FileVersion.keep(former, of: path)
    let count = changes
    do {
      try read(from: chosen, ofType: fileType)
      updateChangeCount(.changeDone)
      try await save()
    } catch {
      takeBack(chosen, former, count, type: fileType, kept)
      throw error
    }
    try version.remove()
    return kept
  }

  /// Unless the person went on with the chosen text: then what they had before stays in the kept version.
  private func takeBack(
    _ chosen: Data, _ former: Data, _ count: ChangeCount, type: String, _ kept: FileVersion?
  ) {
    let present = try? data(ofType: type)
    guard present == former || present == chosen else { return }
    if present != former {
      do { try read(from: former, ofType: type) } catch { return }
    }
    changes = count
    try? kept?.remove()  // One that cannot be removed is one copy too many, and no loss.
  }
}
