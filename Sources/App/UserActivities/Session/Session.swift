// SPDX-License-Identifier: MIT

package import ActivityExchange
package import ActivityModel
package import AppSession
import LinuxSystem

/// What the documents' side made of a save round.
package struct SaveRound {
  /// When a document that may not save yet wants another round.
  package var again: Instant?
  /// The file of a document saved since the last round; its descriptor is the receiver's.
  package var saved: SavedFile?
  /// Whether that file is the text of a draft, for another device, and none that a document was saved to.
  package var isDraft = false
  /// Whether an owner's text is in no file.
  package var isInNoFile = false
  /// Whether an owner holds text that no saved version holds.
  package var hasUnsavedChanges = false

  package init() {}
}

/// What the documents' side does for a session. Everything on the main actor.
@MainActor
package protocol SessionHost: AnyObject {
  /// Saves the activity's edited documents where their class allows it, lets its owners fill it, and gives
  /// the app its last chance to change it.
  func save(_ activity: UserActivity, isLast: Bool) -> SaveRound
  /// On the device of that name a person goes on with the activity: saves its edited documents, if they can
  /// be saved without a question. Throws why they are not.
  func save(_ activity: UserActivity, requestedBy device: String) async throws
  /// The moment has come that `Session.wakeHost(at:)` was given last.
  func wake()
  /// News for the app. A descriptor in it is the callee's.
  func receive(_ report: AppSession.Report)
}

/// `AppSession` on the main queue, for activities that are objects.
@MainActor
package final class Session {
  /// The process's session; set by `Application`.
  package static var shared: Session?

  package let app: AppSession
  package weak var host: (any SessionHost)?
  package var link: (any AgentLink)? {
    get { app.link }
    set { app.link = newValue }
  }
  package var manifest: AppManifest { app.manifest }

  private var activities: [ActivityID: WeakActivity] = [:]
  private var hostDeadline: Instant?
  private let clock: SessionClock
  private let timer = MainTimer()

  /// Who waits for an answer of the agent's.
  var asked: [RequestID: @MainActor (SessionMachine.Answer) -> Void] = [:]
  /// Who waits for streams, and the pairs that were handed out.
  var askedStreams: [RequestID: @MainActor (OpenedStreams) -> Void] = [:]
  var streams: [RequestID: StreamEnds] = [:]

  private struct WeakActivity { weak var value: UserActivity? }

  package init(manifest: AppManifest, clock: SessionClock = .system) {
    app = AppSession(manifest: manifest, now: clock.now, close: { BorrowedDescriptor($0).close() })
    self.clock = clock
    app.didReport = { [unowned self] report in MainActor.assumeIsolated { receive(report) } }
  }

  package var now: Instant { clock.now() }
  package var wallTime: WallTime { clock.wallTime() }

  // MARK: What happens

  package func becomeCurrent(_ activity: UserActivity) {
    register(activity)
    handle(.becameCurrent(activity.id))
  }

  package func resignCurrent(_ activity: UserActivity) { handle(.resigned(activity.id)) }

  package func needsSave(_ activity: UserActivity) {
    // Part of the round; what is still to be saved after it is seen then.
    guard !app.isInRound(activity.id) else { return }
    register(activity)
    handle(.needsSave(activity.id))
  }

  /// The activity's file was changed by others, and its state with it.
  func followFile(of activity: UserActivity) {
    guard !app.isInRound(activity.id) else { return }
    register(activity)
    handle(.followedFile(activity.id))
  }

  /// A document of the activity was saved: a round follows at once, unless it is a round that had it saved.
  package func didSave(_ activity: UserActivity) { handle(.saved(activity.id)) }

  package func invalidate(_ activity: ActivityID) {
    activities[activity] = nil
    handle(.invalidated(activity))
  }

  /// Runs the current activity's pending round now: the last thing before the program ends.
  package func finishRounds() {
    guard let current = app.current, activities[current]?.value?.needsSave == true,
      app.receipt(of: current) == nil
    else { return }
    handle(.beginsRound(current))
    runRound(current, isLast: true)
  }

  /// Calls the host's `wake()` at `moment`, or sooner if that was asked for before.
  package func wakeHost(at moment: Instant) {
    if let hostDeadline, hostDeadline <= moment { return }
    hostDeadline = moment
    arm()
  }

  package func tick() {
    if let due = hostDeadline, due <= now {
      hostDeadline = nil
      host?.wake()
    }
    app.tick()
    arm()
  }

  package func handle(_ event: SessionMachine.Event) {
    app.handle(event)
    arm()
  }

  /// Accepts an offer and what is open beside it; the requests, that of the offer last.
  package func acceptAll(_ id: OfferID) -> [RequestID] {
    defer { arm() }
    return app.acceptAll(id, makeRequest: { RequestID.random() })
  }

  /// Takes what the agent said, and the descriptor that came beside it.
  package func receive(_ report: AgentReport, descriptor: Int32?) {
    app.receive(report, descriptor: descriptor)
    arm()
  }

  /// Connects through the link, and keeps trying.
  func connect() {
    app.connect()
    arm()
  }

  /// The connection came or went.
  package func linkDidChange(isUp: Bool) {
    app.linkDidChange(isUp: isUp)
    arm()
  }

  // MARK: What is done

  private func receive(_ report: AppSession.Report) {
    switch report {
    case .round(let activity): runRound(activity, isLast: false)
    case .wasContinued(let activity, _):
      continued(activity)
      host?.receive(report)
    case .answered(let request, let answer): answered(request, answer)
    case .streams(let request, let report, let descriptor):
      receive(report, of: request, descriptor.map { Descriptor(owning: $0) })
    case .asksToSave(let request, let activity, let device): save(activity, request, for: device)
    case .deliver(_, _, let descriptor?) where host == nil:
      BorrowedDescriptor(descriptor).close()
    default: host?.receive(report)
    }
  }

  /// The current one is known already; that is most calls.
  private func register(_ activity: UserActivity) {
    guard app.current != activity.id else { return }
    if activities.index(forKey: activity.id) == nil {
      activities[activity.id] = WeakActivity(value: activity)
    }
  }

  /// The activity of that ID, while it lives.
  package func activity(_ id: ActivityID) -> UserActivity? { activities[id]?.value }

  private func runRound(_ id: ActivityID, isLast: Bool) {
    guard let activity = activities[id]?.value else { return }
    var round = SaveRound()
    if let host { round = host.save(activity, isLast: isLast) } else { activity.runRound() }
    guard activity.isValid else { return }
    if activity.needsSave { handle(.needsSave(id)) }
    if round.again != nil { activity.markForRound() }
    var snapshot = activity.snapshot(
      appID: manifest.appID, at: clock.wallTime(), hasUnsavedChanges: round.hasUnsavedChanges)
    if round.isInNoFile { snapshot.flags.insert(.draft) }
    if round.isDraft { snapshot.flags.insert(.withDraft) }
    offer(activity, snapshot, round)
  }

  private func continued(_ id: ActivityID) {
    guard let activity = activities[id]?.value else { return }
    activity.delegate?.userActivityWasContinued(activity)
  }

  /// Only an earlier deadline moves the timer: under a busy keyboard the round is merely looked at again.
  /// Then nothing is allocated either, for the closure is not even made.
  func arm() {
    guard clock.isLive else { return }
    var deadline = app.nextDeadline
    if let hostDeadline { deadline = min(deadline ?? hostDeadline, hostDeadline) }
    guard !timer.isArmed(for: deadline) else { return }
    timer.arm(at: deadline, now: clock.now()) { [weak self] in self?.tick() }
  }
}

/// Where a session takes its time from; a test advances its own.
@MainActor
package struct SessionClock {
  package var now: () -> Instant
  package var wallTime: () -> WallTime
  /// Whether timers are to run; a test calls `tick` by itself.
  package var isLive: Bool

  package init(now: @escaping () -> Instant, wallTime: @escaping () -> WallTime, isLive: Bool) {
    self.now = now
    self.wallTime = wallTime
    self.isLive = isLive
  }

  /// This machine's clocks.
  package static let system = SessionClock(now: { .now }, wallTime: { .now }, isLive: true)
}
