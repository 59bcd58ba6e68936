// SPDX-License-Identifier: MIT

public import ActivityModel

/// An activity as its host describes it.
public struct HeldActivity: Hashable, Sendable {
  /// Names it; fresh.
  public let id: ActivityID
  /// The activity type.
  public let type: String
  /// Whose activity it is; nil for one that the host made.
  public let document: DocumentHandle?
  /// What the person is doing; empty shows the document's name.
  public var title = ""
  /// The payload, without the document's URL.
  public var userInfo: UserInfo = [:]
  /// A page that shows the same.
  public var webpageURL: String?
  /// Keys without which it is of no use; nil means all.
  public var requiredUserInfoKeys: Set<String>?
  /// When it stops being offered.
  public var expiresAt: WallTime?
  /// Words to find it by.
  public var keywords: Set<String> = []
  /// Whether the agent keeps it for search (semantics 11), under `persistentIdentifier`.
  public var isEligibleForSearch = false
  /// Under which it is kept for search, and deleted.
  public var persistentIdentifier: String?
  /// A few words about it, for search.
  public var contentDescription: String?
  /// Whether other devices may see it; true unless the host says otherwise.
  public var isEligibleForHandoff = true
  /// Whether who continues it may ask for streams (semantics 24).
  public var supportsContinuationStreams = false
  /// Whether it stands for text that is in no file, which is handed over when another device goes on with it
  /// (semantics 36e).
  public var isDraft = false

  /// An activity without content.
  public init(type: String, document: DocumentHandle? = nil) {
    id = .random()
    self.type = type
    self.document = document
  }

  func snapshot(appID: String, path: [UInt8]?, isEdited: Bool, at time: WallTime) -> ActivitySnapshot {
    var snapshot = ActivitySnapshot(id: id, type: type, appID: appID, changedAt: time)
    snapshot.title = title
    snapshot.userInfo = userInfo
    if let path { snapshot.userInfo[.text(NSUserActivityDocumentURLKey)] = .url(FileURL.text(of: path)) }
    snapshot.webpageURL = webpageURL
    snapshot.requiredUserInfoKeys = requiredUserInfoKeys
    snapshot.expiresAt = expiresAt
    snapshot.keywords = keywords
    snapshot.persistentIdentifier = persistentIdentifier
    snapshot.contentAttributes = contentDescription.map { [.text("contentDescription"): .text($0)] }
    snapshot.flags = isEligibleForHandoff ? .handoff : []
    if isEligibleForSearch { snapshot.flags.insert(.search) }
    if supportsContinuationStreams { snapshot.flags.insert(.streams) }
    if isDraft { snapshot.flags.insert(.draft) }
    if isEdited { snapshot.flags.insert(.unsavedChanges) }
    return snapshot
  }
}
