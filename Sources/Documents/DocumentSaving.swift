// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import CLinux
public import Foundation
import UserActivities

extension Document {
  /// Saves to `fileURL`, then publishes the state with the new version.
  ///
  /// Mode, owner, symbolic and hard links stay. On any failure the old bytes stay on disk, the text stays in
  /// memory, and the error says what to do. A file that somebody else changed since it was read is refused
  /// with `documentDiverged`, unless `overwritingChanges`.
  public func save(overwritingChanges: Bool = false) async throws {
    try saveNow(overwriting: overwritingChanges)
  }

  /// Saves to `url`, which becomes the document's place. A file that is there already is refused with
  /// `invalidRequest`, unless it is the document's own or `overwritingChanges`.
  public func save(to url: URL, overwritingChanges: Bool = false) async throws {
    let former = (url: fileURL, type: fileType, known: known, isReadOnly: isReadOnly)
    let formerPath = path
    guard let target = FilePath(url)?.resolved else {
      throw DocumentFault.error(
        FilePath(url) ?? FilePath(bytes: Array(url.absoluteString.utf8)), ENOENT, "saved")
    }
    if target != formerPath {
      known = nil
      isReadOnly = false
      fileType = (try? DocumentController.shared.typeForContents(of: url)) ?? fileType
    }
    do {
      try saveNow(overwriting: overwritingChanges, at: target)
      fileURL = url
    } catch {
      (fileType, known, isReadOnly) = (former.type, former.known, former.isReadOnly)
      throw error
    }
  }

  /// Saves at once. The activity's next round follows immediately and takes the new version's descriptor
  /// along.
  func saveNow(overwriting: Bool, at place: FilePath? = nil) throws {
    guard !isReadOnly else {
      throw ContinuityError(
        .invalidRequest, subject: displayName,
        "\(displayName) is open for reading only; save it under another name.")
    }
    let target = try place ?? resolvePath()
    let started = Application.now
    let data = try data(ofType: try savingType(target))
    let saved = try DocumentWriter(path: target, data: data, expectation: expectation(overwriting)).write()
    continuo_pause_point(3)
    known = (saved.stamp, data)
    savedDescriptor = saved.descriptor
    autosave.saved(from: started, to: Application.now, size: data.count)
    updateChangeCount(.changeCleared)
    if let userActivity { Application.current?.session.handle(.saved(userActivity.id)) }
  }

  private func savingType(_ target: FilePath) throws -> String {
    if let fileType { return fileType }
    guard let url = target.url else { return "" }
    let type = try DocumentController.shared.typeForContents(of: url)
    fileType = type
    return type
  }

  private func expectation(_ overwriting: Bool) -> DocumentWriter.Expectation {
    if overwriting { return .anything }
    return known.map { .known($0.stamp, $0.data) } ?? .absent
  }

  // MARK: Autosaving

  /// Saves an edited document in place if its class allows it and it is time; otherwise the moment when it
  /// will be.
  ///
  /// A file that was changed or deleted by somebody else is left alone: only the person may decide about
  /// that.
  func autosaveInPlace(isLast: Bool) -> Instant? {
    guard isDocumentEdited, !isReadOnly, Self.autosavesInPlace, let path, known != nil else { return nil }
    let now = Application.now
    let due = autosave.due
    guard due <= now || isLast else { return due }
    guard DocumentFile.stamp(path) != nil, !isChangedOnDisk else {
      autosave.failed(at: now)
      return nil
    }
    do {
      try saveNow(overwriting: false)
      return nil
    } catch {
      autosave.failed(at: now)
      Application.current?.didFailToAutosave(self, error)
      return autosave.due
    }
  }
}

/// When an edited document may save itself: no sooner than 2 s after the last save, nor than 20 times what
/// that took; above 8 MB only after 10 s of quiet (semantics 25); 10 s after a failure.
struct AutosavePacing: Hashable {
  private var notBefore = Instant(nanoseconds: 0)
  private var size = 0
  private var lastChange = Instant(nanoseconds: 0)

  private static let pause = Duration.seconds(2)
  private static let pauseAfterFailure = Duration.seconds(10)
  private static let quietWhenLarge = Duration.seconds(10)
  private static let large = 8 * 1024 * 1024

  var due: Instant { size > Self.large ? max(notBefore, lastChange + Self.quietWhenLarge) : notBefore }

  mutating func changed(at now: Instant) { lastChange = now }

  mutating func loaded(size: Int) { self.size = size }

  mutating func saved(from start: Instant, to end: Instant, size: Int) {
    notBefore = end + max(Self.pause, (end - start) * 20)
    self.size = size
  }

  mutating func failed(at now: Instant) { notBefore = now + Self.pauseAfterFailure }
}
