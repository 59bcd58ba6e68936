// SPDX-License-Identifier: MIT

public import Continuo

/// What reaches the editor's screen.
public enum EditorEvent: Sendable {
  /// The person pressed a key.
  case key(Key)
  /// The person typed, or moved, by keys that another part of the screen understands.
  case used
  /// What other devices offer; `shown` are those whose document is the one on the screen, `beside` how many
  /// documents are open there beside that of an offer.
  case offers([Offer], shown: Set<OfferID>, beside: [OfferID: Int] = [:])
  /// The agent answers, or does not.
  case connection(Bool)
  /// A continuation began: by a key here, or from the command line.
  case continuing
  /// The version is awaited; `copies` lie beside the document that is here. One that `comesAlong` is not what
  /// the person looks at.
  case waiting(title: String, ArrivalStatus, copies: [ConflictCopy] = [], comesAlong: Bool = false)
  /// A continuation ended with the document on the screen.
  case continued(ContinuedDocument)
  /// A continuation ended without one.
  case failed(ContinuityError)
  /// The text is in the file.
  case saved(name: String)
  /// It is not; the text stays.
  case notSaved(reason: String, isChangedOnDisk: Bool)
  /// The file behind the text changed.
  case fileChanged(FileNews)
  /// A search ended.
  case searched(TextEditor.SearchOutcome)
  /// Every occurrence was replaced.
  case replaced(count: Int)
  /// What apps kept for search that has these words; with none, what was kept last.
  case found([KeptActivity], words: String)
  /// Another document is on the screen.
  case shown
  /// Which folders are synced is known, or has changed.
  case foldersChanged
  /// Documents may have saved themselves.
  case documentsChanged
  /// The untitled text on the screen is to be saved, and then this.
  case needsName(then: AfterSaving)
  /// Something else that the person should read.
  case notice(String)
  /// `wakeAt` has come.
  case tick
}

/// How a continuation ended, as far as it is shown.
public struct ContinuedDocument: Hashable, Sendable {
  /// The other device's name, where known.
  public var deviceName: String?
  /// The document was open before.
  public var wasAlreadyOpen: Bool
  /// Where the person was on the other device, when the cursor was left alone here.
  public var keptFrom: PortablePosition?
  /// What stood around the cursor there is not in this text; the cursor is at the nearest line.
  public var isPlaceGone: Bool

  /// A continuation from `deviceName`.
  public init(
    deviceName: String?, wasAlreadyOpen: Bool, keptFrom: PortablePosition? = nil, isPlaceGone: Bool = false
  ) {
    self.deviceName = deviceName
    self.wasAlreadyOpen = wasAlreadyOpen
    self.keptFrom = keptFrom
    self.isPlaceGone = isPlaceGone
  }
}

/// What happened to the file behind the text on the screen.
public enum FileNews: Hashable, Sendable {
  /// Its new text is shown.
  case reloaded
  /// It changed, and the text here has unsaved changes and was kept.
  case kept
  /// It has another name.
  case moved(to: String)
  /// It is gone.
  case deleted
  /// These conflict copies lie beside it; none when the last one is gone.
  case conflict(copies: [ConflictCopy])
}

/// What the person wanted when they were asked to save.
public enum AfterSaving: Hashable, Sendable {
  /// To save.
  case nothing
  /// To close the document.
  case close
  /// To end the editor.
  case quit
}

/// What the screen's owner does for the person.
public enum EditorAction: Hashable, Sendable {
  /// Changes the text or moves the cursor.
  case edit(EditCommand)
  /// Puts `TextEditor.copiedText` on the clipboard, and deletes it when `cutting`.
  case copy(cutting: Bool)
  /// Pastes the clipboard.
  case paste
  /// Looks for a text and reports `searched`.
  case find(TextSearch, next: Bool)
  /// Replaces what is selected, looks for the next occurrence and reports `searched`.
  case replace(TextSearch, with: String)
  /// Replaces every occurrence and reports `replaced`.
  case replaceAll(TextSearch, with: String)
  /// Looks for what apps kept for search, on any device, with these words; reports `found`.
  case findKept(words: String)
  /// Goes on with it.
  case openKept(KeptActivity)
  /// Saves; `overwriting` also over a file that somebody else changed.
  case save(overwriting: Bool)
  /// Saves an untitled text as a new file, and goes on when it is saved.
  case saveAs(String, then: AfterSaving)
  /// Opens a file beside the documents that are open.
  case open(String)
  /// Opens a conflict copy for reading, beside the documents that are open.
  case openCopy(ConflictCopy)
  /// Puts the open document with that number, from 1, on the screen.
  case show(Int)
  /// Puts the file's bytes into a file beside, then saves over it.
  case keepMine
  /// Puts the text into a file beside, then reads the document's file.
  case loadTheirs
  /// Closes the document, after saving it when `saving`; the editor ends with its last document.
  case close(saving: Bool)
  /// Ends the editor, after saving every document when `saving`; one that cannot be saved keeps it open.
  case quit(saving: Bool)
  /// Continues the offer here; with `isAll` what is open there beside it, too.
  case accept(OfferID, isAll: Bool = false)
  /// Ends the wait.
  case cancel
  /// Decides about a version that is not here.
  case choose(ArrivalChoice)
}

/// What the screen needs to know of the document it shows.
public struct DocumentFacts: Hashable, Sendable {
  /// The file's name, or what an untitled text is called.
  public var name: String
  /// Whether there is a file to save to.
  public var hasFile: Bool
  /// Whether the text differs from the file.
  public var isEdited: Bool
  /// Whether the text may not be changed.
  public var isReadOnly: Bool
  /// Whether somebody else changed the file of an edited text.
  public var isChangedOnDisk = false
  /// Whether the file is not there yet.
  public var isNew = false
  /// The file's folder, as a person reads it.
  public var folder = ""
  /// Whether that lies in a synced folder; nil while it is not known.
  public var isInSyncedFolder: Bool?
  /// Whether an open document is being written to its file right now.
  public var isBeingSaved = false
  /// Conflict copies beside the file.
  public var copies: [ConflictCopy] = []
  /// Which other device has it, or edits it too, in one clause; empty where none does.
  public var others = ""
  /// The document's number among the open ones, from 1.
  public var number = 1
  /// How many documents are open.
  public var count = 1
  /// The names of the other open documents with unsaved changes.
  public var otherEdited: [String] = []

  /// Facts of one document at one moment.
  public init(name: String, hasFile: Bool, isEdited: Bool, isReadOnly: Bool = false) {
    self.name = name
    self.hasFile = hasFile
    self.isEdited = isEdited
    self.isReadOnly = isReadOnly
  }
}
