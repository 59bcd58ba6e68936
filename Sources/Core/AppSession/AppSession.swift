// SPDX-License-Identifier: MIT

public import ActivityExchange
public import ActivityModel
import ActivityWire

/// An app before its agent: the one thing that speaks to an agent as an app, whatever the app is made of.
///
/// Holds the `SessionMachine`, sends what that decides through a link, and reports the rest. Each event is
/// decided and sent when it happens; reports are told one after the other, so that a report's receiver may
/// feed further events, and is never called again before it has returned.
///
/// Pure: the clock, the timer, and the closing of descriptors are the owner's. Not thread-safe; the owner
/// calls it, and is called back, on one thread or actor.
public final class AppSession {
  /// The way to the agent; what is said without one is said again by `.connected`.
  public var link: (any AgentLink)?
  /// Gets each report, in order.
  public var didReport: ((Report) -> Void)?
  private var machine: SessionMachine
  private let now: () -> Instant
  private let close: (Int32) -> Void
  private var retryAt: Instant?
  private var isEnded = false
  private let reports = EventLine<Report>()
  /// The other ends of the sockets of streams: while the app has them, no process that dies ends its own.
  private var keptEnds: [RequestID: Int32] = [:]

  /// A session without a connection and without activities. `now` is the monotonic clock; `close` closes a
  /// descriptor that nobody takes.
  public init(
    manifest: AppManifest, pace: SessionMachine.Pace = .usual, now: @escaping () -> Instant,
    close: @escaping (Int32) -> Void
  ) {
    machine = SessionMachine(manifest: manifest, pace: pace)
    self.now = now
    self.close = close
  }

  deinit { closeKeptEnds() }

  // MARK: What is known

  /// When `tick()` is wanted next; nil while nothing waits for time.
  public var nextDeadline: Instant? {
    guard let retryAt else { return machine.nextDeadline }
    return min(machine.nextDeadline ?? retryAt, retryAt)
  }

  /// What the app says of itself in each `hello`.
  public var manifest: AppManifest { machine.manifest }
  /// Whether the agent hears what is sent.
  public var isConnected: Bool { machine.isConnected }
  /// The activity that is offered, if any (semantics 14).
  public var current: ActivityID? { machine.current }
  /// The synced folders of the agent's last report.
  public var roots: [SyncedRoot] { machine.roots }
  /// The offers of the agent's last report.
  public var offers: [Offer] { machine.offers }
  /// The offers, and what is open beside them.
  public var allOffers: [Offer] { machine.allOffers }
  /// The documents that its app there has open beside the one of an offer (semantics 52).
  public func openedBeside(_ offer: OfferID) -> [Offer] { machine.openedBeside(offer) }

  /// Accepts an offer and all that is open beside it, each under a request of its own, the offer last: where
  /// all are here at once, it ends in front. Returns the requests in that order.
  public func acceptAll(_ id: OfferID, makeRequest: () -> RequestID) -> [RequestID] {
    (openedBeside(id).map(\.id) + [id]).map { offer in
      let request = makeRequest()
      handle(.accept(offer, request))
      return request
    }
  }

  /// Whether the agent of any connection has told which folders are synced.
  public private(set) var knowsRoots = false

  /// Whether a round of the activity was begun and not answered: what changes now is part of it.
  public func isInRound(_ activity: ActivityID) -> Bool { machine.running.contains(activity) }

  /// Who goes on with the activity elsewhere; nil where the person has it here (semantics 23).
  public func receipt(of activity: ActivityID) -> ContinuationReceipt? { machine.givenUp[activity] }

  /// The saves of an activity that other devices asked for and that are not answered, in order.
  public func requestedSaves(of activity: ActivityID) -> [RequestID] { machine.requestedSaves(of: activity) }

  /// Which other devices have the activity's document open (semantics 34h).
  public func presence(of activity: ActivityID) -> [DocumentPresence] { machine.presence(of: activity) }

  /// The activity type that a document at this absolute path has by itself: that of its type's entry, `type`
  /// where no entry claims its name; nil outside every synced folder (semantics 26, 27).
  public func activityType(ofDocumentAt path: [UInt8], ofType type: String? = nil) -> String? {
    guard roots.contains(where: { $0.relativePath(of: path) != nil }) else { return nil }
    return activityType(ofFileAt: path, ofType: type)
  }

  /// As above, wherever the file lies.
  public func activityType(ofFileAt path: [UInt8], ofType type: String? = nil) -> String? {
    let name = path.split(separator: UInt8(ascii: "/")).last.map { Array($0) } ?? []
    let entry =
      manifest.documentType(claiming: name) ?? manifest.documentTypes.first { $0.name == type }
      ?? manifest.documentType(forName: name)
    return entry?.activityType
  }

  // MARK: What happens

  /// Takes an event of the app's. Its requests are sent before this returns; its reports, unless this is
  /// called from a report's receiver, are told.
  public func handle(_ event: SessionMachine.Event) { handle(event, beside: nil) }

  /// Takes what the agent said, and the descriptor that came beside it, which is the session's from here on.
  public func receive(_ report: AgentReport, descriptor: Int32? = nil) {
    if case .roots = report { knowsRoots = true }
    var report = report
    if descriptor == nil, case .streams(let request, .opened) = report {
      report = .streams(request, .failed(Self.noSocket))
    }
    handle(.report(report), beside: descriptor)
  }

  /// Answers a `round` with the activity's state, or offers one that nobody asked for. The file of a document
  /// that was saved since the last round goes along; its descriptor is the session's from here on.
  ///
  /// `again` is when the activity wants another round, for a document could not save itself yet.
  ///
  /// A state that cannot travel is withheld, and an earlier offer of the activity ends: the result says why.
  @discardableResult
  public func offer(_ snapshot: ActivitySnapshot, saved: SavedFile? = nil, again: Instant? = nil)
    -> ContinuityError?
  {
    if let again { handle(.savesLater(snapshot.id, at: again)) }
    let isWanted = snapshot.flags.contains(.handoff) || snapshot.isToBeKept
    let obstacle = isWanted ? snapshot.obstacle : nil
    let event: SessionMachine.Event =
      if let obstacle {
        .withheld(OwnActivity(snapshot, because: snapshot.reasonWithheld ?? obstacle.cause))
      } else {
        .published(snapshot, saved: saved?.mark)
      }
    handle(event, beside: saved?.descriptor)
    return obstacle
  }

  /// Has the agent keep an offered state for search, where its app wants that (semantics 11). `answered`
  /// under that request follows.
  public func keep(_ snapshot: ActivitySnapshot, as request: RequestID) {
    guard snapshot.isToBeKept, snapshot.expiry > snapshot.changedAt else { return }
    handle(.asks(request, .keep(snapshot.forKeeping)))
  }

  /// Has the agent delete saved activities of this app, all of them for nil: `answered` under that request
  /// follows, also without an agent. Throws `invalidRequest` for more than one message holds; then nothing
  /// does.
  public func deleteSaved(_ identifiers: [String]?, as request: RequestID) throws(ContinuityError) {
    let bytes = identifiers?.reduce(0) { $0 + $1.utf8.count } ?? 0
    guard (identifiers?.count ?? 0) <= 1024, bytes <= 32 * 1024 else {
      throw ContinuityError(
        .invalidRequest, subject: "identifiers",
        description:
          "\(identifiers?.count ?? 0) identifiers of \(bytes) bytes are too many for one deletion: delete at "
          + "most 1,024 of 32,768 bytes at a time.")
    }
    handle(.asks(request, .deleteSaved(identifiers)))
  }

  /// Does what is due. Too early a call does nothing.
  public func tick() {
    retryIfDue()
    handle(.tick)
  }

  // MARK: The connection

  /// Connects through a link that does not come back by itself. Without success it is tried again and again,
  /// at `nextDeadline`.
  public func connect() {
    guard !isEnded, let link = link as? any ConnectingLink, !link.isConnected else { return }
    link.connect()
    planRetry(link)
  }

  /// The link came up, and everything is said again; or it went down.
  public func linkDidChange(isUp: Bool) {
    retryAt = isUp || isEnded ? nil : (link as? any ConnectingLink).map { now() + $0.retryDelay }
    handle(isUp ? .connected : .disconnected)
  }

  /// Nothing is sent, told or tried any more.
  public func stop() {
    isEnded = true
    link = nil
    didReport = nil
    retryAt = nil
    closeKeptEnds()
  }

  private func closeKeptEnds() {
    for end in keptEnds.values { close(end) }
    keptEnds = [:]
  }

  private func retryIfDue() {
    guard let moment = retryAt, moment <= now(), let link = link as? any ConnectingLink else { return }
    retryAt = nil
    link.retry()
    planRetry(link)
  }

  /// After a try that may have failed.
  private func planRetry(_ link: any ConnectingLink) {
    guard !link.isConnected, !isEnded else { return }
    retryAt = now() + link.retryDelay
    handle(.disconnected)
    report([.couldNotConnect])
  }

  // MARK: What the machine decides

  private func handle(_ event: SessionMachine.Event, beside descriptor: Int32?) {
    var left = descriptor
    var news: [Report] = []
    for action in machine.handle(event, at: now()) {
      switch action {
      case .send(let request): link?.send(request, descriptor: request.takesSavedFile ? descriptor : nil)
      case .streams(let request, .prepared):
        keptEnds[request] = left
        left = nil
      case .streams(let request, .ended), .streams(let request, .failed):
        if let report = Report(action, descriptor: keptEnds.removeValue(forKey: request)) {
          news.append(report)
        }
      default:
        guard let report = Report(action, descriptor: descriptor) else { continue }
        if report.descriptor != nil { left = nil }
        news.append(report)
      }
    }
    if let left { close(left) }
    if !news.isEmpty { report(news) }
  }

  private func report(_ news: [Report]) {
    reports.feed(news) { next in
      if let didReport { didReport(next) } else { release(next) }
    }
  }

  private static let noSocket = ContinuityError(
    .connectionUnavailable, subject: "streams",
    description: "Too many files are open in this app: close some, and ask again.")

  private func release(_ report: Report) {
    if let descriptor = report.descriptor { close(descriptor) }
  }
}

/// A file that a document was saved to.
public struct SavedFile: Sendable {
  /// Leads to it, whatever its path names by now; for reading, and its holder's to close.
  public var descriptor: Int32
  /// The file as it was right after the save.
  public var mark: FileMark

  /// A saved file by its open descriptor.
  public init(descriptor: Int32, mark: FileMark) {
    self.descriptor = descriptor
    self.mark = mark
  }
}

extension AgentRequest {
  /// Whether the round's descriptor travels beside it.
  fileprivate var takesSavedFile: Bool {
    if case .update(_, saved: .some) = self { true } else { false }
  }
}
