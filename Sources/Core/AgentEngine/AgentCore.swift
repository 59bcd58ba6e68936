// SPDX-License-Identifier: MIT

package import ActivityExchange
package import ActivityModel
import ActivityWire
import LocalNetwork
package import SyncedFolders
import Trust

/// The running agent: all that it decides, one object for each job, and the exchange's decisions between
/// them. It reaches the world through its ports alone. Loop thread only.
package final class AgentCore {
  /// Through these it reaches the world.
  package let ports: AgentPorts
  private let timing: ExchangeMachine.Timing
  private let listTiming: SavedListMachine.Timing
  package let store: StateStore
  let folders: FolderRegistry
  let records: DeviceRecords
  let hasher: HashQueue
  let clients = ConnectedClients()
  let documents: LocalDocuments
  let drafts: OwnDrafts
  package private(set) lazy var exchange: ExchangeDriver = ExchangeDriver(
    ports: ports, store: store, bootNonce: records.bootNonce, timing: timing,
    performer: ExchangeDriver.Performer(
      perform: { [weak self] in self?.perform($0) },
      settled: { [weak self] in
        self?.deliveries.cancelUnwanted()
        self?.linkedDocuments.offersChanged()
        self?.documentPresence.look()
        self?.tellOffers()
      }))
  private(set) lazy var circle: DeviceCircle = DeviceCircle(
    ports: ports, store: store, records: records, exchange: exchange,
    readEverythingAgain: { [weak self] in self?.collector.readEverythingAgain() })
  private(set) lazy var pairing: PairingSession = PairingSession(
    ports: ports, store: store, folders: folders, records: records, circle: circle,
    answer: { [clients] in clients.send(.answer($0.command, $1), to: $0.client) },
    onJoined: { [weak self] in
      self?.collector.readEverythingAgain()
      self?.exchange.feed(.audienceChanged)
    })
  private(set) lazy var collector: RecordCollector = RecordCollector(
    ports: ports, folders: folders, records: records, circle: circle, exchange: exchange,
    listener: RecordCollector.Listener(
      news: { [weak self] in self?.handle($0) }, changes: { [weak self] in self?.handle($0) },
      read: { [weak self] in self?.pairing.tryJoins() }))
  private(set) lazy var presence: PresenceMonitor = PresenceMonitor(
    ports: ports, folders: folders, records: records,
    onLook: { [weak self] in
      self?.handle($0)
      self?.opened.foldersLookedAt()
    },
    onRound: { [weak self] in
      self?.exchange.remember()
      self?.pairing.expire()
      self?.links.identityChanged()
      self?.lan.retry()
      self?.copies.lookAtAll()
    })
  private(set) lazy var tracker: OfferTracker = OfferTracker(
    ports: ports, folders: folders, hasher: hasher, history: { [store] in store.histories[$0] },
    onStatus: { [weak self] in self?.handle($1, of: $0) })
  private(set) lazy var opened: OpenDocuments = OpenDocuments(
    ports: ports, documents: documents, folders: folders, hasher: hasher,
    onChange: { [clients] client, path, change in
      clients.send(.report(.documentChanged(path: path, change)), to: client)
    })
  private(set) lazy var deliveries: Deliveries = Deliveries(
    ports: ports, store: store, folders: folders, hasher: hasher, clients: clients, circle: circle,
    exchange: exchange, tracker: tracker, documents: documents, opened: opened, copies: copies,
    copied: copied, streams: streams, links: linkedDocuments,
    continued: { [weak self] in self?.keepHandedOver($0) })
  var neededFolders = NeededFolders()
  /// What other devices offer with a document that is none, by what they say last.
  private(set) var keptBack: [DeviceID: [HiddenOffer]] = [:]
  /// Which app continues an offer.
  private(set) var appChoice = AppChoice()
  private(set) lazy var notifier: OfferNotifier = OfferNotifier(
    ports: ports,
    agent: OfferNotifier.Agent(
      offers: { [weak self] in self?.allOffers() ?? [] },
      isShownHere: { [weak self] in self?.isShownHere($0) ?? false },
      connectedApps: { [clients] in clients.manifests },
      choice: { [weak self] in self?.appChoice ?? AppChoice() },
      resume: { [weak self] in self?.resume(offer: $0, with: $1, pressed: $2, isAll: $3) }))
  private(set) lazy var desktopContinuations: DesktopContinuations = DesktopContinuations(
    ports: ports,
    agent: DesktopContinuations.Agent(
      accept: { [weak self] in self?.accept($0) },
      receive: { [weak self] in self?.receive(.request($0), file: nil, from: $1) },
      ended: { [weak self] in self?.ended($0) },
      failed: { [weak self] in self?.exchange.feed(.notOpened($0, $1)) }))
  /// Links to other devices on the network: off until somebody switches them on.
  package private(set) lazy var links: LinkedDevices = LinkedDevices(
    ports: ports, store: store, reader: records.reader,
    agent: LinkedDevices.Agent(
      records: { [records] in records.publisher.newest },
      isCopied: { [records] in records.isCopied },
      news: { [weak self] in self?.handle($0) },
      said: { [weak self] (word, device, number) throws(ContinuityError) in
        if let word = try StreamWord.decoded(word) {
          self?.streams.hear(word, from: device, over: number)
        } else if let word = try SaveWord.decoded(word) {
          self?.saves.hear(word, from: device, over: number)
        } else if let word = try PresenceWord.decoded(word) {
          self?.documentPresence.hear(word, from: device, over: number)
        } else {
          try self?.linkedDocuments.hear(word, from: device, over: number)
        }
      },
      transferred: { [weak self] in
        self?.linkedDocuments.take($0)
        self?.streams.take($0)
      },
      linked: { [weak self] in
        self?.linkedDocuments.use($0)
        self?.streams.use($0)
        self?.saves.use($0)
        self?.documentPresence.use($0)
      },
      linksChanged: { [weak self] in self?.exchange.feed(.linksChanged(isLinked: $0)) },
      reachabilityChanged: { [weak self] in self?.exchange.feed(.audienceChanged) }))
  /// What is sent and fetched over them.
  private(set) lazy var linkedDocuments = LinkedDocuments(
    ports: ports, folders: folders, exchange: exchange, circle: circle,
    copy: { [weak self] in self?.copies.open($0) })
  /// Streams between apps over them.
  private(set) lazy var streams = LinkedStreams(
    ports: ports, folders: folders, clients: clients, circle: circle,
    holder: { [weak self] in self?.exchange.machine.holder(of: $0) })
  /// What is saved where it was typed, before it is continued.
  private(set) lazy var saves = LinkedSaves(
    ports: ports, clients: clients, circle: circle, exchange: exchange, documents: linkedDocuments)
  /// Who has which document open, on devices that are linked.
  private(set) lazy var documentPresence = LinkedPresence(
    ports: ports, clients: clients, circle: circle, folders: folders, exchange: exchange,
    documents: linkedDocuments)
  /// What of it is laid into folders.
  private(set) lazy var laying = LaidDocuments(
    ports: ports,
    agent: LaidDocuments.Agent(
      folders: folders, hasher: hasher, history: { [store] in store.histories[$0] },
      document: { [exchange] in exchange.snapshot(of: $0)?.document },
      isBeingEdited: { [weak self] in self?.isBeingEdited($0) ?? true }, links: linkedDocuments,
      laid: { [weak self] in self?.noteLaid($1, of: $0) }))
  /// What of it is open before its folder has it.
  private(set) lazy var copies = PrivateCopies(
    ports: ports,
    agent: PrivateCopies.Agent(
      folders: folders, hasher: hasher, store: store,
      isOpen: { [weak self] in self?.opened.isOpen(path: $0) ?? true },
      moved: { [weak self] in self?.opened.moved($0, to: $1, as: $2) ?? [] },
      wrote: { [weak self] in self?.noteWritten($0, at: $1) },
      rootChanged: { [weak self] in self?.tellRoots() }))
  private(set) lazy var copied = CopiedOffers(
    ports: ports,
    agent: CopiedOffers.Agent(
      folders: folders, copies: copies, links: linkedDocuments,
      document: { [exchange] in exchange.snapshot(of: $0)?.document },
      isAwaited: { [weak self] in self?.isAwaitedByApps($0) ?? false },
      deviceName: { [circle] in circle.name(of: $0.device) },
      came: { [weak self] in self?.tell($1, of: $0) }))
  /// Whether they are switched on.
  package private(set) lazy var lan = LanSwitch(
    ports: ports, links: links, begins: { [weak self] in self?.exchange.feed(.meetsDevices) })
  private(set) lazy var saved: SavedActivityStore = SavedActivityStore(
    ports: ports, store: store, clients: clients,
    agent: SavedActivityStore.Agent(
      offeredDocument: { [weak self] in self?.offeredDocument(of: $0) },
      deleteOfOthers: { [weak self] (identifiers, appID) throws(ContinuityError) in
        try self?.lists.delete(identifiers, of: appID)
      },
      changed: { [weak self] in self?.lists.changed() }))
  /// What the devices tell each other of them.
  private(set) lazy var lists: SavedLists = SavedLists(
    ports, store: store, timing: listTiming,
    agent: SavedLists.Agent(
      records: records, offeredDocument: { [weak self] in self?.offeredDocument(of: $0) },
      delete: { [weak self] in self?.saved.delete($0) }, changed: { [weak self] in self?.saved.lookAgain() }))
  private(set) lazy var restorations = SavedRestorations(
    ports: ports, documents: documents, folders: folders)

  /// Reads what the agent knows; a device without an identity becomes a new one, called `deviceName`.
  /// Throws `agentUnavailable` when keys or counters cannot be read, and where the device went on to another
  /// computer, unless a new one `mayReplaceMoved`.
  package init(
    _ ports: AgentPorts, deviceName: String, mayReplaceMoved: Bool = false,
    timing: ExchangeMachine.Timing = .init(), hashing: HashingMachine.Timing = .init(),
    lists: SavedListMachine.Timing = .init()
  ) throws(ContinuityError) {
    self.ports = ports
    (self.timing, listTiming) = (timing, lists)
    store = try StateStore(ports, deviceName: deviceName, mayReplaceMoved: mayReplaceMoved)
    folders = FolderRegistry(ports)
    records = DeviceRecords(
      ports, store: store, folders: folders, bootNonce: (ports.identifier() as RequestID).bytes)
    hasher = HashQueue(ports: ports, timing: hashing)
    drafts = OwnDrafts(ports: ports, hasher: hasher)
    documents = LocalDocuments(ports: ports, folders: folders, hasher: hasher, store: store)
  }

  /// Reads what is known and begins to watch. Throws `agentUnavailable` when its keys are synced (threat
  /// T47).
  package func start() throws(ContinuityError) {
    store.onIdentityChange = { [weak self] in
      self?.links.identityChanged()
      self?.lists.circleChanged()
    }
    records.publisher.links = { [weak self] in self?.links.transports ?? [] }
    store.onHistoryChange = { [weak self] in self?.tracker.historyChanged($0) }
    folders.canonicalIDDidChange = { [weak self] old, new in
      self?.store.moveHistories(from: old, to: new)
      self?.opened.folderMoved(from: old, to: new)
      self?.copies.folderMoved(from: old, to: new)
    }
    store.histories.placesInUse = { [weak self] in self?.placesInUse ?? [] }
    store.histories.ownVersions = { [weak self] in self?.ownVersions ?? [] }
    if let state = store.ownRecord() {
      store.recallHistories(from: state, except: Set(store.state.copies.map(\.place)))
      exchange.feed(.restored(state))
    }
    ports.disks.onReturn = { [weak self] in self?.presence.check() }
    documents.copies = copies
    folders.restore(store.state.folders)
    if let error = folders.syncedKeys() { throw error }
    rememberFolders()
    for root in folders.roots {
      root.presence?.records.removeLeftovers(olderThan: .seconds(3600))
      // Also one that is away: the watch process tells when it is back.
      ports.watch.watch(root.number, path: root.registered.path)
      collector.collect(root.number)
    }
    exchange.resumeStarts()
    copies.restore()
    presence.schedule()
    saved.expire()
    lists.begin(folders.roots)
  }

  /// Writes what waits; nothing is withdrawn by an agent's end.
  package func stop() {
    exchange.feed(.stopping)
    presence.stop()
    saved.stop()
    lists.stop()
    links.stop()
    ports.watch.stop()
  }

  /// What a person set holds from now on.
  package func use(_ settings: AgentSettings) {
    appChoice = AppChoice(preferred: settings.preferredApps)
    ports.desktop.use(terminal: settings.terminal)
    notifier.use(settings.notifications)
    notifier.update()
    lan.use(settings.network, isEnabled: settings.isLanEnabled)
    saved.use(settings.search)
  }

  /// Ends every client's connection.
  package func endClients() {
    clients.endAll()
  }

  // MARK: The exchange

  private func perform(_ action: ExchangeMachine.Action) {
    switch action {
    case .publish(let state): publish(state, onLinksAlone: false)
    case .publishOnLinks(let state): publish(state, onLinksAlone: true)
    case .layRecord: records.publisher.lay()
    case .report(let client, let report):
      if case .continued(let activity, _) = report { keepHandedOver(own: activity) }
      send(report, to: client)
    case .track(let offer, let reference, let isAwaited):
      tracker.track(offer, reference, deviceName: circle.name(of: offer.device), isAwaited: isAwaited)
    case .untrack(let offer):
      tracker.untrack(offer)
      laying.gone(offer)
      copied.gone(offer)
    case .askSave(let offer): saves.ask(offer)
    case .open(let request, let client, let offer, let snapshot, let status):
      deliveries.deliver(request, to: client, offer, snapshot, status)
    case .log(let line): ports.log(line)
    case .wake: break  // The driver's own.
    }
  }

  /// A version that was here is part of the document's history here, also when nobody continued it: what is
  /// edited from now on descends from it.
  private func handle(_ status: ArrivalStatus, of offer: OfferID) {
    if status.arrival == .current, let reference = exchange.snapshot(of: offer)?.document {
      adopt(reference, from: offer)
    }
    if let standing = tracker.standing(of: offer, status) { ports.observer.stands(standing) }
    tell(status, of: offer)
    laying.stands(offer, status.arrival)
  }

  /// An app that waits may have more than what the folder has; nobody else is told that it is here.
  private func tell(_ status: ArrivalStatus, of offer: OfferID) {
    exchange.feed(.arrival(offer, status))
    let standing = copied.stands(offer, status)
    if standing != status { exchange.feed(.arrivedAside(offer, standing)) }
  }

  private func adopt(_ reference: DocumentReference, from offer: OfferID) {
    deliveries.adopt(reference.version, at: folders.place(of: reference), from: offer)
  }

  /// The version is this document's from this moment, and nobody's event need be waited for: the next one,
  /// which may have come already, is to find its ancestor.
  private func noteLaid(_ reference: DocumentReference, of offer: OfferID) {
    adopt(reference, from: offer)
    tracker.hint(reference.folder, path: reference.path.components)
    opened.hint(reference.folder, path: reference.path.components)
  }

  /// An app's version is in the folder now, as if it had saved it there.
  private func noteWritten(_ version: DocumentVersion, at place: DocumentPlace) {
    let sighting = VersionSighting(version.digest, size: version.size, source: .published)
    store.changeHistory(of: place, because: sighting) { $0.adopt(version) }
    ports.observer.noted(sighting, at: place)
    tracker.hint(place.folder, path: place.path.components)
    opened.hint(place.folder, path: place.path.components)
  }

  /// Whether apps wait for the document of the offer that follow it to another place, and nobody else does:
  /// what the desktop starts is not told.
  private func isAwaitedByApps(_ offer: OfferID) -> Bool {
    let waiting = exchange.machine.clients(awaiting: offer)
    return !waiting.isEmpty
      && waiting.allSatisfy { clients.manifest(of: $0.rawValue)?.appID != DesktopContinuations.appID }
  }

  private func publish(_ state: DeviceState, onLinksAlone: Bool) {
    var state = state
    state.reachability = links.reachability
    linkedDocuments.offer(state.activities)
    streams.offer(state.activities)
    documentPresence.look()
    lists.offered(state.activities)
    do throws(ContinuityError) {
      try records.publisher.publish(state, onLinksAlone: onLinksAlone)
      if !records.isCopied, !store.isRemoved { saves.state(state.activities) }
    } catch {
      exchange.feed(.publishFailed)
    }
  }

  private func send(_ report: AgentReport, to client: ClientNumber) {
    let named: AgentReport =
      switch report {
      case .offers(let offers): .offers(withFolderNames(offers))
      case .willContinue(let request, let offer): .willContinue(request, offer: withFolderNames([offer])[0])
      case .continued(let activity, let receipt):
        .continued(activity, clients.understood(receipt, by: client.rawValue))
      default: report
      }
    clients.send(.report(named), to: client.rawValue)
  }

  private func withFolderNames(_ offers: [Offer]) -> [Offer] {
    var named = offers
    for place in named.indices {
      guard let folder = exchange.folder(of: named[place].id) else { continue }
      named[place].folderName = folders.name(of: folder) ?? ""
    }
    return named
  }

  // MARK: Records

  func handle(_ news: DeviceRecords.News) {
    switch news {
    case .state(let device, let name, let sequence, let circleTag, var state):
      links.heard(device, state.reachability, sealedFor: circleTag)
      // A record's own folder is never a document, whoever refers to it.
      let refused = state.activities.filter {
        $0.document.map { DocumentResolver.isRecord($0.path) } ?? false
      }
      keptBack[device] = refused.isEmpty ? nil : refused.map { HiddenOffer($0, of: device, called: name) }
      if !refused.isEmpty { state.activities.removeAll { refused.contains($0) } }
      ports.observer.reached(.received)
      streams.continued(state.claims, by: device)
      exchange.feed(.received(device, name: name, sequence: sequence, state))
    case .saved(let device, let part, let sequence, let list):
      lists.take(list, part, of: device, sequence: sequence)
    case .roster(let news): circle.changed(news)
    case .joined(let device, let hasNewKey):
      var news = RosterNews()
      (news.joined, news.hasNewKey) = ([device], hasNewKey)
      circle.changed(news)
    case .setBack:
      circle.publishRoster()
      exchange.feed(.audienceChanged)
    }
  }
}
