// SPDX-License-Identifier: MIT

import ActivityModel

/// Acceptances of offers that an agent which was started again does not know yet: only a link had told of
/// them, and the devices meet again in a moment (semantics 36d).
struct AwaitedOffers: Sendable {
  /// One such acceptance.
  struct Acceptance: Hashable, Sendable {
    let client: ClientNumber
    let offer: OfferID
  }

  private var acceptances: [RequestID: Acceptance] = [:]
  private var until: Instant?

  /// When they are given up; nil while there are none.
  var nextMoment: Instant? { acceptances.isEmpty ? nil : until }

  /// Links to other devices may come until then.
  mutating func meet(until moment: Instant) { until = moment }

  /// Keeps an acceptance, if its offer may still come.
  mutating func keep(_ request: RequestID, of offer: OfferID, by client: ClientNumber, at now: Instant)
    -> Bool
  {
    guard let until, now < until else { return false }
    acceptances[request] = Acceptance(client: client, offer: offer)
    return true
  }

  @discardableResult
  mutating func forget(_ request: RequestID) -> Acceptance? { acceptances.removeValue(forKey: request) }

  /// Nobody waits there any more.
  mutating func forgetAll(by client: ClientNumber) {
    acceptances = acceptances.filter { $0.value.client != client }
  }

  /// Takes out those of a device, in order: it has told what it offers.
  mutating func take(of device: DeviceID) -> [(request: RequestID, acceptance: Acceptance)] {
    take { $0.offer.device == device }
  }

  /// Takes out all, in order, once no link is to be expected any more.
  mutating func takeLate(at now: Instant) -> [(request: RequestID, acceptance: Acceptance)] {
    guard let until, until <= now else { return [] }
    return take { _ in true }
  }

  private mutating func take(
    where isMeant: (Acceptance) -> Bool
  ) -> [(request: RequestID, acceptance: Acceptance)] {
    let found = acceptances.filter { isMeant($0.value) }.sorted { $0.key < $1.key }
    for (request, _) in found { acceptances[request] = nil }
    return found.map { ($0.key, $0.value) }
  }
}
