// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import SyncedFolders

/// Has documents that other devices offer sent over their links, and lays them into folders of which a person
/// set that: see `LayingMachine` and `DocumentLaying`. Loop thread only.
final class LaidDocuments {
  /// What it works with.
  struct Agent {
    var folders: FolderRegistry
    var hasher: HashQueue
    var history: (DocumentPlace) -> DocumentHistory
    /// The document of an offer; nil without one.
    var document: (OfferID) -> DocumentReference?
    /// Whether an app here has text of the document that is not saved.
    var isBeingEdited: (DocumentReference) -> Bool
    /// Where the bytes come from.
    var links: LinkedDocuments
    /// The document of the offer was laid.
    var laid: (OfferID, DocumentReference) -> Void
  }

  private let ports: AgentPorts
  private let agent: Agent
  private var machine = LayingMachine()
  private let events = EventLine<LayingMachine.Event>()
  private var came: [OfferID: LinkedDocuments.Came] = [:]
  /// What keeps the documents that will be replaced by what comes.
  private var keepers: [OfferID: any ReplacedFiles] = [:]
  /// How documents stood when that was told last.
  private var standings: [OfferID: Arrival] = [:]

  init(ports: AgentPorts, agent: Agent) { (self.ports, self.agent) = (ports, agent) }

  /// The document of an offer stands so here.
  func stands(_ offer: OfferID, _ arrival: Arrival) {
    standings[offer] = arrival
    look(at: offer, arrival)
  }

  /// It is offered no more, or without a document.
  func gone(_ offer: OfferID) {
    guard standings.removeValue(forKey: offer) != nil else { return }
    feed(.gone(offer))
  }

  /// A person set something else for a folder.
  func look() {
    for (offer, arrival) in standings.sorted(by: { $0.key < $1.key }) { look(at: offer, arrival) }
  }

  private func look(at offer: OfferID, _ arrival: Arrival) {
    guard let document = agent.document(offer),
      let documents = agent.folders.documentsOverLan(in: document.folder)
    else { return feed(.gone(offer)) }
    feed(.stands(offer, document, arrival, documents))
  }

  private func feed(_ event: LayingMachine.Event) {
    events.feed(event) { event in
      for action in machine.handle(event) { perform(action) }
    }
  }

  private func perform(_ action: LayingMachine.Action) {
    switch action {
    case .want(let offer, let version):
      agent.links.want(offer, version, for: .laying) { [weak self] comes in
        self?.keepers[offer] = comes ? self?.keeper(of: offer) : nil
      } done: { [weak self] came in
        self?.came[offer] = came
        self?.feed(.came(offer, version.digest))
      }
    case .forget(let offer):
      agent.links.forget(offer, for: .laying)
      (came[offer], keepers[offer]) = (nil, nil)
    case .lay(let offer, let document): lay(offer, document)
    }
  }

  /// What keeps the document that the bytes which begin to come will replace.
  private func keeper(of offer: OfferID) -> (any ReplacedFiles)? {
    guard let document = agent.document(offer), let folder = agent.folders.directory(of: document.folder)
    else { return nil }
    return ports.replaced.begin(document.path, for: document.version.size, in: folder)
  }

  private func lay(_ offer: OfferID, _ reference: DocumentReference) {
    // What a person types there comes first: saved, it is a version that the other device hears of.
    guard let came = came[offer], !agent.isBeingEdited(reference),
      let folder = agent.folders.directory(of: reference.folder)
    else { return feed(.ended(.changed)) }
    let document = LaidDocument(
      path: reference.path, version: reference.version,
      history: agent.history(agent.folders.place(of: reference)), modified: came.modified)
    let keeper = keepers[offer] ?? ports.replaced
    agent.hasher.lay(document, from: came.file, in: folder, keeping: keeper) { [weak self] outcome in
      guard let self else { return }
      ports.log("a document that came over a link: \(outcome.name)")
      if outcome == .laid { agent.laid(offer, reference) }
      feed(.ended(outcome))
    }
  }
}

extension LayingOutcome {
  /// For the log.
  var name: String {
    switch self {
    case .laid: "laid into its folder"
    case .otherBytes: "other bytes than were offered"
    case .kept: "what is here stays"
    case .changed: "the file here was changed meanwhile"
    case .cancelled: "stopped"
    case .failed(let why): "not laid: \(why)"
    }
  }
}
