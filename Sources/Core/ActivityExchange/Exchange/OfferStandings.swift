// SPDX-License-Identifier: MIT

import ActivityModel

/// How the document of each offer stands here, as far as it was looked at.
struct OfferStandings: Hashable, Sendable {
  private var known: [OfferID: ArrivalStatus] = [:]
  /// How the document stood before it was to be looked at anew.
  private var former: [OfferID: ArrivalStatus] = [:]

  /// In which state each document was found last, and since when by the clock here.
  private var beginnings: [OfferID: Beginning] = [:]

  private struct Beginning: Hashable {
    var arrival: Arrival
    var at: WallTime
  }

  /// How the document stands; nil while it is being looked at.
  subscript(offer: OfferID) -> ArrivalStatus? { known[offer] }

  /// What is said of an offer: how it stands, or that its document is being looked at. Not that it is
  /// missing, unless it was. What lies here is an older version in nearly every case, and whether it is the
  /// one meant nobody knows yet.
  func shown(_ offer: OfferID) -> ArrivalStatus {
    if let status = known[offer] { return status }
    let looking = ArrivalStatus(.behind, because: .looking)
    guard let former = former[offer] else { return looking }
    return switch former.arrival {
    case .missing, .unreadable, .folderUnknown, .diverged: former
    case .current, .ahead, .behind: looking
    }
  }

  /// Since when the document stands as it was found last, by the clock here, however many
  /// versions were announced meanwhile.
  func since(_ offer: OfferID) -> WallTime? { beginnings[offer]?.at }

  /// The document was looked at.
  mutating func record(_ status: ArrivalStatus, of offer: OfferID, wall: WallTime) {
    if beginnings[offer]?.arrival != status.arrival {
      beginnings[offer] = Beginning(arrival: status.arrival, at: wall)
    }
    known[offer] = status
    former[offer] = nil
  }

  /// Without a document nothing is awaited.
  mutating func recordNoDocument(of offer: OfferID) {
    known[offer] = ArrivalStatus(.current)
    beginnings[offer] = nil
  }

  /// The offer has another document or version: it is to be looked at anew.
  mutating func outdate(_ offer: OfferID) {
    former[offer] = known.removeValue(forKey: offer) ?? former[offer]
  }

  /// What was known turned out to be out of date: the document stands like this, and is looked at anew.
  mutating func outdate(_ offer: OfferID, found status: ArrivalStatus) {
    known[offer] = nil
    former[offer] = status
  }

  mutating func forget(_ offer: OfferID) {
    (known[offer], former[offer], beginnings[offer]) = (nil, nil, nil)
  }
}
