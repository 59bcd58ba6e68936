// SPDX-License-Identifier: MIT

import ActivityModel

/// The current activity of an app and its save rounds: what the agent was told of it, offered or not
/// (semantics 13-19, 22 and 41).
struct SaveRounds: Hashable, Sendable {
  typealias Action = SessionMachine.Action

  private struct PendingRound: Hashable {
    /// Not before this moment.
    var due: Instant
    /// But at this moment at the latest, however busy the keyboard is.
    var latest: Instant
    /// Whether the person did something, rather than another device or a save that had to wait.
    var isOfPerson = false
  }

  /// The activity that is offered, if any (semantics 14).
  private(set) var current: ActivityID? {
    didSet {
      if let oldValue { pending[oldValue] = roundOfCurrent }
      roundOfCurrent = current.flatMap { pending.removeValue(forKey: $0) }
    }
  }
  /// Activities whose round was begun and not answered: what changes now is part of it.
  private(set) var running: Set<ActivityID> = []
  /// The rounds that wait. That of the current activity stands by itself: each key moves it, and asks when it
  /// is due.
  private var pending: [ActivityID: PendingRound] = [:]
  private var roundOfCurrent: PendingRound?
  private var published: [ActivityID: ActivitySnapshot] = [:]
  /// What another device goes on with, until the person does so here.
  private(set) var givenUp: [ActivityID: ContinuationReceipt] = [:]
  /// When the person last changed what was published, by the clock of its states.
  private var changedByPerson: [ActivityID: WallTime] = [:]
  /// Which of the running rounds are of what the person did.
  private var roundsOfPerson: Set<ActivityID> = []
  private var ended: Set<ActivityID> = []
  /// What the agent was told of activities that are not offered.
  private var withheld: [ActivityID: OwnActivity] = [:]
  private let pace: SessionMachine.Pace

  init(pace: SessionMachine.Pace) { self.pace = pace }

  /// When the round of the current activity is due.
  var nextDeadline: Instant? { roundOfCurrent?.due }

  private func round(of activity: ActivityID) -> PendingRound? {
    activity == current ? roundOfCurrent : pending[activity]
  }

  private mutating func setRound(of activity: ActivityID, to round: PendingRound?) {
    if activity == current { roundOfCurrent = round } else { pending[activity] = round }
  }

  /// What a restarted agent is told of the current activity.
  var messages: [AgentRequest] {
    guard let current else { return [] }
    let offered = published[current].map { AgentRequest.update($0, saved: nil) }
    return [offered, withheld[current].map { .withheld($0) }].compactMap { $0 }
  }

  // MARK: Which activity is current

  /// At most one is current (semantics 14); another one's offer ends. An ended activity never comes back
  /// (semantics 16).
  mutating func become(_ activity: ActivityID, at now: Instant) -> [Action] {
    guard !ended.contains(activity), current != activity else { return [] }
    let former = current.map { resign($0) } ?? []
    current = activity
    roundOfCurrent = PendingRound(due: now, latest: now)
    return former + takeBack(activity)
  }

  /// Acts only on the current one (semantics 15). The state stays, for the next time it becomes current.
  mutating func resign(_ activity: ActivityID) -> [Action] {
    guard current == activity else { return [] }
    current = nil
    return withdraw(activity) + endWithholding(activity)
  }

  mutating func invalidate(_ activity: ActivityID) -> [Action] {
    guard ended.insert(activity).inserted else { return [] }
    let actions = resign(activity)
    setRound(of: activity, to: nil)
    running.remove(activity)
    roundsOfPerson.remove(activity)
    givenUp[activity] = nil
    changedByPerson[activity] = nil
    return actions
  }

  // MARK: Which is another device's

  /// Another device goes on with what is offered: until the person does so here nothing is saved or offered
  /// (semantics 23). What they did here since the state that was continued makes it theirs already.
  mutating func giveUp(_ activity: ActivityID, to receipt: ContinuationReceipt) -> [Action] {
    guard current == activity, let offered = published[activity],
      receipt.covers(changedByPerson[activity] ?? offered.changedAt) == true,
      !roundsOfPerson.contains(activity), roundOfCurrent?.isOfPerson != true
    else { return [] }
    roundOfCurrent = nil
    givenUp[activity] = receipt
    return withhold(OwnActivity(offered, because: .continued(device: receipt.device, at: nil)))
  }

  private mutating func takeBack(_ activity: ActivityID) -> [Action] {
    guard !givenUp.isEmpty, givenUp.removeValue(forKey: activity) != nil else { return [] }
    return [.tookBack(activity)]
  }

  // MARK: When a round begins

  /// Coalesces: each touch moves the round a quiet moment away, up to the latest moment (semantics 19).
  ///
  /// Comes with each key, so the usual case, that the current activity's round is pending, looks nothing up.
  /// What has ended has no round.
  mutating func needSave(_ activity: ActivityID, at now: Instant) -> [Action] {
    wantRound(activity, isOfPerson: true, at: now)
    return takeBack(activity)
  }

  /// Its file is another one, and so is the state: who goes on with it elsewhere keeps it.
  mutating func followFile(_ activity: ActivityID, at now: Instant) {
    if givenUp[activity] == nil { wantRound(activity, isOfPerson: false, at: now) }
  }

  private mutating func wantRound(_ activity: ActivityID, isOfPerson: Bool, at now: Instant) {
    let quiet = now + pace.quiet
    if var round = round(of: activity) {
      round.due = min(quiet, round.latest)
      if isOfPerson { round.isOfPerson = true }
      setRound(of: activity, to: round)
    } else {
      let latest = now + pace.latest
      schedule(
        PendingRound(due: min(quiet, latest), latest: latest, isOfPerson: isOfPerson), of: activity)
    }
  }

  /// The activity wants a round at that moment, unless another one is pending.
  mutating func save(_ activity: ActivityID, notBefore moment: Instant) {
    if round(of: activity) == nil, givenUp[activity] == nil {
      schedule(PendingRound(due: moment, latest: moment), of: activity)
    }
  }

  /// A document of the activity was saved: it wants a round at once, unless a round had it saved.
  mutating func recordSave(_ activity: ActivityID, at now: Instant) -> [Action] {
    guard !running.contains(activity) else { return [] }
    schedule(PendingRound(due: now, latest: now, isOfPerson: true), of: activity)
    return takeBack(activity)
  }

  private mutating func schedule(_ round: PendingRound, of activity: ActivityID) {
    if !ended.contains(activity) { setRound(of: activity, to: round) }
  }

  mutating func begin(_ activity: ActivityID) {
    guard !ended.contains(activity), givenUp[activity] == nil else { return }
    if round(of: activity)?.isOfPerson == true { roundsOfPerson.insert(activity) }
    setRound(of: activity, to: nil)
    running.insert(activity)
  }

  /// Begins the round of the current activity if it is due.
  mutating func beginIfDue(at now: Instant) -> [Action] {
    guard let current, let due = roundOfCurrent?.due, due <= now else { return [] }
    begin(current)
    return [.publish(current)]
  }

  // MARK: What a round gave

  /// Offered only while current, and while nothing of 17 is missing; else an earlier offer ends.
  mutating func publish(_ snapshot: ActivitySnapshot, saved: FileMark?) -> [Action] {
    running.remove(snapshot.id)
    let isOfPerson = roundsOfPerson.remove(snapshot.id) != nil
    guard current == snapshot.id, givenUp[snapshot.id] == nil else { return [] }
    if isOfPerson || changedByPerson[snapshot.id] == nil {
      changedByPerson[snapshot.id] = snapshot.changedAt
    }
    if let cause = snapshot.reasonWithheld { return withhold(OwnActivity(snapshot, because: cause)) }
    withheld[snapshot.id] = nil
    published[snapshot.id] = snapshot
    return [.send(.update(snapshot, saved: saved))]
  }

  /// A round gave a state that cannot travel.
  mutating func withholdRound(of activity: OwnActivity) -> [Action] {
    running.remove(activity.id)
    roundsOfPerson.remove(activity.id)
    return givenUp[activity.id] == nil ? withhold(activity) : []
  }

  /// Told once for each reason; an earlier offer ends.
  private mutating func withhold(_ activity: OwnActivity) -> [Action] {
    guard current == activity.id else { return [] }
    let ended = withdraw(activity.id)
    guard withheld[activity.id]?.cause != activity.cause else { return ended }
    withheld[activity.id] = activity
    return ended + [.send(.withheld(activity))]
  }

  private mutating func withdraw(_ activity: ActivityID) -> [Action] {
    published.removeValue(forKey: activity) == nil ? [] : [.send(.withdraw(activity))]
  }

  private mutating func endWithholding(_ activity: ActivityID) -> [Action] {
    withheld.removeValue(forKey: activity) == nil ? [] : [.send(.withdraw(activity))]
  }
}
