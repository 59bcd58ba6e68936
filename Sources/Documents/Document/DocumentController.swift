// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
public import Foundation
import UserActivities

/// The open documents, and the classes of their types: `NSDocumentController`. Main actor only.
@MainActor
open class DocumentController {
  /// The process's controller. Replace it before the first document is opened.
  public static var shared = DocumentController()

  /// The open documents, oldest first.
  public private(set) var documents: [Document] = []
  /// The document that the person is in.
  public var currentDocument: Document? { Application.current?.currentDocument ?? latest }

  private weak var latest: Document?
  private var classes: [String: Document.Type] = [:]
  private var defaultClass: Document.Type?

  /// A controller without documents.
  public init() {}

  // MARK: Types

  /// Makes `cls` the class that `NSDocumentClass` entries call `name`; the first one also serves types
  /// without that entry.
  public func register(_ cls: Document.Type, name: String) {
    classes[name] = cls
    if defaultClass == nil { defaultClass = cls }
  }

  /// The class for a document type by its name; nil when none was registered for it.
  open func documentClass(forType typeName: String) -> Document.Type? {
    guard let type = Application.current?.manifest.documentTypes.first(where: { $0.name == typeName }) else {
      return nil
    }
    return type.documentClass.map { classes[$0] } ?? defaultClass
  }

  /// The name of the first document type that claims the file's extension. Throws `invalidRequest` when none
  /// does.
  open func typeForContents(of url: URL) throws -> String {
    let path = FilePath(url)
    guard let path, let type = Application.current?.manifest.documentType(forName: path.name) else {
      throw ContinuityError(
        .invalidRequest, subject: url.absoluteString,
        "No document type is declared for \(path?.shown ?? url.absoluteString); add it to Info.plist."
      )
    }
    return type.name
  }

  // MARK: Opening

  /// Opens the file, or finds the document that has it open; that one is not read again. `display` makes it
  /// the current document.
  ///
  /// A continuation that the app declined calls it too (semantics 40). `super` then takes the bytes that were
  /// verified for `url`, also into a document that is open and unedited; an edited one is never overwritten.
  open func openDocument(
    withContentsOf url: URL, display: Bool
  ) async throws -> (Document, wasAlreadyOpen: Bool) {
    if let delivered = DeliveredFile.current, delivered.url == url { return try open(delivered) }
    let path = try resolve(url)
    if let open = document(at: path) {
      if display { latest = open }
      return (open, true)
    }
    await DocumentSave.ended(at: path)
    let file = try await DocumentFile.readAside(path)
    // Somebody else may have opened it, or saved to it, in the meantime.
    if let open = document(at: path) {
      if display { latest = open }
      return (open, true)
    }
    try UnfinishedWrite.check(file, at: path)
    let document = try make(file, at: url)
    if display { latest = document }
    return (document, false)
  }

  /// Brings back a document's content from another place, as after a crash: the document at `url` (nil: an
  /// untitled one) gets what `contentsURL` holds, and counts as edited. Nothing is written before the person
  /// saves; a file at `url` is then replaced if nobody changed it meanwhile. A document that is open already
  /// stays as it is.
  ///
  /// For recovery alone: a continuation never calls it (semantics 40).
  open func reopenDocument(
    for url: URL?, withContentsOf contentsURL: URL, display: Bool
  ) async throws -> (Document, wasAlreadyOpen: Bool) {
    let place = try url.map { (url) throws(ContinuityError) in try resolve(url) }
    if let open = place.flatMap({ self.document(at: $0) }) {
      if display { latest = open }
      return (open, true)
    }
    if let place { await DocumentSave.ended(at: place) }
    let contents = try await DocumentFile.readAside(resolve(contentsURL))
    if let open = place.flatMap({ self.document(at: $0) }) {
      if display { latest = open }
      return (open, true)
    }
    let document = try make(
      contents, at: url, type: AutosaveNote.reopening?.type ?? typeForContents(of: url ?? contentsURL))
    document.isRecovered = true
    document.known = try place.flatMap { (place) throws(ContinuityError) in
      guard DocumentFile.stamp(place) != nil else { return nil }
      let file = try DocumentFile.read(place)
      return (file.stamp, file.data)
    }
    document.updateChangeCount(.changeDone)
    if display { latest = document }
    return (document, false)
  }

  private func open(_ delivered: DeliveredFile) throws -> (Document, wasAlreadyOpen: Bool) {
    guard let open = document(at: delivered.path) else {
      let document = try make(delivered.file, at: delivered.url)
      document.isReadOnly = delivered.isReadOnly
      latest = document
      return (document, false)
    }
    open.currentSave?.finish()
    if open.isDocumentEdited, delivered.file.data != open.known?.data {
      throw ContinuityError(
        .documentDiverged, subject: delivered.path.shown,
        "\(open.displayName) has unsaved changes here; save them, or close it, and continue again.")
    }
    try open.reload(from: delivered.file, type: open.fileType ?? typeForContents(of: delivered.url))
    latest = open
    return (open, true)
  }

  private func resolve(_ url: URL) throws(ContinuityError) -> FilePath {
    guard let given = FilePath(url) else {
      throw ContinuityError(
        .invalidRequest, subject: url.absoluteString,
        "\(url.absoluteString) is not a file here; open a file URL.")
    }
    guard let path = given.resolved else { throw DocumentFault.error(given, ENOENT, "opened") }
    return path
  }

  private func make(_ file: DocumentFile, at url: URL) throws -> Document {
    try make(file, at: url, type: typeForContents(of: url))
  }

  private func make(_ file: DocumentFile, at url: URL?, type: String) throws -> Document {
    guard let cls = documentClass(forType: type) else {
      throw ContinuityError(
        .invalidRequest, subject: type, "No document class is registered for the type \(type); register one.")
    }
    let document = cls.init()
    try document.load(file, type: type)
    document.fileURL = url
    addDocument(document)
    return document
  }

  /// The open document with that file, whatever name it was opened by.
  func document(at path: FilePath) -> Document? {
    if let same = documents.first(where: { $0.path == path }) { return same }
    guard let stamp = DocumentFile.stamp(path) else { return nil }
    return documents.first { document in
      document.path.flatMap { DocumentFile.stamp($0) }?.isSameFile(as: stamp) == true
    }
  }

  // MARK: The list

  /// Takes a document into the list; from now on its file is watched by the agent.
  open func addDocument(_ document: Document) {
    guard !documents.contains(where: { $0 === document }) else { return }
    documents.append(document)
    if let path = document.path { sayOpened(path, document) }
    document.updateActivity()
  }

  /// Takes a document from the list; its file is no longer watched.
  open func removeDocument(_ document: Document) {
    guard let index = documents.firstIndex(where: { $0 === document }) else { return }
    documents.remove(at: index)
    if let path = document.path { sayClosed(path) }
    Application.current?.documentDidClose(document)
  }

  func pathDidChange(of document: Document, from former: FilePath?) {
    guard former != document.path, documents.contains(where: { $0 === document }) else { return }
    if let former { sayClosed(former) }
    if let path = document.path { sayOpened(path, document) }
  }

  private func sayOpened(_ path: FilePath, _ document: Document) {
    Application.current?.session.handle(.opened(path: path.bytes, file: document.known?.stamp.mark))
  }

  /// Two documents may show one file; the agent is told when the last one goes.
  private func sayClosed(_ path: FilePath) {
    guard !documents.contains(where: { $0.path == path }) else { return }
    Application.current?.session.handle(.closed(path: path.bytes))
  }
}
