// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import Foundation
import LinuxSystem
import UserActivities

/// What was read for a document before it is made, away from the main actor.
struct PreparedFile {
  var url: URL
  var file: DocumentFile
  var contentTypes = ContentTypes()
}

// How a controller's methods do what they promise.
extension DocumentController {
  // MARK: Making

  func makeEmpty(_ typeName: String) throws(ContinuityError) -> Document {
    guard let cls = documentClass(forType: typeName) else {
      throw ContinuityError(
        .invalidRequest, subject: typeName,
        description: "No document class is registered for the type \(typeName); register one.")
    }
    return cls.init(registeredAs: typeName)
  }

  /// The bytes are those that were prepared for this very URL, else they are read now.
  func load(from url: URL, ofType typeName: String) throws -> Document {
    let file: DocumentFile
    if let prepared, prepared.url == url {
      file = prepared.file
    } else {
      let path = try resolve(url)
      file = try DocumentFile.read(path)
      try UnfinishedWrite.check(file, at: path)
    }
    let document = try makeEmpty(typeName)
    try document.load(file, type: typeName)
    return document
  }

  /// Makes a document of what was read; a subclass may make another one than ours.
  private func make(_ file: PreparedFile) throws -> Document {
    let document = try with(file) {
      try makeDocument(withContentsOf: file.url, ofType: typeForContents(of: file.url))
    }
    lastFolder = document.path?.parent ?? lastFolder
    return document
  }

  private func with(_ file: PreparedFile, _ make: () throws -> Document) rethrows -> Document {
    let former = prepared
    prepared = file
    defer { prepared = former }
    return try make()
  }

  func recover(_ document: Document, at place: FilePath?) throws {
    document.isRecovered = true
    document.known = try place.flatMap { (place) throws(ContinuityError) in
      guard DocumentFile.stamp(place) != nil else { return nil }
      let file = try DocumentFile.read(place)
      return (file.stamp, file.data)
    }
    document.updateChangeCount(.changeDone)
  }

  // MARK: Opening

  func openFile(at url: URL, display: Bool) async throws -> (Document, wasAlreadyOpen: Bool) {
    let path = try resolve(url)
    if let open = document(at: path) { return found(open, display: display) }
    await DocumentSave.ended(at: path)
    let file = try await DocumentFile.readAside(path)
    let prepared = await prepare(file, at: url, path)
    // Others ran meanwhile, and may have opened it.
    if let open = document(at: path) { return found(open, display: display) }
    try UnfinishedWrite.check(file, at: path)
    return added(try make(prepared), display: display)
  }

  func reopenFile(
    _ url: URL?, at place: FilePath?, withContentsOf contentsURL: URL, display: Bool
  ) async throws -> (Document, wasAlreadyOpen: Bool) {
    if let place { await DocumentSave.ended(at: place) }
    if let open = place.flatMap({ self.document(at: $0) }) { return found(open, display: display) }
    let contents = try await DocumentFile.readAside(resolve(contentsURL))
    if let open = place.flatMap({ self.document(at: $0) }) { return found(open, display: display) }
    let type = try AutosaveNote.reopening?.type ?? typeForContents(of: url ?? contentsURL)
    let document = try with(PreparedFile(url: contentsURL, file: contents)) {
      try makeDocument(for: url, withContentsOf: contentsURL, ofType: type)
    }
    return added(document, display: display)
  }

  func found(_ open: Document, display: Bool) -> (Document, wasAlreadyOpen: Bool) {
    if display { show(open) }
    noteNewRecentDocument(open)
    return (open, true)
  }

  private func added(_ document: Document, display: Bool) -> (Document, wasAlreadyOpen: Bool) {
    addDocument(document)
    if display { show(document) }
    noteNewRecentDocument(document)
    return (document, false)
  }

  /// The document that is displayed becomes the current one, and has its windows' controllers.
  func show(_ document: Document) {
    latest = document
    if document.windowControllers.isEmpty { document.makeWindowControllers() }
  }

  func open(_ delivered: DeliveredFile) async throws -> (Document, wasAlreadyOpen: Bool) {
    let prepared = await prepare(delivered.file, at: delivered.url, delivered.path)
    guard let open = document(at: delivered.path) else {
      let document = try make(prepared)
      (document.isReadOnly, document.isReadOnlyByChoice) = (delivered.isReadOnly, delivered.isReadOnly)
      return added(document, display: true)
    }
    open.currentSave?.finish()
    if open.isDocumentEdited, delivered.file.data != open.known?.data {
      throw ContinuityError(
        .documentDiverged, subject: delivered.path.shown,
        description: "\(open.shownName) has unsaved changes here; save them, or close it, and continue again."
      )
    }
    try open.reload(from: delivered.file, type: open.fileType ?? typeForContents(of: delivered.url))
    if open.isReadOnlyByChoice, !delivered.isReadOnly {
      (open.isReadOnly, open.isReadOnlyByChoice) = (false, false)
    }
    return found(open, display: true)
  }

  func resolve(_ url: URL) throws(ContinuityError) -> FilePath {
    guard let given = FilePath(url) else {
      throw ContinuityError(
        .invalidRequest, subject: url.absoluteString,
        description: "\(url.absoluteString) is not a file here; open a file URL.")
    }
    guard let path = given.resolved else { throw DocumentFault.error(given, .noSuchFile, "opened") }
    return path
  }

  // MARK: The list

  /// The open document with that file, whatever name it was opened by.
  func document(at path: FilePath) -> Document? {
    if let same = documents.first(where: { $0.path == path }) { return same }
    guard let stamp = DocumentFile.stamp(path) else { return nil }
    return documents.first { document in
      document.path.flatMap { DocumentFile.stamp($0) }?.isSameFile(as: stamp) == true
    }
  }

  func freeUntitledNumber() -> Int {
    let taken = Set(documents.filter { $0.fileURL == nil }.map(\.untitledNumber))
    return (1...documents.count + 1).first { !taken.contains($0) } ?? 1
  }

  func pathDidChange(of document: Document, from former: FilePath?) {
    guard former != document.path, documents.contains(where: { $0 === document }) else { return }
    if let former { sayClosed(former) }
    if let path = document.path {
      lastFolder = path.parent
      sayOpened(path, document)
      noteMove(of: document, from: former)
      openDocumentsDidChange()
    }
  }

  func sayOpened(_ path: FilePath, _ document: Document) {
    Application.current?.session.handle(.opened(path: path.bytes, file: document.fileMark))
  }

  /// Two documents may show one file; the agent is told when the last one goes.
  func sayClosed(_ path: FilePath) {
    guard !documents.contains(where: { $0.path == path }) else { return }
    Application.current?.session.handle(.closed(path: path.bytes))
  }
}
