// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import SyncedFolders

/// The agent as the kit plays it: performs what the product's machines say, in the order in which the real
/// one does, and decides nothing.
final class Agent {
  struct Client {
    let connection: Connection
    var manifest: AppManifest?
  }

  struct HandedOver {
    var path: RelativePath
    var digest: ContentDigest
    var size: UInt64
    var client: UInt64
    /// The number of that.
    var word: UInt64
  }

  /// A state that an app published, while its document is read.
  struct Update {
    var word: UInt64
    var client: UInt64
    /// The document that its app saved.
    var saved: RelativePath?
  }

  unowned let device: Device
  unowned let world: World
  let folder: MemoryFolder
  private(set) var isDead = false
  var exchange: ExchangeMachine
  private var events: [ExchangeMachine.Event] = []
  private var isFeeding = false
  private var timer: Instant?
  private var timers = 0
  var clients: [UInt64: Client] = [:]
  var counter: SequenceCounter
  var histories: [RelativePath: DocumentHistory]
  var historiesAreDirty = false
  var trackers: [OfferID: Tracker] = [:]
  /// How often a delivery found something else than was said of it.
  var distrusts: [OfferID: Int] = [:]
  var opened: [RelativePath: FollowedDocument] = [:]
  /// What was handed to an app that has not said yet how that went.
  var handedOver: [RequestID: HandedOver] = [:]
  var latestUpdates: [ActivityID: Update] = [:]
  /// How much was heard from apps and told them.
  var words: UInt64 = 0
  /// What was said last, to be laid into a folder that comes back.
  var current: Content?
  /// The roster that was told last, to be laid into a folder that comes back.
  var currentRoster: Content?
  var ownRecord = OwnRecordMachine()
  /// Whether another computer uses this device's identity.
  var twins: TwinWatch
  let bootNonce: [UInt8]
  var ownRecordTimers = 0
  /// Record files as they were read last.
  var known = SortedTable<[UInt8], FileStamp>()
  /// The folder's changes when all its records were known; nil while one is to be read again.
  var knownChanges: UInt64?
  /// The inode of the record folder; nil while it is away.
  var presence: Int?
  var isUnsupplied = false
  var isWatched = true
  var collectIsDue = false
  var recollectIsDue = false
  /// How often records were written and files read: bounded when nothing happens.
  var efforts = 0

  init(_ device: Device) {
    self.device = device
    world = device.world
    folder = device.folder
    counter = SequenceCounter(reserved: device.store.reserved)
    histories = device.store.histories
    device.world.oracle.restarted(device, histories)
    bootNonce = RequestID(using: &device.world.random).bytes
    twins = TwinWatch(bootNonce: bootNonce, isCopied: device.store.isCopied)
    exchange = ExchangeMachine(
      bootNonce: bootNonce, continued: device.store.continued,
      toldClaims: device.store.toldClaims)
  }

  func start() throws {
    if let payload = device.store.ownRecord, let state = Self.state(payload) { try feed(.restored(state)) }
    presence = recordFolder
    if presence != nil { try collect() }
    scheduleRounds()
  }

  /// It does nothing more, and holds nobody.
  func end() {
    isDead = true
    clients = [:]
  }

  // MARK: The exchange

  func feed(_ event: ExchangeMachine.Event) throws {
    events.append(event)
    guard !isFeeding else { return }
    isFeeding = true
    defer { isFeeding = false }
    while !events.isEmpty {
      let actions = exchange.handle(events.removeFirst(), at: device.now, wall: device.wall)
      try rememberExchange()
      for action in actions { try perform(action) }
    }
    if folder.events.watchLimit < 8 { device.watch?.prefer(neededFolders) }
  }

  private var neededFolders: Set<[[UInt8]]> {
    Set((trackers.values.map(\.machine.reference.path) + opened.keys).map { $0.components.dropLast() })
  }

  /// Before anybody hears of it; on a full disk once too often rather than never.
  private func rememberExchange() throws {
    guard exchange.continued != device.store.continued || exchange.toldClaims != device.store.toldClaims
    else { return }
    try device.operate()
    guard !device.storeIsFull else { return }
    device.store.continued = exchange.continued
    device.store.toldClaims = exchange.toldClaims
  }

  private func perform(_ action: ExchangeMachine.Action) throws {
    switch action {
    case .publish(let state): if try !publish(state) { try feed(.publishFailed) }
    case .report(let client, let report):
      if case .offers(let offers) = report {
        world.count(.offers)
        world.judge { $0.offers(device, offers) }
      }
      clients[client.rawValue]?.connection.tell(report)
    case .track(let offer, let reference, let isAwaited): try track(offer, reference, isAwaited: isAwaited)
    case .untrack(let offer): untrack(offer)
    case .open(let request, let client, let offer, let snapshot, let status):
      try deliver(request, to: client, offer, snapshot, status)
    case .log: break
    case .wake(let moment): arm(moment)
    }
  }

  private func arm(_ moment: Instant?) {
    guard timer != moment else { return }
    timer = moment
    timers += 1
    guard let moment else { return }
    let number = timers
    device.schedule(.timer, at: moment) { [self] in
      guard !isDead, timers == number else { return }
      timer = nil
      try feed(.timer)
    }
  }

  // MARK: Clients

  func take(_ request: AgentRequest, _ file: OpenFile?, from connection: Connection) throws {
    let client = ClientNumber(rawValue: connection.number)
    switch request {
    case .hello(let manifest):
      clients[connection.number] = Client(connection: connection, manifest: manifest)
      let root = SyncedRoot(
        id: World.folder, name: world.folderName, path: EditorApp.root, isPresent: presence != nil)
      connection.tell(.roots([root]))
      try feed(.connected(client, manifest))
    case .update(let snapshot, let saved): try update(snapshot, saved, file, from: connection)
    case .withdraw(let activity):
      if exchange.holder(of: activity).map({ $0 == client }) ?? true {
        try doubtUnansweredSave(of: activity, by: connection.number)
        latestUpdates[activity] = nil
      }
      try feed(.withdrew(client, activity))
    case .withheld(let activity): try feed(.withheld(client, activity))
    case .opened(let path, let file): try open(path, file, by: connection.number)
    case .closed(let path): EditorApp.relative(path).map { close($0, by: connection.number) }
    case .accept(let offer, let request): try feed(.accepted(client, offer, request))
    case .extend(let request, let seconds): try feed(.extended(request, seconds: seconds))
    case .cancel(let request): try feed(.cancelled(request))
    case .choose(let request, let choice): try feed(.chose(request, choice))
    case .explain(let request, let message): try feed(.explained(client, request, message))
    case .outcome(let request, let outcome):
      if let handed = handedOver.removeValue(forKey: request), outcome == .opened {
        try noteTaken(handed, by: connection.number)
      }
      try feed(.outcome(client, request, outcome))
    case .concluded(let request, let ended): try feed(.concluded(client, request, ended))
    case .save(let request, _), .deleteSaved(let request, _): connection.tell(.kept(request, nil))
    // No desktop, so nobody knows types and no list of recent files is kept.
    case .askContentType(let request, _, _): connection.tell(.contentType(request, [], nil))
    case .usedRecently: break
    }
  }

  func ended(_ connection: Connection) throws {
    guard let client = clients.removeValue(forKey: connection.number) else { return }
    for path in opened.keys.sorted() { close(path, by: connection.number) }
    handedOver = handedOver.filter { $0.value.client != connection.number }
    latestUpdates = latestUpdates.filter { $0.value.client != connection.number }
    if client.manifest != nil { try feed(.disconnected(ClientNumber(rawValue: connection.number))) }
  }

  func tellRoots() {
    let root = SyncedRoot(
      id: World.folder, name: world.folderName, path: EditorApp.root, isPresent: presence != nil)
    for (_, client) in clients.sorted(by: { $0.key < $1.key }) where client.manifest != nil {
      client.connection.tell(.roots([root]))
    }
  }
}
