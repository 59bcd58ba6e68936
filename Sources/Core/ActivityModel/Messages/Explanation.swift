// SPDX-License-Identifier: MIT

/// Why one thing stands as it does: what `continuo why` prints of it.
public struct Explanation: Hashable, Sendable {
  /// What it is about.
  public enum Subject: UInt64, Hashable, Sendable, CaseIterable {
    /// An activity of this device.
    case own = 0
    /// A document that an app of this device has open, of which no activity is current.
    case document = 1
    /// An activity of another device.
    case offer = 2
    /// Another device, or this one.
    case device = 3
    /// A folder and the records in it.
    case folder = 4
  }

  /// A reason by its name and in its words.
  public struct Statement: Hashable, Sendable {
    /// The name of the case, as scripts and `continuo why --json` use it.
    public var name: String
    /// The English sentence, with the remedy if there is one.
    public var sentence: String

    /// The reason as it is told.
    public init(_ reason: Reason) { self.init(name: reason.kind.rawValue, sentence: reason.sentence) }

    /// As it was told; both are cleaned for display.
    public init(name: String, sentence: String) {
      self.name = DisplayText.shown(name)
      self.sentence = DisplayText.shown(sentence)
    }
  }

  /// What it is about.
  public var subject: Subject
  /// Of an activity its ID; of a device its name, of a folder its name; else empty.
  public var id: String
  /// What people call it.
  public var title: String
  /// The other device; empty for this one.
  public var deviceName: String
  /// The app that has it, or made it; may be empty.
  public var appID: String
  /// The activity type; may be empty.
  public var type: String
  /// The document's absolute path on this device, also where no file is there yet; nil without one.
  public var path: [UInt8]?
  /// Whether it is offered, or can be continued here now.
  public var isWell: Bool
  /// Since when its document stands so, by the clock here; nil where that means nothing.
  public var since: WallTime?
  /// Why, the most important first; never empty.
  public var statements: [Statement]

  /// An explanation; its texts are cleaned for display.
  public init(
    _ subject: Subject, id: String, title: String, deviceName: String = "", appID: String = "",
    type: String = "", path: [UInt8]? = nil, isWell: Bool = false, since: WallTime? = nil,
    statements: [Statement]
  ) {
    self.subject = subject
    self.id = DisplayText.shown(id)
    self.title = DisplayText.shown(title)
    self.deviceName = DisplayText.shown(deviceName)
    self.appID = DisplayText.shown(appID)
    self.type = DisplayText.shown(type)
    self.path = path
    self.isWell = isWell
    self.since = since
    self.statements = statements
  }
}

/// What the agent knows that decides about the health of a device: `continuo doctor` judges it.
public struct HealthFacts: Hashable, Sendable {
  /// Another device of the circle.
  public struct Peer: Hashable, Sendable {
    /// What people call it.
    public var name: String
    /// When it wrote its last record, by its own clock; nil where none was read.
    public var saidAt: WallTime?
    /// When that was read here for the first time by this agent.
    public var heardAt: WallTime?
    /// The highest number of this device's records that it had read then; nil where it had read none.
    public var acknowledged: UInt64?
    /// Whether two computers use its identity.
    public var isCopied: Bool

    /// A device of which nothing was heard.
    public init(name: String) {
      self.name = DisplayText.shown(name)
      isCopied = false
    }
  }

  /// A registered folder.
  public struct Folder: Hashable, Sendable {
    /// What it is called here.
    public var name: String
    /// Where it lies.
    public var path: [UInt8]
    /// Whether it is there and used.
    public var isUsed: Bool
    /// Why it is looked at again and again; empty where events come from it.
    public var polling: String
    /// How many other devices had a record in it.
    public var heard: UInt64

    /// A folder that raises events.
    public init(name: String, path: [UInt8], isUsed: Bool, polling: String = "", heard: UInt64 = 0) {
      self.name = DisplayText.shown(name)
      self.path = path
      self.isUsed = isUsed
      self.polling = DisplayText.shown(polling)
      self.heard = heard
    }
  }

  /// The other devices.
  public var peers: [Peer]
  /// The registered folders.
  public var folders: [Folder]
  /// The number of this device's newest record, and when it was written; nil where none was in this run.
  public var said: (sequence: UInt64, at: WallTime)? {
    get { saidNumber.flatMap { number in saidAt.map { (number, $0) } } }
    set { (saidNumber, saidAt) = (newValue?.sequence, newValue?.at) }
  }
  private var saidNumber: UInt64?
  private var saidAt: WallTime?
  /// Whether another computer uses this device's identity.
  public var isCopied: Bool
  /// Whether a desktop may be told of offers.
  public var hasDesktop: Bool
  /// Every problem that the agent knows, a sentence each.
  public var problems: [String]

  /// Facts of a device that is alone.
  public init() {
    (peers, folders, problems) = ([], [], [])
    (isCopied, hasDesktop) = (false, false)
  }
}
