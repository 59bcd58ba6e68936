// SPDX-License-Identifier: MIT

import ActivityModel

/// Who an app is, whichever of its processes or connections speaks.
struct AppIdentity: Hashable, Sendable {
  private let appID: String
  private let team: [UInt8]?

  init(_ manifest: AppManifest) {
    appID = manifest.appID
    team = manifest.team
  }
}

/// Acceptances whose app went away before it got the document: begun anew when the app is back (semantics
/// 37).
struct OrphanedAcceptances: Hashable, Sendable {
  /// One such acceptance.
  struct Orphan: Hashable, Sendable {
    let app: AppIdentity
    let offer: OfferID
    let wait: AcceptedOffer.Wait
    /// The app may come back until then.
    let until: Instant
  }

  private var orphans: [RequestID: Orphan] = [:]

  /// When the next of them is given up.
  var nextMoment: Instant? { orphans.values.lazy.map(\.until).min() }

  mutating func add(_ orphan: Orphan, _ request: RequestID) { orphans[request] = orphan }

  /// Takes out those of an app that is back, in order.
  mutating func adopt(by app: AppIdentity) -> [(request: RequestID, orphan: Orphan)] {
    let own = orphans.filter { $0.value.app == app }.sorted { $0.key < $1.key }
    for (request, _) in own { orphans[request] = nil }
    return own.map { ($0.key, $0.value) }
  }

  mutating func forget(_ request: RequestID) { orphans[request] = nil }

  mutating func forget(of offer: OfferID) { orphans = orphans.filter { $0.value.offer != offer } }

  /// Gives up those whose app did not come back in time: whether there were any.
  mutating func forgetLate(at now: Instant) -> Bool {
    let late = orphans.filter { $0.value.until <= now }.keys
    for request in late { orphans[request] = nil }
    return !late.isEmpty
  }
}
