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
    /// The agent may not know the activity: the connection came or went.
    var isUnsaid = false
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

  /// Checks that the document can be offered, and offers it.
  mutating func begin() throws(ContinuityError) {
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
    guard let descriptor = openDocument() else {
      throw ContinuityError(
        .documentUnreadable, subject: Terminal.shown(path),
        "\(Terminal.shown(path)) cannot be opened (\(String(cString: strerror(errno)))): check its "
          + "name and permissions."
      )
    }
    close(descriptor)
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
    guard let root = roots.innermost(holding: path)?.root else { throw DocumentPath.outside(path, roots) }
    guard root.isPresent else {
      // Why it is not used is told to those who ask.
      if case .folders(let folders) = try session.ask(.listFolders) {
        _ = try DocumentPath.root(of: path, among: folders)
      }
      throw DocumentPath.away(root)
    }
    offer()
  }

  /// Offers until one of `signals` comes, then withdraws.
  mutating func hold(until signals: EndSignals) {
    session.client.connectionDidChange = { [news] _ in news.isUnsaid = true }
    while !session.turn(
      waiting: session.client.isConnected ? nil : session.client.retryDelay, orReadable: signals.descriptor)
    {
      if !session.client.isConnected {
        session.client.retry()
        if session.client.isConnected { greet() }
      }
      guard news.documentChanged || news.isUnsaid, session.client.isConnected else { continue }
      let isChanged = news.documentChanged
      news.documentChanged = false
      news.isUnsaid = false
      offer(isChanged: isChanged)
    }
    session.client.send(.withdraw(snapshot.id), descriptor: nil)
    session.client.flush(for: .seconds(2))
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

  private func openDocument() -> Int32? {
    let descriptor = (path + [0]).withUnsafeBufferPointer { buffer in
      buffer.withMemoryRebound(to: CChar.self) { chars in
        chars.baseAddress.map { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) } ?? -1
      }
    }
    return descriptor >= 0 ? descriptor : nil
  }
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
