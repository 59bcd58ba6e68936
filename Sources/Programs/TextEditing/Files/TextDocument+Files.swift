// SPDX-License-Identifier: MIT

public import Continuo
import Foundation
import LinuxSystem

/// What every face of the editor does with a document's file.
extension TextDocument {
  /// What it is called on the screen.
  public var textName: String {
    // Asked for with each key, and found out anew when the file has another URL.
    if let lastNamed, lastNamed.url == fileURL { return lastNamed.name }
    let name = fileURL?.lastPathComponent ?? "Untitled"
    lastNamed = (fileURL, name)
    return name
  }

  /// Puts the file's bytes into a file beside, then saves over it; one that changes meanwhile is read again.
  /// Returns what to tell the person, nil where there was nothing to keep. Throws as reading, keeping and
  /// saving do; then nothing was overwritten.
  public func keepMine() async throws -> String? {
    var kept: String?
    let path = fileURL?.path(percentEncoded: false) ?? ""
    var before = Self.mark(path)
    while let seen = before {
      let theirs = try Array(Data(contentsOf: URL(filePath: path)))
      kept = try RecoveryFile.write(theirs, besides: path, mark: "theirs")
      before = Self.mark(path)
      if before == seen { break }
    }
    try await save(overwritingChanges: true)
    return kept.map { "Saved yours; theirs is kept in \(Self.lastName($0))" }
  }

  /// Puts the text here into a file beside, then reads the document's file; where that fails the text stays.
  /// Returns what to tell the person.
  public func loadTheirs() -> String {
    do {
      let kept = try RecoveryFile.write(bytes, besides: fileURL?.path(percentEncoded: false), mark: "mine")
      try reload()
      return "Loaded theirs; yours is kept in \(Self.lastName(kept))"
    } catch {
      return "Not loaded: \(error.sentence)"
    }
  }

  /// Whether a save failed because the file is not what was read; a file that was not there when the text
  /// began counts too.
  public func isChangedOnDisk(_ error: any Error) -> Bool {
    guard let error = error as? ContinuityError else { return false }
    return error.code == .documentDiverged || (error.code == .invalidRequest && fileURL != nil)
  }

  /// The editor has to go: saves it where it has a file, and keeps what cannot be saved for the next start,
  /// else in a file beside. Returns what to tell the person, nil for nothing.
  public func rescue() async -> String? {
    guard isDocumentEdited else { return nil }
    if canBeRescued, (try? await save()) != nil { return nil }
    // What is not kept by that is still told to be unautosaved.
    try? await autosave(withImplicitCancellability: false)
    guard hasUnautosavedChanges else {
      return "Unsaved text of \(textName) is opened again by the next start."
    }
    do throws(ContinuityError) {
      let path = fileURL?.path(percentEncoded: false)
      return "Unsaved text was kept in \(try RecoveryFile.write(bytes, besides: path))."
    } catch {
      return error.description
    }
  }

  /// Notes in which folder it lies, and whether that is a synced one. Looks at the disk, so it is called when
  /// either may have changed, and not for each frame; `knowsFolders` once the agent has told of them.
  public func noteFolder(in application: Application, knowsFolders: Bool) {
    guard let folder = fileURL?.deletingLastPathComponent().path(percentEncoded: false) else {
      return (isInSyncedFolder, shownFolder) = (nil, "")
    }
    shownFolder = FileArgument.shortened(folder)
    isInSyncedFolder = knowsFolders ? fileURL.flatMap(application.isInSyncedFolder) : nil
  }

  /// Takes note of conflict copies that were told of, as they lie beside the file now.
  public func noteCopies(_ told: [ConflictCopy]) {
    let found = fileURL.map { ConflictCopies.beside($0.path(percentEncoded: false)) } ?? []
    conflictCopies = found.isEmpty || told.isEmpty ? told : found
  }

  /// The document of a file, which need not be there yet, of the class that is registered for its type.
  /// `display` makes its windows. Throws as opening does, and for a file of another kind of document.
  public static func open(_ argument: FileArgument, display: Bool) async throws -> TextDocument {
    let controller = DocumentController.shared
    guard !argument.isNew else {
      let type = try controller.typeForContents(of: argument.url)
      guard let document = try controller.makeUntitledDocument(ofType: type) as? TextDocument else {
        throw foreign(argument)
      }
      document.fileURL = argument.url
      controller.addDocument(document)
      if display { document.makeWindowControllers() }
      return document
    }
    let (document, _) = try await controller.openDocument(withContentsOf: argument.url, display: display)
    guard let text = document as? TextDocument else { throw foreign(argument) }
    return text
  }

  private static func foreign(_ argument: FileArgument) -> ContinuityError {
    ContinuityError(
      .documentUnreadable, subject: argument.url.path,
      description:
        "\(argument.url.lastPathComponent) is not a kind of document that this editor's Info.plist declares.")
  }

  /// Nobody is there to decide: a file that somebody took away is not made again.
  private var canBeRescued: Bool {
    guard let path = fileURL?.path(percentEncoded: false), !isReadOnly, continuedOn == nil else {
      return false
    }
    return isFileNew || Self.mark(path) != nil
  }

  private static func lastName(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  /// What changes when the file does; nil when it is not there.
  private static func mark(_ path: String) -> FileMark? { (try? FilePath(path).status())?.stamp.mark }
}

extension DocumentFacts {
  /// What is known of `document` now. Main actor only.
  @MainActor public init(of document: TextDocument) {
    self.init(
      name: document.textName, hasFile: document.fileURL != nil, isEdited: document.isDocumentEdited,
      isReadOnly: document.isReadOnly)
    isChangedOnDisk = document.isFileNewer && document.isDocumentEdited
    copies = document.conflictCopies
    isNew = document.isFileNew && !document.isFileNewer
    folder = document.shownFolder
    isInSyncedFolder = document.isInSyncedFolder
    isBeingSaved = document.isDocumentEdited && document.isSaving
    let editors = document.otherEditors
    let other = editors.first(where: \.isPresent) ?? editors.first
    others = document.continuedOn?.sentence ?? other?.sentence ?? ""
  }
}

extension Error {
  /// The sentence that a person should read of it.
  public var sentence: String { (self as? ContinuityError)?.description ?? localizedDescription }
}

extension Application {
  /// The offers whose document is `document`.
  public func offers(of document: TextDocument) -> Set<OfferID> {
    guard let path = document.fileURL?.path(percentEncoded: false) else { return [] }
    let bytes = Array(path.utf8)
    let shown = offers.filter { offer in
      offer.path.map { path in
        roots.contains { $0.name == offer.folderName && $0.absolutePath(of: path) == bytes }
      } ?? false
    }
    return Set(shown.map(\.id))
  }

  /// The conflict copies beside the document that `offer` means, where that lies in a folder here.
  public func copies(of offer: Offer) -> [ConflictCopy] {
    guard let path = offer.path, let root = roots.first(where: { $0.name == offer.folderName }) else {
      return []
    }
    return ConflictCopies.beside(String(decoding: root.absolutePath(of: path), as: UTF8.self))
  }
}
