// SPDX-License-Identifier: MIT

package import ActivityExchange
package import ActivityModel
import Glibc

/// A file that a document was saved to.
package struct SavedFile {
  /// Leads to it, whatever its path names by now; for reading, and its holder's to close.
  package var descriptor: Int32
  /// The file as it was right after the save.
  package var mark: FileMark

  package init(descriptor: Int32, mark: FileMark) {
    self.descriptor = descriptor
    self.mark = mark
  }
}

/// What the documents' side does for a session. Everything on the main actor.
@MainActor
package protocol SessionHost: AnyObject {
  /// A round is about to run: save the activity's edited documents where their class allows it. Returns when
  /// a document that may not save yet wants another round.
  func prepareRound(of activity: UserActivity, isLast: Bool) -> Instant?
  /// The owners have filled the activity; the app's last chance to change it.
  func didUpdate(_ activity: UserActivity)
  /// Whether an owner holds text that no saved version holds.
  func hasUnsavedChanges(in activity: UserActivity) -> Bool
  /// The file of a document saved since the last update; the caller owns its descriptor.
  func takeSavedFile(of activity: UserActivity) -> SavedFile?
  /// The moment has come that `Session.wakeHost(at:)` was given last.
  func wake()
  /// A decision other than sending and publishing. `descriptor` is the callee's.
  func perform(_ action: SessionMachine.Action, descriptor: Int32?)
}

/// The shell around `SessionMachine`: performs what it decides, on the main queue.
@MainActor
package final class Session {
  /// The process's session; set by `Application`.
  package static var shared: Session?

  package private(set) var machine: SessionMachine
  package weak var host: (any SessionHost)?
  package var link: (any AgentLink)?
  package var manifest: AppManifest { machine.manifest }

  private var activities: [ActivityID: WeakActivity] = [:]
  private var hostDeadline: Instant?
  private let clock: SessionClock
  private let timer = MainTimer()

  /// Who waits for the deletion of saved activities.
  var deletions: [RequestID: @MainActor (ContinuityError?) -> Void] = [:]

  /// The activity whose documents are being saved for the round that runs: whatever that leads to is in the
  /// state that is taken right afterwards, and needs no round of its own.
  private var preparing: ActivityID?

  private struct WeakActivity { weak var value: UserActivity? }

  package init(manifest: AppManifest, clock: SessionClock = .system) {
    machine = SessionMachine(manifest: manifest)
    self.clock = clock
  }

  /// Who waits for the type of a file.
  var typeQuestions: [RequestID: CheckedContinuation<ContentTypes, Never>] = [:]

  package var now: Instant { clock.now() }
  package var wallTime: WallTime { clock.wallTime() }

  // MARK: What happens

  package func becomeCurrent(_ activity: UserActivity) {
    register(activity)
    handle(.becameCurrent(activity.id))
  }

  package func resignCurrent(_ activity: UserActivity) { handle(.resigned(activity.id)) }

  package func needsSave(_ activity: UserActivity) {
    guard preparing != activity.id else { return }
    register(activity)
    handle(.needsSave(activity.id))
  }

  /// A document of the activity was saved: a round follows at once, unless it is a round that had it saved.
  package func didSave(_ activity: UserActivity) {
    guard preparing != activity.id else { return }
    handle(.saved(activity.id))
  }

  package func end(_ activity: ActivityID) {
    activities[activity] = nil
    handle(.invalidated(activity))
  }

  /// Runs the current activity's pending round now: the last thing before the program ends.
  package func finishRounds() {
    guard let current = machine.current, activities[current]?.value?.needsSave == true else { return }
    publish(current, isLast: true)
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
    handle(.tick)
  }

  /// Feeds the machine and does what it decides. `descriptor` came beside a report; the session closes it
  /// unless it is handed on.
  package func handle(_ event: SessionMachine.Event, descriptor: Int32? = nil) {
    var descriptor = descriptor
    for action in machine.handle(event, at: clock.now()) {
      switch action {
      case .send(let request): send(request, &descriptor)
      case .publish(let activity): publish(activity, isLast: false)
      case .wasContinued(let activity, _): continued(activity)
      case .answered(let request, .kept(let error)): ended(request, error)
      case .answered(let request, .contentTypes(let types, let error)): tellType(request, types, error)
      case .deliver:
        guard let host else { break }
        host.perform(action, descriptor: descriptor)
        descriptor = nil
      default: host?.perform(action, descriptor: nil)
      }
    }
    if let descriptor { close(descriptor) }
    arm()
  }

  // MARK: What is done

  /// The current one is known already; that is most calls.
  private func register(_ activity: UserActivity) {
    guard machine.current != activity.id else { return }
    if activities.index(forKey: activity.id) == nil {
      activities[activity.id] = WeakActivity(value: activity)
    }
  }

  private func send(_ request: AgentRequest, _ descriptor: inout Int32?) {
    guard case .update(_, saved: .some) = request else {
      link?.send(request, descriptor: nil)
      return
    }
    link?.send(request, descriptor: descriptor)
    if let sent = descriptor { close(sent) }
    descriptor = nil
  }

  private func publish(_ id: ActivityID, isLast: Bool) {
    guard let activity = activities[id]?.value else { return }
    if activity.needsSave {
      preparing = id
      let later = host?.prepareRound(of: activity, isLast: isLast)
      preparing = nil
      activity.runRound()
      if activity.isManaged { activity.withinRound { host?.didUpdate(activity) } }
      if let later { saveLater(activity, at: later) }
    }
    guard activity.isValid else { return }
    let saved = host?.takeSavedFile(of: activity)
    let snapshot = activity.snapshot(
      appID: manifest.appID, at: clock.wallTime(),
      hasUnsavedChanges: host?.hasUnsavedChanges(in: activity) ?? false)
    offer(activity, snapshot, saved: saved)
  }

  /// The machine keeps the later moment only while no round is pending, so it is told first.
  private func saveLater(_ activity: UserActivity, at moment: Instant) {
    handle(.savesLater(activity.id, at: moment))
    activity.markForRound()
  }

  private func continued(_ id: ActivityID) {
    guard let activity = activities[id]?.value else { return }
    activity.delegate?.userActivityWasContinued(activity)
  }

  /// Only an earlier deadline moves the timer: under a busy keyboard the round is merely looked at again.
  /// Then nothing is allocated either, for the closure is not even made.
  private func arm() {
    guard clock.isLive else { return }
    var deadline = machine.nextDeadline
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
  package static let system = SessionClock(
    now: {
      var time = timespec()
      clock_gettime(CLOCK_MONOTONIC, &time)
      return Instant(nanoseconds: UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec))
    },
    wallTime: {
      var time = timespec()
      clock_gettime(CLOCK_REALTIME, &time)
      return WallTime(milliseconds: UInt64(time.tv_sec) * 1000 + UInt64(time.tv_nsec) / 1_000_000)
    },
    isLive: true)
}
