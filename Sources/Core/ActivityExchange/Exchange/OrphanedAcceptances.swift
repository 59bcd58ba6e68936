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

/// Acceptances whose app is not connected: it went away before it got the document, or is being started.
/// They begin when the app says hello (semantics 37).
struct OrphanedAcceptances: Hashable, Sendable {
  /// One such acceptance.
  struct Orphan: Hashable, Sendable {
    let app: AppIdentity
    let offer: OfferID
    let wait: AcceptedOffer.Wait
    /// The app may come until then.
    let until: Instant
    /// The app that was started for this one; nil for one that was there before.
    var started: StartedApp?
    /// How many came before it.
    var number = 0
  }

  private var orphans: [RequestID: Orphan] = [:]
  private var count = 0

  /// When the next of them is given up.
  var nextMoment: Instant? { orphans.isEmpty ? nil : orphans.values.lazy.map(\.until).min() }

  mutating func add(_ orphan: Orphan, _ request: RequestID) {
    var orphan = orphan
    orphan.number = count
    count += 1
    orphans[request] = orphan
  }

  /// Takes out those of an app that is back, in the order in which they came.
  mutating func adopt(by app: AppIdentity) -> [(request: RequestID, orphan: Orphan)] {
    take { $0.app == app }
  }

  private mutating func take(_ isWanted: (Orphan) -> Bool) -> [(request: RequestID, orphan: Orphan)] {
    let wanted = orphans.filter { isWanted($0.value) }.sorted { $0.value.number < $1.value.number }
    for (request, _) in wanted { orphans[request] = nil }
    return wanted.map { ($0.key, $0.value) }
  }

  mutating func forget(_ request: RequestID) { orphans[request] = nil }

  /// Whether one of them is of that offer.
  func concern(_ offer: OfferID) -> Bool { orphans.values.contains { $0.offer == offer } }

  /// Whether an app is being started for that offer.
  func isStarting(for offer: OfferID) -> Bool {
    startedApp(for: offer) != nil
  }

  /// The app that is being started for that offer.
  func startedApp(for offer: OfferID) -> AppManifest? {
    orphans.values.first { $0.offer == offer && $0.started != nil }?.started?.app
  }

  /// Whether that app is being started, for whichever offer.
  func isStarting(_ app: AppIdentity) -> Bool {
    orphans.values.contains { $0.app == app && $0.started != nil }
  }

  /// Takes out those for which that app is being started, in the order in which they came.
  mutating func forgetStarted(_ app: AppIdentity) -> [Orphan] {
    take { $0.app == app && $0.started != nil }.map(\.orphan)
  }

  /// The apps that are being started, by what they will be handed.
  var started: [RequestID: StartedApp] { orphans.compactMapValues(\.started) }

  mutating func forget(of offer: OfferID) { orphans = orphans.filter { $0.value.offer != offer } }

  /// Gives up those whose app did not come in time, and returns them in order.
  mutating func forgetLate(at now: Instant) -> [Orphan] {
    let late = orphans.filter { $0.value.until <= now }.sorted { $0.key < $1.key }
    for (request, _) in late { orphans[request] = nil }
    return late.map(\.value)
  }
}
