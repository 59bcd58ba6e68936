// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import ActivityWire
import FolderAccess
import Glibc
import SyncedFolders

extension AgentCore {
  /// Opens the document beneath its folder, hashes it on the descriptor that is handed over, and delivers.
  func deliver(
    _ request: RequestID, to client: ClientNumber, _ offer: OfferID, _ snapshot: ActivitySnapshot,
    _ status: ArrivalStatus
  ) {
    guard let reference = snapshot.document else {
      return send(snapshot, request, client, offer, status, nil)
    }
    guard let directory = folders.directory(of: reference.folder) else {
      return feed(.deliveryPostponed(request, ArrivalStatus(.folderUnknown, reason: "The folder went away.")))
    }
    let document: OpenDocument
    do throws(ContinuityError) {
      document = try directory.open(reference.path)
    } catch {
      guard error.code == .documentMissing else { return feed(.deliveryFailed(request, error)) }
      return feed(.deliveryPostponed(request, ArrivalStatus(.missing, reason: error.description)))
    }
    _ = hasher.hash(
      document.descriptor, at: reference.path, in: directory, size: document.stamp.size
    ) { [weak self] outcome in
      guard let self else { return }
      guard case .stable(let digest, _, _) = outcome,
        status.arrival != .current || digest == reference.version.digest
      else {
        let reason = "\(reference.path.displayName) changed while it was opened; it is looked at again."
        return self.feed(.deliveryPostponed(request, ArrivalStatus(.behind, reason: reason)))
      }
      self.remember(digest, size: document.stamp.size, of: reference, for: client)
      self.send(snapshot, request, client, offer, status, document)
    }
  }

  private func remember(
    _ digest: ContentDigest, size: UInt64, of reference: DocumentReference, for client: ClientNumber
  ) {
    let place = DocumentHistories.Place(folder: folders.canonical(reference.folder), path: reference.path)
    store.changeHistory(of: place) { history in
      if digest == reference.version.digest {
        history.adopt(reference.version)
      } else {
        history.record(digest)
      }
    }
    opened.noteOwn(DocumentVersion(digest: digest, size: size), at: place, by: client.rawValue)
  }

  private func send(
    _ snapshot: ActivitySnapshot, _ request: RequestID, _ client: ClientNumber, _ offer: OfferID,
    _ status: ArrivalStatus, _ document: OpenDocument?
  ) {
    guard exchange.isOpening(request), let connection = clients[client.rawValue]?.connection else { return }
    let root = snapshot.document.flatMap { folders.root(of: $0.folder) }
    let path = document.flatMap { opened in root?.absolutePath(of: opened.path) }
    let delivery = Delivery(
      activity: documents.localised(snapshot), path: path, status: status,
      deviceName: deviceName(offer.device))
    let descriptor = document.map { fcntl($0.descriptor.number, F_DUPFD_CLOEXEC, 3) }
    if let descriptor, descriptor < 0 {
      return feed(
        .deliveryFailed(
          request,
          ContinuityError(.documentUnreadable, "Too many files are open: close some, and continue again.")))
    }
    connection.send(.report(.deliver(request, delivery)), descriptor: descriptor)
    feed(.delivered(request))
  }
}
