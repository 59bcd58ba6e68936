// SPDX-License-Identifier: MIT

package import ActivityModel
package import Foundation

extension UserActivity {
  /// The state as it travels; entries that cannot travel are left out and told to the delegate.
  package func snapshot(appID: String, at time: WallTime, hasUnsavedChanges: Bool) -> ActivitySnapshot {
    let (snapshot, faults) = snapshotAndFaults(appID: appID, at: time, hasUnsavedChanges: hasUnsavedChanges)
    report(faults)
    return snapshot
  }

  /// The state as it travels, and an error per entry that was left out.
  func snapshotAndFaults(
    appID: String, at time: WallTime, hasUnsavedChanges: Bool
  ) -> (ActivitySnapshot, [ContinuityError]) {
    let (portable, faults) = UserInfoBridge.portable(userInfo ?? [:])
    let attributes = contentAttributeSet.map { UserInfoBridge.portable($0.info, root: "contentAttributeSet") }
    var snapshot = ActivitySnapshot(id: id, type: activityType, appID: appID, changedAt: time)
    snapshot.title = title ?? ""
    snapshot.userInfo = portable
    snapshot.requiredUserInfoKeys = requiredUserInfoKeys
    snapshot.webpageURL = webpageURL?.absoluteString
    snapshot.referrerURL = referrerURL?.absoluteString
    snapshot.keywords = keywords
    snapshot.targetContentIdentifier = targetContentIdentifier
    snapshot.persistentIdentifier = persistentIdentifier
    snapshot.expiresAt = expirationDate.map {
      // A date that is no number is in the past.
      WallTime(milliseconds: UInt64(max(0, min($0.timeIntervalSince1970, 1e12)) * 1000))
    }
    snapshot.typedPayload = encodedPayload
    snapshot.contentAttributes = attributes?.info
    snapshot.flags = flags
    if hasUnsavedChanges { snapshot.flags.insert(.unsavedChanges) }
    return (snapshot, faults + (attributes?.faults ?? []))
  }

  private var flags: ActivityFlags {
    var flags: ActivityFlags = []
    if isEligibleForHandoff { flags.insert(.handoff) }
    if isEligibleForSearch { flags.insert(.search) }
    if isEligibleForPublicIndexing, canBeIndexedPublicly { flags.insert(.publicIndexing) }
    if isEligibleForPrediction { flags.insert(.prediction) }
    if supportsContinuationStreams { flags.insert(.streams) }
    return flags
  }

  /// The activity that a delivery hands to the app: the source's state, and the document's URL on this
  /// device. A document URL that the source chose is dropped (semantics 33). `delivery` is what streams are
  /// asked for by.
  package convenience init(
    continuing snapshot: ActivitySnapshot, documentURL: URL?, delivery: RequestID? = nil
  ) {
    self.init(activityType: snapshot.type)
    withinRound {
      title = snapshot.title.isEmpty ? nil : snapshot.title
      var info = UserInfoBridge.native(snapshot.userInfo)
      info[NSUserActivityDocumentURLKey] = documentURL
      userInfo = info
      webpageURL = snapshot.webpageURL.flatMap { URL(string: $0) }
      keywords = snapshot.keywords
    }
    requiredUserInfoKeys = snapshot.requiredUserInfoKeys
    referrerURL = snapshot.referrerURL.flatMap { URL(string: $0) }
    expirationDate = snapshot.expiresAt.map { Date(timeIntervalSince1970: Double($0.milliseconds) / 1000) }
    targetContentIdentifier = snapshot.targetContentIdentifier
    persistentIdentifier = snapshot.persistentIdentifier
    contentAttributeSet = snapshot.contentAttributes.map { attributes in
      let named = UserInfoBridge.native(attributes).compactMap { key, value in
        (key as? String).map { ($0, value) }
      }
      return SearchableItemAttributeSet(attributes: Dictionary(named) { first, _ in first })
    }
    encodedPayload = snapshot.typedPayload
    isDelivered = true
    self.delivery = delivery
    supportsContinuationStreams = snapshot.flags.contains(.streams)
  }
}
