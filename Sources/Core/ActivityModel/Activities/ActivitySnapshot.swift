// SPDX-License-Identifier: MIT

/// The state of one `UserActivity` at one save: what records carry and `deliver` hands over.
public struct ActivitySnapshot: Hashable, Sendable {
  /// The activity.
  public var id: ActivityID
  /// The activity type, in reverse-DNS form.
  public var type: String
  /// The declared team, 32 bytes; nil is unsigned and matched by `appID`.
  public var team: [UInt8]?
  /// What the person is doing, for display.
  public var title: String
  /// The document under `NSUserActivityDocumentURLKey`; nil before the agent translated it, and without one.
  public var document: DocumentReference?
  /// The app's payload. On its way between devices, file URLs in it are `.document` indices.
  public var userInfo: UserInfo
  /// Keys without which the activity is of no use; nil means all keys.
  public var requiredUserInfoKeys: Set<String>?
  /// A page that shows the same, for a device without the app.
  public var webpageURL: String?
  /// Yes-or-no properties.
  public var flags: ActivityFlags
  /// When the state was taken, by the source's clock.
  public var changedAt: WallTime
  /// `CFBundleIdentifier` of the app.
  public var appID: String
  /// When the activity stops being offered; nil leaves it to the record's lifetime.
  public var expiresAt: WallTime?
  /// Search words.
  public var keywords: Set<String>
  /// What identifies the content inside the app.
  public var targetContentIdentifier: String?
  /// What identifies the activity among saved ones.
  public var persistentIdentifier: String?
  /// Where the person came from.
  public var referrerURL: String?
  /// The documents that `.document` values in `userInfo` stand for.
  public var translatedDocuments: [DocumentReference]
  /// A payload encoded from a `Codable` value.
  public var typedPayload: [UInt8]?
  /// Attributes for search, carried unread.
  public var contentAttributes: UserInfo?

  /// An empty snapshot of a new activity.
  public init(id: ActivityID, type: String, appID: String, changedAt: WallTime) {
    self.id = id
    self.type = type
    self.appID = appID
    self.changedAt = changedAt
    title = ""
    userInfo = [:]
    flags = .handoff
    keywords = []
    translatedDocuments = []
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

  /// Whether the agent is to keep it for search (semantics 11): eligible, typed, and with an identifier under
  /// which it can be deleted.
  public var isToBeKept: Bool {
    flags.contains(.search) && !type.isEmpty && persistentIdentifier?.isEmpty == false
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
  /// `isEligibleForHandoff`; between app and agent only, for a record holds nothing else.
  public static let handoff = Self(rawValue: 1 << 32)
}
