// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel

/// What people, devices and time do in a history.
extension HandoffHistory {
  mutating func accept() {
    guard let app, let offer = app.offers.randomElement(using: &random) else { return }
    let request = RequestID(using: &random)
    steps.append("accept")
    if random.next(below: 4) > 0 { return feedApp(.accept(offer.id, request)) }
    // `continuo resume`, on the app's behalf.
    guard let appConnection else { return }
    feed(.accepted(ClientNumber(rawValue: appConnection), offer.id, request))
  }

  mutating func personDecides() {
    guard let request = told.filter({ $0.value.answers == 0 }).keys.sorted().first else { return }
    switch random.next(below: 4) {
    case 0: feedApp(.cancel(request))
    case 1: feedApp(.choose(request, .openHere))
    case 2: feedApp(.choose(request, .giveUp))
    default: feedApp(.extend(request, seconds: 10))
    }
  }

  mutating func sourceSpeaks() {
    let activity = Self.activities[Int(random.next(below: 2))]
    wall = WallTime(milliseconds: wall.milliseconds + 1)
    source.activities.removeAll { $0.id == activity }
    if random.next(below: 3) > 0 { offer(activity) }
    sequence += 1
    feed(.received(Self.desktop, name: "desktop", sequence: sequence, source))
  }

  mutating func offer(_ activity: ActivityID) {
    var snapshot = ExchangeWorld().snapshot(version: ExchangeWorld().version(UInt8(random.next(below: 9))))
    (snapshot.id, snapshot.changedAt) = (activity, wall)
    source.activities.append(snapshot)
  }

  mutating func arrive(_ arrival: Arrival) {
    let activity = Self.activities[Int(random.next(below: 2))]
    feed(.arrival(OfferID(device: Self.desktop, activity: activity), ArrivalStatus(arrival)))
  }

  /// The shell has opened and hashed the document.
  mutating func open(always: Bool = false) {
    guard !openings.isEmpty else { return }
    let opening = openings.removeFirst()
    guard agent?.isOpening(opening.request, for: opening.client) == true else { return }
    switch always ? 9 : random.next(below: 10) {
    case 0: feed(.deliveryPostponed(opening.request, ArrivalStatus(.behind)))
    case 1: feed(.deliveryFailed(opening.request, ContinuityError(.documentUnreadable, description: "No.")))
    default:
      let delivery = Delivery(
        activity: opening.snapshot, path: [47], status: opening.status, deviceName: "desktop")
      connections[opening.client.rawValue]?.toApp.append(.deliver(opening.request, delivery))
      feed(.delivered(opening.request))
    }
  }

  mutating func finish() {
    guard let request = shown.first else { return }
    shown.removeFirst()
    switch random.next(below: 6) {
    case 0: feedApp(.failed(request, ContinuityError(.documentUnreadable, description: "No.")))
    case 1: feedApp(.finished(request, .declined))
    default: feedApp(.finished(request, .opened))
    }
    finished.append(request)
  }

  mutating func pass(_ duration: Duration) {
    now = now + duration
    wall = WallTime(milliseconds: wall.milliseconds + UInt64(duration.components.seconds) * 1000)
    feed(.timer)
    feedApp(.tick)
  }
}
