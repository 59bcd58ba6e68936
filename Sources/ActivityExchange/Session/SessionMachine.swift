// SPDX-License-Identifier: MIT

public import ActivityModel

/// An app's side of the exchange, decided without clock, socket or objects: which activity is current, when
/// it saves, what is said again after a reconnect, and exactly one answer per continuation (semantics 13-22,
/// 36-41).
///
/// The shell feeds events with the time, performs the actions in order, and calls again at `nextDeadline`.
public struct SessionMachine: Hashable, Sendable {
  /// What the app says of itself in each `hello`.
  public let manifest: AppManifest
  /// Whether the agent hears what is sent.
  public internal(set) var isConnected = false
  /// The activity that is offered, if any (14).
  public internal(set) var current: ActivityID?
  /// The synced folders of the agent's last report.
  public internal(set) var roots: [SyncedRoot] = []
  /// The offers of the agent's last report.
  public internal(set) var offers: [Offer] = []
  /// When `tick` is wanted next; nil while nothing waits for time.
  public private(set) var nextDeadline: Instant?

  var rounds: [ActivityID: PendingRound] = [:]
  /// Activities whose round was begun and not answered: what changes now is part of it.
  public internal(set) var running: Set<ActivityID> = []
  var published: [ActivityID: ActivitySnapshot] = [:]
  var ended: Set<ActivityID> = []
  var openPaths: [OpenPath] = []
  var continuations: [RequestID: Continuation] = [:]
  /// The last continuations that ended, oldest first: an agent that was restarted hears of them again.
  var concluded: [Conclusion] = []
  /// Requests that ended here without a delivery, oldest first: an agent may not have heard of it.
  var over: [RequestID] = []
  /// What the agent was told of activities that are not offered.
  var withheld: [ActivityID: OwnActivity] = [:]
  var disconnectedAt: Instant?
  /// How often a connection was made.
  var connections = 0
  /// What the agent was asked to keep or delete, and has not answered, oldest first.
  var wishes: [Wish] = []
  /// Questions about types of files, and when they end without an answer.
  var typeQuestions: [RequestID: Instant] = [:]
  /// Files that were used while no agent heard of it, oldest first.
  var unheardFiles: [UsedFile] = []

  /// The pauses of saving and the patience without an agent.
  public struct Pace: Hashable, Sendable {
    /// How long after the last `needsSave` a round begins.
    public var quiet = Duration.milliseconds(300)
    /// How long after the first `needsSave` a round begins at the latest.
    public var latest = Duration.seconds(2)
    /// How long continuations under way outlive a lost agent before they fail with `connectionUnavailable`.
    public var withoutAgent = Duration.seconds(30)
    /// How long a version may be awaited in all before the person decides anew, where the agent was lost
    /// meanwhile: one that was started again counts from the beginning. A little more than an agent takes.
    public var version =
      ExchangeMachine.Timing().arrivalDeadline + ExchangeMachine.Timing().choiceDeadline
      + ExchangeMachine.Timing().secondLook + .seconds(10)
    /// How long the type of a file may take to be told.
    public var typeAnswer = Duration.seconds(2)
    /// The pauses of the product.
    public static let usual = Pace()
  }
  let pace: Pace

  /// What happened.
  public enum Event: Hashable, Sendable {
    /// The link to the agent is up, for the first time or again.
    case connected
    /// The link to the agent is down.
    case disconnected
    /// The agent said something.
    case report(AgentReport)
    /// `becomeCurrent` was called.
    case becameCurrent(ActivityID)
    /// `resignCurrent` was called.
    case resigned(ActivityID)
    /// The activity was invalidated, dissociated or released.
    case invalidated(ActivityID)
    /// `needsSave` became true, or was set again.
    case needsSave(ActivityID)
    /// A document could not save itself yet; its activity wants another round at that time.
    case savesLater(ActivityID, at: Instant)
    /// A document was saved: its activity wants a round at once, unless a round had it saved.
    case saved(ActivityID)
    /// A round of the activity is run before its time, as if `publish` had asked for it.
    case beginsRound(ActivityID)
    /// The round that `publish` asked for gave this state; of a document that was saved since the last one,
    /// the file as it was right after that, whose descriptor is at hand.
    case published(ActivitySnapshot, saved: FileMark?)
    /// A round gave a state that cannot be offered, for a reason that only the shell sees: an earlier offer
    /// ends.
    case withheld(OwnActivity)
    /// The agent is to keep this state for search, under a fresh ID.
    case keeps(ActivitySnapshot, RequestID)
    /// The app's saved activities with these identifiers are to be deleted, or all of them.
    case deletesSaved(RequestID, identifiers: [String]?)
    /// A document was opened; its resolved absolute path, and the file that was read.
    case opened(path: [UInt8], file: FileMark? = nil)
    /// A document was closed.
    case closed(path: [UInt8])
    /// The person wants an offer continued here, under a fresh ID.
    case accept(OfferID, RequestID)
    /// The person no longer wants it.
    case cancel(RequestID)
    /// Wait so many seconds longer.
    case extend(RequestID, seconds: UInt64)
    /// What the person decided about a version that is not here.
    case choose(RequestID, ArrivalChoice)
    /// The app, or the framework for it, is done with a delivery.
    case finished(RequestID, ContinuationOutcome)
    /// The app, or the framework for it, could not show a delivery.
    case failed(RequestID, ContinuityError)
    /// Why the outcome that follows is a failure: one sentence of the app's.
    case explained(RequestID, String)
    /// Of what MIME type a file is; under a fresh ID. `answered` follows within `Pace.typeAnswer`.
    case asksType(RequestID, name: [UInt8], beginning: [UInt8])
    /// The person opened or saved a file with this app, whose program lies at that path.
    case usedFile(path: [UInt8], program: [UInt8])
    /// `nextDeadline` has come.
    case tick
  }

  /// What the shell is to do, in order.
  public enum Action: Hashable, Sendable {
    /// Send it to the agent; an `update` of a `saved` document takes the round's descriptor along.
    case send(AgentRequest)
    /// Run an update round if the activity needs one, then answer with `published`.
    case publish(ActivityID)
    /// Tell the delegate that a continuation begins (36).
    case willContinue(RequestID, Offer)
    /// Tell the delegate how the awaited version stands.
    case waiting(RequestID, Offer, ArrivalStatus)
    /// Hand the delivery to the app (39-41), then answer with `finished` or `failed`.
    case deliver(RequestID, Delivery)
    /// Tell the delegate that the continuation ended without one (37).
    case didFail(RequestID, type: String, ContinuityError)
    /// The framework's own try failed after the app had been asked: show that, once.
    case couldNotShow(RequestID, type: String, ContinuityError)
    /// Tell the source's delegate (23).
    case wasContinued(ActivityID, by: String)
    /// What was asked for under this ID is answered; once per request.
    case answered(RequestID, Answer)
    /// Show what is in `offers` now.
    case offersChanged
    /// Give documents their activities anew: `roots` says which folders are synced.
    case rootsChanged
    /// Show whether an agent answers.
    case connectionChanged
    /// Tell the document.
    case documentChanged(path: [UInt8], DocumentChange)
  }

  /// The answer to a request of the app's.
  public enum Answer: Hashable, Sendable {
    /// What was to be kept or deleted is, durably, or failed.
    case kept(ContinuityError?)
    /// The MIME types of the file that was asked about; none when nobody could tell, with the reason.
    case contentTypes([String], ContinuityError?)
  }

  struct PendingRound: Hashable, Sendable {
    /// Not before this moment.
    var due: Instant
    /// But at this moment at the latest, however busy the keyboard is.
    var latest: Instant
  }

  struct Continuation: Hashable, Sendable {
    var offer: OfferID
    /// What the delegate was told; nil until `willContinue`.
    var announced: Offer?
    /// The app has it; the agent waits for the outcome.
    var isDelivered: Bool { changedAt != nil }
    /// The delivered state; nil until the delivery.
    var changedAt: WallTime?
    /// In which connection it was delivered: a later one's agent may know nothing of it.
    var connection = 0
    /// When an agent that was not lost has ended the wait.
    var until: Instant
    /// When this side ends it, where the agent had to be asked again.
    var limit: Instant?
    /// How the version stood, as the agent said last.
    var status: ArrivalStatus?
  }

  struct Conclusion: Hashable, Sendable {
    var request: RequestID
    var ended: ConcludedContinuation
  }
  static let memory = 8

  /// A session without a connection and without activities.
  public init(manifest: AppManifest, pace: Pace = .usual) {
    self.manifest = manifest
    self.pace = pace
  }

  /// Computed once an event and kept: the shell asks at each key, and a computed property of a value that an
  /// object holds would copy the whole value first.
  private var wantedDeadline: Instant? {
    let saving = current.flatMap { rounds[$0] }?.due
    let waits = continuations.values.contains { !$0.isDelivered }
    let giveUp = waits ? disconnectedAt.map { $0 + pace.withoutAgent } : nil
    let limit = waits ? continuations.values.compactMap(\.limit).min() : nil
    guard giveUp != nil || limit != nil || !wishes.isEmpty || !typeQuestions.isEmpty else { return saving }
    return [saving, giveUp, limit, nextUnanswered, typeQuestions.values.min()].compactMap { $0 }.min()
  }

  /// Takes one event; the actions are to be performed in order.
  public mutating func handle(_ event: Event, at now: Instant) -> [Action] {
    defer { nextDeadline = wantedDeadline }
    return take(event, at: now)
  }

  private mutating func take(_ event: Event, at now: Instant) -> [Action] {
    switch event {
    case .connected: connect(at: now)
    case .disconnected: disconnect(at: now)
    case .report(let report): take(report, at: now)
    case .becameCurrent(let activity): become(activity, at: now)
    case .resigned(let activity): resign(activity)
    case .invalidated(let activity): end(activity)
    case .needsSave(let activity): needSave(activity, at: now)
    case .savesLater(let activity, let moment): save(activity, notBefore: moment)
    case .saved(let activity):
      running.contains(activity) ? [] : save(activity, notBefore: now, replacing: true)
    case .beginsRound(let activity): begin(activity)
    case .published(let snapshot, let saved): publish(snapshot, saved)
    case .withheld(let activity): withholdRound(of: activity)
    case .keeps(let snapshot, let request): keep(snapshot, request, at: now)
    case .deletesSaved(let request, let identifiers): deleteSaved(request, identifiers, at: now)
    case .opened(let path, let file): open(path, file)
    case .closed(let path): close(path)
    case .accept(let offer, let request): accept(offer, request, at: now)
    case .cancel(let request): cancel(request)
    case .extend(let request, let seconds): extend(request, seconds, at: now)
    case .choose(let request, let choice): choose(request, choice, at: now)
    case .finished(let request, let outcome): finish(request, outcome)
    case .failed(let request, let error): fail(delivered: request, error)
    case .explained(let request, let message): explain(request, message)
    case .asksType(let request, let name, let beginning): askType(request, name, beginning, at: now)
    case .usedFile(let path, let program): noteUse(UsedFile(path: path, program: program))
    case .tick: tick(at: now)
    }
  }

  // MARK: The connection

  /// Everything is said again: a restarted agent knows nothing of this app.
  private mutating func connect(at now: Instant) -> [Action] {
    isConnected = true
    connections += 1
    disconnectedAt = nil
    var requests: [AgentRequest] = [.hello(manifest)]
    requests += openPaths.map { .opened(path: $0.path, file: $0.file) } + takeUnheardFiles()
    requests += wishes.map(\.message)
    if let current, let snapshot = published[current] {
      requests.append(.update(snapshot, saved: nil))
    }
    if let current, let activity = withheld[current] { requests.append(.withheld(activity)) }
    requests += concluded.map { .concluded($0.request, $0.ended) }
    requests += continuations.filter { !$0.value.isDelivered }.sorted { $0.key < $1.key }
      .map { .accept($0.value.offer, $0.key) }
    limitWaiting(at: now)
    return requests.map(Action.send) + [.connectionChanged]
  }

  private mutating func disconnect(at now: Instant) -> [Action] {
    guard isConnected || disconnectedAt == nil else { return [] }
    let wasConnected = isConnected
    isConnected = false
    disconnectedAt = disconnectedAt ?? now
    return (wasConnected ? [.connectionChanged] : []) + endTypeQuestions { _ in true }
  }

  private mutating func take(_ report: AgentReport, at now: Instant) -> [Action] {
    switch report {
    case .roots(let list):
      roots = list
      return [.rootsChanged]
    case .offers(let list):
      offers = list
      return [.offersChanged]
    case .documentChanged(let path, let change):
      if case .changed = change { noteNews(at: path) }
      return [.documentChanged(path: path, change)]
    case .continued(let activity, let device): return [.wasContinued(activity, by: device)]
    case .kept(let request, let error): return takeKept(request, error)
    case .contentType(let request, let types, let error): return takeType(request, types, error)
    case .willContinue, .progress, .deliver, .fail: return takeContinuation(report, at: now)
    }
  }

  private mutating func tick(at now: Instant) -> [Action] {
    var actions: [Action] = []
    if let current, let round = rounds[current], round.due <= now {
      actions += begin(current) + [.publish(current)]
    }
    if let since = disconnectedAt, since + pace.withoutAgent <= now { actions += failAllWaiting() }
    return actions + endOverlong(at: now) + endUnanswered(at: now) + endTypeQuestions { $0 <= now }
  }

  func say(_ request: AgentRequest) -> [Action] { isConnected ? [.send(request)] : [] }
}
