// SPDX-License-Identifier: MIT

/// The state of one `UserActivity` at one save: what records carry and `deliver` hands over.
public struct ActivitySnapshot: Hashable, Sendable {
  /// Everything of it, of which there is one. Kept in an array, for a snapshot is handed on far more often
  /// than it is changed: what is copied is one reference.
  private struct Parts: Hashable {
    var id: ActivityID
    var type: String
    var team: [UInt8]?
    var title: String
    var document: DocumentReference?
    var userInfo: UserInfo
    var requiredUserInfoKeys: Set<String>?
    var webpageURL: String?
    var flags: ActivityFlags
    var changedAt: WallTime
    var appID: String
    var expiresAt: WallTime?
    var keywords: Set<String>
    var targetContentIdentifier: String?
    var persistentIdentifier: String?
    var referrerURL: String?
    var translatedDocuments: [DocumentReference]
    var typedPayload: [UInt8]?
    var contentAttributes: UserInfo?
    var draft: Draft?
  }

  private var parts: [Parts]
  /// The activity.
  public var id: ActivityID {
    get { parts[0].id }
    set { parts[0].id = newValue }
  }
  /// The activity type, in reverse-DNS form.
  public var type: String {
    get { parts[0].type }
    set { parts[0].type = newValue }
  }
  /// The declared team, 32 bytes; nil is unsigned and matched by `appID`.
  public var team: [UInt8]? {
    get { parts[0].team }
    set { parts[0].team = newValue }
  }
  /// What the person is doing, for display.
  public var title: String {
    get { parts[0].title }
    set { parts[0].title = newValue }
  }
  /// The document under `NSUserActivityDocumentURLKey`; nil before the agent translated it, and without one.
  public var document: DocumentReference? {
    get { parts[0].document }
    set { parts[0].document = newValue }
  }
  /// The app's payload. On its way between devices, file URLs in it are `.document` indices.
  public var userInfo: UserInfo {
    get { parts[0].userInfo }
    set { parts[0].userInfo = newValue }
  }
  /// Keys without which the activity is of no use; nil means all keys.
  public var requiredUserInfoKeys: Set<String>? {
    get { parts[0].requiredUserInfoKeys }
    set { parts[0].requiredUserInfoKeys = newValue }
  }
  /// A page that shows the same, for a device without the app.
  public var webpageURL: String? {
    get { parts[0].webpageURL }
    set { parts[0].webpageURL = newValue }
  }
  /// Yes-or-no properties.
  public var flags: ActivityFlags {
    get { parts[0].flags }
    set { parts[0].flags = newValue }
  }
  /// When the state was taken, by the source's clock.
  public var changedAt: WallTime {
    get { parts[0].changedAt }
    set { parts[0].changedAt = newValue }
  }
  /// `CFBundleIdentifier` of the app.
  public var appID: String {
    get { parts[0].appID }
    set { parts[0].appID = newValue }
  }
  /// When the activity stops being offered; nil leaves it to the record's lifetime.
  public var expiresAt: WallTime? {
    get { parts[0].expiresAt }
    set { parts[0].expiresAt = newValue }
  }
  /// Search words.
  public var keywords: Set<String> {
    get { parts[0].keywords }
    set { parts[0].keywords = newValue }
  }
  /// What identifies the content inside the app.
  public var targetContentIdentifier: String? {
    get { parts[0].targetContentIdentifier }
    set { parts[0].targetContentIdentifier = newValue }
  }
  /// What identifies the activity among saved ones.
  public var persistentIdentifier: String? {
    get { parts[0].persistentIdentifier }
    set { parts[0].persistentIdentifier = newValue }
  }
  /// Where the person came from.
  public var referrerURL: String? {
    get { parts[0].referrerURL }
    set { parts[0].referrerURL = newValue }
  }
  /// The documents that `.document` values in `userInfo` stand for.
  public var translatedDocuments: [DocumentReference] {
    get { parts[0].translatedDocuments }
    set { parts[0].translatedDocuments = newValue }
  }
  /// A payload encoded from a `Codable` value.
  public var typedPayload: [UInt8]? {
    get { parts[0].typedPayload }
    set { parts[0].typedPayload = newValue }
  }
  /// Attributes for search, carried unread.
  public var contentAttributes: UserInfo? {
    get { parts[0].contentAttributes }
    set { parts[0].contentAttributes = newValue }
  }
  /// Text that its app handed over and that no file has.
  public var draft: Draft? {
    get { parts[0].draft }
    set { parts[0].draft = newValue }
  }

  /// An empty snapshot of a new activity.
  public init(id: ActivityID, type: String, appID: String, changedAt: WallTime) {
    parts = [
      Parts(
        id: id, type: type, title: "", userInfo: [:], flags: .handoff, changedAt: changedAt, appID: appID,
        keywords: [], translatedDocuments: [])
    ]
  }

  /// Whether each required key is there.
  public var holdsRequiredKeys: Bool {
    requiredUserInfoKeys?.allSatisfy { userInfo[.text($0)] != nil } ?? true
  }
}

extension ActivitySnapshot {
  /// How long an activity without an expiration date lives after its last change: seven days, in seconds.
  public static let lifetime: UInt64 = 7 * 24 * 3600

  /// When it stops being offered and kept: as its app said, else `lifetime` after its last change
  /// (semantics 9).
  public var expiry: WallTime { expiresAt ?? changedAt.adding(seconds: Self.lifetime) }

  /// Whether the agent is to keep it for search (semantics 11): eligible or handed over, typed, and with an
  /// identifier under which it can be deleted.
  public var isToBeKept: Bool {
    !flags.isDisjoint(with: [.search, .handedOver]) && !type.isEmpty && persistentIdentifier?.isEmpty == false
  }

  /// What a stored record holds of it (semantics 6): the required keys; without any, nothing of the payload
  /// when a web page stands for it, else everything.
  public var forKeeping: ActivitySnapshot {
    var kept = self
    if let required = requiredUserInfoKeys, !required.isEmpty || webpageURL == nil {
      kept.userInfo = userInfo.filter { key, _ in
        if case .text(let name) = key { required.contains(name) } else { false }
      }
      kept.typedPayload = nil
    } else if webpageURL != nil {
      kept.userInfo = [:]
      kept.typedPayload = nil
    }
    // Which document was handed over is what it is kept for.
    let document = UserInfoValue.text(NSUserActivityDocumentURLKey)
    if flags.contains(.handedOver) { kept.userInfo[document] = userInfo[document] }
    return kept
  }
}

/// The yes-or-no properties of an activity, numbered as records number them.
public struct ActivityFlags: OptionSet, Hashable, Sendable {
  /// The bits.
  public let rawValue: UInt64
  /// From bits; unknown ones are kept.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// The document has changes that no saved version holds.
  public static let unsavedChanges = Self(rawValue: 1 << 0)
  /// The app can open continuation streams.
  public static let streams = Self(rawValue: 1 << 1)
  /// The app went away without ending the activity: the moment one walks off.
  public static let leftOpen = Self(rawValue: 1 << 2)
  /// `isEligibleForSearch`.
  public static let search = Self(rawValue: 1 << 3)
  /// `isEligibleForPublicIndexing`.
  public static let publicIndexing = Self(rawValue: 1 << 4)
  /// `isEligibleForPrediction`.
  public static let prediction = Self(rawValue: 1 << 5)
  /// The document's text is in no file: its app hands it over when another device goes on with it.
  public static let draft = Self(rawValue: 1 << 6)
  /// `isEligibleForHandoff`; between app and agent only, for a record holds nothing else.
  public static let handoff = Self(rawValue: 1 << 32)
  /// The text of a draft comes beside the state, in place of a saved file; between app and agent only.
  public static let withDraft = Self(rawValue: 1 << 33)
  /// Kept for search because it was handed over, not because its app wanted that; in the agent's own files
  /// only.
  public static let handedOver = Self(rawValue: 1 << 34)
  /// A document that was open beside the one of the activity that lists it; between app and agent only.
  public static let openedBeside = Self(rawValue: 1 << 35)
}
