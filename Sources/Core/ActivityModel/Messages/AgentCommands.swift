// SPDX-License-Identifier: MIT

/// What the command line asks of the agent; each is answered by exactly one `AgentAnswer`, `watchOffers` by
/// many.
public enum AgentCommand: Hashable, Sendable {
  /// Register the folder at an absolute path; nil names it after its last component. With `newIdentity` one
  /// that has the identity of another registered folder, because it is a copy, gets its own.
  case addFolder(path: [UInt8], name: String?, newIdentity: Bool = false)
  /// Tell the registered folders.
  case listFolders
  /// Forget a folder by absolute path or by name; its files stay.
  case removeFolder(String)
  /// Say of a folder, by absolute path or by name, what becomes of documents that come over a link.
  case setFolder(String, DocumentsOverLan)
  /// Say of a folder whether linked devices that have it are told which of its documents is open here, and
  /// apps here which is open there.
  case setPresence(String, isShared: Bool)
  /// Open an invitation for one new device.
  case pair(deviceName: String?)
  /// Close the open invitation.
  case cancelPairing
  /// Tell the devices of the circle, and those that were removed from it.
  case devices
  /// Take a device out of the circle for good, by its name or the beginning of its ID.
  case revoke(String)
  /// Become a new device, in a circle of its own; folders and documents stay.
  case reset
  /// Join the circle whose invitation these words open.
  case join(words: String, deviceName: String?)
  /// Tell every offer, also those that no connected app can take.
  case offers
  /// Tell every offer, now and each time the list changes, until the connection ends.
  case watchOffers
  /// Tell everything that an offer carries.
  case describe(OfferID)
  /// Call this device by another name, on every device of the circle.
  case renameDevice(String)
  /// Tell this device's own activities, offered or not, with the reasons.
  case ownActivities
  /// Hand an offer to a connected app: the one whose ID begins so, or the newest.
  case resume(String?)
  /// Open an offer that no app takes: its document with the desktop's default app, or its web page. A page
  /// without encryption only when the person `agreed` to its address.
  case openOffer(OfferID, agreed: Bool)
  /// Tell why each thing that is offered, here or by others, stands as it does: for the app of that ID, or
  /// for all that are here. The first so many were told before.
  case explain(app: String?, skipping: UInt64)
  /// Tell what `continuo doctor` judges.
  case examine
  /// Tell which apps are connected, and what runs there.
  case apps
  /// Have the other device send the document of an offer over its link, in the version that is offered.
  case fetch(OfferID)
  /// Change or tell how this device is linked with others on a network.
  case lan(LanCommand)
  /// Tell which documents lie in private copies.
  case copies
  /// Write a private copy into its folder now, by its path or that of its document.
  case placeCopy([UInt8])
  /// Tell the saved activities that have all of these words, best first, or those that were saved last.
  case find(words: String?, atMost: UInt64)
  /// Go on with a saved activity: answered like `resume`. Who asks `onTerminal` becomes an app itself that
  /// runs on one.
  case restoreSaved(SavedActivity.Key, onTerminal: Bool)
  /// Tell how things stand.
  case status
  /// End the agent; offers stay as they are.
  case stop
}

/// The agent's answer to one command.
public enum AgentAnswer: Hashable, Sendable {
  /// It was done; a sentence that says what.
  case done(String)
  /// It was not done.
  case failed(ContinuityError)
  /// To `listFolders`.
  case folders([SyncedRoot])
  /// To `pair`: the twelve words.
  case words([String])
  /// To `join`: the name of the device that invited, and all names of the circle.
  case joined(inviter: String, devices: [String])
  /// To `devices`: this one first, removed ones last.
  case devices([CircleDevice])
  /// To `offers`, and again and again to `watchOffers`: newest first.
  case offers([Offer])
  /// To `describe`: the activity, with file URLs of this device.
  case offered(ActivitySnapshot)
  /// To `ownActivities`: newest first.
  case activities([OwnActivity])
  /// To `resume`: the app that took the offer.
  case handedOver(appName: String)
  /// To `resume`: no connected app declares the type. The document's absolute path, if its folder is here.
  case noApp(Offer, path: [UInt8]?)
  /// To `fetch`: so many bytes came, into the file beside this answer. Whether they are those of the version
  /// is for whoever takes it to see; nobody has looked.
  case fetched(size: UInt64)
  /// To `openOffer`: the person is to see this address, and to agree.
  case asksFirst(address: String)
  /// To `explain`: some, and how many there are in all.
  case explained([Explanation], total: UInt64)
  /// To `examine`.
  case examined(HealthFacts)
  /// To `apps`: the first that connected first.
  case apps([ClientApp])
  /// To `copies`.
  case copies([DocumentCopy])
  /// To `find`; as many as a message holds.
  case found([FoundActivity])
  /// To `lan`: how things stand now.
  case lan(LanStatus)
  /// How device, folders and processes stand, and what does not work.
  case status(AgentStatus)
}

/// A device of the circle, or one that was removed from it, for `continuo devices`.
public struct CircleDevice: Hashable, Sendable {
  /// What the person calls it.
  public var name: String
  /// Its ID in the shown form.
  public var shownID: String
  /// Whether it is the device that answers.
  public var isThisDevice: Bool
  /// When and by which device it was removed; nil for one that belongs.
  public var removal: Removal?

  /// The end of a device's belonging.
  public struct Removal: Hashable, Sendable {
    /// By the clock of the device that removed it.
    public var at: WallTime
    /// The name of that device.
    public var remover: String

    /// A removal by the device of that name.
    public init(at: WallTime, remover: String) {
      self.at = at
      self.remover = DisplayText.shown(remover)
    }
  }

  /// A device; `removal` nil for one that belongs.
  public init(name: String, shownID: String, isThisDevice: Bool, removal: Removal? = nil) {
    self.name = DisplayText.shown(name)
    self.shownID = shownID
    self.isThisDevice = isThisDevice
    self.removal = removal
  }
}

/// How an agent stands, for `continuo status`.
public struct AgentStatus: Hashable, Sendable {
  /// The agent's process.
  public var process: UInt64
  /// This device's name in the circle.
  public var deviceName: String
  /// This device's ID in its shown form.
  public var deviceID: String
  /// The names of the circle's devices, this one first.
  public var devices: [String]
  /// The registered folders.
  public var folders: [SyncedRoot]
  /// Identifiers of the connected apps.
  public var apps: [String]
  /// The process of `continuo-watch`; zero while it is being restarted.
  public var watchProcess: UInt64
  /// Sentences about what does not work, each with its remedy.
  public var problems: [String]

  /// A status with nothing connected.
  public init(process: UInt64, deviceName: String, deviceID: String) {
    self.process = process
    self.deviceName = DisplayText.shown(deviceName)
    self.deviceID = deviceID
    devices = []
    folders = []
    apps = []
    watchProcess = 0
    problems = []
  }
}
