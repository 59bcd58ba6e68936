// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import AgentClient
import CLinux
import Glibc
import Synchronization

/// One activity that the command line holds. One thread.
struct Publication {
  static let appID = "org.continuo.command-line"
  /// An agent that is restarted ends the connection once; one that cannot read what it is told, each time.
  private static let lossLimit = 5

  let session: AgentSession
  let path: [UInt8]
  var snapshot: ActivitySnapshot
  private let news = News()
  /// The file that was offered last.
  private var offered: FileMark?

  /// What the agent told since it was last looked at.
  private final class News {
    var roots: [SyncedRoot]?
    var documentChanged = false
    var answer: AgentAnswer?
    /// The agent may not know the activity: the connection came or went.
    var isUnsaid = false
    /// How often the connection ended.
    var losses = 0
  }

  init(session: AgentSession, path: [UInt8], snapshot: ActivitySnapshot) {
    self.session = session
    self.path = path
    self.snapshot = snapshot
  }

  static var now: WallTime {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return WallTime(milliseconds: UInt64(time.tv_sec) * 1000 + UInt64(time.tv_nsec) / 1_000_000)
  }

  /// Offers the document, and waits until the agent has looked at it. False when one of `signals` came first;
  /// it is withdrawn then.
  ///
  /// Throws the agent's reason, or this side's, when the document is not offered; it is withdrawn then.
  mutating func begin(until signals: EndSignals) throws(ContinuityError) -> Bool {
    session.client.didReceive = { [news] report, descriptor in
      if let descriptor { close(descriptor) }
      switch report {
      case .roots(let roots): news.roots = roots
      // The version is what is published, and the other devices find it under its new name.
      case .documentChanged(_, .moved), .documentChanged(_, .conflict): break
      case .documentChanged: news.documentChanged = true
      default: break
      }
    }
    close(try NamedFile(path: path).open())
    greet()
    let deadline = MonotonicClock.now + .seconds(10)
    while news.roots == nil, session.client.isConnected, MonotonicClock.now < deadline {
      session.turn(waiting: .seconds(1))
    }
    guard let roots = news.roots else {
      throw session.client.lastError
        ?? ContinuityError(
          .agentUnavailable, "The agent did not answer: `continuo agent stop`, and try again.")
    }
    if roots.innermost(holding: path)?.root.isPresent == false,
      case .folders(let folders) = try session.ask(.listFolders)
    {
      // Why it is not used is told to those who ask.
      _ = try DocumentPath.root(of: path, among: folders)
    }
    try NamedFile(path: path).checkPlace(among: roots)
    // From here on the session's own `ask` would hear no answer.
    session.client.didAnswer = { [news] _, answer in news.answer = answer }
    session.client.connectionDidChange = { [news] isConnected in
      news.isUnsaid = true
      if !isConnected { news.losses += 1 }
    }
    offer()
    do throws(ContinuityError) {
      return try awaitVerdict(signals)
    } catch {
      withdraw()
      throw error
    }
  }

  /// Asks again and again: a large document is read first, and an agent that was restarted has to be told
  /// anew.
  private mutating func awaitVerdict(_ signals: EndSignals) throws(ContinuityError) -> Bool {
    var pause = Duration.milliseconds(20)
    var hint: Instant? = MonotonicClock.now + .seconds(2)
    while true {
      session.client.send(.ownActivities, number: 1)
      let next = MonotonicClock.now + pause
      while MonotonicClock.now < next {
        if !turn(waiting: max(.zero, next - MonotonicClock.now), signals) {
          withdraw()
          return false
        }
        if let verdict = verdict() {
          guard verdict.isEmpty else {
            throw ContinuityError(.invalidRequest, subject: snapshot.title, verdict)
          }
          return true
        }
      }
      pause = min(pause * 2, .milliseconds(500))
      // What changed its kind, or went away, is never offered.
      close(try NamedFile(path: path).open())
      if let failure = session.client.startFailure { throw failure }
      guard news.losses <= Self.lossLimit else {
        throw ContinuityError(
          .agentUnavailable,
          "The agent ended the connection again and again; its log \(session.client.places.log) says why.")
      }
      if let moment = hint, MonotonicClock.now > moment {
        Terminal.hint("\(Terminal.shown(path)) is being read …")
        hint = nil
      }
    }
  }

  /// Why the activity is not offered, in words; empty when it is, nil while the agent does not say.
  private func verdict() -> String? {
    guard case .activities(let own) = news.answer else { return nil }
    news.answer = nil
    return own.first { $0.id == snapshot.id }?.reason
  }

  /// Offers until one of `signals` comes, then withdraws.
  mutating func hold(until signals: EndSignals) {
    while turn(waiting: nil, signals) {}
    withdraw()
  }

  private func withdraw() {
    session.client.send(.withdraw(snapshot.id), descriptor: nil)
    session.client.flush(for: .seconds(2))
  }

  /// One wait; says what a restarted agent has to hear, and what changed. False when one of `signals` came.
  private mutating func turn(waiting limit: Duration?, _ signals: EndSignals) -> Bool {
    let retry = session.client.isConnected ? nil : session.client.retryDelay
    let pause = [limit, retry].compactMap { $0 }.min()
    if session.turn(waiting: pause, orReadable: signals.descriptor) { return false }
    if !session.client.isConnected {
      session.client.retry()
      if session.client.isConnected { greet() }
    }
    guard news.documentChanged || news.isUnsaid, session.client.isConnected else { return true }
    let isChanged = news.documentChanged
    news.documentChanged = false
    news.isUnsaid = false
    offer(isChanged: isChanged)
    return true
  }

  private func greet() {
    let manifest = AppManifest(appID: Self.appID, name: "continuo publish")
    session.client.send(.hello(manifest), descriptor: nil)
    session.client.send(.opened(path: path), descriptor: nil)
  }

  /// Saying it again does not make it newer: not to a restarted agent, and not where that told of what is
  /// offered already.
  private mutating func offer(isChanged: Bool = false) {
    let descriptor = openDocument()
    let mark = descriptor.flatMap { FileMark(descriptor: $0) }
    if isChanged, mark != offered { snapshot.changedAt = Self.now }
    offered = mark
    session.client.send(.update(snapshot, saved: mark), descriptor: descriptor)
    if let descriptor { close(descriptor) }
  }

  private func openDocument() -> Int32? { try? NamedFile(path: path).open() }
}

/// SIGINT and SIGTERM as a readable descriptor.
final class EndSignals {
  let descriptor: Int32
  private static let writeEnd = Atomic<Int32>(-1)

  init() throws(ContinuityError) {
    var ends: [Int32] = [-1, -1]
    guard continuo_pipe(&ends, 1) == 0 else {
      throw ContinuityError(.invalidRequest, "No pipe can be made: too many files are open.")
    }
    descriptor = ends[0]
    Self.writeEnd.store(ends[1], ordering: .relaxed)
    for number in [SIGINT, SIGTERM, SIGHUP] {
      signal(number) { _ in
        var byte: UInt8 = 1
        _ = write(EndSignals.writeEnd.load(ordering: .relaxed), &byte, 1)
      }
    }
  }
}
