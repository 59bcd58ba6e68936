// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import SyncedFolders

/// An editor as the kit plays it: `SessionMachine` decides, people type, and documents are saved into the
/// memory folder.
final class EditorApp {
  /// A document in a window.
  struct Opened {
    var path: RelativePath
    var activity: ActivityID
    /// What the window shows.
    var text: UInt32
    /// What was read from, or saved to, the disk last; nil when that was no whole text.
    var base: Content
    var isDirty = false
    /// The file of the last save, until it was told.
    var saved: OpenFile?
    var isGone = false
  }

  /// What the window knows of a continuation.
  struct Awaited {
    var offer: OfferID
    var since: Instant
    var mayTakeLong = false
  }

  static let root = Array("/notes".utf8)
  static let type = "org.example.editing"
  static let roundKey = UserInfoValue.text("round")

  unowned let device: Device
  let process: UInt64
  var isDead = false
  var session: SessionMachine
  var connection: Connection?
  var documents: [Opened] = []
  /// Earlier texts, for undo.
  var past: [UInt32] = []
  var awaited: [RequestID: Awaited] = [:]
  /// Requests for which the person chose to open what is here.
  var chosen: Set<RequestID> = []
  /// Activities that resigned and did not become current again.
  var resigned: Set<ActivityID> = []
  /// What was continued here, as the source has to learn.
  private(set) var continued: [RequestID] = []
  private var armed: Instant?
  private var timers = 0

  var world: World { device.world }
  var folder: MemoryFolder { device.folder }

  init(_ device: Device) {
    self.device = device
    process = device.nextProcess()
    session = SessionMachine(
      manifest: AppManifest(appID: "org.example.editor", name: "Editor", activityTypes: [Self.type]))
  }

  static func relative(_ path: [UInt8]) -> RelativePath? {
    SyncedRoot(id: World.folder, name: "notes", path: root).relativePath(of: path)
  }

  static func absolute(_ path: RelativePath) -> [UInt8] { root + [UInt8(ascii: "/")] + path.bytes }

  // MARK: The connection

  func connect() throws {
    guard connection == nil, !isDead, let agent = device.agent else { return }
    let made = Connection(world.nextConnection(), self, agent)
    connection = made
    try handle(.connected)
  }

  func connectionEnded() throws {
    connection?.end()
    connection = nil
    try handle(.disconnected)
  }

  func crash() {
    isDead = true
    connection?.end()
    connection = nil
    device.app = nil
    world.count(.crashes)
  }

  func take(_ report: AgentReport, _ file: OpenFile?, text: Content?) throws {
    try handle(.report(report), file, text)
  }

  // MARK: Decisions and deeds

  func handle(_ event: SessionMachine.Event, _ file: OpenFile? = nil, _ text: Content? = nil) throws {
    for action in session.handle(event, at: device.now) { try perform(action, file, text) }
    arm()
  }

  private func arm() {
    let wanted = session.nextDeadline
    guard wanted != armed else { return }
    armed = wanted
    timers += 1
    guard let wanted else { return }
    let number = timers
    device.schedule(.app, at: wanted) { [self] in
      guard !isDead, timers == number else { return }
      armed = nil
      try handle(.tick)
    }
  }

  private func perform(_ action: SessionMachine.Action, _ file: OpenFile?, _ text: Content?) throws {
    switch action {
    case .send(let request): connection?.send(request, takeFile(for: request))
    case .publish(let activity): try publish(activity)
    case .willContinue(let request, let offer):
      awaited[request] = Awaited(offer: offer.id, since: device.now)
      world.judge { $0.begins(process, device, request, offer.id) }
    case .deliver(let request, let delivery): try show(request, delivery, file, text)
    case .didFail(let request, _, _):
      awaited[request] = nil
      world.judge { $0.ends(process, device, request) }
    case .wasContinued(let activity, _):
      world.count(.claims)
      world.judge { $0.told(device, activity) }
    case .documentChanged(let path, let change): try reload(path, change)
    case .offersChanged: world.note(UInt64(session.offers.count))
    case .waiting, .couldNotShow, .kept, .rootsChanged, .connectionChanged: break
    }
  }

  private func takeFile(for request: AgentRequest) -> OpenFile? {
    guard case .update(let snapshot, hasDescriptor: true) = request,
      let index = documents.firstIndex(where: { $0.activity == snapshot.id })
    else { return nil }
    defer { documents[index].saved = nil }
    return documents[index].saved
  }

  /// An update round: save what may be saved, then say how things stand.
  private func publish(_ activity: ActivityID) throws {
    guard let index = documents.firstIndex(where: { $0.activity == activity }) else { return }
    if documents[index].isDirty { try save(index) }
    let document = documents[index]
    var snapshot = ActivitySnapshot(
      id: activity, type: Self.type, appID: session.manifest.appID, changedAt: device.wall)
    let round = world.nextRound()
    snapshot.title = "On the \(World.secret), \(round)"
    snapshot.userInfo[Self.roundKey] = .int(round)
    snapshot.userInfo[.text(NSUserActivityDocumentURLKey)] = .url(
      FileURL.text(of: Self.absolute(document.path)))
    if document.isDirty { snapshot.flags.insert(.unsavedChanges) }
    world.oracle.round(
      round,
      Oracle.Round(
        device: device.number, activity: activity, path: document.path,
        saved: document.saved.map { folder.inodes[$0.inode].content }))
    try handle(.published(snapshot, hasDescriptor: document.saved != nil))
  }

  /// What was delivered becomes a document in a window, and is answered for a moment later.
  private func show(_ request: RequestID, _ delivery: Delivery, _ file: OpenFile?, _ text: Content?) throws {
    let offer = awaited.removeValue(forKey: request)?.offer
    world.count(.opened)
    if world.plantsCanary { world.violate(.canary, "a document opened") }
    let isChosen = chosen.contains(request)
    world.judge {
      $0.opened(process, device, request, offer, delivery, text, isChosen: isChosen)
    }
    if world.has(.mute), world.random.chance(50) { return }
    if world.has(.flap), world.random.chance(30) {
      world.schedule(.app, device.number, after: world.random.between(.zero, .seconds(1))) { [self] in
        guard !isDead else { return }
        try connectionEnded()
        try connect()
      }
    }
    let outcomes: [ContinuationOutcome] = [.opened, .opened, .opened, .handled, .declined, .failed]
    let outcome = outcomes[world.random.below(outcomes.count)]
    if outcome.isContinued, let path = delivery.path.flatMap(Self.relative) { try open(path) }
    world.schedule(.app, device.number, after: world.random.between(.milliseconds(10), .seconds(2))) {
      [self] in
      guard !isDead else { return }
      if outcome.isContinued { continued.append(request) }
      try handle(.finished(request, outcome))
    }
  }

  // MARK: Documents

  @discardableResult
  func open(_ path: RelativePath) throws -> Bool {
    if let index = documents.firstIndex(where: { $0.path == path }) {
      resigned.remove(documents[index].activity)
      try handle(.becameCurrent(documents[index].activity))
      return true
    }
    guard let content = folder.content(at: path.components), !folder.isFailing else { return false }
    let text =
      world.contents.wholeText(content) ?? world.contents.text(size: max(1, content.size), parents: [])
    let activity = ActivityID(using: &world.random)
    documents.append(Opened(path: path, activity: activity, text: text, base: content))
    try handle(.opened(path: Self.absolute(path)))
    try handle(.becameCurrent(activity))
    try handle(.needsSave(activity))
    return true
  }

  func close(_ index: Int) throws {
    let document = documents[index]
    if document.isDirty { try save(index) }
    documents.remove(at: index)
    try handle(.invalidated(document.activity))
    try handle(.closed(path: Self.absolute(document.path)))
  }

  /// Saves into the folder unless another program changed the file: then the person has to decide, and
  /// keeps what is in the window.
  func save(_ index: Int) throws {
    let document = documents[index]
    let path = document.path.components
    guard !document.isGone, folder.content(at: path) == document.base else { return }
    do {
      let inode = try write(document.text, to: path)
      world.note(UInt64(document.text))
      documents[index].isDirty = false
      documents[index].base = folder.inodes[inode].content
      documents[index].saved = OpenFile(inode: inode)
      world.remember(path, documents[index].base)
    } catch let error as FileError {
      world.note(error == .noSpace ? 3 : 4)
    }
    for engine in world.engines { engine.noticed(device.number) }
  }

  private func write(_ text: UInt32, to path: [[UInt8]]) throws -> Int {
    if world.random.chance(20), let inode = folder.find(path) {
      // As a simple editor does: cut, then write in place.
      try device.operate()
      try folder.cut(inode, to: 0)
      try device.operate()
      try folder.write(text, world.contents.size(of: text), to: inode, from: .empty)
      folder.close(inode)
      return inode
    }
    let temporary = path.dropLast() + [Array(".goutputstream-".utf8) + Array("\(text)".utf8)]
    try? folder.unlink(Array(temporary))
    try device.operate()
    let inode = try folder.make(Array(temporary))
    try folder.write(text, world.contents.size(of: text), to: inode, from: .empty)
    folder.close(inode)
    try device.operate()
    try folder.synchronize(inode)
    try device.operate()
    try folder.rename(Array(temporary), path)
    return inode
  }

  /// A window without changes shows what the disk holds now; one with changes keeps them.
  private func reload(_ path: [UInt8], _ change: DocumentChange) throws {
    guard let relative = Self.relative(path),
      let index = documents.firstIndex(where: { $0.path == relative })
    else { return }
    guard case .changed = change, let content = folder.content(at: relative.components) else {
      documents[index].isGone = true
      return
    }
    documents[index].isGone = false
    guard !documents[index].isDirty, content != documents[index].base else { return }
    documents[index].base = content
    documents[index].text =
      world.contents.wholeText(content) ?? world.contents.text(size: max(1, content.size), parents: [])
    try handle(.needsSave(documents[index].activity))
  }
}
