// SPDX-License-Identifier: MIT

public import ActivityModel
import LinuxSystem
public import Foundation
public import UserActivities

/// A document and its file: `NSDocument`, without windows. Main actor only.
///
/// A subclass implements `read(from:ofType:)` and `data(ofType:)`. A document whose type names an activity
/// type and whose file lies in a synced folder has a `userActivity` by itself (semantics 26, 27).
///
/// ```swift
/// final class Note: Document {
///   private var text = ""
///   override func read(from data: Data, ofType typeName: String) throws {
///     text = String(decoding: data, as: UTF8.self)
///   }
///   override func data(ofType typeName: String) throws -> Data { Data(text.utf8) }
/// }
/// ```
@MainActor
open class Document: Responder {
  /// Where it is saved; nil while untitled. Setting it says where the file is now, and moves nothing on disk.
  public var fileURL: URL? { didSet { if fileURL != oldValue { fileURLDidChange() } } }
  /// The name of its entry in `CFBundleDocumentTypes`.
  public var fileType: String?
  /// Whether the person has changed it since it was read or saved. While a save runs, what it has not written
  /// yet counts as changed, and so does what is typed meanwhile, then and afterwards.
  public var isDocumentEdited: Bool {
    if changes.isEdited { return true }
    guard let currentSave, currentSave.order.isOwn else { return false }
    return currentSave.changes.isEdited
  }
  /// Whether something changed since the content was last saved, or put where a crash leaves it.
  public var hasUnautosavedChanges: Bool { unkept.exist }
  /// Whether somebody took the file away. The text stays in memory, and only the person's own `save` makes
  /// the file again; until then the document has no activity.
  public internal(set) var isFileMissing = false
  /// Whether it has a place and no file: nothing was read from there, or saved to it, so far. Its first save
  /// makes the file, and never writes over one that appeared there meanwhile.
  public var isFileNew: Bool { fileURL != nil && known == nil && !isFileMissing }
  /// The conflict copies that lie beside the file, as the agent told; `FileVersion` knows more of them.
  public internal(set) var conflictCopyURLs: [URL] = []
  /// Who edits the document on other devices, as told last.
  var toldEditors: [OtherEditor] = []
  /// Where the person is in it, for devices that show it.
  var cursorLine: UInt32?
  /// Whether saving is refused: an older or other version that the person chose to look at.
  public var isReadOnly = false
  var isReadOnlyByChoice = false
  /// Another device goes on with it, and no file has its text: a round until then hands that over.
  var draftWantedUntil: Instant?

  /// Whether edited documents of this class save themselves in place, before their state is published
  /// (semantics 25). True unless overridden.
  open class var autosavesInPlace: Bool { true }

  /// Whether text of documents of this class that no file has may go to another device, when a person goes on
  /// with it there: of untitled ones, and of those that cannot be saved in place just then. As
  /// `autosavesInPlace` unless overridden. It goes over a link between the devices alone, when it is asked
  /// for, is kept there first, and is written into no folder by itself; at most 16 MB.
  open class var autosavesDrafts: Bool { autosavesInPlace }

  /// The controllers of the windows that show it; filled by `addWindowController(_:)`.
  public internal(set) var windowControllers: [WindowController] = []
  /// Its content came from elsewhere by `reopenDocument`: until the person saves, nothing else does.
  var isRecovered = false

  /// The file's path with every link followed; nil while untitled or while its folder is not there.
  private(set) var path: FilePath? { didSet { if known == nil || knownDisk == nil { noteDisk() } } }
  /// The bytes read or saved last: what "changed on disk" is measured against.
  var known: (stamp: FileStamp, data: Data)? { didSet { noteDisk() } }
  /// The disk that the file's folder lay on.
  var knownDisk: DocumentDisk?
  /// The file that the changes of an earlier session were made to, while it is not there.
  var awaitedFile: FileMark?
  /// What was saved, for the next `update`.
  var savedFile: (descriptor: Descriptor, mark: FileMark)?
  var autosave = AutosavePacing()
  var changes = ChangeCount()
  var unkept = UnkeptChanges()
  var recovery = RecoveryPacing()
  /// Holds the content as long as no file of the document's own does.
  var autosaved: AutosavedFile?
  private(set) var isClosed = false
  /// What was read before the document hears that its file changed.
  var ahead: ReadingAhead?
  /// The question whether it may be closed, while somebody waits for the answer.
  var closing: Task<Bool, Never>?
  /// The save that runs; the next one waits for its end.
  var currentSave: DocumentSave?
  /// Which of the untitled documents it is, from 1; given by the controller.
  var untitledNumber = 1
  /// What an untitled document is called.
  var draftName: String?
  /// The name that was set in place of the file's.
  private var chosenName: String?
  /// The title that the activity got here; a title of the app's own is left alone.
  private var givenTitle: String?

  /// An untitled document without content. A subclass overrides it as on Apple's systems.
  public override init() { super.init() }

  /// Makes a document of a registered class by its `init()`, for the controller. A subclass that overrides
  /// `init()`, or has no initializer of its own, has this one without writing it.
  public required convenience init(registeredAs typeName: String) { self.init() }

  // Its type is Apple's. The next line is for the linter.
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  /// What windows and offers call it: the file's name, cleaned for display; without a file "Untitled", and
  /// from the second one of the controller's list on "Untitled 2". A name that is set stands in place of
  /// these until nil is set. Never nil to those who ask, unless a subclass's own answer is.
  open var displayName: String! {
    get { chosenName ?? givenName }
    set {
      chosenName = newValue
      nameDidChange()
    }
  }

  /// What takes changes back, for menus and keys; the app sets it, or overrides it, and has it call
  /// `updateChangeCount(_:)`. The framework registers nothing, and calls nothing of it.
  open var undoManager: (any UndoManaging)?
  /// Whether there is an `undoManager`; false lets go of it.
  public var hasUndoManager: Bool {
    get { undoManager != nil }
    set { if !newValue { undoManager = nil } }
  }

  // MARK: For subclasses

  /// Takes over the document's bytes; called with what was verified, never with a path. Throw a sentence when
  /// they are not of this type: nothing is shown then.
  open func read(from data: Data, ofType typeName: String) throws {
    throw ContinuityError(
      .invalidRequest, subject: typeName,
      description: "\(Self.self) must override read(from:ofType:) to open documents.")
  }

  /// The bytes to save, as of now. They are written away from the main actor, so this is all of a save that
  /// the person can feel: make them quickly.
  ///
  /// What an override throws ends the save, and is presented. Throws `invalidRequest` where no class
  /// overrides it.
  open func data(ofType typeName: String) throws -> Data {
    throw ContinuityError(
      .invalidRequest, subject: typeName,
      description: "\(Self.self) must override data(ofType:) to save documents.")
  }

  /// Saves to `url` as `typeName`; what the document becomes by that is `saveOperation`'s to say. Every save
  /// that somebody asked for comes through here, so a subclass that overrides it and calls super sees them
  /// all; one in place because it is time comes without, for it happens within a round of the activity.
  ///
  /// Throws `invalidRequest` for a place that is taken or a document open for reading only,
  /// `documentDiverged` when somebody else changed the file since it was read, else what the system says.
  /// Then file and text are as they were.
  open func save(to url: URL, ofType typeName: String, for saveOperation: SaveOperationType) async throws {
    try await save(url, typeName, saveOperation)
  }

  /// Saves unsaved changes now where a crash leaves them: in the document's own place if its class saves
  /// itself there and nobody else changed the file, else beside, until the person saves or closes the
  /// document; see `DocumentController.restoreAutosavedDocuments()`. The framework does the same by itself
  /// after quiet moments. The flag is Apple's, and makes no difference: nothing here waits for a person.
  ///
  /// Throws as saving does; then the changes are in memory alone.
  open func autosave(withImplicitCancellability: Bool) async throws { try await autosaveNow() }

  /// What `data(ofType:)` gave last is in the file. Changes may have come since; `isDocumentEdited` says so.
  /// Does nothing unless overridden.
  open func didSave() {}

  /// Puts the file's URL under `NSUserActivityDocumentURLKey` (semantics 28); a subclass calls super and adds
  /// to it.
  open override func updateUserActivityState(_ activity: UserActivity) {
    guard let url = path?.url ?? fileURL else { return }
    activity.addUserInfoEntries(from: [NSUserActivityDocumentURLKey: url])
  }

  /// Makes the controllers of the document's windows and gives them to `addWindowController(_:)`. Called when
  /// the document is displayed and has none: by the controller's methods that open or make documents, and by
  /// a continuation, before it restores. Does nothing unless overridden; what is on the screen is the host's.
  open func makeWindowControllers() {}

  /// The file was changed, moved or deleted by somebody else, or has other conflict copies than before,
  /// perhaps none. By default a document follows a move, and reloads when it is unedited; the text of an
  /// edited one is never touched, and `save` refuses to overwrite what it has not seen. What was deleted may
  /// come back as a change.
  open func fileDidChange(_ change: DocumentChange) {
    switch change {
    case .changed: if !isDocumentEdited { try? reload() }
    case .moved(let to): follow(to: FilePath(bytes: to))
    case .deleted, .conflict: break
    }
  }

  /// Sends the error on to the document controller.
  @discardableResult
  open override func presentError(_ error: any Error) -> Bool {
    DocumentController.shared.presentError(willPresentError(error))
  }

  /// Takes the content of the file at `url` in place of the document's, whose unsaved changes are given up
  /// once reading has succeeded. A subclass that overrides it calls super. A save that runs is waited for;
  /// the file is read here and now. Content of another file than the document's counts as a change.
  ///
  /// Throws what opening the file throws; then the content stays, and edited if it was.
  open func revert(toContentsOf url: URL, ofType typeName: String) throws {
    try takeContents(of: url, ofType: typeName)
  }

  /// A new untitled document with this one's content as it is now, unsaved changes included; it counts as
  /// edited until it is saved. This one stays as it is. Throws as `data(ofType:)` and `read(from:ofType:)`
  /// do.
  open func duplicate() throws -> Document { try copyOfContents() }

  /// Moves the document's file to `url`, across file systems too, and never onto something that is there.
  /// Unsaved changes stay in memory; the activity follows (semantics 27, 29). Saves wait meanwhile.
  ///
  /// Throws `invalidRequest` for a place that is taken, or for a document without a file, and what the system
  /// says otherwise. Then the file is where it was.
  open func move(to url: URL) async throws { try await moveFile(to: url) }

  // MARK: Changes

  /// Counts a change; the state is published, and the document saved if its class allows, a quiet moment
  /// later. A subclass that overrides it to hear of changes calls super.
  open func updateChangeCount(_ change: ChangeType) {
    guard change != .changeAutosaved else { return unkept.record(change) }
    PausePoint.reach(1)
    if change != .changeCleared { noteUse() }
    changes.record(change)
    unkept.record(change)
    currentSave?.record(change)
    if !isDocumentEdited {
      forgetAutosaved()
    } else if change != .changeCleared {
      let now = Application.now
      autosave.changed(at: now)
      recovery.changed(at: now)
      noteForRecovery()
    }
    if fileURL == nil, isHandedOverAsDraft != (userActivity != nil) { updateActivity() }
    userActivity?.needsSave = true
    PausePoint.reach(2)
  }

  // MARK: The file

  /// Takes `file` as the content of the document at `url`, without saying so to anybody yet.
  func load(_ file: DocumentFile, type: String) throws {
    currentSave?.finish()
    try read(from: file.data, ofType: type)
    fileType = type
    known = (file.stamp, file.data)
    autosave.loaded(size: file.data.count)
    changes = ChangeCount()
    unkept = UnkeptChanges()
    forgetAutosaved()
  }

  /// Reads the file again, if its bytes are not the known ones. Throws as `read` does; then the content
  /// stays. A save that runs is waited for.
  public func reload() throws {
    guard let path, let fileType else { return }
    currentSave?.finish()
    let file = try contentsAhead(at: path) ?? DocumentFile.read(path)
    try UnfinishedWrite.check(file, at: path)
    try reload(from: file, type: fileType)
  }

  func reload(from file: DocumentFile, type: String) throws {
    if let known, known.data == file.data {
      self.known = (file.stamp, file.data)
      // The agent may have taken it for another version, and wait for the app's word.
      if file.stamp.mark != known.stamp.mark { userActivity?.followFile() }
    } else {
      try load(file, type: type)
      userActivity?.followFile()
    }
  }

  /// To be called while the known file is at the document's place, or before there is one.
  func noteDisk() { knownDisk = path.flatMap { DocumentDisk(ofFolder: $0.parent) } }

  /// Whether the document's folder is what its disk was mounted on.
  private var isDiskGone: Bool {
    guard let knownDisk, let found = path.flatMap({ DocumentFile.stamp($0.parent) }) else { return false }
    return knownDisk.isGone(where: found)
  }

  /// Whether a save that nobody asked for may write: at the document's place lies what was read or saved
  /// there last; where there was no file so far, still none.
  var isPlaceAsKnown: Bool {
    guard let path else { return false }
    guard known != nil else {
      return isFileNew && !isDiskGone && DocumentFile.stamp(path, followingLinks: false) == nil
    }
    return DocumentFile.stamp(path) != nil && !isChangedOnDisk
  }

  /// Whether the disk holds something else than what was read or saved last.
  var isChangedOnDisk: Bool {
    guard let path, let known, let stamp = DocumentFile.stamp(path), stamp != known.stamp else {
      return false
    }
    return (try? DocumentFile.read(path).data) != known.data
  }

  /// Whether the document may be closed: it has no unsaved changes, or they were saved, or the person gives
  /// them up. One that saves itself in place is saved; of others the delegate is asked, by
  /// `application(_:shouldClose:)`. False when the person cancels or saving fails; the error is presented.
  /// Closes nothing.
  open func canClose() async -> Bool { await askWhetherToClose() }

  /// Ends the document: its activity ends, and the agent no longer tells of its file. Unsaved changes are
  /// given up; a save that runs goes on, and `Application.terminate()` waits for it. A subclass that
  /// overrides it calls super. Ask `canClose()` before, unless nothing can be lost.
  open func close() {
    isClosed = true
    // A save that runs may fail; what it was to write is kept until it has not.
    if currentSave?.order.isOwn != true { forgetAutosaved() }
    DocumentController.shared.removeDocument(self)
    userActivity = nil
  }

  func fileURLDidChange() {
    let former = path
    path = fileURL.flatMap(FilePath.init)?.resolved
    DocumentController.shared.pathDidChange(of: self, from: former)
    updateActivity()
    nameDidChange()
    userActivity?.followFile()
  }

  private func nameDidChange() {
    guard let userActivity, userActivity.title == givenTitle else { return }
    userActivity.title = shownName
    givenTitle = shownName
  }

  /// `displayName`, for sentences.
  var shownName: String { displayName ?? givenName }

  private var givenName: String {
    guard let fileURL, let path = FilePath(fileURL) else {
      return draftName ?? (untitledNumber > 1 ? "Untitled \(untitledNumber)" : "Untitled")
    }
    return DisplayText.shown(path.name)
  }

  /// Gives the document an activity when it is in a synced folder, and takes it away when it is not (26, 27).
  func updateActivity() {
    let application = Application.current
    let wanted =
      isHandedOverAsDraft
      ? application?.activityType(ofUntitled: typeForKeeping)
      : isFileMissing ? nil : application?.activityType(for: path, ofType: fileType)
    guard wanted != userActivity?.activityType else { return }
    defer { DocumentController.shared.openDocumentsDidChange() }
    userActivity = wanted.map { type in
      let activity = UserActivity(activityType: type)
      activity.title = shownName
      givenTitle = shownName
      return activity
    }
    tellCursor()
  }

  /// The path again, for a folder that was not there when it was asked for.
  func resolvePath() throws(ContinuityError) -> FilePath {
    guard let given = fileURL.flatMap(FilePath.init) else {
      throw noFile()
    }
    guard let resolved = given.resolved else { throw DocumentFault.error(given, .noSuchFile, "saved") }
    if path != resolved {
      let former = path
      path = resolved
      DocumentController.shared.pathDidChange(of: self, from: former)
      updateActivity()
    }
    return resolved
  }
}
