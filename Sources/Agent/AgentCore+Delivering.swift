// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import ActivityWire
import CLinux
import FolderAccess
import Glibc
import SyncedFolders
import VersionHistory

/// A document that is being read once more before it is handed over.
struct PendingDelivery {
  var ticket: HashTicket
  var client: ClientNumber
  var offer: OfferID
  var reference: DocumentReference
}

/// What was handed to a client that has not said yet how that went.
struct HandedOver {
  var client: UInt64
  var version: DocumentVersion
  var place: DocumentHistories.Place
  /// The number of that.
  var word: UInt64
}

extension AgentCore {
  /// Opens the document beneath its folder, hashes it on the descriptor that is handed over, and delivers.
  func deliver(
    _ request: RequestID, to client: ClientNumber, _ offer: OfferID, _ snapshot: ActivitySnapshot,
    _ status: ArrivalStatus
  ) {
    guard let reference = snapshot.document else {
      return send(snapshot, request, client, offer, status, nil)
    }
    let path = tracker.location(of: offer) ?? reference.path
    guard let directory = folders.directory(of: reference.folder) else {
      let gone = ArrivalStatus(.folderUnknown, reason: "The folder went away.")
      return postpone(request, offer, gone)
    }
    let document: OpenDocument
    do throws(ContinuityError) {
      document = try directory.open(path)
    } catch {
      guard error.code == .documentMissing else { return feed(.deliveryFailed(request, error)) }
      return postpone(request, offer, ArrivalStatus(.missing, reason: error.description))
    }
    let ticket = hasher.hash(
      HashQueue.Document(
        path: path, directory: directory, stamp: document.stamp, descriptor: document.descriptor,
        isAwaited: true),
      progress: { [weak self] in self?.tellReading($0, of: document, request, client) }
    ) { [weak self] outcome in
      guard let self else { return }
      self.deliveries[request] = nil
      guard case .stable(let digest, _, let quiet) = outcome,
        let found = DeliveryCheck.standing(
          of: digest, quiet: quiet, to: reference.version,
          history: self.store.histories[self.place(of: reference, at: reference.path)],
          isMoved: path != reference.path, agreed: status)
      else {
        let reason = "\(path.displayName) changed while it was opened; it is looked at again."
        return self.postpone(request, offer, ArrivalStatus(.behind, reason: reason))
      }
      let sighting = VersionSighting(digest, size: document.stamp.size, .opened)
      self.remember(sighting, of: reference, at: path, from: offer)
      self.handedOver[request] = HandedOver(
        client: client.rawValue, version: DocumentVersion(digest: digest, size: document.stamp.size),
        place: self.place(of: reference, at: path), word: self.opened.nextWord())
      self.send(snapshot, request, client, offer, found, document)
    }
    deliveries[request] = ticket.map {
      PendingDelivery(ticket: $0, client: client, offer: offer, reference: reference)
    }
  }

  private func tellReading(
    _ bytes: UInt64, of document: OpenDocument, _ request: RequestID, _ client: ClientNumber
  ) {
    guard exchange.isOpening(request, for: client) else { return }
    let size = document.stamp.size
    let status = ArrivalStatus(
      .current, reason: ArrivalMachine.readingReason(document.path, bytes, of: size), received: bytes,
      expected: size)
    clients[client.rawValue]?.connection.send(.report(.progress(request, status)))
  }

  /// Stops reading what nobody waits for any more, and what is another version by now.
  func cancelUnwantedDeliveries() {
    for (request, delivery) in deliveries {
      let isWanted = exchange.isOpening(request, for: delivery.client)
      let reference = exchange.snapshot(of: delivery.offer)?.document
      if isWanted, DeliveryCheck.isSame(reference, delivery.reference) { continue }
      deliveries[request] = nil
      delivery.ticket.cancel()
      if isWanted { postpone(request, delivery.offer, Self.overtaken) }
    }
  }

  private static func leftOut(_ count: Int) -> String {
    count == 1
      ? "Another file that it names is not in its folder here, and is left out."
      : "\(count) other files that it names are not in their folders here, and are left out."
  }

  private static var overtaken: ArrivalStatus {
    ArrivalStatus(.behind, reason: "Another version was announced while this one was opened.")
  }

  /// Waits again, until the tracker has looked anew.
  private func postpone(_ request: RequestID, _ offer: OfferID, _ status: ArrivalStatus) {
    tracker.distrust(offer)
    feed(.deliveryPostponed(request, status))
  }

  private func place(of reference: DocumentReference, at path: RelativePath) -> DocumentHistories.Place {
    DocumentHistories.Place(folder: folders.canonical(reference.folder), path: path)
  }

  private func remember(
    _ sighting: VersionSighting, of reference: DocumentReference, at path: RelativePath, from offer: OfferID
  ) {
    let place = place(of: reference, at: path)
    let digest = sighting.digest
    if digest == reference.version.digest { adopt(reference.version, at: place, from: offer) }
    store.changeHistory(of: place, because: sighting) { $0.record(digest) }
  }

  /// Only what a client opened is what it has: one that declined shows what it showed before.
  func noteEnd(of request: RequestID, _ outcome: ContinuationOutcome) {
    guard let handed = handedOver.removeValue(forKey: request), outcome == .opened else { return }
    opened.noteTaken(handed.version, at: handed.place, by: handed.client, handed: handed.word)
  }

  /// A version that is here, and that another device's record names, becomes this path's with its lineage.
  func adopt(_ version: DocumentVersion, at place: DocumentHistories.Place, from offer: OfferID) {
    let device = KnownVersion.Device(id: offer.device, name: deviceName(offer.device))
    let sighting = VersionSighting(
      version.digest, size: version.size, .received, device: device,
      changed: exchange.snapshot(of: offer)?.changedAt)
    store.changeHistory(of: place, because: sighting) { $0.adopt(version) }
  }

  private func send(
    _ snapshot: ActivitySnapshot, _ request: RequestID, _ client: ClientNumber, _ offer: OfferID,
    _ status: ArrivalStatus, _ document: OpenDocument?
  ) {
    guard exchange.isOpening(request, for: client), let connection = clients[client.rawValue]?.connection
    else { return }
    // While a long document was hashed, another state may have come, of another version even.
    guard let latest = exchange.snapshot(of: offer),
      DeliveryCheck.isSame(latest.document, snapshot.document)
    else {
      return postpone(request, offer, Self.overtaken)
    }
    let root = snapshot.document.flatMap { folders.root(of: $0.folder) }
    let path = document.flatMap { opened in root?.absolutePath(of: opened.path) }
    let (activity, leftOut) = documents.localised(
      latest.relocated(to: document?.path), opened: document?.path)
    var told = status
    if leftOut > 0 {
      AgentLog.note("\(leftOut) files of an activity are not here, or behind a link, and not handed over")
      if told.reason.isEmpty { told.reason = Self.leftOut(leftOut) }
    }
    let delivery = Delivery(
      activity: activity, path: path, status: told, deviceName: deviceName(offer.device))
    let descriptor = document.map { fcntl($0.descriptor.number, F_DUPFD_CLOEXEC, 3) }
    if let descriptor, descriptor < 0 {
      return feed(
        .deliveryFailed(
          request,
          ContinuityError(.documentUnreadable, "Too many files are open: close some, and continue again.")))
    }
    continuo_pause_point(11)
    guard connection.send(.report(.deliver(request, delivery)), descriptor: descriptor) else {
      let error = ContinuityError(
        .userInfoTooLarge,
        "The activity is too large to be handed to the app: continue it on the other device.")
      return feed(.deliveryFailed(request, error))
    }
    feed(.delivered(request))
  }
}
