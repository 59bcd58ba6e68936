// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import AppSession
import SyncedFolders

/// An editor as the kit plays it: it speaks through `AppSession`, people type, and documents are saved into
/// the memory folder.
final class EditorApp: ConnectedApp {
  /// A document in a window.
  struct Opened {
    /// The document's, wherever its file lies.
    var path: RelativePath
    var place: FilePlace
    var activity: ActivityID
    /// What the window shows.
    var text: UInt32
    /// What was read from, or saved to, the disk last; nil when that was no whole text.
    var base: Content
    var isDirty = false
    /// The file of the last save, until it was told.
    var saved: (file: OpenFile, mark: FileMark)?
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
  unowned let world: World
  let process: UInt64
  var isDead = false
  let session: AppSession
  var connection: Connection?
  var documents: [Opened] = []
  /// Documents that were closed in this connection.
  var closed: [Opened] = []
  /// Earlier texts, for undo.
  var past: [UInt32] = []
  var awaited: [RequestID: Awaited] = [:]
  /// Requests for which the person chose to open what is here.
  var chosen: Set<RequestID> = []
  /// Activities that resigned and did not become current again.
  var resigned: Set<ActivityID> = []
  /// What was continued here, as the source has to learn.
  private(set) var continued: [RequestID] = []
  private let files = OpenFiles()
  /// What ended the step in which a report was told.
  private var failure: (any Error)?
  private var armed: Instant?
  private var timers = 0

  init(_ device: Device) {
    self.device = device
    world = device.world
    process = device.nextProcess()
    session = AppSession(
      manifest: AppManifest(appID: "org.example.editor", name: "Editor", activityTypes: [Self.type]),
      now: { [clocks = device.clocks] in clocks.now }, close: { [files] in files.close($0) })
    session.link = Link(self)
    session.didReport = { [unowned self] in handle($0) }
  }

  // MARK: The connection

  func connect() throws {
    guard connection == nil, !isDead, let agent = device.agent else { return }
    let made = Connection(world.nextConnection(), self, agent)
    connection = made
    session.linkDidChange(isUp: true)
    try finish()
  }

  func connectionEnded() throws {
    disconnect()
    session.linkDidChange(isUp: false)
    try finish()
  }

  func crash() {
    isDead = true
    disconnect()
    device.app = nil
    world.count(.crashes)
  }

  /// Whatever the agent does not know to be closed is left open.
  private func disconnect() {
    world.oracle.left(documents + closed.filter { connection?.ended.contains($0.activity) == false }, device)
    closed = []
    connection?.disconnect()
    connection = nil
  }

  func receive(_ report: AgentReport, _ file: OpenFile?, text: Content?) throws {
    session.receive(report, descriptor: files.open(file, text))
    try finish()
  }

  // MARK: Decisions and deeds

  func handle(_ event: SessionMachine.Event) throws {
    session.handle(event)
    try finish()
  }

  /// What a report's receiver threw ends the step that led to it.
  private func finish() throws {
    if let failure {
      self.failure = nil
      throw failure
    }
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
      session.tick()
      try finish()
    }
  }

  private func handle(_ report: AppSession.Report) {
    guard failure == nil else { return }
    do {
      try perform(report)
    } catch {
      failure = error
    }
  }

  private func perform(_ report: AppSession.Report) throws {
    switch report {
    case .round(let activity): try publish(activity)
    case .willContinue(let request, let offer):
      awaited[request] = Awaited(offer: offer.id, since: device.now)
      world.judge { $0.begins(process, device, request, offer.id) }
    case .deliver(let request, let delivery, let descriptor):
      let held = descriptor.flatMap(files.remove)
      try show(request, delivery, held?.file, held?.text)
    case .didFail(let request, _, _):
      awaited[request] = nil
      world.judge { $0.ends(process, device, request) }
    case .wasContinued(let activity, _):
      world.count(.claims)
      world.judge { $0.told(device, activity) }
    case .documentChanged(let path, let change): try reload(path, change)
    case .offersChanged:
      world.record(UInt64(session.offers.count))
      try world.noticed(self)
    case .asksToSave(let request, _, _): session.handle(.agreesToSave(request, isSaved: false))
    case .waiting, .couldNotShow, .couldNotConnect, .answered, .rootsChanged, .connectionChanged,
      .tookBack, .streams, .presence:
      break
    }
  }

  /// The socket's end: the numbers of open files are this app's.
  private final class Link: AgentLink {
    private unowned let app: EditorApp

    init(_ app: EditorApp) { self.app = app }

    func send(_ request: AgentRequest, descriptor: Int32?) {
      let file = descriptor.flatMap { app.files.held[$0]?.file }
      if file != nil, case .update(let snapshot, _) = request { app.told(snapshot.id) }
      app.connection?.send(request, file)
    }
  }

  /// The file of the last save was told.
  private func told(_ activity: ActivityID) {
    guard let index = documents.firstIndex(where: { $0.activity == activity }) else { return }
    documents[index].saved = nil
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
      FileURL.text(of: document.place.absolute))
    if document.isDirty { snapshot.flags.insert(.unsavedChanges) }
    world.oracle.round(
      round,
      Oracle.Round(
        device: device.number, activity: activity, path: document.path,
        saved: document.saved == nil ? nil : document.base),
      at: device.now)
    let saved = document.saved.flatMap { saved in
      files.open(saved.file, nil).map { SavedFile(descriptor: $0, mark: saved.mark) }
    }
    session.offer(snapshot, saved: saved)
    try finish()
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
    var outcome = outcomes[world.random.below(outcomes.count)]
    if let place = delivery.path.flatMap(FilePlace.init(absolute:)) {
      let path = delivery.activity.document?.path
      if outcome == .opened, let text, try !open(place, of: path, delivered: text, file) { outcome = .failed }
      if outcome == .handled { try open(place, of: path) }
    }
    world.schedule(.app, device.number, after: world.random.between(.milliseconds(10), .seconds(2))) {
      [self] in
      guard !isDead else { return }
      if outcome.isContinued { continued.append(request) }
      try handle(.finished(request, outcome))
    }
  }
}
