// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire

/// The activities that apps have saved: semantics 11. Nothing is answered before it is on the disk. Loop
/// thread only.
final class SavedActivityStore {
  private let ports: AgentPorts
  private let store: StateStore
  private let clients: ConnectedClients
  private let agent: Agent
  private var timer: TimerNumber?
  private var due: Instant?
  private var eraser: TimerNumber?
  /// Who waits for what was deleted to be erased.
  private var deleted: [(request: RequestID, client: UInt64)] = []
  /// Why what apps wanted kept or deleted last could not be; nil when it was.
  private(set) var problem: String?
  /// Whether what was handed over is kept, too; nil before it is known what a person set.
  private var keepsHandedOver: Bool?
  /// What expires is erased together, so late at most.
  private static let pause = Duration.seconds(600)

  /// What of the agent is asked, and told.
  struct Agent {
    /// In which version an app offers the document of that state; nil where that is not known.
    let offeredDocument: (ActivitySnapshot) -> DocumentReference?
    /// Deletes what other devices have of an app, too. Throws what the disk refuses.
    let deleteOfOthers: ([String]?, String) throws(ContinuityError) -> Void
    /// What is kept may be another than before.
    let changed: () -> Void
  }

  init(ports: AgentPorts, store: StateStore, clients: ConnectedClients, agent: Agent) {
    self.ports = ports
    self.store = store
    self.clients = clients
    self.agent = agent
  }

  /// Keeps the activity, and answers the request.
  func save(_ snapshot: ActivitySnapshot, _ request: RequestID, from connection: any ClientChannel) {
    guard let manifest = clients.manifest(of: connection.number) else { return }
    // Who made it is what its app said in its hello, whatever the state claims.
    var snapshot = snapshot
    (snapshot.appID, snapshot.team) = (manifest.appID, manifest.team)
    snapshot.flags.remove(.handedOver)
    leaveOutFalseThumbnail(of: &snapshot)
    if let document = agent.offeredDocument(snapshot) { snapshot.document = document }
    let failure = failing { (index) throws(ContinuityError) in
      try index.save([SavedActivity(appID: manifest.appID, snapshot: snapshot)], at: ports.wall)
      // What its app keeps stands for what was handed over.
      let twin = snapshot.persistentIdentifier.map { SavedActivity.handedOverIdentifier(for: $0) }
      if keepsHandedOver == true, let twin { try index.delete([twin], domains: nil, of: manifest.appID) }
    }
    connection.send(.report(.kept(request, failure)))
    schedule()
    agent.changed()
  }

  /// Deletes the app's activities of these identifiers, nil for all, and answers the request once nothing of
  /// them can be read. What is deleted in one go is erased at once.
  func delete(_ identifiers: [String]?, _ request: RequestID, from connection: any ClientChannel) {
    guard let appID = clients.manifest(of: connection.number)?.appID else { return }
    // Also what was kept of them because it was handed over.
    let all = identifiers.map { $0 + $0.map { SavedActivity.handedOverIdentifier(for: $0) } }
    let failure = failing { (index) throws(ContinuityError) in
      try index.delete(all, domains: nil, of: appID)
      try agent.deleteOfOthers(identifiers, appID)
    }
    agent.changed()
    guard failure == nil else {
      connection.send(.report(.kept(request, failure)))
      return
    }
    deleted.append((request, connection.number))
    scheduleErasing()
  }

  /// Deletes what a device of the circle asks this one to: its person's app deleted it there. What the app
  /// kept anew since then stays.
  func delete(_ asked: [SavedActivityList.Deletion]) {
    var isAny = false
    let failure = failing { (index) throws(ContinuityError) in
      for deletion in asked {
        let key = SavedActivity.Key(appID: deletion.key.appID, identifier: deletion.key.identifier)
        guard let own = try index.activity(key, at: ports.wall), own.isToBeTold,
          own.snapshot.changedAt <= deletion.changedAt
        else { continue }
        try index.delete([key.identifier], domains: nil, of: key.appID)
        isAny = true
      }
    }
    if let failure { ports.log("what another device deleted could not be: code \(failure.code)") }
    guard isAny else { return }
    scheduleErasing()
    agent.changed()
  }

  private func scheduleErasing() {
    if eraser == nil {
      eraser = ports.scheduler.schedule(at: ports.now) { [weak self] in self?.endDeletions() }
    }
  }

  private func endDeletions() {
    eraser = nil
    let failure = failing { (index) throws(ContinuityError) in try index.erase() }
    for (request, client) in deleted { clients.send(.report(.kept(request, failure)), to: client) }
    deleted = []
    schedule()
  }

  /// What a person set holds from now on. What is kept because it was handed over alone is erased where that
  /// is off, and what is too much goes; neither while a line is wrong.
  func use(_ settings: AgentSettings.Search) {
    keepsHandedOver = settings.isWhole || settings.keepsHandedOver ? settings.keepsHandedOver : nil
    var limits = settings.limits
    if !settings.isWhole {
      limits = .widest
      limits.days = settings.limits.days
    }
    let failure = failing { (index) throws(ContinuityError) in
      try index.use(limits)
      if keepsHandedOver == false { try index.deleteHandedOver() }
      try index.erase()
    }
    if let failure { ports.log("saved activities do not follow the settings yet: code \(failure.code)") }
    schedule()
    agent.changed()
  }

  /// Keeps what was handed over between this device and another, where a person wants that; its document
  /// lies at `path` here.
  func keepHandedOver(_ snapshot: ActivitySnapshot, at path: [UInt8]?) {
    guard keepsHandedOver == true, var kept = SavedActivity(handedOver: snapshot, at: path) else { return }
    leaveOutFalseThumbnail(of: &kept.snapshot)
    let failure = failing { (index) throws(ContinuityError) in
      // What its app keeps stands for it.
      for identifier in [snapshot.persistentIdentifier, kept.snapshot.persistentIdentifier] {
        let key = identifier.map { SavedActivity.Key(appID: kept.appID, identifier: $0) }
        guard let key, let found = try index.activity(key, at: ports.wall) else { continue }
        if !found.isHandedOver { return }
      }
      try index.save([kept], at: ports.wall)
    }
    if let failure { ports.log("what was handed over could not be kept: code \(failure.code)") }
    schedule()
  }

  private func leaveOutFalseThumbnail(of snapshot: inout ActivitySnapshot) {
    guard snapshot.removeFalseThumbnail() else { return }
    ports.log("the thumbnail of an activity to keep is no picture, and was left out")
  }

  private func failing(
    _ change: (any ActivityIndexing) throws(ContinuityError) -> Void
  ) -> ContinuityError? {
    do throws(ContinuityError) {
      try change(store.savedActivities)
      problem = nil
      return nil
    } catch {
      problem = error.description
      return error
    }
  }

  /// Nothing is removed any more when it expires.
  func stop() {
    ports.scheduler.cancel(timer)
    ports.scheduler.cancel(eraser)
  }

  /// Removes what has expired, and erases that and what was replaced; again when something expires.
  func expire() {
    let failure = failing { (index) throws(ContinuityError) in
      try index.removeExpired(at: ports.wall)
      // The disk may have refused that before.
      if keepsHandedOver == false { try index.deleteHandedOver() }
      try index.erase()
    }
    if let failure { ports.log("expired activities could not be removed: code \(failure.code)") }
    schedule()
    agent.changed()
  }

  /// Those that have these words, or were saved last without any. Throws as `ActivityIndexing.search`.
  func find(_ words: String?, atMost limit: Int) throws(ContinuityError) -> [SavedActivity] {
    let (index, wall) = (store.savedActivities, ports.wall)
    guard let words else { return try index.recent(of: nil, atMost: limit, at: wall) }
    return try index.search(words, of: nil, atMost: limit, at: wall)
  }

  /// The one of that key. Throws `invalidRequest` where there is none, and as
  /// `ActivityIndexing.activity`.
  func activity(_ key: SavedActivity.Key) throws(ContinuityError) -> ActivitySnapshot {
    guard let found = try store.savedActivities.activity(key, at: ports.wall) else {
      throw ContinuityError(
        .invalidRequest, subject: key.identifier,
        description: "This activity was deleted, or has expired: `continuo recent` lists the others.")
    }
    return found.original
  }

  /// Something was removed, or taken in, by somebody else.
  func lookAgain() { schedule() }

  /// Looked at once an hour at least, for the civil clock may be set, and the machine may sleep.
  private func schedule() {
    let index = store.savedActivities
    var pause = Self.pause
    do throws(ContinuityError) {
      let next = try index.nextExpiry()
      guard next != nil || index.hasRemains else {
        ports.scheduler.cancel(timer)
        timer = nil
        return
      }
      if let next, next > ports.wall, !index.hasRemains {
        pause = max(pause, .milliseconds(Int64(clamping: next.milliseconds - ports.wall.milliseconds)))
      }
    } catch {
      // Tried again.
    }
    let moment = ports.now + min(pause, .seconds(3600))
    // Whoever changes something every minute puts off nothing.
    if timer != nil, let due, due <= moment { return }
    ports.scheduler.cancel(timer)
    due = moment
    timer = ports.scheduler.schedule(at: moment) { [weak self] in
      self?.timer = nil
      self?.expire()
    }
  }
}
