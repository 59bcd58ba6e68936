// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import ActivityWire
import SyncedFolders
import Trust

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
  /// Other devices' activities that clients have not said yet how they ended, in the state they got.
  private var delivered: [RequestID: (client: UInt64, activity: ActivitySnapshot)] = [:]
  /// Told of each that was continued.
  private let continued: (ActivitySnapshot) -> Void
  /// What is continued with a text that no file has.
  private(set) lazy var drafts = DraftDeliveries(
    ports: ports,
    agent: DraftDeliveries.Agent(
      hasher: hasher, clients: clients, circle: circle, exchange: exchange, links: links,
      localised: { [documents] in documents.localised($0).activity },
      hand: { [weak self] in self?.hand($0, $1, of: $2, as: $3, to: $4, found: nil) },
      again: { [weak self] in self?.deliver($0, to: $1, $2, $3, ArrivalStatus(.current)) },
      overtaken: { [weak self] in self?.postpone($0, $1, Self.overtaken) }))

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
    streams: LinkedStreams, links: LinkedDocuments, continued: @escaping (ActivitySnapshot) -> Void
  ) {
    self.continued = continued
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
      return drafts.deliver(draft, of: offer, snapshot, request, client)
    }
    if snapshot.needsDraft { return drafts.fail(request, offer, snapshot) }
    guard let reference = snapshot.document else {
      return deliver(request, to: client, offer, withoutFolder: snapshot, status)
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

  /// An activity without a document, or a saved one of this device whose document lies outside every folder.
  private func deliver(
    _ request: RequestID, to client: ClientNumber, _ offer: OfferID, withoutFolder snapshot: ActivitySnapshot,
    _ status: ArrivalStatus
  ) {
    guard exchange.machine.restoredOffer(offer) != nil, let path = snapshot.documentPath else {
      return send(snapshot, request, client, offer, status, nil)
    }
    do throws(ContinuityError) {
      guard documents.liesInNoFolder(path), let real = ports.disks.realPath(path),
        let slash = real.lastIndex(of: UInt8(ascii: "/"))
      else { throw SavedRestorations.missing(path) }
      let folder = try ports.disks.open(folder: Array(real[..<max(slash, 1)]))
      guard let name = RelativePath(components: [Array(real[(slash + 1)...])]) else {
        throw SavedRestorations.missing(path)
      }
      let document = try folder.open(document: name)
      send(snapshot, request, client, offer, status, document, at: real)
    } catch {
      exchange.feed(.deliveryFailed(request, error))
    }
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
  func clientEnded(_ client: UInt64) {
    handedOver = handedOver.filter { $0.value.client != client }
    delivered = delivered.filter { $0.value.client != client }
  }

  /// Only what a client opened is what it has: one that declined shows what it showed before.
  func ended(_ request: RequestID, with outcome: ContinuationOutcome) {
    if let ended = delivered.removeValue(forKey: request), outcome.isContinued { continued(ended.activity) }
    guard let handed = handedOver.removeValue(forKey: request), outcome == .opened else { return }
    opened.noteTaken(handed.version, at: handed.place, by: handed.client, handed: handed.word)
  }

  /// A version that is here, and that another device's record names, becomes this path's with its lineage.
  func adopt(_ version: DocumentVersion, at place: DocumentPlace, from offer: OfferID) {
    // A saved activity names what lay here.
    guard offer.device != store.identity.id else { return }
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
    let isRestored = exchange.machine.restoredOffer(offer) != nil
    let (activity, leftOut) =
      isRestored
      ? (latest.restored(at: path), 0)
      : documents.localised(latest.relocated(to: place), opened: place, copy: copy)
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
    case .sent:
      // A saved one of this device is kept already.
      if exchange.machine.restoredOffer(offer) == nil, let activity = exchange.snapshot(of: offer) {
        delivered[request] = (client.rawValue, activity)
      }
      exchange.feed(.delivered(request, found))
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
