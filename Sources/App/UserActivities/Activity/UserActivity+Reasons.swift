// SPDX-License-Identifier: MIT

public import ActivityModel
import ActivityWire

/// What one activity has told its delegate and the log.
struct ToldReasons {
  var faults: [ContinuityError] = []
  var obstacle: ContinuityError?
  var isLarge = false
  var lacksIndex = false
  var isEnded = false
}

extension UserActivity {
  /// Throws why the activity cannot be offered as it is: no type, a missing required key, an entry that
  /// cannot travel, or a payload that is too large.
  ///
  /// What is offered or not does not depend on calling it: the same errors reach the delegate and the log.
  public func validate() throws(ContinuityError) {
    guard !activityType.isEmpty else { throw Self.untyped }
    let (snapshot, faults) = snapshotAndFaults(
      appID: activityType, at: WallTime(milliseconds: 0), hasUnsavedChanges: false)
    if let obstacle = snapshot.obstacle { throw obstacle }
    if let fault = faults.first { throw fault }
  }

  static let untyped = ContinuityError(
    .invalidRequest, subject: "activityType",
    description: "The activity has no type; declare one under NSUserActivityTypes in Info.plist.")

  // MARK: Telling

  /// The delegate hears of entries left out in each round; the log, when they change.
  func report(_ faults: [ContinuityError]) {
    for fault in faults { delegate?.userActivity(self, didOmit: fault) }
    for fault in faults where !told.faults.contains(fault) { ActivityLog.error(fault.description) }
    told.faults = faults
  }

  /// Why this state is not offered, told when the reason changes; nil forgets it.
  func report(obstacle: ContinuityError?) {
    guard told.obstacle != obstacle else { return }
    told.obstacle = obstacle
    guard let obstacle else { return }
    ActivityLog.error(obstacle.description)
    delegate?.userActivity(self, wasNotOffered: obstacle)
  }

  /// Warns once of a payload that is large, until it has been small again (semantics 10).
  func tellSize(of snapshot: ActivitySnapshot) {
    let size = snapshot.payloadSize
    let isLarge = size > ActivitySnapshot.payloadAdvice
    if isLarge, !told.isLarge {
      ActivityLog.warning(
        "The payload of \(activityType) takes \(size) bytes, more than the advised "
          + "\(ActivitySnapshot.payloadAdvice); largest are \(snapshot.largestParts).")
    }
    told.isLarge = isLarge
  }

  /// Public indexing needs something by which everybody's copy is the same (semantics 7).
  func tellIndexing() {
    let lacks = isEligibleForPublicIndexing && !canBeIndexedPublicly
    if lacks, !told.lacksIndex {
      ActivityLog.warning(
        "\(activityType) is not indexed publicly: set requiredUserInfoKeys or a webpageURL.")
    }
    told.lacksIndex = lacks
  }

  var canBeIndexedPublicly: Bool { webpageURL != nil || requiredUserInfoKeys?.isEmpty == false }

  func tellEnded() {
    guard !told.isEnded else { return }
    told.isEnded = true
    ActivityLog.warning(
      "\(activityType.isEmpty ? "An activity without a type" : activityType) was made current after its "
        + "end; make a new activity instead.")
  }
}
