// SPDX-License-Identifier: MIT

import ActivityModel
public import Foundation
import LinuxSystem

/// The open documents, and the classes of their types: `NSDocumentController`. Main actor only.
///
/// ```swift
/// DocumentController.shared.register(Note.self, name: "Note")
/// let url = URL(fileURLWithPath: "plan.md")
/// let (note, _) = try await DocumentController.shared.openDocument(withContentsOf: url, display: true)
/// ```
@MainActor
open class DocumentController {
  /// The process's controller. Replace it before the first document is opened.
  public static var shared = DocumentController()

  /// The open documents, oldest first.
  public internal(set) var documents: [Document] = []
  /// The document that the person is in: that of the main window, else the one displayed last; nil when that
  /// one was closed.
  public var currentDocument: Document? { Application.current?.currentDocument ?? latest }

  /// Whether the current document's activity lists what else is open in synced folders, at most 31 documents:
  /// who continues it on another device can take them all at once (semantics 52). False at first, for Apple's
  /// systems offer what is current alone.
  public var offersOpenDocuments = false {
    didSet { if offersOpenDocuments != oldValue { Application.current?.listingDidChange() } }
  }

  weak var latest: Document?
  var classes: [String: Document.Type] = [:]
  var defaultClass: Document.Type?
  /// What was read for the document that is being made.
  var prepared: PreparedFile?
  /// Where a file was opened or saved last.
  var lastFolder: FilePath?
  /// The recent files of a process without an application.
  let unkeptRecents = RecentDocuments(nil)

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
    guard let type = declaredTypes.first(where: { $0.name == typeName }) else { return nil }
    return type.documentClass.map { classes[$0] } ?? defaultClass
  }

  /// The names under which `Info.plist` wants document classes (`NSDocumentClass`), in its order, each once.
  open var documentClassNames: [String] {
    var seen: Set<String> = []
    return declaredTypes.compactMap(\.documentClass).filter { seen.insert($0).inserted }
  }

  /// The type of new documents: the first that `Info.plist` declares with the role Editor; nil without one.
  open var defaultType: String? { declaredTypes.first { $0.role == .editor }?.name }

  /// The name of the first document type that claims the file's extension; without one that of a type whose
  /// MIME types fit; else that of a type for every file (`*`). Throws `invalidRequest` when there is none.
  ///
  /// MIME types count while a file is being opened: then the agent was asked before this is called. At other
  /// times the name alone decides.
  open func typeForContents(of url: URL) throws -> String { try declaredType(of: url) }

  // MARK: New documents

  /// What a menu's New calls: an untitled document of `defaultType`, displayed. A failure is presented.
  open func newDocument(_ sender: Any?) {
    do {
      _ = try openUntitledDocumentAndDisplay(true)
    } catch {
      presentError(error)
    }
  }

  /// Makes an untitled document of `defaultType` by `makeUntitledDocument(ofType:)` and takes it into the
  /// list; `displayDocument` makes it the current one. Throws `invalidRequest` when no type is declared for
  /// editing.
  @discardableResult
  open func openUntitledDocumentAndDisplay(_ displayDocument: Bool) throws -> Document {
    guard let type = defaultType else {
      throw ContinuityError(
        .invalidRequest, subject: "new document",
        description: "No document type with the role Editor is declared; add one to Info.plist.")
    }
    let document = try makeUntitledDocument(ofType: type)
    addDocument(document)
    if displayDocument { show(document) }
    return document
  }

  /// An untitled document of that type, which is not in the list yet. Throws `invalidRequest` for a type
  /// without a class.
  open func makeUntitledDocument(ofType typeName: String) throws -> Document {
    let document = try makeEmpty(typeName)
    document.fileType = typeName
    return document
  }

  // MARK: Opening

  /// A document with what the file at `url` holds, which is not in the list yet. Throws as reading does.
  ///
  /// Opening calls it with the file read already: `super` takes those very bytes. Called by itself it reads,
  /// here and now.
  open func makeDocument(withContentsOf url: URL, ofType typeName: String) throws -> Document {
    let document = try load(from: url, ofType: typeName)
    document.fileURL = url
    return document
  }

  /// A document for the file at `url` (nil: an untitled one) with what `contentsURL` holds, which counts as
  /// edited and is not in the list yet. Called by reopening; the same holds as for
  /// `makeDocument(withContentsOf:ofType:)`. Throws what resolving `url` and reading `contentsURL` throw.
  open func makeDocument(
    for url: URL?, withContentsOf contentsURL: URL, ofType typeName: String
  ) throws -> Document {
    let place = try url.map { (url) throws(ContinuityError) in try resolve(url) }
    let document = try load(from: contentsURL, ofType: typeName)
    document.fileURL = url
    try recover(document, at: place)
    return document
  }

  /// Opens the file, or finds the document that has it open; that one is not read again. However many ask
  /// for one file at once, one document comes of it. `display` makes it the current document.
  ///
  /// A continuation that the app declined calls it too (semantics 40). `super` then takes the bytes that were
  /// verified for `url`, also into a document that is open and unedited; an edited one is never overwritten.
  ///
  /// Throws `documentUnreadable` for a file that cannot be read, `invalidRequest` for one of no declared
  /// type, and what the document's class throws while it reads.
  open func openDocument(
    withContentsOf url: URL, display: Bool
  ) async throws -> (Document, wasAlreadyOpen: Bool) {
    if let delivered = DeliveredFile.current, delivered.url == url { return try await open(delivered) }
    return try await openFile(at: url, display: display)
  }

  /// Brings back a document's content from another place, as after a crash: the document at `url` (nil: an
  /// untitled one) gets what `contentsURL` holds, and counts as edited. Nothing is written before the person
  /// saves; a file at `url` is then replaced if nobody changed it meanwhile. A document that is open already
  /// stays as it is.
  ///
  /// For recovery alone: a continuation never calls it (semantics 40). Throws what resolving `url` and
  /// reading `contentsURL` throw.
  open func reopenDocument(
    for url: URL?, withContentsOf contentsURL: URL, display: Bool
  ) async throws -> (Document, wasAlreadyOpen: Bool) {
    let place = try url.map { (url) throws(ContinuityError) in try resolve(url) }
    return try await reopenFile(url, at: place, withContentsOf: contentsURL, display: display)
  }

  // MARK: Errors

  /// Presents an error of documents, after `willPresentError(_:)`: it goes on to
  /// `Application.presentError(_:)`. Always false, for nobody here recovers from an error.
  @discardableResult
  open func presentError(_ error: any Error) -> Bool {
    Application.presentLast(willPresentError(error))
  }

  /// What is to be presented instead of `error`; that error itself unless overridden.
  open func willPresentError(_ error: any Error) -> any Error { error }

  // MARK: Recent documents

  /// How many recent files are told, and shown in menus: 10 unless overridden. With 0 none is noted.
  open var maximumRecentDocumentCount: Int { 10 }

  /// The files used last with this app, newest first, by any of its processes; also those that are not there
  /// any more.
  open var recentDocumentURLs: [URL] { recentURLs }

  /// Notes the file of a document that was opened, or saved under another name. Override it to leave some
  /// documents out, and do not call `super` for these.
  open func noteNewRecentDocument(_ document: Document) {
    if let url = document.fileURL { noteNewRecentDocumentURL(url) }
  }

  /// Puts the file first in the list of this app, and in the desktop's, which the agent keeps. A URL that is
  /// no file here is left out. What cannot be kept is told in the log.
  open func noteNewRecentDocumentURL(_ url: URL) {
    if let path = FilePath(url) { noteRecent(path) }
  }

  /// Empties the list of this app; the desktop's stays.
  open func clearRecentDocuments(_ sender: Any?) { clearRecents() }

  // MARK: The list

  /// The open document that has this file, by whatever name it was opened; nil when none has.
  open func document(for url: URL) -> Document? {
    FilePath(url)?.resolved.flatMap { document(at: $0) }
  }

  /// The document that `window` shows; nil when it shows none.
  open func document(for window: Window) -> Document? { window.windowController?.document }

  /// Takes a document into the list; from now on its file is watched by the agent. An untitled one gets the
  /// lowest number that no other has: "Untitled", "Untitled 2".
  open func addDocument(_ document: Document) {
    guard !documents.contains(where: { $0 === document }) else { return }
    if document.fileURL == nil { document.untitledNumber = freeUntitledNumber() }
    documents.append(document)
    if let path = document.path { sayOpened(path, document) }
    document.updateActivity()
    openDocumentsDidChange()
  }

  /// Takes a document from the list; its file is no longer watched.
  open func removeDocument(_ document: Document) {
    guard let index = documents.firstIndex(where: { $0 === document }) else { return }
    documents.remove(at: index)
    if latest === document { latest = nil }
    if let path = document.path { sayClosed(path) }
    Application.current?.documentDidClose(document)
    openDocumentsDidChange()
  }

  /// Whether any document has changes that are not saved.
  open var hasEditedDocuments: Bool { documents.contains(where: \.isDocumentEdited) }

  /// The folder in which choosing a file had better begin: that of the current document, else the one where a
  /// file was opened or saved last, else the person's home (`HOME`); nil when none of them is there.
  open var currentDirectory: String? {
    let home = UserAccount.home().flatMap { FilePath(URL(filePath: $0)) }
    let places = [currentDocument?.path?.parent, lastFolder, home]
    return places.lazy.compactMap { $0 }.first(where: \.isFolder)?.shown
  }
}
