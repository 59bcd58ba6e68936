// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import AgentClient
import AppSession
import LinuxSystem

/// One activity that the command line holds. One thread.
final class Publication {
  static let appID = "org.continuo.command-line"
  /// An agent that is restarted ends the connection once; one that cannot read what it is told, each time.
  private static let lossLimit = 5

  private let session: AgentSession
  private let app: AppSession
  private let path: [UInt8]
  private var snapshot: ActivitySnapshot
  private var answer: AgentAnswer?
  /// The file that was offered last.
  private var offered: FileMark?
  /// The agent told of other bytes at the path since then.
  private var isChanged = false
  /// How often the connection ended.
  private var losses = 0

  init(session: AgentSession, path: [UInt8], snapshot: ActivitySnapshot) {
    self.session = session
    self.path = path
    self.snapshot = snapshot
    app = AppSession(
      manifest: AppManifest(appID: Self.appID, name: "continuo publish"), now: { Instant.now },
      close: { BorrowedDescriptor($0).close() })
    app.link = session.client
    app.didReport = { [unowned self] in receive($0) }
  }

  /// Offers the document, and waits until the agent has looked at it. False when one of `signals` came first;
  /// it is withdrawn then.
  ///
  /// Throws the agent's reason, or this side's, when the document is not offered; it is withdrawn then.
  func begin(until signals: SignalPipe) throws(ContinuityError) -> Bool {
    session.client.didReceive = { [unowned self] in app.receive($0, descriptor: $1) }
    _ = try NamedFile(path: path).open()
    app.handle(.opened(path: path))
    app.linkDidChange(isUp: true)
    let deadline = Instant.now + .seconds(10)
    while !app.knowsRoots, session.client.isConnected, Instant.now < deadline {
      session.turn(waiting: .seconds(1))
    }
    guard app.knowsRoots else {
      throw session.client.lastError
        ?? ContinuityError(
          .agentUnavailable, description: "The agent did not answer: `continuo agent stop`, and try again.")
    }
    if app.roots.innermost(holding: path)?.root.isPresent == false,
      case .folders(let folders) = try session.ask(.listFolders)
    {
      // Why it is not used is told to those who ask.
      _ = try DocumentPath.root(of: path, among: folders)
    }
    try NamedFile(path: path).checkPlace(among: app.roots)
    // From here on the session's own `ask` would hear no answer.
    session.client.didAnswer = { [unowned self] in answer = $1 }
    session.client.connectionDidChange = { [unowned self] isUp in
      if !isUp { losses += 1 }
      app.linkDidChange(isUp: isUp)
    }
    app.handle(.becameCurrent(snapshot.id))
    app.tick()
    do throws(ContinuityError) {
      return try awaitVerdict(signals)
    } catch {
      withdraw()
      throw error
    }
  }

  /// Asks again and again: a large document is read first, and an agent that was restarted has to be told
  /// anew.
  private func awaitVerdict(_ signals: SignalPipe) throws(ContinuityError) -> Bool {
    var pause = Duration.milliseconds(20)
    var hint: Instant? = Instant.now + .seconds(2)
    while true {
      session.client.send(.ownActivities, number: 1)
      let next = Instant.now + pause
      while Instant.now < next {
        if !turn(waiting: max(.zero, next - Instant.now), signals) {
          withdraw()
          return false
        }
        if let verdict = verdict() {
          guard let cause = verdict.cause else { return true }
          throw ContinuityError(.invalidRequest, subject: snapshot.title, because: cause)
        }
      }
      pause = min(pause * 2, .milliseconds(500))
      // What changed its kind, or went away, is never offered.
      _ = try NamedFile(path: path).open()
      if let failure = session.client.startFailure { throw failure }
      guard losses <= Self.lossLimit else {
        throw ContinuityError(
          .agentUnavailable,
          description:
            "The agent ended the connection again and again; its log \(session.client.places.log) says why.")
      }
      if let moment = hint, Instant.now > moment {
        Terminal.hint("\(Terminal.shown(path)) is being read …")
        hint = nil
      }
    }
  }

  /// The activity, offered or not; nil while the agent does not say.
  private func verdict() -> OwnActivity? {
    guard case .activities(let own) = answer else { return nil }
    answer = nil
    return own.first { $0.id == snapshot.id }
  }

  /// Offers until one of `signals` comes, then withdraws.
  func hold(until signals: SignalPipe) {
    while turn(waiting: nil, signals) {}
    withdraw()
  }

  private func withdraw() {
    app.handle(.invalidated(snapshot.id))
    session.client.flush(for: .seconds(2))
  }

  /// One wait, and what is due then. False when one of `signals` came.
  private func turn(waiting limit: Duration?, _ signals: SignalPipe) -> Bool {
    let due = app.nextDeadline.map { max(.zero, $0 - Instant.now) }
    let pause = [limit, due].compactMap { $0 }.min()
    if session.turn(waiting: pause, orReadable: signals.descriptor) { return false }
    if let deadline = app.nextDeadline, deadline <= Instant.now { app.tick() }
    return true
  }

  private func receive(_ report: AppSession.Report) {
    switch report {
    case .round: offer()
    // The version is what is published, and the other devices find it under its new name.
    case .documentChanged(_, .moved), .documentChanged(_, .conflict): break
    case .documentChanged:
      isChanged = true
      app.handle(.saved(snapshot.id))
    default: break
    }
  }

  /// Saying it again does not make it newer where the agent told of what is offered already.
  private func offer() {
    let saved = (try? NamedFile(path: path).open()).flatMap { file in
      (try? file.status()).map { SavedFile(descriptor: file.release(), mark: $0.stamp.mark) }
    }
    if isChanged, saved?.mark != offered { snapshot.changedAt = .now }
    isChanged = false
    offered = saved?.mark
    app.offer(snapshot, saved: saved)
  }
}

extension SignalPipe {
  /// Hears the signals that end a command.
  static func ofEnding() throws(ContinuityError) -> SignalPipe {
    do throws(Errno) {
      return try SignalPipe([.interrupt, .terminate, .hangUp])
    } catch {
      throw ContinuityError(.invalidRequest, description: "No pipe can be made: too many files are open.")
    }
  }
}
