// SPDX-License-Identifier: MIT

public import ActivityExchange
public import ActivityModel
import AgentClient
import AppSession
public import LinuxSystem

/// An editor's session for hosts that know nothing of Swift: the C library and `continuo serve` stand on it.
///
/// One thread: every method is called, and every event told, on the host's own. The host polls `descriptor`
/// for input, whatever its loop, and calls `dispatch()`; events are told nowhere else. Nothing blocks but
/// `end`. The agent is started on demand; one that is restarted hears everything again.
public final class EmbeddedSession {
  /// What the host is told; inside `dispatch()` only.
  public enum Event: Sendable {
    /// The agent can be reached now, or not any more, with the reason.
    case connectionChanged(isConnected: Bool, ContinuityError?)
    /// Which folders are synced changed; documents may have an activity now that had none, or the reverse.
    case rootsChanged
    /// What other devices offer is another list now, or one of them stands otherwise.
    case offersChanged
    /// A round: the host saves the document if it can do so without a question, and answers with `update`. On
    /// the device of the name, if there is one, a person goes on with it, and waits for that.
    case needsUpdate(ActivityID, DocumentHandle?, requestedBy: String? = nil)
    /// The current activity is not offered; why.
    case withheld(ActivityID, DocumentHandle?, ContinuityError)
    /// A continuation begins here (semantics 36).
    case willContinue(RequestID, Offer)
    /// How the awaited version stands.
    case progress(RequestID, Offer, ArrivalStatus)
    /// The app may take the activity by itself: `answer(_:handled:)`. Only where `asksToContinue`.
    case continueActivity(Handover)
    /// The app is to open the document and go to its place: `answer(_:opened:)`.
    case restoreDocument(Handover)
    /// The continuation ended without a document (semantics 37); not to be shown for `userCancelled`.
    case didFail(RequestID, type: String, ContinuityError)
    /// The file of an open document changed.
    case documentChanged(DocumentHandle, DocumentChange)
    /// These other devices have the document open now, each with where it is in it (semantics 34h).
    case presenceChanged(DocumentHandle, [DocumentPresence])
    /// Another device continued the activity (semantics 23). Given up, it is not offered and needs no update
    /// until the person changes something.
    case wasContinued(ActivityID, DocumentHandle?, ContinuationReceipt, isGivenUp: Bool)
    /// Streams that the host asked for: its end of a connected socket, which does not block.
    case openedStreams(RequestID, Descriptor)
    /// The app on the device of that name that continues the activity wants streams; the host's end.
    case receivedStreams(RequestID, ActivityID, DocumentHandle?, device: String, Descriptor)
    /// Streams were not opened, or ended, also such as the host was not told of; why, unless both directions
    /// came to their end. The other end of the socket is closed with this event, so that the host hears of a
    /// failure before it reads an end, which is none then.
    case endedStreams(RequestID, ContinuityError?, kept: Descriptor?)
    /// What `deleteSaved` asked for is done, or why not.
    case deletedSaved(RequestID, ContinuityError?)
  }

  /// Readable when `dispatch()` has something to do; -1 after `end`. Stays the same until then.
  public var descriptor: Int32 { wakeups.descriptor }
  /// What the host is told.
  public var onEvent: ((Event) -> Void)?
  /// Whether a delivered activity is shown to the app first, before its document is restored (semantics 39).
  public var asksToContinue = false
  /// Whether the host opens drafts: text without a file (semantics 36e). Set before `connect()`.
  public var takesDrafts: Bool {
    get { client.takesDrafts }
    set { client.takesDrafts = newValue }
  }

  /// Whether the activity of the document in front lists what else is open in synced folders (semantics 52).
  public var offersOpenDocuments = false

  /// Whether the agent hears what is said.
  public var isConnected: Bool { app.isConnected }
  /// Why not; nil while it does, and before the first try.
  public var connectionError: ContinuityError? { client.lastError }
  /// The offers of other devices that this app can continue.
  public var offers: [Offer] { app.offers }
  /// The documents that the app there has open beside the one of that offer (semantics 52).
  public func openedBeside(_ offer: OfferID) -> [Offer] { app.openedBeside(offer) }
  /// The synced folders here; empty until the agent told them.
  public var roots: [SyncedRoot] { app.roots }
  /// What the app declared.
  public var manifest: AppManifest { app.manifest }

  let app: AppSession
  let client: AgentClient
  var documents = DocumentTable()
  var activities: [ActivityID: HeldActivity] = [:]
  var handovers: [RequestID: Handover] = [:]
  /// Of the file that was read last for a place.
  var lineIndex: LineIndex?
  /// What the host put in front: a document counts also before it has an activity.
  var front: Front?
  /// What changed since its last round.
  var changes: Set<ActivityID> = []
  /// The device that is named in the next round, for it waits for that.
  var requester: [ActivityID: String] = [:]
  /// What the host was told of activities that are not offered.
  var withheld: [ActivityID: ContinuityError] = [:]
  /// What is to be deleted, until the agent has answered.
  var deletions: Set<RequestID> = []
  private var told: [Event] = []
  private var isDispatching = false
  private var isEnded = false
  private let wakeups: WaitSet

  enum Front: Hashable {
    case document(DocumentHandle)
    case activity(ActivityID)
  }

  /// A session that is not connected yet; `program` is `continuo`'s path where it is not to be looked for.
  /// Throws `invalidRequest` when no descriptor can be had.
  public init(
    manifest: AppManifest, places: AgentPlaces, startsAgent: Bool = true, program: String? = nil,
    pace: SessionMachine.Pace = .usual
  ) throws(ContinuityError) {
    app = AppSession(
      manifest: manifest, pace: pace, now: { Instant.now }, close: { BorrowedDescriptor($0).close() })
    client = AgentClient(places: places, startsAgent: startsAgent, program: program)
    client.takesDrafts = false
    do throws(Errno) { wakeups = try WaitSet() } catch {
      throw ContinuityError(
        .invalidRequest, subject: "descriptor",
        description: "No descriptor can be had (\(error.text)): too many files are open.")
    }
    app.link = client
    app.didReport = { [unowned self] in receive($0) }
    client.didReceive = { [unowned self] in app.receive($0, descriptor: $1) }
    client.connectionDidChange = { [unowned self] in connectionDidChange($0) }
  }

  /// Whether the agent has told which folders are synced.
  public var knowsRoots: Bool { app.knowsRoots }

  // MARK: The loop

  /// Connects, starting the agent when none runs; without success it is tried again and again.
  public func connect() {
    guard !isEnded else { return }
    app.connect()
    arm()
  }

  /// Does what is due and tells the host of it. Returns without waiting; calls from inside an event do
  /// nothing.
  public func dispatch() {
    guard !isDispatching, !isEnded else { return }
    isDispatching = true
    defer {
      isDispatching = false
      arm()
    }
    wakeups.drain()
    if client.isConnected {
      if client.wantsToWrite { client.writable() }
      client.readable()
    }
    if let deadline = app.nextDeadline, deadline <= Instant.now { app.tick() }
    reportEvents()
  }

  /// Sends what waits, for at most `limit`, and closes. Nothing is withdrawn by that (semantics 18): the last
  /// state stays offered. No event is told any more.
  public func close(within limit: Duration = .seconds(2)) {
    guard !isEnded else { return }
    isEnded = true
    onEvent = nil
    client.flush(for: limit)
    app.stop()
    client.disconnect()
    handovers = [:]
    told = []
    documents.removeAll()
    wakeups.close()
  }

  /// Begins the round that waits for a quiet moment, if there is one: the last thing before `end`. The next
  /// `dispatch()` tells it.
  public func hasten() {
    guard let current = app.current, changes.contains(current), app.receipt(of: current) == nil else {
      return
    }
    handle(.beginsRound(current))
    askForUpdate(current)
  }

  // MARK: Continuing

  /// Begins to continue an offer here; the continuation's ID. `willContinue` and the rest follow as events.
  /// Throws `invalidRequest` when there is no such offer any more.
  public func accept(_ offer: OfferID) throws(ContinuityError) -> RequestID {
    _ = try self.offer(named: offer.description)
    let request = RequestID.random()
    handle(.accept(offer, request))
    return request
  }

  /// As `accept`, with what is open beside it, each document by itself (semantics 52). The requests, that of
  /// the offer last. Throws as `accept` does.
  public func acceptAll(_ offer: OfferID) throws(ContinuityError) -> [RequestID] {
    _ = try self.offer(named: offer.description)
    defer { if !isDispatching { arm() } }
    return app.acceptAll(offer, makeRequest: { RequestID.random() })
  }

  /// The offer with this ID, also one that is open beside another. Throws `invalidRequest` when there is no
  /// such offer any more.
  public func offer(named id: String) throws(ContinuityError) -> Offer {
    guard let offer = app.allOffers.first(where: { $0.id.description == id }) else {
      throw ContinuityError(
        .invalidRequest, subject: id,
        description: "There is no such offer any more; ask for the list of offers and choose another one.")
    }
    return offer
  }

  /// Ends a continuation that still waits.
  public func cancel(_ request: RequestID) { handle(.cancel(request)) }

  /// Waits so many seconds longer.
  public func extend(_ request: RequestID, seconds: UInt64) { handle(.extend(request, seconds: seconds)) }

  /// What the person decided about a version that is not here.
  public func choose(_ choice: ArrivalChoice, for request: RequestID) { handle(.choose(request, choice)) }

  // MARK: What happens

  func handle(_ event: SessionMachine.Event) {
    app.handle(event)
    if !isDispatching { arm() }
  }

  /// As `AppSession.offer`, which closes the file.
  func offer(_ snapshot: ActivitySnapshot, saved: OpenedFile?) -> ContinuityError? {
    defer { if !isDispatching { arm() } }
    return app.offer(snapshot, saved: saved.map { SavedFile(descriptor: $0.file.release(), mark: $0.mark) })
  }

  func keep(_ snapshot: ActivitySnapshot) {
    defer { if !isDispatching { arm() } }
    app.keep(snapshot, as: .random())
  }

  func deleteSaved(_ identifiers: [String]?, as request: RequestID) throws(ContinuityError) {
    defer { if !isDispatching { arm() } }
    try app.deleteSaved(identifiers, as: request)
  }

  /// Told by the next `dispatch()`, for which the descriptor calls.
  func queue(_ event: Event) {
    told.append(event)
    if !isDispatching { arm() }
  }

  private func receive(_ report: AppSession.Report) {
    switch report {
    case .round(let activity): askForUpdate(activity)
    case .willContinue(let request, let offer): queue(.willContinue(request, offer))
    case .waiting(let request, let offer, let status): queue(.progress(request, offer, status))
    case .deliver(let request, let delivery, let descriptor): deliver(request, delivery, descriptor)
    case .streams(let request, let report, let descriptor):
      receive(report, of: request, descriptor.map { Descriptor(owning: $0) })
    case .didFail(let request, let type, let error), .couldNotShow(let request, let type, let error):
      queue(.didFail(request, type: type, error))
    case .wasContinued(let activity, let receipt):
      queue(
        .wasContinued(
          activity, activities[activity]?.document, receipt, isGivenUp: app.receipt(of: activity) != nil))
    case .asksToSave(let request, let activity, let device): save(activity, request, for: device)
    case .presence(let activity, let others):
      if let document = activities[activity]?.document { queue(.presenceChanged(document, others)) }
    case .offersChanged: queue(.offersChanged)
    case .rootsChanged:
      updateActivities()
      queue(.rootsChanged)
    case .connectionChanged: queue(.connectionChanged(isConnected: isConnected, client.lastError))
    case .couldNotConnect: tellFailure()
    case .documentChanged(let path, let change): fileDidChange(path, change)
    case .answered(let request, let answer):
      guard let deletion = deletions.remove(request), case .kept(let error) = answer else { return }
      queue(.deletedSaved(deletion, error))
    case .tookBack: break  // the host knows what its person did
    }
  }

  private func connectionDidChange(_ isUp: Bool) {
    if isUp { wakeups.watch(client.descriptor) } else { wakeups.forget() }
    app.linkDidChange(isUp: isUp)
  }

  private func tellFailure() {
    guard let error = client.lastError, error.code == .agentUnavailable else { return }
    // The first try tells only that none runs; why it cannot be started is known later.
    let isNews = client.startFailure != nil && toldFailure != client.startFailure
    guard toldFailure == nil || isNews else { return }
    toldFailure = error
    queue(.connectionChanged(isConnected: false, error))
  }
  private var toldFailure: ContinuityError?

  /// Hosts answer events by calling in again, which may lead to further events.
  private func reportEvents() {
    while !told.isEmpty, !isEnded {
      if let event = standing(told.removeFirst()) { withExtendedLifetime(event) { onEvent?(event) } }
    }
  }

  /// What the host closed or ended since an event was queued is nothing that it could be asked about.
  private func standing(_ event: Event) -> Event? {
    switch event {
    case .needsUpdate(let activity, _, _), .withheld(let activity, _, _):
      activities[activity] == nil ? nil : event
    case .documentChanged(let document, _), .presenceChanged(let document, _):
      documents[document] == nil ? nil : event
    case .wasContinued(let activity, .some, let receipt, _):
      activities[activity] == nil ? .wasContinued(activity, nil, receipt, isGivenUp: false) : event
    case .receivedStreams(_, let activity, _, _, _):
      activities[activity] == nil ? nil : event
    default: event
    }
  }

  private func arm() {
    guard !isEnded else { return }
    let now = Instant.now
    let moments = [app.nextDeadline, told.isEmpty ? nil : now].compactMap { $0 }
    wakeups.arm(at: moments.min(), now: now)
    wakeups.setRoomWanted(client.wantsToWrite)
  }
}
