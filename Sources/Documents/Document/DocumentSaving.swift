// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import CLinux
public import Foundation
import Glibc
import UserActivities

extension Document {
  /// Whether bytes of the document are being written.
  public var isSaving: Bool { currentSave != nil }

  /// Saves to `fileURL`, then publishes the state with the new version.
  ///
  /// The bytes are taken on the main actor at once, or when a save that runs has ended; writing them happens
  /// elsewhere, while the person goes on. What is changed meanwhile is not saved, and the document stays
  /// edited.
  ///
  /// Mode, owner, symbolic and hard links stay. On any failure the old bytes stay on disk, the text stays in
  /// memory, and the error says what to do. A file that somebody else changed since it was read, until the
  /// last moment, is refused with `documentDiverged`, unless `overwritingChanges`.
  public func save(overwritingChanges: Bool = false) async throws {
    try await run { try self.saveOrder(overwriting: overwritingChanges) }
  }

  /// Saves to `url`, which becomes the document's place when it worked. A file that is there already is
  /// refused with `invalidRequest`, unless it is the document's own or `overwritingChanges`.
  public func save(to url: URL, overwritingChanges: Bool = false) async throws {
    try await run { try self.saveOrder(to: url, overwriting: overwritingChanges) }
  }

  private func run(_ order: @MainActor () throws -> DocumentSave.Order) async throws {
    while let currentSave { await currentSave.ended() }
    let save = try begin(order())
    save.runInBackground()
    await save.ended()
    if let failure = save.failure { throw failure }
  }

  private func begin(_ order: DocumentSave.Order) -> DocumentSave {
    let save = DocumentSave(order, of: self)
    currentSave = save
    return save
  }

  private func saveOrder(to url: URL? = nil, overwriting: Bool) throws -> DocumentSave.Order {
    let started = Application.now
    let target = try url.map { try Self.resolved($0) } ?? resolvePath()
    let isElsewhere = target != path
    guard isElsewhere || !isReadOnly else {
      throw ContinuityError(
        .invalidRequest, subject: displayName,
        "\(displayName) is open for reading only; save it under another name.")
    }
    let type = try savingType(url ?? target.url, isElsewhere)
    var expectation = DocumentWriter.Expectation.anything
    if !overwriting {
      expectation = isElsewhere ? .absent : known.map { .known($0.stamp, $0.data) } ?? .absent
    }
    let writer = DocumentWriter(path: target, data: try data(ofType: type), expectation: expectation)
    return DocumentSave.Order(
      writer: writer, started: started, type: type, url: url, isElsewhere: isElsewhere)
  }

  private static func resolved(_ url: URL) throws(ContinuityError) -> FilePath {
    let path = FilePath(url)
    guard let target = path?.resolved else {
      throw DocumentFault.error(path ?? FilePath(bytes: Array(url.absoluteString.utf8)), ENOENT, "saved")
    }
    return target
  }

  private func savingType(_ url: URL?, _ isElsewhere: Bool) throws -> String {
    if !isElsewhere, let fileType { return fileType }
    do {
      return try url.map { try DocumentController.shared.typeForContents(of: $0) } ?? fileType ?? ""
    } catch {
      guard let fileType else { throw error }
      return fileType
    }
  }

  /// Takes over what a save came to. The activity's next round follows immediately and takes the new
  /// version's descriptor along.
  func saveDidEnd(_ save: DocumentSave, _ saved: DocumentWriter.Saved?) {
    guard let saved else { return saveDidFail(save) }
    continuo_pause_point(3)
    currentSave = nil
    known = (saved.stamp, save.order.writer.data)
    savedFile = (OwnedDescriptor(saved.descriptor), saved.stamp.mark)
    isRecovered = false
    noteFileIsThere()
    fileType = save.order.type
    changes = save.changes
    autosave.saved(from: save.order.started, to: Application.now, size: save.order.writer.data.count)
    if save.order.isElsewhere { isReadOnly = false }
    if let url = save.order.url { fileURL = url }
    didSave()
    userActivity?.needsSave = true
    if let userActivity { Application.current?.session.handle(.saved(userActivity.id)) }
    takeNews(of: save)
  }

  /// What was saved since the last call; its descriptor is the caller's.
  func takeSavedFile() -> SavedFile? {
    defer { savedFile = nil }
    return savedFile.map { SavedFile(descriptor: $0.descriptor.take(), mark: $0.mark) }
  }

  private func saveDidFail(_ save: DocumentSave) {
    currentSave = nil
    if save.order.isAutosave, let failure = save.failure {
      autosave.failed(at: Application.now)
      Application.current?.didFailToAutosave(self, failure)
    }
    takeNews(of: save)
  }

  private func takeNews(of save: DocumentSave) {
    for change in save.news { Application.current?.fileDidChange(change, of: self) }
  }

  // MARK: Autosaving

  /// Saves an edited document in place if its class allows it and it is time; otherwise the moment when it
  /// will be. Large ones are written in the background, which asks for another round at its end; the last
  /// round waits for everything.
  ///
  /// A file that was changed or deleted by somebody else is left alone: only the person may decide about
  /// that.
  func autosaveInPlace(isLast: Bool) -> Instant? {
    if let currentSave {
      guard isLast else { return nil }
      currentSave.finish()
    }
    guard isDocumentEdited, !isReadOnly, !isRecovered, Self.autosavesInPlace, let path, known != nil else {
      return nil
    }
    let now = Application.now
    let due = autosave.due
    guard due <= now || isLast else { return due }
    guard DocumentFile.stamp(path) != nil, !isChangedOnDisk else {
      autosave.failed(at: now)
      return nil
    }
    do {
      var order = try saveOrder(overwriting: false)
      order.isAutosave = true
      order.writer.mayCreate = false
      let save = begin(order)
      if isLast || order.writer.data.count <= DocumentSave.smallSize {
        save.runNow()
      } else {
        save.runInBackground()
      }
      return save.failure == nil ? nil : autosave.due
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
