// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import ActivityWire
import SyncedFolders

/// Hands documents over to the apps that continue them: opened beneath their folders, read once more on the
/// descriptor that goes with the message, and delivered when they are what was offered. Loop thread only.
final class Deliveries {
  private let ports: AgentPorts
  private let store: StateStore
  private let folders: FolderRegistry
  private let hasher: HashQueue
  private let clients: ConnectedClients
  private let circle: DeviceCircle
  private let exchange: ExchangeDriver
  private let tracker: OfferTracker
  private let documents: LocalDocuments
  private let opened: OpenDocuments
  private let copies: PrivateCopies
  private let copied: CopiedOffers
  private let streams: LinkedStreams
  private let links: LinkedDocuments
  /// Documents that are being read before they are handed over.
  private var pending: [RequestID: Pending] = [:]
  private var handedOver: [RequestID: HandedOver] = [:]
  /// Drafts that are being had for acceptances.
  private var getting: [RequestID: ContentDigest] = [:]

  /// A document that is being read once more before it is handed over.
  private struct Pending {
    var ticket: HashTicket
    var client: ClientNumber
    var offer: OfferID
    var reference: DocumentReference
  }

  /// What was handed to a client that has not said yet how that went.
  private struct HandedOver {
    var client: UInt64
    var version: DocumentVersion
    var place: DocumentPlace
    /// The number of that.
    var word: UInt64
  }

  init(
    ports: AgentPorts, store: StateStore, folders: FolderRegistry, hasher: HashQueue,
    clients: ConnectedClients, circle: DeviceCircle, exchange: ExchangeDriver, tracker: OfferTracker,
    documents: LocalDocuments, opened: OpenDocuments, copies: PrivateCopies, copied: CopiedOffers,
    streams: LinkedStreams, links: LinkedDocuments
  ) {
    (self.copies, self.copied, self.streams, self.links) = (copies, copied, streams, links)
    self.ports = ports
    self.store = store
    self.folders = folders
    self.hasher = hasher
    self.clients = clients
    self.circle = circle
    self.exchange = exchange
    self.tracker = tracker
    self.documents = documents
    self.opened = opened
  }

  /// Whether a document is being read for this request.
  func isReading(for request: RequestID) -> Bool { pending[request] != nil }

  /// Opens the document beneath its folder, hashes it on the descriptor that is handed over, and delivers.
  func deliver(
    _ request: RequestID, to client: ClientNumber, _ offer: OfferID, _ snapshot: ActivitySnapshot,
    _ status: ArrivalStatus
  ) {
    ports.observer.delivering(request)
    // An app that is back before its last connection ended: what comes of that one is no answer to this.
    pending.removeValue(forKey: request)?.ticket.cancel()
    if let draft = snapshot.continuedDraft {
      return deliver(draft, of: offer, snapshot, request, client)
    }
    if snapshot.needsDraft { return failDraft(request, offer, snapshot) }
    guard let reference = snapshot.document else {
      return send(snapshot, request, client, offer, status, nil)
    }
    let copy = copied.opening(of: offer, reference)
    let path = copy?.path ?? tracker.location(of: offer) ?? reference.path
    guard let folder = copy?.folder ?? folders.directory(of: reference.folder) else {
      let gone = ArrivalStatus(.folderUnknown, because: .folderGone)
      return postpone(request, offer, gone)
    }
    let document: OpenedDocument
    do throws(ContinuityError) {
      document = try folder.open(document: path)
    } catch {
      guard error.code == .documentMissing else { return exchange.feed(.deliveryFailed(request, error)) }
      return postpone(request, offer, ArrivalStatus(.missing, because: error.cause))
    }
    let ticket = hasher.hash(
      HashQueue.Document(
        path: path, folder: folder, stamp: document.stamp, file: document.file, isAwaited: true),
      progress: { [weak self] in self?.tellReading($0, of: document, request, client) }
    ) { [weak self] outcome in
      guard let self else { return }
      self.pending[request] = nil
      guard case .stable(let digest, _, let quiet) = outcome,
        let found = DeliveryCheck.standing(
          of: digest, quiet: quiet, to: reference.version,
          history: copy?.history ?? self.store.histories[self.folders.place(of: reference)],
          isMoved: copy == nil && path != reference.path, agreed: status)
      else {
        if let copy { self.copies.used(copy.absolutePath, by: client.rawValue) }
        let reason = Reason.changedWhileOpened(document: path.displayName)
        return self.postpone(request, offer, ArrivalStatus(.behind, because: reason))
      }
      if let copy {
        self.copies.handed(copy.id, as: request, to: client.rawValue)
        return self.send(snapshot, request, client, offer, found, document, at: copy.absolutePath)
      }
      let sighting = VersionSighting(digest, size: document.stamp.size, source: .opened)
      self.remember(sighting, of: reference, at: path, from: offer)
      self.handedOver[request] = HandedOver(
        client: client.rawValue, version: DocumentVersion(digest: digest, size: document.stamp.size),
        place: self.folders.place(of: reference, at: path), word: self.opened.nextWord())
      self.send(snapshot, request, client, offer, found, document)
    }
    pending[request] = ticket.map {
      Pending(ticket: $0, client: client, offer: offer, reference: reference)
    }
  }

  // MARK: Drafts

  /// Has the text sent unless it is here, keeps it where it outlives the power, and delivers that.
  private func deliver(
    _ draft: Draft, of offer: OfferID, _ snapshot: ActivitySnapshot, _ request: RequestID,
    _ client: ClientNumber
  ) {
    guard clients.takes(.drafts, client.rawValue) else {
      return awaitGreetings(draft, of: offer, snapshot, request, client)
    }
    getting[request] = draft.digest
    if let file = ports.drafts.open(draft.digest), file.size == draft.size {
      return send(draft, file, of: offer, request, client)
    }
    limitGetting(draft, of: offer, snapshot, request, client)
    links.fetch(draft, of: offer, for: client.rawValue) { [weak self] result in
      guard let self, isGetting(draft, for: request, client) else { return }
      guard case .success(let came) = result else { return miss(draft, of: offer, snapshot, request, client) }
      hasher.keep(came, size: draft.size, in: ports.drafts) { [weak self] result in
        guard let self, isGetting(draft, for: request, client) else { return }
        if case .success(let kept) = result, kept.digest == draft.digest,
          let file = ports.drafts.open(kept.digest), file.size == draft.size
        {
          return send(draft, file, of: offer, request, client)
        }
        ports.log("a draft that came over a link is not what was offered, or could not be kept")
        failDraft(request, offer, snapshot)
      }
    }
  }

  /// Nobody waits for it longer than that: a device may send a byte now and then.
  private static let draftPatience = Duration.seconds(60)
  /// What an app takes is said behind its hello: one that was just started has not said it yet.
  private static let greetingPatience = Duration.seconds(1)

  private func isGetting(_ draft: Draft, for request: RequestID, _ client: ClientNumber) -> Bool {
    getting[request] == draft.digest && exchange.machine.isOpening(request, for: client)
  }

  private func limitGetting(
    _ draft: Draft, of offer: OfferID, _ snapshot: ActivitySnapshot, _ request: RequestID,
    _ client: ClientNumber
  ) {
    ports.scheduler.schedule(at: ports.now + Self.draftPatience) { [weak self] in
      guard let self, isGetting(draft, for: request, client) else { return }
      failDraft(request, offer, snapshot)
    }
  }

  private func awaitGreetings(
    _ draft: Draft, of offer: OfferID, _ snapshot: ActivitySnapshot, _ request: RequestID,
    _ client: ClientNumber
  ) {
    ports.scheduler.schedule(at: ports.now + Self.greetingPatience) { [weak self] in
      guard let self, exchange.machine.isOpening(request, for: client) else { return }
      guard !clients.takes(.drafts, client.rawValue) else {
        return deliver(draft, of: offer, snapshot, request, client)
      }
      let app = clients.manifest(of: client.rawValue)?.name ?? ""
      failDraft(
        request, offer, snapshot,
        ContinuityError(
          .handoffFailed, subject: app,
          description: "\(app) opens no text without a file: save it on the other device first."))
    }
  }

  /// The text did not come: it is another one by now, or in a file.
  private func miss(
    _ draft: Draft, of offer: OfferID, _ snapshot: ActivitySnapshot, _ request: RequestID,
    _ client: ClientNumber
  ) {
    guard let latest = exchange.snapshot(of: offer), latest.continuedDraft?.digest != draft.digest else {
      return failDraft(request, offer, snapshot)
    }
    continueAnew(latest, of: offer, request, client)
  }

  private func continueAnew(
    _ latest: ActivitySnapshot, of offer: OfferID, _ request: RequestID, _ client: ClientNumber
  ) {
    getting[request] = nil
    guard latest.continuedDraft == nil, latest.document != nil else {
      return deliver(request, to: client, offer, latest, ArrivalStatus(.current))
    }
    postpone(request, offer, Self.overtaken)
  }

  private func send(
    _ draft: Draft, _ file: any OpenFile, of offer: OfferID, _ request: RequestID, _ client: ClientNumber
  ) {
    getting[request] = nil
    guard exchange.machine.isOpening(request, for: client), let latest = exchange.snapshot(of: offer) else {
      return
    }
    guard latest.draft?.digest == draft.digest else {
      return continueAnew(latest, of: offer, request, client)
    }
    var (activity, _) = documents.localised(latest)
    activity.flags.insert(.withDraft)
    // It is written to no file by itself, that one neither.
    activity.document = nil
    let device = circle.name(of: offer.device)
    let isBehind = latest.hasTextAfter || latest.continuedDraft == nil
    let remark = isBehind ? Reason.savedBefore(document: latest.shownDocument, device: device) : nil
    let cause = exchange.machine.saveRemark(on: offer) ?? remark
    hand(
      Delivery(
        activity: activity, path: nil, status: ArrivalStatus(.current, because: cause),
        deviceName: device),
      file, of: offer, as: request, to: client, found: nil)
  }

  /// Where the document has a file, that is continued, as it was saved.
  private func failDraft(
    _ request: RequestID, _ offer: OfferID, _ snapshot: ActivitySnapshot, _ error: ContinuityError? = nil
  ) {
    getting[request] = nil
    let (name, device) = (snapshot.shownDocument, circle.name(of: offer.device))
    guard snapshot.document == nil else {
      let remark = Reason.notSaved(document: name, device: device, message: nil)
      return exchange.feed(.draftFailed(request, remark))
    }
    let cause = Reason.draftOutOfReach(document: name, device: device)
    let reason = exchange.machine.saveRemark(on: offer) ?? cause
    exchange.feed(.deliveryFailed(request, error ?? ContinuityError(.documentMissing, because: reason)))
  }

  private func tellReading(
    _ bytes: UInt64, of document: OpenedDocument, _ request: RequestID, _ client: ClientNumber
  ) {
    guard exchange.machine.isOpening(request, for: client) else { return }
    let size = document.stamp.size
    let status = ArrivalStatus(
      .current, because: .reading(document: document.path.displayName, Reason.Progress(bytes, of: size)),
      received: bytes, expected: size)
    clients.send(.report(.progress(request, status)), to: client.rawValue)
  }

  /// Stops reading what nobody waits for any more, and what is another version by now.
  func cancelUnwanted() {
    for (request, delivery) in pending.sorted(by: { $0.key < $1.key }) {
      let isWanted = exchange.machine.isOpening(request, for: delivery.client)
      let reference = exchange.snapshot(of: delivery.offer)?.document
      if isWanted, DeliveryCheck.isSame(reference, as: delivery.reference) { continue }
      pending[request] = nil
      delivery.ticket.cancel()
      if isWanted { postpone(request, delivery.offer, Self.overtaken) }
    }
  }

  private static var overtaken: ArrivalStatus {
    ArrivalStatus(.behind, because: .overtaken)
  }

  /// Waits again, until the tracker has looked anew.
  private func postpone(_ request: RequestID, _ offer: OfferID, _ status: ArrivalStatus) {
    ports.observer.postponed(request)
    tracker.distrust(offer)
    exchange.feed(.deliveryPostponed(request, status))
  }

  private func remember(
    _ sighting: VersionSighting, of reference: DocumentReference, at path: RelativePath, from offer: OfferID
  ) {
    let place = folders.place(of: reference, at: path)
    let digest = sighting.digest
    if digest == reference.version.digest { adopt(reference.version, at: place, from: offer) }
    ports.observer.noted(sighting, at: place)
    store.changeHistory(of: place, because: sighting) { $0.record(digest) }
  }

  /// Nobody says any more how it went.
  func clientEnded(_ client: UInt64) { handedOver = handedOver.filter { $0.value.client != client } }

  /// Only what a client opened is what it has: one that declined shows what it showed before.
  func ended(_ request: RequestID, with outcome: ContinuationOutcome) {
    guard let handed = handedOver.removeValue(forKey: request), outcome == .opened else { return }
    opened.noteTaken(handed.version, at: handed.place, by: handed.client, handed: handed.word)
  }

  /// A version that is here, and that another device's record names, becomes this path's with its lineage.
  func adopt(_ version: DocumentVersion, at place: DocumentPlace, from offer: OfferID) {
    let device = KnownVersion.Device(id: offer.device, name: circle.name(of: offer.device))
    let sighting = VersionSighting(
      version.digest, size: version.size, source: .received, device: device,
      changed: exchange.snapshot(of: offer)?.changedAt)
    store.changeHistory(of: place, because: sighting) { $0.adopt(version) }
    ports.observer.adopted(version, at: place, from: offer.device)
  }

  private func send(
    _ snapshot: ActivitySnapshot, _ request: RequestID, _ client: ClientNumber, _ offer: OfferID,
    _ status: ArrivalStatus, _ document: OpenedDocument?, at copy: [UInt8]? = nil
  ) {
    guard exchange.machine.isOpening(request, for: client) else { return }
    // While a long document was hashed, another state may have come, of another version even.
    guard let latest = exchange.snapshot(of: offer),
      DeliveryCheck.isSame(latest.document, as: snapshot.document)
    else {
      return postpone(request, offer, Self.overtaken)
    }
    let root = snapshot.document.flatMap { folders.root(of: $0.folder) }
    let place = copy == nil ? document?.path : nil
    let path = copy ?? place.flatMap { root?.absolutePath(of: $0) }
    let (activity, leftOut) = documents.localised(latest.relocated(to: place), opened: place, copy: copy)
    var told = status
    if leftOut > 0 {
      ports.log("\(leftOut) files of an activity are not here, or behind a link, and not handed over")
      if told.cause == nil { told.cause = .othersLeftOut(UInt64(leftOut)) }
    }
    // Text that is elsewhere still concerns a person more than where this one lies.
    if told.arrival == .current || told.cause == nil {
      told.cause = exchange.machine.saveRemark(on: offer) ?? told.cause
    }
    let delivery = Delivery(
      activity: activity, path: path, status: told, deviceName: circle.name(of: offer.device))
    var found = latest.relocated(to: place).document
    if let folder = found?.folder { found?.folder = folders.canonical(folder) }
    hand(delivery, document?.file, of: offer, as: request, to: client, found: found)
  }

  private func hand(
    _ delivery: Delivery, _ file: (any OpenFile)?, of offer: OfferID, as request: RequestID,
    to client: ClientNumber, found: DocumentReference?
  ) {
    guard let connection = clients.connection(of: client) else { return }
    ports.observer.reached(.delivering)
    // Before the app can ask.
    streams.delivered(offer, as: request, to: client.rawValue)
    switch connection.send(.report(.deliver(request, delivery)), file: file) {
    case .sent: exchange.feed(.delivered(request, found))
    case .tooLong:
      let error = ContinuityError(
        .userInfoTooLarge,
        description: "The activity is too large to be handed to the app: continue it on the other device.")
      exchange.feed(.deliveryFailed(request, error))
    case .outOfFiles:
      let error = ContinuityError(
        .documentUnreadable, description: "Too many files are open: close some, and continue again.")
      exchange.feed(.deliveryFailed(request, error))
    }
  }
}
