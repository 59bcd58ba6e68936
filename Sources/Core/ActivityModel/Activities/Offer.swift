// SPDX-License-Identifier: MIT

/// How the local copy of a document stands to the version in a reference.
public enum Arrival: UInt64, Hashable, Sendable, CaseIterable {
  /// It is exactly that version (or the activity has no document).
  case current = 0
  /// It is an ancestor: that version is still on its way.
  case behind = 1
  /// It descends from that version: this device went on.
  case ahead = 2
  /// It is neither: opened only when the person chooses.
  case diverged = 3
  /// No file is there.
  case missing = 4
  /// Something is there that cannot be read.
  case unreadable = 5
  /// This device has no folder of that ID.
  case folderUnknown = 6

  /// Whether a document is here that can be opened, in whichever version.
  public var hasSomethingHere: Bool { ![.missing, .unreadable, .folderUnknown].contains(self) }

  /// The word that the command line and scripts use.
  public var name: String {
    switch self {
    case .current: "current"
    case .behind: "behind"
    case .ahead: "ahead"
    case .diverged: "diverged"
    case .missing: "missing"
    case .unreadable: "unreadable"
    case .folderUnknown: "folderUnknown"
    }
  }

  /// Whether what is opened then is not the version meant, and was chosen all the same: to be looked at only.
  public var isForReadingOnly: Bool {
    switch self {
    case .current, .ahead: false
    case .behind, .diverged, .missing, .unreadable, .folderUnknown: true
    }
  }
}

/// An arrival, with what a person may read about it.
public struct ArrivalStatus: Hashable, Sendable {
  /// The state.
  public var arrival: Arrival
  /// What is awaited, and what would end the wait; nil when nothing is awaited.
  public var cause: Reason?
  /// Bytes here so far, where that is known.
  public var received: UInt64
  /// Bytes of the whole version.
  public var expected: UInt64

  /// A status; sizes are zero where they mean nothing.
  public init(_ arrival: Arrival, because cause: Reason? = nil, received: UInt64 = 0, expected: UInt64 = 0) {
    self.arrival = arrival
    self.cause = cause
    self.received = received
    self.expected = expected
  }

  /// A status that a sentence tells; empty where nothing is awaited.
  public init(_ arrival: Arrival, reason: String, received: UInt64 = 0, expected: UInt64 = 0) {
    let cause = reason.isEmpty ? nil : Reason(reason)
    self.init(arrival, because: cause, received: received, expected: expected)
  }

  /// `cause` in one sentence, cleaned for display; empty when nothing is awaited.
  public var reason: String { cause?.sentence ?? "" }
}

/// Another device's activity as this device shows it.
public struct Offer: Hashable, Sendable {
  /// Everything of it, of which there is one: copied as one reference, see `ActivitySnapshot`.
  private struct Parts: Hashable {
    var id: OfferID
    var deviceName: String
    var type: String
    var appID: String
    var team: [UInt8]?
    var title: String
    var folderName: String
    var path: RelativePath?
    var version: DocumentVersion?
    var status: ArrivalStatus
    var changedAt: WallTime
    var flags: ActivityFlags
    var webpageURL: String?
    var notes: [Reason] = []
  }

  private var parts: [Parts]
  /// What to name when accepting it.
  public var id: OfferID {
    get { parts[0].id }
    set { parts[0].id = newValue }
  }
  /// The other device's name, from the roster.
  public var deviceName: String {
    get { parts[0].deviceName }
    set { parts[0].deviceName = newValue }
  }
  /// The activity type.
  public var type: String {
    get { parts[0].type }
    set { parts[0].type = newValue }
  }
  /// The app on the other device.
  public var appID: String {
    get { parts[0].appID }
    set { parts[0].appID = newValue }
  }
  /// The team that this app declares; nil for an app by itself.
  public var team: [UInt8]? {
    get { parts[0].team }
    set { parts[0].team = newValue }
  }
  /// The activity's title.
  public var title: String {
    get { parts[0].title }
    set { parts[0].title = newValue }
  }
  /// The folder's name; empty without a document.
  public var folderName: String {
    get { parts[0].folderName }
    set { parts[0].folderName = newValue }
  }
  /// The document's path in the folder; nil without a document.
  public var path: RelativePath? {
    get { parts[0].path }
    set { parts[0].path = newValue }
  }
  /// The version meant; nil without a document.
  public var version: DocumentVersion? {
    get { parts[0].version }
    set { parts[0].version = newValue }
  }
  /// Whether the document is here.
  public var status: ArrivalStatus {
    get { parts[0].status }
    set { parts[0].status = newValue }
  }
  /// When the activity last changed, by the other device's clock.
  public var changedAt: WallTime {
    get { parts[0].changedAt }
    set { parts[0].changedAt = newValue }
  }
  /// The activity's flags.
  public var flags: ActivityFlags {
    get { parts[0].flags }
    set { parts[0].flags = newValue }
  }
  /// The activity's web page: an address of `WebAddress`, or nil.
  public var webpageURL: String? {
    get { parts[0].webpageURL }
    set { parts[0].webpageURL = newValue }
  }
  /// Why the last try to continue this state here came to nothing, and what of it is left out.
  public var notes: [Reason] {
    get { parts[0].notes }
    set { parts[0].notes = newValue }
  }

  /// An offer with everything that is shown of it; its texts are cleaned for display.
  public init(
    id: OfferID, deviceName: String, snapshot: ActivitySnapshot, folderName: String, status: ArrivalStatus
  ) {
    parts = [
      Parts(
        id: id, deviceName: DisplayText.shown(deviceName), type: snapshot.type, appID: snapshot.appID,
        team: snapshot.team, title: DisplayText.shown(snapshot.title),
        folderName: DisplayText.shown(folderName), path: snapshot.document?.path,
        version: snapshot.document?.version, status: status, changedAt: snapshot.changedAt,
        flags: snapshot.flags,
        webpageURL: snapshot.webpageURL.flatMap { WebAddress.isHandedOver($0) ? $0 : nil })
    ]
  }

  /// `notes` in sentences, cleaned for display; empty when there are none.
  public var remark: String { notes.text }

  /// The title, or the document's name when there is none.
  public var displayTitle: String { title.isEmpty ? path?.displayName ?? type : title }
}

extension Collection<Offer> {
  /// Those of the document at an absolute path, the latest to change first: who edits it on other devices.
  public func of(documentAt path: [UInt8], among roots: some Collection<SyncedRoot>) -> [Offer] {
    guard let (root, place) = roots.innermost(holding: path) else { return [] }
    return filter { $0.path == place && $0.folderName == root.name }.sorted { $0.changedAt > $1.changedAt }
  }
}
