// SPDX-License-Identifier: MIT

import ActivityModel

/// Which offers are made here, to which apps, and what is said of each.
struct OfferCatalog: Sendable {
  // What decides which offers are shown, and to whom.
  private var clients: [ClientNumber: AppManifest] = [:] { didSet { shown.outdate() } }
  private var devices: RemoteDevices { didSet { shown.outdate() } }
  private var standings = OfferStandings() { didSet { shown.outdate() } }
  private var remarks = OfferRemarks() { didSet { shown.outdate() } }
  private var memory: ContinuedOffers { didSet { shown.outdate() } }
  private var shown = ShownOffers()
  /// They are in no list: only who asked for one gets it.
  private var restored = RestoredActivities()

  init(continued: [OfferID: WallTime], clockSkew: UInt64) {
    devices = RemoteDevices(clockSkew: clockSkew)
    memory = ContinuedOffers(continued)
  }

  // MARK: Apps

  mutating func connect(_ client: ClientNumber, _ manifest: AppManifest) { clients[client] = manifest }

  /// Returns who the app was.
  mutating func disconnect(_ client: ClientNumber) -> AppManifest? {
    shown.forget(client)
    return clients.removeValue(forKey: client)
  }

  /// Who the app is; nil when it is not connected.
  func manifest(of client: ClientNumber) -> AppManifest? { clients[client] }

  /// The name of an app for people; nil when it is not connected.
  func name(of client: ClientNumber) -> String? { clients[client]?.name }

  /// Who the app is, whichever of its processes speaks.
  func identity(of client: ClientNumber) -> AppIdentity? { clients[client].map(AppIdentity.init) }

  /// The last connection of that app that was made after `client`.
  func successor(of client: ClientNumber, _ app: AppIdentity) -> ClientNumber? {
    newestClient(of: app).flatMap { $0 > client ? $0 : nil }
  }

  /// The connection of that app that was made last.
  func newestClient(of app: AppIdentity) -> ClientNumber? {
    clients.filter { AppIdentity($0.value) == app }.keys.max()
  }

  // MARK: Devices

  /// Whether this record of a device, or a newer one, was taken in, and nothing is to be done for it: records
  /// are read more often than they change.
  func isKnown(_ sequence: UInt64, of device: DeviceID, called name: String) -> Bool {
    devices.isKnown(sequence, of: device, called: name)
  }

  /// Takes a device's record in; nil when a newer one is known.
  mutating func receive(
    _ news: RemoteDevice, of device: DeviceID, at now: Instant, wall: WallTime
  ) -> RemoteDevices.Change? {
    devices.receive(news, of: device, at: now, wall: wall)
  }

  /// The device belongs no more. Returns what it had offered, and its name.
  mutating func forget(_ device: DeviceID) -> (name: String, offers: [OfferID])? { devices.forget(device) }

  /// Ends the records whose time is over though their devices date them later. Returns what they offered.
  mutating func endTheFuture(at now: Instant) -> [OfferID] {
    devices.endedDevices(at: now).flatMap { devices.expire($0) }
  }

  /// When the next such record ends.
  var nextEnd: Instant? { devices.nextEnd }

  /// The devices of which nothing is offered, for two computers use their identity.
  var copiedDevices: [DeviceID] { devices.copied }

  /// The number of each device's last record.
  var sequences: [DeviceID: UInt64] { devices.sequences }

  /// What each device says, in the order of their IDs.
  var devicesInOrder: [RemoteDevice] { devices.inOrder }

  /// What all devices claim to have continued.
  var claimedRequests: [RequestID] { devices.claimedRequests }

  /// Tries of other devices that came to nothing, as their claims tell; the last is who goes on with it.
  func remarks(
    onOwn activity: ActivityID, since change: WallTime, shown: (WallTime) -> ShownMoment
  ) -> [Reason] {
    devices.remarks(on: activity, since: change, shown: shown)
  }

  // MARK: One offer

  /// The state of an activity in its device's last record, expired or not.
  func snapshot(of offer: OfferID) -> ActivitySnapshot? {
    restored[offer]?.snapshot ?? devices.snapshot(of: offer)
  }

  /// The folder of the offer's document; nil without one.
  func folder(of offer: OfferID) -> FolderID? {
    restored[offer]?.snapshot.document?.folder ?? devices.folder(of: offer)
  }

  /// How the document stands; nil while it is being looked at.
  func standing(of offer: OfferID) -> ArrivalStatus? { standings[offer] }

  /// Since when its document stands so.
  func since(_ offer: OfferID) -> WallTime? { standings.since(offer) }

  /// An offer that stands.
  func offer(_ id: OfferID, wall: WallTime) -> RemoteOffer? {
    restored[id] ?? devices.offer(id, wall: wall)
  }

  /// The offer as an app is told that continues it.
  func shownOffer(_ held: RemoteOffer) -> Offer {
    var offer = held.shown
    complete(&offer)
    if memory.contains(held.id, changedAt: held.snapshot.changedAt) { offer.notes = [] }
    return offer
  }

  /// The offer has another state: whether its document is to be looked at anew.
  mutating func renew(_ offer: OfferID, _ snapshot: ActivitySnapshot, before: ActivitySnapshot?) -> Bool {
    guard let document = snapshot.document else {
      standings.recordNoDocument(of: offer)
      return false
    }
    guard before?.document != document || standings[offer] == nil else { return false }
    standings.outdate(offer)
    return true
  }

  /// The document of an offer was looked at: whether that is news.
  mutating func record(_ status: ArrivalStatus, of offer: OfferID, wall: WallTime) -> Bool {
    guard snapshot(of: offer) != nil, standings[offer] != status else { return false }
    standings.record(status, of: offer, wall: wall)
    return true
  }

  /// What was known turned out to be out of date: the document stands like this, and is looked at anew.
  mutating func outdate(_ offer: OfferID, found status: ArrivalStatus) {
    standings.outdate(offer, found: status)
  }

  /// Says of one state of an offer what became of it; nil takes back what was said.
  mutating func remark(_ cause: Reason?, on offer: OfferID, changedAt: WallTime) {
    if snapshot(of: offer) != nil { remarks.record(cause, on: offer, changedAt: changedAt) }
  }

  /// The offer ended.
  mutating func forget(_ offer: OfferID) {
    standings.forget(offer)
    remarks.forget(offer)
  }

  // MARK: Saved activities of this device that a person wants

  /// Keeps one until it was continued. Returns those that are given up for it.
  mutating func hold(_ activity: RestoredActivities.Activity) -> [OfferID] { restored.hold(activity) }

  /// Whether it is one of them.
  func isRestored(_ offer: OfferID) -> Bool { restored[offer] != nil }

  /// It, as an app is shown an offer; nil when it is none of them.
  func restoredOffer(_ id: OfferID) -> Offer? { restored[id].map(shownOffer) }

  /// Takes out those whose continuation has ended, in order.
  mutating func endedRestorations(isGoingOn: (OfferID) -> Bool) -> [OfferID] {
    restored.isEmpty ? [] : restored.takeEnded(isGoingOn: isGoingOn)
  }

  // MARK: What was continued

  /// What this device continued, and in which state of the activity.
  var continued: [OfferID: WallTime] { memory.changes }

  /// This state of the offer was continued here, and is not shown again.
  mutating func recordContinued(_ offer: OfferID, changedAt: WallTime) {
    memory.record(offer, changedAt: changedAt)
  }

  /// Whether this state of the offer, or a later one, was continued.
  func isContinued(_ offer: OfferID, changedAt: WallTime) -> Bool {
    memory.contains(offer, changedAt: changedAt)
  }

  /// What `device` has open beside an activity that was continued here, in its last state: its next record
  /// offers neither.
  func openedBesideContinued(on device: DeviceID) -> [ActivitySnapshot] {
    let activities = devices.activities(of: device)
    return activities.filter { beside in
      guard beside.flags.contains(.openedBeside) else { return false }
      let id = OfferID(device: device, activity: beside.id)
      let listing = activities.first { other in
        !other.flags.contains(.openedBeside)
          && OfferID(device: device, activity: other.id).isOpenedTogether(with: id)
      }
      // Without one, it was kept before.
      guard let listing else { return true }
      return memory.contains(OfferID(device: device, activity: listing.id), changedAt: listing.changedAt)
    }
  }

  // MARK: All offers

  /// Every offer of every other device, newest first.
  func offers(wall: WallTime) -> [Offer] {
    var offers = devices.offers(wall: wall)
    if !memory.isEmpty { offers.removeAll { memory.contains($0.id, changedAt: $0.changedAt) } }
    for place in offers.indices { complete(&offers[place]) }
    if offers.count > 1 { offers.sort { ($1.changedAt, $1.id) < ($0.changedAt, $0.id) } }
    return offers
  }

  /// What other devices' last records hold and nobody is shown here, with the reason; newest first.
  func hidden(wall: WallTime) -> [HiddenOffer] {
    let continued = devices.offers(wall: wall).filter { memory.contains($0.id, changedAt: $0.changedAt) }
    let others = continued.compactMap { offer in
      devices.snapshot(of: offer.id).map {
        HiddenOffer(id: offer.id, snapshot: $0, deviceName: offer.deviceName, cause: .continuedHere)
      }
    }
    return (devices.hidden(wall: wall) + others).sorted {
      ($1.snapshot.changedAt, $1.id) < ($0.snapshot.changedAt, $0.id)
    }
  }

  /// What each device said last, in the order of their IDs.
  var reports: [DeviceReport] { devices.reports }

  /// What apps are told now, each when its offers changed.
  mutating func show(wall: WallTime) -> [(client: ClientNumber, offers: [Offer])] {
    guard !shown.hold(at: wall) else { return [] }
    let all = offers(wall: wall)
    var told: [(client: ClientNumber, offers: [Offer])] = []
    for (client, manifest) in clients.sorted(by: { $0.key < $1.key }) {
      let isForAll = all.allSatisfy { ExchangeMachine.matches($0, manifest: manifest) }
      let offers = isForAll ? all : all.filter { ExchangeMachine.matches($0, manifest: manifest) }
      if shown.show(offers, to: client) { told.append((client, offers)) }
    }
    shown.hold(from: wall, until: devices.firstEnd(after: wall), expiry: devices.expiry)
    return told
  }

  /// When the first activity that some app is shown expires.
  var nextExpiry: WallTime? { shown.expiry }

  /// Adds to an offer what was found out of it here.
  private func complete(_ offer: inout Offer) {
    offer.status = standings.shown(offer.id)
    if let cause = remarks.cause(on: offer.id, changedAt: offer.changedAt) {
      offer.notes.insert(cause, at: 0)
    }
  }
}
