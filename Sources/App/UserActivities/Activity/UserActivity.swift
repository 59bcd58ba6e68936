// SPDX-License-Identifier: MIT

import ActivityExchange
public import ActivityModel
import AppSession
public import Foundation

/// What the person is doing, as another device may continue it: `NSUserActivity`.
///
/// Main actor only. It is offered while it is current, valid and eligible; releasing it withdraws the offer,
/// while a process that dies leaves its last offer standing (semantics 18).
///
/// ```swift
/// let activity = UserActivity(activityType: "org.example.reading")
/// activity.title = "Chapter 7"
/// activity.addUserInfoEntries(from: ["chapter": 7])
/// activity.becomeCurrent()
/// ```
@MainActor
public final class UserActivity {
  /// The type, in reverse-DNS form; fixed for life.
  public let activityType: String
  /// What the person is doing, for display.
  public var title: String? { didSet { touch() } }
  /// Numbers, strings, data, dates, URLs, UUIDs, NSNull, and arrays, sets and dictionaries of these
  /// (semantics 3). Copied in: an object that is changed afterwards changes nothing here (semantics 4).
  public var userInfo: [AnyHashable: Any]? {
    get { heldInfo }
    set {
      heldInfo = newValue.map(UserInfoCopy.info)
      touch()
    }
  }
  private var heldInfo: [AnyHashable: Any]?
  /// Keys without which the activity is not offered; nil means that no key is required.
  public var requiredUserInfoKeys: Set<String>?
  /// A page that shows the same; carried as it is.
  public var webpageURL: URL? { didSet { touch() } }
  /// Where the person came from.
  public var referrerURL: URL?
  /// When it stops being offered; nil means after seven days.
  public var expirationDate: Date?
  /// What a search shows of it. Copied in; carried, and given to whoever continues it.
  public var contentAttributeSet: SearchableItemAttributeSet? {
    get { heldAttributes?.copy() }
    set { heldAttributes = newValue?.copy() }
  }
  private var heldAttributes: SearchableItemAttributeSet?
  /// Search words.
  public var keywords: Set<String> = [] { didSet { touch() } }
  /// What identifies the content inside the app; does not set `needsSave`.
  public var targetContentIdentifier: String?
  /// What identifies the activity among saved ones: without it, none is kept (semantics 11).
  public var persistentIdentifier: NSUserActivityPersistentIdentifier?
  /// Whether other devices may continue it.
  public var isEligibleForHandoff = true { didSet { if isEligibleForHandoff != oldValue { touch() } } }
  /// Whether it may be found by search on this device: with a `persistentIdentifier` the agent keeps it.
  public var isEligibleForSearch = false
  /// Whether it may be found by everybody; needs required keys or a `webpageURL`.
  public var isEligibleForPublicIndexing = false
  /// Whether it may be suggested.
  public var isEligibleForPrediction = false
  /// Whether the app can open continuation streams; may be switched at any time.
  public var supportsContinuationStreams = false
  /// Told before each save, after a continuation, and what did not travel. Not retained.
  public weak var delegate: (any UserActivityDelegate)?

  /// Whether the state changed. Setting it is cheap and calls nothing back; a round follows a quiet moment
  /// later.
  public var needsSave: Bool {
    get { wantsRound }
    set {
      wantsRound = newValue
      if newValue { session?.needsSave(self) }
    }
  }
  private var wantsRound = false

  /// False after `invalidate()`, and from birth without a type.
  public private(set) var isValid: Bool

  /// The text of a document that was never saved on the device it comes from, or could not be; nil of any
  /// other activity. It is kept on this device before the app gets it, and is written to no file by itself.
  /// Ours.
  public package(set) var draftContents: Data?

  package let id = ActivityID.random()
  /// A `Codable` value as JSON; see `setTypedPayload`.
  var encodedPayload: [UInt8]?
  /// Whether another device's activity was delivered in this object.
  var isDelivered = false
  /// Under which request.
  var delivery: RequestID?
  /// What was told already, so that a busy keyboard does not repeat it.
  var told = ToldReasons()
  private var owners: [WeakOwner] = []
  private var isInRound = false
  private weak var knownSession: Session?

  private struct WeakOwner { weak var value: (any ActivityOwner)? }

  /// An activity of a type that the app declares in `NSUserActivityTypes`. An empty type makes it invalid
  /// from birth, which is logged; `validate()` throws why.
  public init(activityType: String) {
    self.activityType = activityType
    isValid = !activityType.isEmpty
    if !isValid { ActivityLog.error(Self.untyped.description) }
  }

  /// An activity of the first type in `NSUserActivityTypes`; invalid from birth when none is declared.
  public convenience init() { self.init(activityType: Session.shared?.manifest.activityTypes.first ?? "") }

  isolated deinit { knownSession?.invalidate(id) }

  /// Merges `entries` into `userInfo`; the new value wins.
  public func addUserInfoEntries(from entries: [AnyHashable: Any]) {
    heldInfo = (heldInfo ?? [:]).merging(UserInfoCopy.info(entries)) { $1 }
    touch()
  }

  /// Makes this the one activity that the app offers. Nothing happens after `invalidate()`, which is logged
  /// once.
  public func becomeCurrent() {
    guard isValid else { return tellEnded() }
    session?.becomeCurrent(self)
  }

  /// Stops the offer, if this is the current activity; it stays valid.
  public func resignCurrent() { session?.resignCurrent(self) }

  /// Ends the activity for good: it is withdrawn from other devices and never becomes current again.
  public func invalidate() {
    guard isValid else { return }
    isValid = false
    session?.invalidate(id)
  }

  /// Which device goes on with it, and since when; nil while the person has it here. Until they change
  /// something again it is not offered, and its documents are not saved. Ours.
  public var continuedOn: ContinuationReceipt? { session?.app.receipt(of: id) }

  /// Whether it is what the person does now.
  public var isCurrent: Bool { session?.app.current == id }

  // MARK: For the framework

  var session: Session? {
    if let knownSession { return knownSession }
    knownSession = Session.shared
    return Session.shared
  }

  func touch() { if !isInRound { needsSave = true } }

  /// Ties the activity to a session of a test's own, instead of the process's.
  package func join(_ session: Session) { knownSession = session }

  package var isManaged: Bool { owners.contains { $0.value != nil } }

  package var liveOwners: [any ActivityOwner] { owners.compactMap(\.value) }

  package func addOwner(_ owner: any ActivityOwner) {
    owners.removeAll { $0.value == nil || $0.value === owner }
    owners.append(WeakOwner(value: owner))
  }

  /// An activity that its last owner let go of ends (semantics 31).
  package func removeOwner(_ owner: any ActivityOwner) {
    owners.removeAll { $0.value == nil || $0.value === owner }
    if owners.isEmpty { invalidate() }
  }

  /// One update round (semantics 20-22): managed activities are emptied and filled by their owners, documents
  /// first, then responders from the first one up; others ask their delegate.
  package func runRound() {
    guard needsSave else { return }
    needsSave = false
    guard isManaged else {
      withinRound { delegate?.userActivityWillSave(self) }
      return
    }
    let documents = liveOwners.filter(\.isDocument)
    let responders = liveOwners.filter { !$0.isDocument }.sorted { $0.chainLength > $1.chainLength }
    withinRound {
      userInfo = [:]
      for owner in documents + responders { owner.updateUserActivityState(self) }
    }
  }

  /// As `needsSave = true`, for a file that others changed or moved: who goes on with it elsewhere keeps it.
  package func followFile() {
    wantsRound = true
    session?.followFile(of: self)
  }

  /// As `needsSave = true`, for a round whose time is already settled.
  package func markForRound() { wantsRound = true }

  /// Changes made by `body` are part of the round and do not ask for another.
  package func withinRound(_ body: () -> Void) {
    isInRound = true
    defer { isInRound = false }
    body()
  }
}
