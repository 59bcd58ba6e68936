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
  public private(set) var isConnected = false
  /// The synced folders of the agent's last report.
  public private(set) var roots: [SyncedRoot] = []
  /// The offers of the agent's last report; what is open beside one is in `openedBeside`.
  public private(set) var offers: [Offer] = []
  private var beside: [Offer] = []
  // Kept as they are after each event: the shell asks at each key, and a computed property of a value that an
  // object holds would copy the whole value first.
  /// When `tick` is wanted next; nil while nothing waits for time.
  public private(set) var nextDeadline: Instant?
  /// The activity that is offered, if any (semantics 14).
  public var current: ActivityID? { rounds.current }
  /// Activities whose round was begun and not answered: what changes now is part of it.
  public var running: Set<ActivityID> { rounds.running }
  /// Activities that another device goes on with, until the person does so here (semantics 23).
  public var givenUp: [ActivityID: ContinuationReceipt] { rounds.givenUp }

  private var disconnectedAt: Instant?
  private var rounds: SaveRounds
  private var files = FilesInUse()
  private var requests: PendingRequests
  private var continuations: Continuations
  private var streams = OpenStreams()
  private var saves = RequestedSaves()
  private var presences = DocumentPresences()

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
    /// `needsSave` became true, or was set again: the person did something here.
    case needsSave(ActivityID)
    /// The file of a document was changed or moved by others, and its activity's state with it.
    case followedFile(ActivityID)
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
    /// The app wants to know something, or to have something done, under a fresh ID: `answered` follows.
    case asks(RequestID, Question)
    /// The app wants streams to the one that a delivered activity came from, under a fresh ID: `streams`
    /// follows.
    case asksStreams(RequestID, delivery: RequestID)
    /// The app does what `asksToSave` asks: the activity's round, which begins now, says what comes of it.
    /// `isSaved` where the document was saved for it already.
    case agreesToSave(RequestID, isSaved: Bool)
    /// It does not, and why: one clean sentence, or nothing.
    case refusesToSave(RequestID, String)
    /// The cursor is in that line of the activity's document now, from 0.
    case cursorMoved(ActivityID, line: UInt32)
    /// A document was opened; its resolved absolute path, and the file as in `AgentRequest.opened`.
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
    /// Tell the delegate that a continuation begins (semantics 36).
    case willContinue(RequestID, Offer)
    /// Tell the delegate how the awaited version stands.
    case waiting(RequestID, Offer, ArrivalStatus)
    /// Hand the delivery to the app (39-41), then answer with `finished` or `failed`.
    case deliver(RequestID, Delivery)
    /// Tell the delegate that the continuation ended without one (semantics 37).
    case didFail(RequestID, type: String, ContinuityError)
    /// The framework's own try failed after the app had been asked: show that, once.
    case couldNotShow(RequestID, type: String, ContinuityError)
    /// Tell the source's delegate (semantics 23).
    case wasContinued(ActivityID, ContinuationReceipt)
    /// What was given up for another device is the person's here again.
    case tookBack(ActivityID)
    /// What was asked for under this ID is answered; once per request.
    case answered(RequestID, Answer)
    /// What became of streams; the socket that came along is at hand.
    case streams(RequestID, StreamsReport)
    /// On the device of that name a person goes on with the activity: its document is to be saved first.
    /// Answer with `agreesToSave` or `refusesToSave`.
    case asksToSave(RequestID, ActivityID, device: String)
    /// Show which other devices have the activity's document open now.
    case presence(ActivityID, [DocumentPresence])
    /// Show what is in `offers` now.
    case offersChanged
    /// Give documents their activities anew: `roots` says which folders are synced.
    case rootsChanged
    /// Show whether an agent answers.
    case connectionChanged
    /// Tell the document.
    case documentChanged(path: [UInt8], DocumentChange)
  }

  /// A session without a connection and without activities.
  public init(manifest: AppManifest, pace: Pace = .usual) {
    self.manifest = manifest
    rounds = SaveRounds(pace: pace)
    requests = PendingRequests(pace: pace)
    continuations = Continuations(pace: pace)
  }

  private var wantedDeadline: Instant? {
    let saving = rounds.nextDeadline.orEarlier(presences.nextDeadline)
    let continuing = continuations.nextDeadline(lost: disconnectedAt)
    let unanswered = requests.nextDeadline
    guard continuing != nil || unanswered != nil else { return saving }
    return [saving, continuing, unanswered].compactMap { $0 }.min()
  }

  /// The saves of an activity that other devices asked for and that are not answered, in order.
  public func requestedSaves(of activity: ActivityID) -> [RequestID] { saves.requests(of: activity) }

  /// Which other devices have the activity's document open.
  public func presence(of activity: ActivityID) -> [DocumentPresence] { presences.others[activity] ?? [] }

  /// The documents that its app there has open beside the one of an offer, in the order of their names.
  public func openedBeside(_ offer: OfferID) -> [Offer] {
    beside.filter { $0.id.isOpenedTogether(with: offer) }
      .sorted { ($0.displayTitle, $0.id) < ($1.displayTitle, $1.id) }
  }

  /// The offers, and what is open beside them.
  public var allOffers: [Offer] { offers + beside }

  /// Takes one event; the actions are to be performed in order.
  public mutating func handle(_ event: Event, at now: Instant) -> [Action] {
    defer { nextDeadline = wantedDeadline }
    let actions = apply(event, at: now)
    guard !actions.isEmpty, !isConnected else { return actions }
    // What nobody hears is said again to the next agent.
    return actions.filter { if case .send = $0 { false } else { true } }
  }

  private mutating func apply(_ event: Event, at now: Instant) -> [Action] {
    switch event {
    case .connected: connect(at: now)
    case .disconnected: disconnect(at: now)
    case .report(let report): receive(report, at: now)
    case .becameCurrent(let activity): rounds.become(activity, at: now)
    case .resigned(let activity): rounds.resign(activity)
    case .invalidated(let activity):
      rounds.invalidate(activity) + saves.invalidate(activity) + presences.invalidate(activity)
    case .cursorMoved(let activity, let line): presences.move(activity, to: line, at: now)
    case .needsSave(let activity): rounds.needSave(activity, at: now)
    case .followedFile(let activity): quietly { $0.followFile(activity, at: now) }
    case .savesLater(let activity, let moment): quietly { $0.save(activity, notBefore: moment) }
    case .saved(let activity): rounds.recordSave(activity, at: now)
    case .beginsRound(let activity): quietly { $0.begin(activity) }
    case .published(let snapshot, let saved): publish(snapshot, saved)
    case .withheld(let activity): rounds.withholdRound(of: activity) + saves.withhold(activity.id)
    case .agreesToSave(let request, let isSaved): agree(to: request, isSaved: isSaved)
    case .refusesToSave(let request, let message): saves.refuse(request, because: message)
    case .asks(let request, let question): requests.ask(question, request, isConnected: isConnected, at: now)
    case .asksStreams(let request, let delivery):
      streams.ask(request, to: delivery, isConnected: isConnected)
    case .opened(let path, let file): files.open(path, file)
    case .closed(let path): files.close(path)
    case .accept(let id, let request):
      continuations.accept(id, request, as: allOffers.first { $0.id == id }, at: now)
    case .cancel(let request): continuations.cancel(request)
    case .extend(let request, let seconds): continuations.extend(request, seconds, at: now)
    case .choose(let request, let choice): continuations.choose(request, choice, at: now)
    case .finished(let request, let outcome): continuations.finish(request, outcome)
    case .failed(let request, let error): continuations.fail(delivered: request, error)
    case .explained(let request, let message): continuations.explain(request, message)
    case .usedFile(let path, let program):
      files.use(FilesInUse.UsedFile(path: path, program: program), isConnected: isConnected)
    case .tick: tick(at: now)
    }
  }

  // MARK: The connection

  /// Everything is said again: a restarted agent knows nothing of this app.
  private mutating func connect(at now: Instant) -> [Action] {
    isConnected = true
    disconnectedAt = nil
    var said: [AgentRequest] = [.hello(manifest)] + files.connect() + requests.messages
    said += rounds.messages
    said += continuations.connect(at: now)
    return said.map(Action.send) + [.connectionChanged]
  }

  private mutating func disconnect(at now: Instant) -> [Action] {
    guard isConnected || disconnectedAt == nil else { return [] }
    let wasConnected = isConnected
    isConnected = false
    disconnectedAt = disconnectedAt ?? now
    saves.disconnect()
    return (wasConnected ? [.connectionChanged] : []) + requests.disconnect() + streams.disconnect()
      + presences.disconnect()
  }

  private mutating func receive(_ report: AgentReport, at now: Instant) -> [Action] {
    switch report {
    case .roots(let list):
      roots = list
      return [.rootsChanged] + presences.connect(at: now)
    case .offers(let list):
      offers = list.filter { !$0.isOpenedBeside }
      beside = list.filter(\.isOpenedBeside)
      return [.offersChanged]
    case .documentChanged(let path, let change): return [.documentChanged(path: path, change)]
    case .continued(let activity, let receipt):
      return rounds.giveUp(activity, to: receipt) + [.wasContinued(activity, receipt)]
    case .deliver, .willContinue, .progress, .fail: return continuations.receive(report, at: now)
    case .streams(let request, let report): return streams.receive(request, report)
    case .saveNow(let request, let activity, let device):
      return saves.ask(request, activity, device: device)
    case .presence(let activity, let others): return presences.receive(activity, others)
    default: return requests.receive(report)
    }
  }

  private mutating func tick(at now: Instant) -> [Action] {
    rounds.beginIfDue(at: now) + continuations.endLate(lost: disconnectedAt, at: now)
      + requests.endLate(at: now) + presences.tell(at: now)
  }

  // MARK: Saving

  /// A change that asks for no action of its own.
  private mutating func quietly(_ change: (inout SaveRounds) -> Void) -> [Action] {
    change(&rounds)
    return []
  }

  private mutating func publish(_ snapshot: ActivitySnapshot, _ saved: FileMark?) -> [Action] {
    let actions = rounds.publish(snapshot, saved: saved)
    let isOffered = actions.contains { if case .send(.update) = $0 { true } else { false } }
    return actions
      + (isOffered ? saves.publish(snapshot, isSaved: saved != nil) : saves.withhold(snapshot.id))
  }

  /// What is not offered any more, or another device goes on with, has no round.
  private mutating func agree(to request: RequestID, isSaved: Bool) -> [Action] {
    guard let activity = saves.activity(of: request) else { return [] }
    guard rounds.current == activity, rounds.givenUp[activity] == nil else {
      return saves.refuse(request, because: "")
    }
    saves.agree(to: request, isSaved: isSaved, inRound: rounds.running.contains(activity))
    rounds.begin(activity)
    return [.publish(activity)]
  }
}
