// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import SyncedFolders

/// Runs one `ArrivalMachine` per offer with a document: looks and hashes as they ask. Loop thread only.
final class OfferTracker {
  private final class Tracked {
    var machine: ArrivalMachine
    let deviceName: String
    var timer: TimerNumber?
    /// The hashing or the search under way, and what is asked beside it.
    var looking: HashTicket?
    var listing: HashTicket?
    var measuring: HashTicket?
    /// A person waits for it here; or the list of offers is being watched, and the machine was told so.
    var isAwaited = false
    var isFollowed = false
    /// What the machine is still to hear: an answer waits until the actions before it are done.
    let events = EventLine<ArrivalMachine.Event>()
    /// Whether the machine decides by what it sees now, and what the file was found to hold last.
    var hasJustLooked = false
    var read: ContentDigest?

    init(_ reference: DocumentReference, deviceName: String) {
      machine = ArrivalMachine(reference: reference, deviceName: deviceName)
      self.deviceName = deviceName
    }

    /// What a hint at that path means to the machine. By reference: a machine that an object holds would be
    /// copied for each question.
    func event(forHintAt path: [[UInt8]]) -> ArrivalMachine.Event? {
      func ask(_ machine: inout ArrivalMachine) -> ArrivalMachine.Event? { machine.event(forHintAt: path) }
      return ask(&machine)
    }

    func record(_ event: ArrivalMachine.Event) {
      switch event {
      case .observed: hasJustLooked = true
      case .hashed(let outcome):
        hasJustLooked = true
        if case .stable(let digest, _, _) = outcome { read = digest }
      default: hasJustLooked = false
      }
    }
  }

  private let ports: AgentPorts
  private let folders: FolderRegistry
  private let hasher: HashQueue
  private let history: (DocumentPlace) -> DocumentHistory
  private let onStatus: (OfferID, ArrivalStatus) -> Void
  private var tracked: [OfferID: Tracked] = [:] {
    didSet {
      sorted = nil
      changes += 1
    }
  }
  /// How often it may have changed which documents are waited for.
  private(set) var changes: UInt64 = 0
  /// The same in an order that is the same in each run; nil until it is asked for.
  private var sorted: [(key: OfferID, value: Tracked)]?
  /// How often a delivery found something else than was said of it.
  private var distrusts: [OfferID: Int] = [:]
  /// Somebody watches what becomes of all offers (`continuo offers --watch`, `continuo wait`).
  var isWatched = false {
    didSet { if isWatched != oldValue { for offer in tracked.keys.sorted() { tellWaiting(offer) } } }
  }

  init(
    ports: AgentPorts, folders: FolderRegistry, hasher: HashQueue,
    history: @escaping (DocumentPlace) -> DocumentHistory,
    onStatus: @escaping (OfferID, ArrivalStatus) -> Void
  ) {
    self.ports = ports
    self.folders = folders
    self.hasher = hasher
    self.history = history
    self.onStatus = onStatus
  }

  func track(_ offer: OfferID, _ reference: DocumentReference, deviceName: String, isAwaited: Bool) {
    if let entry = tracked[offer] {
      let former = entry.machine.reference
      if former != reference {
        changes += 1
        feed(offer, .reference(reference, history: history(folders.place(of: reference))))
        if reference.folder != former.folder { feed(offer, .folder(presence(of: reference))) }
      } else if let status = entry.machine.answer {
        // Said again as it was; nobody has looked since.
        entry.hasJustLooked = false
        onStatus(offer, status)
      }
    } else {
      tracked[offer] = Tracked(reference, deviceName: deviceName)
      begin(offer)
    }
    guard let entry = tracked[offer] else { return }
    entry.isAwaited = isAwaited
    entry.looking?.setAwaited(isAwaited)
    tellWaiting(offer)
  }

  private func tellWaiting(_ offer: OfferID) {
    guard let entry = tracked[offer], entry.isFollowed != (entry.isAwaited || isWatched) else { return }
    entry.isFollowed.toggle()
    // The exchange keeps the deadline; waiting here only means that the slow re-check runs, and progress is
    // looked at.
    feed(offer, entry.isFollowed ? .accepted(.seconds(86400)) : .ended)
  }

  /// Looks for the first time: at once, or later each time that a delivery found something else than was
  /// said.
  private func begin(_ offer: OfferID) {
    guard let count = distrusts[offer] else { return start(offer) }
    let delay = min(Duration.milliseconds(25 << min(count, 8)), .seconds(5))
    ports.scheduler.schedule(at: ports.now + delay) { [weak self, weak entry = tracked[offer]] in
      guard let self, let entry, self.tracked[offer] === entry else { return }
      self.start(offer)
    }
  }

  private func start(_ offer: OfferID) {
    guard let reference = tracked[offer]?.machine.reference else { return }
    feed(offer, .history(history(folders.place(of: reference))))
    feed(offer, .folder(presence(of: reference)))
  }

  /// A delivery found something else than was said, for the file is written just now: the next `track` begins
  /// anew, and not at once.
  func distrust(_ offer: OfferID) {
    guard tracked[offer] != nil else { return }
    distrusts[offer, default: 0] += 1
    stop(offer)
  }

  func untrack(_ offer: OfferID) {
    guard stop(offer) else { return }
    distrusts[offer] = nil
  }

  /// In an order that is the same in each run.
  private var offersInOrder: [(key: OfferID, value: Tracked)] {
    if let sorted { return sorted }
    let sorted = tracked.sorted { $0.key < $1.key }
    self.sorted = sorted
    return sorted
  }

  /// The offer's document, whose status is told just now, as an observer hears of it.
  func standing(of offer: OfferID, _ status: ArrivalStatus) -> Standing? {
    tracked[offer].map { entry in
      Standing(
        offer: offer, reference: entry.machine.reference, status: status, location: entry.machine.location,
        hasJustLooked: entry.hasJustLooked, read: entry.read)
    }
  }

  /// The offers that are followed.
  var offers: [OfferID] { tracked.keys.sorted() }

  /// The documents that are waited for.
  var places: [DocumentPlace] { tracked.values.map { folders.place(of: $0.machine.reference) } }

  /// False when it was not tracked.
  @discardableResult
  private func stop(_ offer: OfferID) -> Bool {
    guard let entry = tracked.removeValue(forKey: offer) else { return false }
    ports.scheduler.cancel(entry.timer)
    for ticket in [entry.looking, entry.listing, entry.measuring] { ticket?.cancel() }
    return true
  }

  /// Where the document of an offer lies: its path, or the name under which it was found.
  func location(of offer: OfferID) -> RelativePath? { tracked[offer]?.machine.location }

  /// Something may have changed at a name of a folder, or anywhere below it.
  func hint(_ folder: FolderID, path: [[UInt8]]) {
    for (offer, entry) in offersInOrder where folders.isSame(entry.machine.reference.folder, folder) {
      if let event = entry.event(forHintAt: path) { feed(offer, event) }
    }
  }

  /// Folders came or went.
  func foldersChanged() {
    for (offer, entry) in offersInOrder {
      // Under its canonical ID the folder's documents may have another past.
      feed(offer, .history(history(folders.place(of: entry.machine.reference))))
      feed(offer, .folder(presence(of: entry.machine.reference)))
    }
  }

  func historyChanged(_ place: DocumentPlace) {
    for (offer, entry) in offersInOrder where folders.place(of: entry.machine.reference) == place {
      feed(offer, .history(history(place)))
    }
  }

  private func feed(_ offer: OfferID, _ event: ArrivalMachine.Event) {
    guard let entry = tracked[offer] else { return }
    entry.events.feed(event) { event in
      entry.record(event)
      let actions = entry.machine.handle(event, at: ports.now)
      for action in actions where tracked[offer] === entry { perform(action, for: offer, entry) }
    }
  }

  private func perform(_ action: ArrivalMachine.Action, for offer: OfferID, _ entry: Tracked) {
    let reference = entry.machine.reference
    switch action {
    case .observe(let path):
      let directory = folders.directory(of: reference.folder)
      feed(offer, .observed(directory?.observe(path) ?? .absent))
    case .hash(let path, let stamp):
      if entry.isAwaited { ports.observer.reached(.hashing) }
      guard let directory = folders.directory(of: reference.folder) else {
        return feed(offer, .hashed(.unstable))
      }
      let document = HashQueue.Document(
        path: path, folder: directory, stamp: stamp, isAwaited: entry.isAwaited)
      entry.looking = hasher.hash(
        document, progress: answer(offer, entry) { .reading($0) }, done: answer(offer, entry) { .hashed($0) })
    case .search(let search):
      guard let directory = folders.directory(of: reference.folder) else { return feed(offer, .found(nil)) }
      entry.looking = hasher.find(search, in: directory, done: answer(offer, entry) { .found($0) })
    case .cancel: cancelLook(offer, entry)
    case .measure:
      guard let directory = folders.directory(of: reference.folder) else { return feed(offer, .partial(nil)) }
      entry.measuring = hasher.partialSize(
        of: reference.path, in: directory, done: answer(offer, entry) { .partial($0) })
    case .listSiblings:
      guard let directory = folders.directory(of: reference.folder) else {
        return feed(offer, .siblings([]))
      }
      entry.listing?.cancel()
      entry.listing = hasher.conflictCopies(
        of: reference.path, in: directory, awaitedSize: reference.version.size,
        done: answer(offer, entry) { .siblings($0) })
    case .readMarkers(let path):
      let directory = folders.directory(of: reference.folder)
      feed(offer, .markers(directory?.hasConflictMarkers(path) ?? false))
    case .report(let status): onStatus(offer, status)
    case .expired: break
    case .wake(let moment):
      ports.scheduler.cancel(entry.timer)
      entry.timer = moment.map {
        ports.scheduler.schedule(at: $0) { [weak self] in self?.feed(offer, .timer) }
      }
    }
  }

  /// Hands an answer to the machine that asked, if it is still there.
  private func answer<Value>(
    _ offer: OfferID, _ entry: Tracked, _ event: @escaping (Value) -> ArrivalMachine.Event
  ) -> (Value) -> Void {
    { [weak self, weak entry] value in
      guard let self, let entry, self.tracked[offer] === entry else { return }
      self.feed(offer, event(value))
    }
  }

  /// Either answer is right: the machine takes the one that it waits for.
  private func cancelLook(_ offer: OfferID, _ entry: Tracked) {
    entry.looking?.cancel()
    entry.looking = nil
    feed(offer, .hashed(.cancelled))
    feed(offer, .found(nil))
  }

  private func presence(of reference: DocumentReference) -> ArrivalMachine.FolderPresence {
    guard let root = folders.root(of: reference.folder) else { return .unknown(name: nil) }
    if let why = root.refused { return .refused(name: root.name, why: why) }
    return root.isPresent ? .here(name: root.name) : .away(name: root.name)
  }
}
