// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import AppSession
import LinuxSystem
public import Foundation
import UserActivities

extension Document {
  /// What a save is for: `NSDocument.SaveOperationType`.
  public enum SaveOperationType: Hashable, Sendable {
    /// To the document's own place.
    case saveOperation
    /// To another place, which is the document's from then on; the file at the old one stays.
    case saveAsOperation
    /// A copy elsewhere. The document stays where it is, and edited if it was.
    case saveToOperation
    /// To the document's own place, because it is time.
    case autosaveInPlaceOperation
    /// A copy to come back to after a crash. The document stays where it is, and edited.
    case autosaveElsewhereOperation
  }

  /// Whether something is being done to the document's file.
  public var isSaving: Bool { currentSave != nil }

  /// Saves to `fileURL`, then publishes the state with the new version.
  ///
  /// The bytes are taken on the main actor at once, or when a save that runs has ended; writing them happens
  /// elsewhere, while the person goes on. What is changed meanwhile is not saved, and the document stays
  /// edited.
  ///
  /// Mode, owner, extended attributes, symbolic and hard links stay. On any failure the old bytes stay on
  /// disk, the text stays in memory, and the error says what to do. A file that somebody else changed since
  /// it was read, until the last moment, is refused with `documentDiverged`, unless `overwritingChanges`.
  /// Throws also `invalidRequest` for a document without a file, what `data(ofType:)` throws, and the error
  /// of the file system.
  public func save(overwritingChanges: Bool = false) async throws {
    guard let fileURL else { throw noFile() }
    try await SaveChoice.$overwritten.withValue(overwritingChanges ? .anything : .nothing) {
      try await save(to: fileURL, ofType: savingType(fileURL), for: .saveOperation)
    }
  }

  /// Saves to `fileURL` over what somebody else put there, if the file holds exactly `contents` until the
  /// last moment: what the person was shown of it, and has decided about. Throws `documentDiverged` for any
  /// other file, which stays, `documentMissing` where there is none by then, and makes none, and else what
  /// `save(overwritingChanges:)` throws.
  public func save(replacing contents: Data) async throws {
    guard let fileURL else { throw noFile() }
    try await SaveChoice.$overwritten.withValue(.contents(contents)) {
      try await save(to: fileURL, ofType: savingType(fileURL), for: .saveOperation)
    }
  }

  /// Saves to `url`: as a save under another name, unless `operation` says otherwise. The type is that of the
  /// name's extension, else the document's. A file that is there already is refused with `invalidRequest`,
  /// unless it is the document's own or `overwritingChanges`. See `save(to:ofType:for:)`. Throws also what
  /// `data(ofType:)` throws, and the error of the file system.
  public func save(
    to url: URL, for operation: SaveOperationType = .saveAsOperation, overwritingChanges: Bool = false
  ) async throws {
    try await SaveChoice.$overwritten.withValue(overwritingChanges ? .anything : .nothing) {
      try await save(to: url, ofType: savingType(url), for: operation)
    }
  }

  func save(_ url: URL, _ type: String, _ operation: SaveOperationType) async throws {
    let overwriting = SaveChoice.overwritten
    // The document's own place is where it is by then: a move may be under way.
    let isOwnPlace = url == fileURL
    try await run {
      let place = isOwnPlace ? fileURL ?? url : url
      return try saveOrder(place, type, operation, overwriting: overwriting)
    }
  }

  /// Waits for what runs, then does what `order` says by then.
  func run(_ order: @MainActor () throws -> DocumentSave.Order) async throws {
    while let currentSave { await currentSave.ended() }
    let save = try begin(order())
    save.runInBackground()
    await save.ended()
    if let failure = save.failure { throw failure }
  }

  func begin(_ order: DocumentSave.Order) -> DocumentSave {
    let save = DocumentSave(order, of: self)
    currentSave = save
    return save
  }

  func saveOrder(
    _ url: URL, _ type: String, _ operation: SaveOperationType, overwriting: SaveChoice.Overwritten
  ) throws -> DocumentSave.Order {
    let started = Application.now
    let target = url == fileURL ? try resolvePath() : try Self.resolved(url)
    let isElsewhere = target != path
    let isCopy = operation == .saveToOperation || operation == .autosaveElsewhereOperation
    guard isElsewhere || !isCopy else {
      throw ContinuityError(
        .invalidRequest, subject: shownName,
        description: "\(shownName) cannot be copied onto itself; choose another name for the copy.")
    }
    guard isElsewhere || !isReadOnly else {
      throw ContinuityError(
        .invalidRequest, subject: shownName,
        description: "\(shownName) is open for reading only; save it under another name.")
    }
    if !isElsewhere { awaitedFileIsBack(at: target) }
    let expectation: DocumentWriter.Expectation =
      switch overwriting {
      case .anything: .anything
      case .contents(let contents): .contents(contents)
      case .nothing: isElsewhere ? .absent : known.map { .known($0.stamp, $0.data) } ?? .absent
      }
    let writer = DocumentWriter(
      path: target, data: try data(ofType: type), expectation: expectation,
      mayCreate: operation != .autosaveInPlaceOperation || isFileNew,
      disk: isElsewhere ? nil : knownDisk)
    return DocumentSave.Order(
      work: .write(writer), operation: operation, started: started, type: type,
      url: isCopy || url == fileURL ? nil : url, isElsewhere: isElsewhere)
  }

  static func resolved(_ url: URL) throws(ContinuityError) -> FilePath {
    guard let path = FilePath(url) else {
      throw ContinuityError(
        .invalidRequest, subject: url.absoluteString,
        description: "\(url.absoluteString) is not a file here; use a file URL.")
    }
    guard let target = path.resolved else { throw DocumentFault.error(path, .noSuchFile, "saved") }
    return target
  }

  /// A document keeps its type in its own place; another name gives another type if it has a declared one.
  func savingType(_ url: URL) throws -> String {
    if url == fileURL, let fileType { return fileType }
    do {
      return try DocumentController.shared.typeForContents(of: url)
    } catch {
      guard let fileType else { throw error }
      return fileType
    }
  }

  // MARK: Afterwards

  /// Takes over what a save came to.
  func saveDidEnd(_ save: DocumentSave, _ outcome: DocumentSave.Outcome?) {
    currentSave = nil
    switch outcome {
    case .saved(let saved, let data):
      if save.order.isOwn { takeOver(save, saved.stamp, data, saved.descriptor) }
      if save.order.operation == .autosaveElsewhereOperation { unkept.keep(save.moment) }
    case .moved(let moved): takeOver(save, moved)
    case .kept: didKeep(save)
    case nil: saveDidFail(save)
    }
    // A round may have found the document busy, and saved nothing.
    if !save.order.isOwn, isDocumentEdited { userActivity?.followFile() }
    takeNews(of: save)
  }

  /// What was saved since the last call; its descriptor is the caller's.
  func takeSavedFile() -> SavedFile? {
    defer { savedFile = nil }
    return savedFile.map { SavedFile(descriptor: $0.descriptor.release(), mark: $0.mark) }
  }

  private func saveDidFail(_ save: DocumentSave) {
    guard let failure = save.failure else { return }
    switch (save.order.work, save.order.operation) {
    case (.keep, _): didFailToKeep(failure)
    case (_, .autosaveInPlaceOperation):
      autosave.failed(at: Application.now)
      Application.current?.didFailToAutosave(self, failure)
    default: break
    }
  }

  /// The activity's next round, or the one that runs, takes the new version's descriptor along.
  private func takeOver(
    _ save: DocumentSave, _ stamp: FileStamp, _ data: Data, _ descriptor: Descriptor
  ) {
    PausePoint.reach(3)
    known = (stamp, data)
    savedFile = (descriptor, stamp.mark)
    isRecovered = false
    noteFileIsThere()
    fileType = save.order.type
    changes = save.changes
    forgetAutosaved()
    unkept.keep(save.moment)
    autosave.saved(from: save.order.started, to: Application.now, size: data.count)
    if save.order.isElsewhere { isReadOnly = false }
    if let url = save.order.url { fileURL = url }
    noteDisk()
    didSave()
    if isDocumentEdited { recovery.changed(at: Application.now) }
    noteForRecovery()
    userActivity?.needsSave = true
    if let userActivity { Application.current?.session.didSave(userActivity) }
  }

  private func takeOver(_ save: DocumentSave, _ moved: FileMove.Moved) {
    if let known, known.stamp == moved.before { self.known = (moved.after, known.data) }
    if let url = save.order.url { fileURL = url }
    noteDisk()
  }

  /// What was told of a place that is no longer the document's concerns it no more.
  private func takeNews(of save: DocumentSave) {
    guard save.failure != nil || save.order.url == nil || !save.order.isElsewhere else { return }
    for change in save.news { Application.current?.fileDidChange(change, of: self) }
  }
}

/// What the caller of a save decided, on its way through methods that a subclass may have overridden.
enum SaveChoice {
  /// What of somebody else's is given up.
  enum Overwritten: Sendable {
    case nothing
    case anything
    /// A file that holds exactly that.
    case contents(Data)
  }

  /// What somebody else saved meanwhile, as far as it is given up.
  @TaskLocal static var overwritten = Overwritten.nothing
}
