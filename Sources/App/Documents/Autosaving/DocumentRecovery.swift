// SPDX-License-Identifier: MIT

import ActivityModel
public import Foundation
import LinuxSystem
import UserActivities

extension Document {
  /// Where the content is kept that no file of the document's own holds; nil while there is none.
  public var autosavedContentsFileURL: URL? { autosaved?.contents.url }

  /// Keeps changes that no file holds where a crash leaves them, if it is time; otherwise the moment when it
  /// will be. The last call before the process ends waits for it.
  func autosaveElsewhere(isLast: Bool) -> Instant? {
    guard isDocumentEdited, unkept.exist, let place = Application.current?.autosavePlace else { return nil }
    let now = Application.now
    if !isLast {
      guard let due = recovery.due(savesItself: savesItself) else { return nil }
      guard due <= now else { return due }
    }
    if let currentSave {
      guard isLast else { return now + .seconds(1) }
      currentSave.finish()
    }
    do {
      let save = begin(try orderToKeep(in: place, started: now))
      recovery.taken()
      if isLast { save.runNow() } else { save.runInBackground() }
    } catch {
      recovery.failed(at: now)
      Application.current?.didFailToAutosave(self, error)
    }
    return recovery.due(savesItself: savesItself)
  }

  func autosaveNow() async throws {
    while let currentSave { await currentSave.ended() }
    guard isDocumentEdited, unkept.exist else { return }
    if let fileURL = placeToAutosave, continuedOn == nil, isPlaceAsKnown {
      return try await save(to: fileURL, ofType: savingType(fileURL), for: .autosaveInPlaceOperation)
    }
    guard let place = Application.current?.autosavePlace else {
      throw ContinuityError(
        .invalidRequest, subject: shownName,
        description:
          "There is no place to keep \(shownName) in; set HOME, or XDG_STATE_HOME, to an absolute path.")
    }
    try await run { try orderToKeep(in: place, started: Application.now) }
  }

  /// Whether it is going to be saved in its own place without anybody asking.
  private var savesItself: Bool {
    Self.autosavesInPlace && userActivity != nil && fileURL != nil && !isReadOnly && !isRecovered
      && continuedOn == nil
  }

  private func orderToKeep(in place: AutosavePlace, started: Instant) throws -> DocumentSave.Order {
    let type = typeForKeeping
    let data = try data(ofType: type)
    let file = try autosaved ?? place.makeFile(fileExtension: extensionForKeeping(type))
    autosaved = file
    let note = AutosaveNote(
      type: type, url: fileURL?.absoluteString, name: fileURL == nil ? draftName : nil,
      base: known?.stamp.mark ?? awaitedFile, disk: knownDisk)
    return DocumentSave.Order(
      work: .keep(file.writing(data, note)), operation: .autosaveElsewhereOperation, started: started,
      type: type)
  }

  /// An untitled document may not know its own; then the first that its class is for.
  var typeForKeeping: String {
    let controller = DocumentController.shared
    if let fileType { return fileType }
    // Without a type that is declared the document's class decides.
    if let fileURL, let type = try? controller.typeForContents(of: fileURL) { return type }
    let declared = Application.current?.manifest.documentTypes.map(\.name) ?? []
    return declared.first { controller.documentClass(forType: $0) == Self.self } ?? ""
  }

  /// The document's own, else the first that its type declares.
  private func extensionForKeeping(_ type: String) -> [UInt8] {
    let name = fileURL.flatMap(FilePath.init)?.name ?? []
    if let dot = name.dropFirst().lastIndex(of: UInt8(ascii: ".")) {
      let own = Array(name[name.index(after: dot)...])
      return own.count <= 64 ? own : []
    }
    let declared = Application.current?.manifest.documentTypes.first { $0.name == type }?.extensions.first
    return Array((declared ?? "").utf8)
  }

  func didKeep(_ save: DocumentSave) {
    unkept.keep(save.moment)
    recovery.kept(from: save.order.started, to: Application.now)
    // Closed, or as its file is, since the contents were taken.
    if isClosed || !isDocumentEdited { forgetAutosaved() }
  }

  func didFailToKeep(_ error: ContinuityError) {
    guard !isClosed, isDocumentEdited else { return forgetAutosaved() }
    recovery.failed(at: Application.now)
    Application.current?.didFailToAutosave(self, error)
    noteForRecovery()
  }

  /// Something changed: it is to be kept when it is time.
  func noteForRecovery() {
    guard let application = Application.current, application.autosavePlace != nil,
      let due = recovery.due(savesItself: savesItself)
    else { return }
    application.session.wakeHost(at: due)
  }

  /// The document's own file holds its content, or nobody wants it. While it is being written that waits for
  /// the end, when it is looked at again.
  func forgetAutosaved() {
    if case .keep? = currentSave?.order.work { return }
    autosaved?.remove()
    autosaved = nil
    recovery.taken()
  }

  /// Its content came from `file`, which stays until the person saves or closes the document.
  func adopt(_ file: AutosavedFile, _ note: AutosaveNote?) {
    autosaved = file
    if fileURL == nil { draftName = note?.name ?? draftName }
    unkept.keep(unkept.now)
    recovery.taken()
    // The changes were made to another version than the one that is there: only the person may replace it.
    if let known, let base = note?.base, base != known.stamp.mark {
      self.known = (known.stamp.unknown, Data())
    }
    // It was taken away, or its disk is gone: that would hide a file which is made meanwhile.
    if known == nil, fileURL != nil, let note {
      (knownDisk, awaitedFile) = (note.disk ?? knownDisk, note.base)
    }
  }

  /// The file that the changes of an earlier session were made to may be there again, as it was then.
  func awaitedFileIsBack(at path: FilePath) {
    guard known == nil, let awaitedFile, let file = try? DocumentFile.read(path),
      file.stamp.mark == awaitedFile
    else { return }
    known = (file.stamp, file.data)
    self.awaitedFile = nil
  }
}

extension DocumentController {
  /// Opens what documents of this app held, and no file of theirs, when its process ended without saving or
  /// discarding it: each through `reopenDocument(for:withContentsOf:display:)`. Call it once, when the app
  /// has started and its document classes are registered; what another running process of the app has open
  /// is left alone.
  ///
  /// The contents stay where they are until the person saves or closes the document. Those that cannot be
  /// opened stay too, and the error that is presented says where. Returns the documents.
  @discardableResult
  public func restoreAutosavedDocuments() async -> [Document] {
    guard let application = Application.current, let place = application.autosavePlace else { return [] }
    var restored: [Document] = []
    for file in place.abandoned() {
      do {
        restored.append(try await restore(file))
      } catch {
        let reason = (error as? ContinuityError)?.description ?? error.localizedDescription
        application.presentError(
          ContinuityError(
            .documentUnreadable, subject: file.contents.shown,
            description:
              "Unsaved text of an earlier session could not be opened, and is kept in "
              + "\(file.contents.shown). "
              + reason))
      }
    }
    return restored
  }

  private func restore(_ file: AutosavedFile) async throws -> Document {
    guard let contents = file.contents.url else {
      throw DocumentFault.error(file.contents, .noSuchFile, "opened")
    }
    var note = file.note
    var url = note?.url.flatMap { URL(string: $0) }
    if let given = url, FilePath(given)?.resolved == nil {
      // Its folder is not there any more; the text is.
      note?.name = FilePath(given).map { DisplayText.shown($0.name) }
      url = nil
    }
    let told = note?.type.isEmpty == false ? note : nil
    let (document, wasAlreadyOpen) = try await AutosaveNote.$reopening.withValue(told) {
      try await reopenDocument(for: url, withContentsOf: contents, display: true)
    }
    guard !wasAlreadyOpen else {
      throw ContinuityError(
        .invalidRequest, subject: document.shownName,
        description: "\(document.shownName) is open already; close it, and start the app again.")
    }
    document.adopt(file, note)
    return document
  }
}
