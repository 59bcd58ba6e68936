// SPDX-License-Identifier: MIT

import ActivityModel
import SyncedFolders

/// Has documents sent over their links for which an app waits, and tells it that they are here: in private
/// copies, wherever the folder does not have the version yet. Loop thread only.
final class CopiedOffers {
  /// What it works with.
  struct Agent {
    var folders: FolderRegistry
    var copies: PrivateCopies
    /// Where the bytes come from.
    var links: LinkedDocuments
    /// The document of an offer; nil without one.
    var document: (OfferID) -> DocumentReference?
    /// Whether apps wait for it that follow their documents elsewhere, and nobody else does.
    var isAwaited: (OfferID) -> Bool
    var deviceName: (OfferID) -> String
    /// A copy came: the document of the offer is to be told of again.
    var came: (OfferID, ArrivalStatus) -> Void
  }

  private let ports: AgentPorts
  private let agent: Agent
  /// How documents stand in their folders.
  private var standings: [OfferID: ArrivalStatus] = [:]
  /// What is had sent.
  private var wanted: [OfferID: ContentDigest] = [:]
  /// What came and was of no use: the folder brings it.
  private var failed: [OfferID: ContentDigest] = [:]

  init(ports: AgentPorts, agent: Agent) { (self.ports, self.agent) = (ports, agent) }

  /// The document of an offer stands so in its folder. The answer is how it stands for an app that waits.
  func stands(_ offer: OfferID, _ status: ArrivalStatus) -> ArrivalStatus {
    standings[offer] = status
    guard let document = agent.document(offer), mayBeCopied(offer, document, status) else {
      forget(offer)
      return status
    }
    if let opening = opening(of: offer, document) {
      forget(offer)
      return told(offer, document, opening)
    }
    want(offer, document)
    return status
  }

  /// A person set something else for a folder.
  func look() {
    for (offer, status) in standings.sorted(by: { $0.key < $1.key }) { agent.came(offer, status) }
  }

  /// It is offered no more, or without a document.
  func gone(_ offer: OfferID) {
    forget(offer)
    (standings[offer], failed[offer]) = (nil, nil)
  }

  /// The copy that an app is handed, where the document is opened as one.
  func opening(of offer: OfferID, _ document: DocumentReference) -> PrivateCopies.Opening? {
    guard let status = standings[offer], mayBeCopied(offer, document, status) else { return nil }
    return agent.copies.copy(of: document).flatMap(agent.copies.opening)
  }

  private func mayBeCopied(
    _ offer: OfferID, _ document: DocumentReference, _ status: ArrivalStatus
  ) -> Bool {
    // Where a person set that, the version is laid into its folder, or kept from it.
    ports.copies.isThere && document.kind == .file
      && (status.arrival == .behind || status.arrival == .missing)
      && agent.folders.documentsOverLan(in: document.folder) == .proven && agent.isAwaited(offer)
  }

  private func told(
    _ offer: OfferID, _ document: DocumentReference, _ opening: PrivateCopies.Opening
  ) -> ArrivalStatus {
    let (name, device) = (document.path.displayName, agent.deviceName(offer))
    if opening.isChanged { return ArrivalStatus(.ahead, because: .ahead(document: name, device: device)) }
    let folder = agent.folders.name(of: document.folder) ?? ""
    return ArrivalStatus(
      .current, because: .sentOverLink(document: name, device: device, folder: folder))
  }

  private func want(_ offer: OfferID, _ document: DocumentReference) {
    let digest = document.version.digest
    guard failed[offer] != digest, wanted[offer] != digest else { return }
    forget(offer)
    wanted[offer] = digest
    agent.links.want(offer, document.version, for: .copying) { [weak self] came in
      self?.agent.copies.make(document, from: came) { self?.made(offer, document, $0) }
    }
  }

  private func made(_ offer: OfferID, _ document: DocumentReference, _ copy: PrivateCopy.ID?) {
    guard wanted[offer] == document.version.digest else { return }
    wanted[offer] = nil
    if copy == nil {
      failed[offer] = document.version.digest
      ports.log("a document that came over a link could not be kept as a copy")
    } else if let status = standings[offer] {
      agent.came(offer, status)
    }
  }

  private func forget(_ offer: OfferID) {
    if wanted.removeValue(forKey: offer) != nil { agent.links.forget(offer, for: .copying) }
  }
}
