// SPDX-License-Identifier: MIT

/// Why something stands as it does, is not offered, or ended: the case, with what it is about.
///
/// Machines make and compare cases. `sentence` is what a person reads, and what travels over the agent's
/// socket; `Reason(sentence)` finds the case again. Names of documents, folders and devices are as they are
/// shown.
public indirect enum Reason: Hashable, Sendable {
  // How a document stands to the version that is meant.

  /// Nobody has looked yet which version is here.
  case looking
  /// An older version is here.
  case behind(document: String, device: String, Coming)
  /// No file is here.
  case missing(document: String, device: String, Coming)
  /// A newer version is here.
  case ahead(document: String, device: String)
  /// Another version is here, and this may lie beside it.
  case diverged(document: String, device: String, Beside)
  /// The file cannot be read; `why` is the system's clause.
  case unreadable(document: String, why: String?)
  /// The file was just moved away or deleted, as before another one takes its place.
  case replaced(document: String, folder: String)
  /// A program writes the file; nil where it does not show how far it has come.
  case written(document: String, device: String, folder: String, Progress?)
  /// A large file of another size than the version has.
  case otherSize(document: String, device: String, size: ByteAmount, expected: ByteAmount)
  /// A large file is read.
  case reading(document: String, Progress)
  /// The version lies at another path.
  case moved(document: String, path: String, folder: String)
  /// This device has no such folder; nil where its name is not known either.
  case folderUnknown(document: String, folder: String?)
  /// The folder is not there.
  case folderAway(document: String, folder: String)
  /// What lies in the folder's place has another folder's identity.
  case folderReplaced(folder: String, path: String)
  /// Two folders have one identity.
  case folderShared(SharedFolder)
  /// No file is here, and no more is known.
  case absent
  /// The folder went away while the document was to be opened.
  case folderGone
  /// The file changed while it was opened.
  case changedWhileOpened(document: String)
  /// Another version was announced while this one was opened.
  case overtaken
  /// The file cannot be opened; `why` is the system's clause.
  case unopenable(document: String, why: String)
  /// So many other files that the activity names are not here.
  case othersLeftOut(UInt64)
  /// The time is over and the person is asked; with how the document stands.
  case overdue(Reason?)
  /// The version did not come in time.
  case neverArrived(LateVersion)

  // Why an activity of this device is not offered.

  /// It has no type.
  case untyped
  /// Its app keeps it on this device.
  case notEligible
  /// An entry of its user info is missing.
  case requiredKeyMissing(String)
  /// Its `expirationDate` has passed.
  case expired
  /// Nothing changed in it for so long that it ended.
  case unchanged
  /// Its document is in no synced folder.
  case outsideFolders(path: String)
  /// So many newer ones are offered.
  case tooMany(UInt64)
  /// This device was removed from its circle, by that device; nil where it is this one or not known.
  case removed(by: String?)
  /// Another computer uses this device's identity.
  case copied

  // What is said beside an activity.

  /// One or two of its addresses are not handed over.
  case addressesLeftOut(String, and: String?)
  /// So many file URLs of its user info are not handed over.
  case filesLeftOut(UInt64)
  /// That device goes on with it, since that moment; nil where that is not known.
  case continued(device: String, at: ShownMoment?)
  /// No app of that device took it.
  case notTaken(device: String)
  /// It was not opened there; with what the app says, if it says something.
  case notShownThere(device: String, message: String?)
  /// The app ended before it had shown it.
  case appEnded(app: String)
  /// The app could not be started; with what the system says, if it says something.
  case notStarted(app: String, message: String?)
  /// The app was started, and did not ask for it in time.
  case neverConnected(app: String)
  /// The app has it and does not answer; nil where it went away and its name with it, as below.
  case appSilent(app: String?)
  /// The app did not take it.
  case declined(app: String?)
  /// The app could not open it; with what the app says, if it says something.
  case notShown(app: String?, message: String?)
  /// So many older offers do not fit the list.
  case moreOffers(UInt64)
  /// So many older activities do not fit the list.
  case moreActivities(UInt64)

  // How a continuation ends without a delivery.

  /// The offer that was accepted is gone.
  case offerGone
  /// The app cancelled it.
  case cancelled
  /// The person gave up.
  case givenUp
  /// The device belongs no longer to the circle.
  case deviceRemoved(device: String)
  /// The other device ended the activity.
  case ended
  /// Another continuation was started in the app.
  case superseded
  /// No agent answers.
  case agentUnreachable

  // What `continuo why` says besides.

  /// It is offered; to these devices, which have told that they read it.
  case offered(to: [String])
  /// An app has the document open, and another activity of it is current.
  case notCurrent(app: String, document: String)
  /// No app here has the document open.
  case notOpen(document: String)
  /// It does not fit what travels.
  case tooLarge(TooLarge)
  /// No app here declares the type; which one made it.
  case noApp(type: String, maker: String)
  /// An app here declares the type, and is of another team than the one that made it.
  case otherTeam(app: String, maker: String)
  /// The app of that name can continue it here.
  case continuable(app: String)
  /// This state of it was continued on this device.
  case continuedHere
  /// What the device said last has outlived itself.
  case silent(device: String)
  /// So many records in a folder are not by devices of the circle, or not as these wrote them.
  case untrusted(UInt64, folder: String)
  /// A device of the circle writes records of a format that this release does not read.
  case newerFormat
  /// Two computers use the identity of another device; nil where it is not known of which.
  case deviceCopied(device: String?)
  /// No record of another device comes through the folder.
  case recordsLeftOut(folder: String)
  /// The device goes on writing records and reads none of this one's.
  case recordsUnread(device: String)
  /// The device writes records that do not come here; which other one has read them.
  case recordsMissing(device: String, readBy: String)
  /// The file belongs to a sync engine or to Continuo itself.
  case keptBack(document: String)
  /// The folder of the document lies in another one.
  case nested(document: String, folder: String, outer: String)
  /// How it stands, and since when by the clock here.
  case since(Reason, time: String)

  // Why there is no link to another device on the network.

  /// This computer is on no network that is switched on.
  case noNetwork
  /// The device has its LAN switched off, or is on no network.
  case linkOff(device: String)
  /// The device has said lately where it is, and nobody answers there.
  case linkUnanswered(device: String, port: UInt64)
  /// The device has said nothing for a while, and nobody answers where it was.
  case linkOutdated(device: String)
  /// Both are on networks, and on none together.
  case linkApart(device: String)
  /// Whoever answers where the device was is another one, or does not know this one.
  case linkRefused(device: String)
  /// The document is open in a copy that came over the link, before its folder had that version.
  case sentOverLink(document: String, device: String, folder: String)
  /// The device is asked to save the document before it is continued here.
  case beingSaved(document: String, device: String)
  /// It did not; with what its app says, if it says something.
  case notSaved(document: String, device: String, message: String?)
  /// It did, and text was typed there after that.
  case savedBefore(document: String, device: String)
  /// It is the newest version that is here, and another one than when its activity was saved for search.
  case changedSinceKept(document: String)
  /// The text of a draft is on that device alone, and did not come from there.
  case draftOutOfReach(document: String, device: String)

  /// A sentence from elsewhere: an app's own words, the system's, those of an agent of another release.
  case told(String)
}

extension Reason {
  /// How far a version has come.
  public struct Progress: Hashable, Sendable {
    /// What is here, or was read.
    public var here: ByteAmount
    /// The whole.
    public var size: ByteAmount
    /// So many bytes of so many.
    public init(_ here: UInt64, of size: UInt64) {
      self.here = ByteAmount(here)
      self.size = ByteAmount(size)
    }
  }

  /// What is larger than what travels.
  public enum TooLarge: Hashable, Sendable {
    /// An activity's payload, in bytes, and its largest parts.
    case payload(UInt64, limit: UInt64, largest: String)
    /// A user info, in bytes, and its largest entries, where they are known.
    case userInfo(UInt64, limit: UInt64, largest: String?)
    /// All activities of a device together.
    case record
  }

  /// How the version meant comes here.
  public enum Coming: Hashable, Sendable {
    /// Through that folder; nil where it does not show how far it has come.
    case through(folder: String, Progress? = nil)
    /// It is here, as the conflict copy of that name.
    case copy(String)
  }

  /// What lies beside a document that was changed on both sides.
  public enum Beside: Hashable, Sendable {
    /// Nothing that belongs to it.
    case nothing
    /// Conflict copies of these names, each another version than the one meant.
    case copies([String])
    /// The version meant, as the conflict copy of that name.
    case version(copy: String)
    /// Nothing: a merge put both versions into the document, between conflict markers.
    case markers
  }

  /// Two folders that have one identity, of which one is not used.
  public struct SharedFolder: Hashable, Sendable {
    /// The one that is not used.
    public var folder: String
    /// Where it lies, as it is shown.
    public var path: String
    /// The one that is.
    public var other: String
    /// Whether that one was registered first.
    public var isOtherFirst: Bool
    /// Which of the two is the copy.
    public var copy: String
    /// Where the copy lies, as it is shown.
    public var copyPath: String
    /// What is known of the two.
    public init(
      folder: String, path: String, other: String, isOtherFirst: Bool, copy: String, copyPath: String
    ) {
      self.folder = folder
      self.path = path
      self.other = other
      self.isOtherFirst = isOtherFirst
      self.copy = copy
      self.copyPath = copyPath
    }
  }

  /// A version that did not come in time.
  public struct LateVersion: Hashable, Sendable {
    /// The document's name.
    public var document: String
    /// Who announced the version.
    public var device: String
    /// How long it was awaited.
    public var seconds: UInt64
    /// How the document stands; nil where that is plain.
    public var state: Reason?
    /// What a person can do.
    public var remedy: Remedy
    /// What is known of the wait.
    public init(document: String, device: String, seconds: UInt64, state: Reason?, remedy: Remedy) {
      self.document = document
      self.device = device
      self.seconds = seconds
      self.state = state
      self.remedy = remedy
    }

    /// What a person can do about a version that does not come.
    public enum Remedy: Hashable, Sendable {
      /// Look at how that folder is synced; open what is here, where something is.
      case sync(folder: String, canOpen: Bool)
      /// Make the file readable.
      case makeReadable
      /// Wait, or give up.
      case wait
    }
  }
}

extension Reason {
  /// The reason that a sentence tells, with its parameters; `told` where it is of another making, or may be
  /// read in more than one way. Its own sentence is the one given, as `DisplayText` shows it.
  ///
  /// Pure and total, for sentences of any length; on any thread.
  public init(_ sentence: String) { self = ReasonLanguage.english.reason(in: DisplayText.shown(sentence)) }

  /// The English sentence, cleaned for display: with the remedy, if there is one.
  public var sentence: String { sentence(in: .english) }

  /// The sentence in a language, cleaned for display.
  public func sentence(in language: ReasonLanguage) -> String {
    DisplayText.shown(language.sentence(of: self))
  }
}

extension Reason {
  /// The reasons that a text of several sentences tells. Their `text` is the one given, as `DisplayText`
  /// shows it.
  public static func all(in text: String) -> [Reason] {
    ReasonLanguage.english.reasons(in: DisplayText.shown(text))
  }
}

extension [Reason] {
  /// The sentences, one after the other; what was told without a word is passed over.
  public var text: String { map(\.sentence).filter { !$0.isEmpty }.joined(separator: " ") }
}
