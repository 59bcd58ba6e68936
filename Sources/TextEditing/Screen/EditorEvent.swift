// SPDX-License-Identifier: MIT

public import Continuo

/// What reaches the editor's screen.
public enum EditorEvent: Sendable {
  /// The person pressed a key.
  case key(Key)
  /// What other devices offer; `shown` are those whose document is the one on the screen.
  case offers([Offer], shown: Set<OfferID>)
  /// The agent answers, or does not.
  case connection(Bool)
  /// A continuation began: by a key here, or from the command line.
  case continuing
  /// The version is awaited.
  case waiting(title: String, ArrivalStatus)
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

  /// A continuation from `deviceName`.
  public init(deviceName: String?, wasAlreadyOpen: Bool, keptFrom: PortablePosition? = nil) {
    self.deviceName = deviceName
    self.wasAlreadyOpen = wasAlreadyOpen
    self.keptFrom = keptFrom
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
  /// Conflict copies lie beside it.
  case conflict(copies: [String])
}

/// What the screen's owner does for the person.
public enum EditorAction: Hashable, Sendable {
  /// Changes the text or moves the cursor.
  case edit(EditCommand)
  /// Saves; `overwriting` also over a file that somebody else changed.
  case save(overwriting: Bool)
  /// Saves an untitled text as a new file.
  case saveAs(String)
  /// Closes the document without saving; the editor ends with its last document.
  case close
  /// Continues the offer here.
  case accept(OfferID)
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

  /// Facts of one document at one moment.
  public init(name: String, hasFile: Bool, isEdited: Bool, isReadOnly: Bool = false) {
    self.name = name
    self.hasFile = hasFile
    self.isEdited = isEdited
    self.isReadOnly = isReadOnly
  }
}
