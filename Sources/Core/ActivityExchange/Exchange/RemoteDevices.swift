// SPDX-License-Identifier: MIT

import ActivityModel

/// One activity of another device that is offered here.
struct RemoteOffer: Hashable, Sendable {
  let id: OfferID
  let snapshot: ActivitySnapshot
  /// As apps are shown it, but for what is found out here.
  let shown: Offer
}

/// The other devices, and which of their activities stand: neither expired nor incomplete.
struct RemoteDevices: Hashable, Sendable {
  /// What a new record of a device changed.
  struct Change: Sendable {
    /// Offers that stand no more, in order.
    var ended: [OfferID] = []
    /// Offers that stand, in order, and how each stood before.
    var standing: [(offer: OfferID, snapshot: ActivitySnapshot, before: ActivitySnapshot?)] = []
    var device: RemoteDevice
  }

  private var devices: [DeviceID: RemoteDevice] = [:] { didSet { nextEnd = Self.nextEnd(of: devices) } }
  /// How wrong another device's clock may be, in seconds.
  private let clockSkew: UInt64

  init(clockSkew: UInt64) { self.clockSkew = clockSkew }

  // MARK: Records

  /// Whether this record of a device, or a newer one, was taken in, and nothing is to be done for it.
  func isKnown(_ sequence: UInt64, of device: DeviceID, called name: String) -> Bool {
    guard let place = devices.index(forKey: device) else { return false }
    let known = devices.values[place].sequence
    return known > sequence || known == sequence && devices.values[place].name == name
  }

  /// Takes a device's record in; nil when a newer one is known.
  mutating func receive(
    _ news: RemoteDevice, of device: DeviceID, at now: Instant, wall: WallTime
  ) -> Change? {
    let known = devices[device]
    if let known, known.sequence >= news.sequence {
      // The device was renamed since, or another one came that has its name.
      if known.sequence == news.sequence, known.name != news.name {
        devices[device]?.rename(to: news.name, as: device)
      }
      return nil
    }
    var news = news
    if let known { news.follow(known, of: device) }
    if isFromTheFuture(news.state, wall: wall) {
      news.expire(at: now + .seconds(Int64(clamping: news.state.lifetime + clockSkew)))
    }
    news.heard(at: wall)
    news.makeOffers(as: device)
    devices[device] = news
    let old = known?.state.activities ?? []
    let before = known.map { offered(by: $0, wall: wall) } ?? []
    let new = news.state.activities
    let after = offered(by: news, wall: wall)
    var change = Change(device: news)
    for id in before.map({ old[$0].id }).sorted() where !after.contains(where: { new[$0].id == id }) {
      change.ended.append(OfferID(device: device, activity: id))
    }
    for place in after.sorted(by: { new[$0].id < new[$1].id }) {
      let id = new[place].id
      let former = before.first { old[$0].id == id }.map { old[$0] }
      change.standing.append((OfferID(device: device, activity: id), new[place], former))
    }
    return change
  }

  /// The device belongs no more. Returns what it had offered, and its name.
  mutating func forget(_ device: DeviceID) -> (name: String, offers: [OfferID])? {
    guard let held = devices.removeValue(forKey: device) else { return nil }
    return (held.name, held.state.activities.map { OfferID(device: device, activity: $0.id) })
  }

  /// Devices whose record was dated far ahead, and its lifetime has passed here since it came.
  func endedDevices(at now: Instant) -> [DeviceID] {
    devices.filter { $0.value.endsAt.map { $0 <= now } ?? false }.keys.sorted()
  }

  /// Ends the record of a device. Returns what it had offered.
  mutating func expire(_ device: DeviceID) -> [OfferID] {
    let offers = devices[device]?.state.activities.map { OfferID(device: device, activity: $0.id) }
    devices[device]?.endNow()
    return offers ?? []
  }

  /// When the next record ends that was dated far ahead.
  private(set) var nextEnd: Instant?

  private static func nextEnd(of devices: [DeviceID: RemoteDevice]) -> Instant? {
    devices.values.reduce(nil) { $0.orEarlier($1.endsAt) }
  }

  /// The devices of which nothing is offered, for two computers use their identity.
  var copied: [DeviceID] { devices.filter(\.value.isCopied).keys.sorted() }

  /// The number of each device's last record.
  var sequences: [DeviceID: UInt64] { devices.mapValues(\.sequence) }

  /// All devices, in the order of their IDs.
  var inOrder: [RemoteDevice] { devices.sorted { $0.key < $1.key }.map(\.value) }

  /// What all devices claim to have continued.
  var claimedRequests: [RequestID] { devices.values.flatMap { $0.state.claims.map(\.request) } }

  // MARK: Offers

  /// The state of an activity in its device's last record, expired or not.
  func snapshot(of offer: OfferID) -> ActivitySnapshot? {
    devices[offer.device]?.state.activities.first { $0.id == offer.activity }
  }

  /// The activities in a device's last record.
  func activities(of device: DeviceID) -> [ActivitySnapshot] { devices[device]?.state.activities ?? [] }

  /// The folder of the offer's document; nil without one.
  func folder(of offer: OfferID) -> FolderID? {
    guard let held = devices[offer.device],
      let place = held.standing.firstIndex(where: { $0.id == offer.activity })
    else { return nil }
    return held.state.activities[place].document?.folder
  }

  /// An offer that stands.
  func offer(_ id: OfferID, wall: WallTime) -> RemoteOffer? {
    guard let held = devices[id.device] else { return nil }
    let place = offered(by: held, wall: wall).first { held.state.activities[$0].id == id.activity }
    return place.map { offer(at: $0, of: held, id.device) }
  }

  /// All offers that stand as apps are shown them, but for what is found out here; in no order.
  func offers(wall: WallTime) -> [Offer] {
    var offers: [Offer] = []
    // By index: a device that is drawn out of the table is copied.
    for index in devices.values.indices {
      for place in offered(by: devices.values[index], wall: wall) {
        offers.append(devices.values[index].offers[place])
      }
    }
    return offers
  }

  private func offer(at place: Int, of held: RemoteDevice, _ device: DeviceID) -> RemoteOffer {
    let snapshot = held.state.activities[place]
    return RemoteOffer(
      id: OfferID(device: device, activity: snapshot.id), snapshot: snapshot, shown: held.offers[place])
  }

  /// Which activities of one device are neither expired nor incomplete, by their places in its record; of two
  /// under one ID the last.
  private func offered(by held: RemoteDevice, wall: WallTime) -> [Int] {
    guard wall <= lastMoment(of: held) else { return [] }
    let activities = held.standing
    var places: [Int] = []
    for place in activities.indices
    where activities[place].isWhole && wall < lastMoment(of: activities[place]) {
      if let twin = places.firstIndex(where: { activities[$0].id == activities[place].id }) {
        places[twin] = place
      } else {
        places.append(place)
      }
    }
    return places
  }

  // MARK: What is asked of them

  /// What the last records hold and nobody is offered, with the reason; in no order. Of two activities under
  /// one ID one is enough.
  func hidden(wall: WallTime) -> [HiddenOffer] {
    var hidden: [HiddenOffer] = []
    for (device, held) in devices {
      let isOver = lastMoment(of: held) < wall
      let activities = held.state.activities
      var told = Set(offered(by: held, wall: wall).map { activities[$0].id })
      for activity in activities.reversed() where told.insert(activity.id).inserted {
        let cause =
          isOver
          ? .silent(device: held.name)
          : activity.reasonWithheld ?? (activity.expiresAt == nil ? .unchanged : .expired)
        hidden.append(
          HiddenOffer(
            id: OfferID(device: device, activity: activity.id), snapshot: activity, deviceName: held.name,
            cause: cause))
      }
    }
    return hidden
  }

  /// What each device said last, in the order of their IDs.
  var reports: [DeviceReport] {
    devices.sorted { $0.key < $1.key }.map { device, held in
      DeviceReport(
        device: device, name: held.name, issuedAt: held.state.issuedAt, heardAt: held.heardAt,
        acknowledgements: held.state.acknowledgements, isCopied: held.isCopied, isOver: held.isOver)
    }
  }

  // MARK: Time

  /// Whether a record claims to be written later than any clock that is a little wrong could say.
  func isFromTheFuture(_ state: DeviceState, wall: WallTime) -> Bool {
    wall.adding(seconds: clockSkew) < state.issuedAt
  }

  /// When the clock alone will end an offer that stands at `wall`.
  func firstEnd(after wall: WallTime) -> WallTime {
    var first = WallTime(milliseconds: .max)
    for held in devices.values {
      let last = lastMoment(of: held)
      guard wall <= last else { continue }
      if last < first { first = WallTime(milliseconds: last.milliseconds + 1) }
      for activity in held.standing {
        let end = lastMoment(of: activity)
        if wall < end { first = min(first, end) }
      }
    }
    return first
  }

  /// The first moment at which an offer is not offered any more.
  func expiry(of offer: OfferID) -> WallTime? {
    devices[offer.device]?.standing.first { $0.id == offer.activity }.map { lastMoment(of: $0) }
  }

  /// The last moment at which a record is believed.
  private func lastMoment(of held: RemoteDevice) -> WallTime {
    held.state.issuedAt.adding(seconds: held.state.lifetime + clockSkew)
  }

  private func lastMoment(of activity: RemoteDevice.Standing) -> WallTime {
    activity.expiry.adding(seconds: clockSkew)
  }

  // MARK: What others say of our activities

  /// Tries of other devices that came to nothing, as their claims tell; the last is who goes on with it.
  func remarks(on activity: ActivityID, since change: WallTime, shown: (WallTime) -> ShownMoment) -> [Reason]
  {
    let failures = inOrder.flatMap { device in
      device.state.claims.filter { $0.activity == activity }.compactMap { claim -> Reason? in
        switch claim.outcome {
        case .handled, .opened: nil
        case .declined: .notTaken(device: device.name)
        case .failed:
          .notShownThere(device: device.name, message: claim.message.isEmpty ? nil : claim.message)
        }
      }
    }
    let receipt = receipt(of: activity, since: change).map { receipt in
      Reason.continued(device: receipt.device, at: receipt.at.map(shown))
    }
    return (failures + [receipt].compactMap { $0 }).suffix(4)
  }

  /// Who continued the activity last, in the state that it has had since that change.
  private func receipt(of activity: ActivityID, since change: WallTime) -> ContinuationReceipt? {
    let receipts = inOrder.flatMap { device in
      device.state.claims.filter { $0.activity == activity && $0.outcome.isContinued }
        .map { $0.receipt(by: device.name) }
    }
    return receipts.filter { $0.covers(change) ?? true }.max { first, second in
      (first.at ?? first.changedAt) ?? change < (second.at ?? second.changedAt) ?? change
    }
  }
}
