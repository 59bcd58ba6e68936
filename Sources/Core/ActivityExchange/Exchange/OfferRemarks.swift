// SPDX-License-Identifier: MIT

import ActivityModel

/// What became of the last try to continue each offer.
struct OfferRemarks: Hashable, Sendable {
  /// About one state of an offer.
  private struct Remark: Hashable {
    var changedAt: WallTime
    var cause: Reason
  }

  private var remarks: [OfferID: Remark] = [:]

  /// What is said of this state of an offer; nil when nothing is.
  func cause(on offer: OfferID, changedAt: WallTime) -> Reason? {
    guard let remark = remarks[offer], changedAt <= remark.changedAt else { return nil }
    return remark.cause
  }

  /// Nil takes back what was said.
  mutating func record(_ cause: Reason?, on offer: OfferID, changedAt: WallTime) {
    remarks[offer] = cause.map { Remark(changedAt: changedAt, cause: $0) }
  }

  mutating func forget(_ offer: OfferID) { remarks[offer] = nil }

  /// How a delivered activity ended in the app of that name; nil when it was continued.
  static func cause(of outcome: ContinuationOutcome, _ message: String, in app: String?) -> Reason? {
    switch outcome {
    case .handled, .opened: nil
    case .declined: .declined(app: app)
    case .failed: .notShown(app: app, message: message.isEmpty ? nil : message)
    }
  }
}
