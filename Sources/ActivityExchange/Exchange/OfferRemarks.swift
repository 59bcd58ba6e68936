// SPDX-License-Identifier: MIT

import ActivityModel

/// What became of the last try to continue each offer, for people.
struct OfferRemarks: Hashable, Sendable {
  /// About one state of an offer.
  private struct Remark: Hashable {
    var changedAt: WallTime
    var text: String
  }

  private var remarks: [OfferID: Remark] = [:]

  /// What is said of this state of an offer; empty when nothing is.
  func text(on offer: OfferID, changedAt: WallTime) -> String {
    guard let remark = remarks[offer], changedAt <= remark.changedAt else { return "" }
    return remark.text
  }

  /// An empty text takes back what was said.
  mutating func record(_ text: String, on offer: OfferID, changedAt: WallTime) {
    remarks[offer] = text.isEmpty ? nil : Remark(changedAt: changedAt, text: text)
  }

  mutating func forget(_ offer: OfferID) { remarks[offer] = nil }

  /// How a delivered activity ended in the app of that name; empty when it was continued.
  static func text(of outcome: ContinuationOutcome, _ message: String, in name: String) -> String {
    switch outcome {
    case .handled, .opened: ""
    case .declined: "\(name) declined it."
    case .failed: message.isEmpty ? "\(name) could not show it." : "\(name) did not open it: \(message)"
    }
  }
}
