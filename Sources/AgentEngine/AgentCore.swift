// SPDX-License-Identifier: MIT

package import ActivityExchange
package import ActivityModel
import ActivityWire
package import SyncedFolders
import Trust

/// The running agent: all that it decides, one object for each job, and the exchange's decisions between
/// them. It reaches the world through its ports alone. Loop thread only.
package final class AgentCore {
  struct Client {
    let connection: any ClientChannel
    /// Nil for the command line, and before `hello`.
    var manifest: AppManifest?
    /// Under which number the client watches all offers, and what it was told last.
    var watchesOffers: (number: UInt64, told: [Offer])?
  }

  let ports: AgentPorts
  package let store: StateStore
  let folders: FolderRegistry
  let records: RecordDesk
  let hasher: HashQueue
  let documents: LocalDocuments
  /// Why folders are looked at again and again, in sentences; a root that raises events has none.
  var pollingReasons: [RootNumber: String] = [:]
  private(set) lazy var probes = EventProbes(ports: ports)
  private(set) lazy var tracker = OfferTracker(
    ports: ports, folders: folders, hasher: hasher, history: { [store] in store.histories[$0] },
    onStatus: { [weak self] in self?.take($1, of: $0) })
  private(set) lazy var opened = OpenDocuments(
    ports: ports, documents: documents, folders: folders, hasher: hasher,
    onChange: { [weak self] client, path, change in
      self?.clients[client]?.connection.send(.report(.documentChanged(path: path, change)))
    })
  var clients: [UInt64: Client] = [:]
  /// Documents that are being read before they are handed over.
  var deliveries: [RequestID: PendingDelivery] = [:]
  var handedOver: [RequestID: HandedOver] = [:]
  var joins: [PendingJoin] = []
  /// The part of the folders that was looked through for their invitations; nil when none is left over.
  var invitationSearch: InvitationSearch?
  /// How long a `join` waits for its invitation, with and without invitations for other words in the folders.
  var patience = (others: Duration.seconds(8), none: Duration.seconds(60))
  package private(set) var exchange: ExchangeMachine
  private let events = EventLine<ExchangeMachine.Event>()
  private var exchangeTimer: TimerNumber?
  var collecting: Set<RootNumber> = []
  /// Where this device's record was found missing, and when it is laid there again.
  var ownRecords: [RootNumber: OwnRecordMachine] = [:]
  var ownRecordTimers: [RootNumber: TimerNumber] = [:]
  /// Folders whose records this device's own disk refused to remember: they are read again later.
  var recollecting: Set<RootNumber> = []
  /// Folders of which a part is still to be read.
  var continuing: Set<RootNumber> = []
  /// Since when a folder is away, or not watched though it is there.
  var missingSince: Instant?
  var unwatched: Set<RootNumber> = []
  /// The root of the hint that is being taken.
  var hinted: RootNumber?
  var presenceTimer: TimerNumber?
  var savedTimer: TimerNumber?
  /// When folders that refused records were last supplied.
  var suppliedAt: Instant

  /// Reads what the agent knows; a device without an identity becomes a new one, called `deviceName`. Throws
  /// `agentUnavailable` when keys or counters cannot be read.
  package init(
    _ ports: AgentPorts, deviceName: String, timing: ExchangeMachine.Timing = .init(),
    hashing: HashingMachine.Timing = .init()
  ) throws(ContinuityError) {
    self.ports = ports
    suppliedAt = ports.now
    store = try StateStore(ports, deviceName: deviceName)
    folders = FolderRegistry(ports)
    let bootNonce = (ports.identifier() as RequestID).bytes
    records = RecordDesk(ports, store: store, folders: folders, bootNonce: bootNonce)
    hasher = HashQueue(ports: ports, timing: hashing)
    documents = LocalDocuments(ports: ports, folders: folders, hasher: hasher, store: store)
    exchange = ExchangeMachine(
      bootNonce: bootNonce, continued: store.state.continued,
      toldClaims: store.state.toldClaims, timing: timing)
  }

  /// Reads what is known and begins to watch. Throws `agentUnavailable` when its keys are synced (threat
  /// T47).
  package func start() throws(ContinuityError) {
    store.onHistoryChange = { [weak self] in self?.tracker.historyChanged($0) }
    folders.canonicalIDDidChange = { [weak self] old, new in
      self?.store.moveHistories(from: old, to: new)
      self?.opened.folderMoved(from: old, to: new)
    }
    store.histories.placesInUse = { [weak self] in self?.placesInUse ?? [] }
    store.histories.ownVersions = { [weak self] in self?.ownVersions ?? [] }
    if let state = store.ownRecord() {
      store.recallHistories(from: state)
      feed(.restored(state))
    }
    ports.disks.onReturn = { [weak self] in self?.checkPresence() }
    folders.restore(store.state.folders)
    if let error = folders.syncedKeys() { throw error }
    rememberFolders()
    for root in folders.roots {
      root.presence?.records.removeLeftovers(olderThan: .seconds(3600))
      // Also one that is away: the watch process tells when it is back.
      ports.watch.watch(root.number, path: root.registered.path)
      collect(root.number)
    }
    schedulePresenceCheck()
    expireSaved()
  }

  /// Writes what waits; nothing is withdrawn by an agent's end.
  package func stop() {
    feed(.stopping)
    ports.watch.stop()
  }

  /// Ends every client's connection.
  package func endClients() {
    for (_, client) in clients.sorted(by: { $0.key < $1.key }) { client.connection.end() }
  }

  // MARK: The exchange

  /// Lets the exchange decide and performs what it asks for; events that come up meanwhile are taken in
  /// order.
  func feed(_ event: ExchangeMachine.Event) {
    events.feed(event) { event in
      let actions = exchange.handle(event, at: ports.now, wall: ports.wall)
      rememberExchange()
      for action in actions { perform(action) }
      guard events.isEmpty else { return }
      cancelUnwantedDeliveries()
      tellOffers()
    }
  }

  /// Before anybody hears of it, so that nobody hears of it twice; on a full disk once too often rather than
  /// never.
  func rememberExchange() {
    let (continued, told) = (exchange.continued, exchange.toldClaims)
    do throws(ContinuityError) {
      try store.change {
        $0.continued = continued
        $0.toldClaims = told
      }
    } catch {
      ports.log("the state could not be written: code \(error.code)")
    }
  }

  private func perform(_ action: ExchangeMachine.Action) {
    switch action {
    case .publish(let state): publish(state)
    case .report(let client, let report): send(report, to: client)
    case .track(let offer, let reference, let isAwaited):
      tracker.track(offer, reference, deviceName: deviceName(offer.device), isAwaited: isAwaited)
    case .untrack(let offer): tracker.untrack(offer)
    case .open(let request, let client, let offer, let snapshot, let status):
      deliver(request, to: client, offer, snapshot, status)
    case .log(let line): ports.log(line)
    case .wake(let moment):
      ports.scheduler.cancel(exchangeTimer)
      exchangeTimer = moment.map { ports.scheduler.schedule(at: $0) { [weak self] in self?.feed(.timer) } }
    }
  }

  /// A version that was here is part of the document's history here, also when nobody continued it: what is
  /// edited from now on descends from it.
  private func take(_ status: ArrivalStatus, of offer: OfferID) {
    if status.arrival == .current, let reference = exchange.snapshot(of: offer)?.document {
      let place = DocumentPlace(folder: folders.canonical(reference.folder), path: reference.path)
      adopt(reference.version, at: place, from: offer)
    }
    if let standing = tracker.standing(of: offer, status) { ports.observer.stands(standing) }
    feed(.arrival(offer, status))
  }

  private func publish(_ state: DeviceState) {
    do throws(ContinuityError) {
      try records.publish(state)
    } catch {
      feed(.publishFailed)
    }
  }

  private func send(_ report: AgentReport, to client: ClientNumber) {
    let named: AgentReport =
      switch report {
      case .offers(let offers): .offers(offers.map(withFolderName))
      case .willContinue(let request, let offer): .willContinue(request, offer: withFolderName(offer))
      default: report
      }
    clients[client.rawValue]?.connection.send(.report(named))
  }

  private func withFolderName(_ offer: Offer) -> Offer {
    guard let folder = exchange.snapshot(of: offer.id)?.document?.folder else { return offer }
    var named = offer
    named.folderName = folders.root(of: folder)?.name ?? ""
    return named
  }

  func deviceName(_ device: DeviceID) -> String {
    store.shownName(of: device) ?? "another device"
  }

  // MARK: Records

  func take(_ news: RecordDesk.News) {
    switch news {
    case .state(let device, let name, let sequence, var state):
      // A record's own folder is never a document, whoever refers to it.
      state.activities.removeAll { $0.document.map { DocumentResolver.isRecord($0.path) } ?? false }
      ports.observer.reached(.received)
      feed(.received(device, name: name, sequence: sequence, state))
    case .roster(let news): circleChanged(news)
    case .joined(let device, let hasNewKey):
      var news = RosterNews()
      (news.joined, news.hasNewKey) = ([device], hasNewKey)
      circleChanged(news)
    case .setBack:
      publishRoster()
      feed(.audienceChanged)
    }
  }

  func publishRoster() {
    do throws(ContinuityError) {
      try records.publishRoster()
    } catch {
      ports.log("the roster could not be written: code \(error.code)")
      ports.scheduler.schedule(at: ports.now + .seconds(30)) { [weak self] in self?.publishRoster() }
    }
  }
}
