// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import ActivityWire
import AgentClient
import Glibc

/// The command line's connection to the agent, waited on with poll(2). One thread.
final class AgentSession {
  let client: AgentClient
  private var answer: AgentAnswer?
  private var isLost = false

  /// Connects; starts the agent when none runs and `startsAgent`, and waits until it has come up. Throws
  /// `agentUnavailable`: at once when the agent tells why it cannot start, else after `limit`.
  init(startsAgent: Bool = true, limit: Duration = .seconds(10)) throws(ContinuityError) {
    client = AgentClient(
      places: try AgentPlaces(environment: CommandLineEnvironment.variables), startsAgent: startsAgent)
    client.didAnswer = { [weak self] _, answer in self?.answer = answer }
    client.connectionDidChange = { [weak self] isConnected in self?.isLost = !isConnected }
    let deadline = MonotonicClock.now + limit
    client.connect()
    while startsAgent ? !client.isGreeted : !client.isConnected {
      if let failure = client.startFailure { throw failure }
      guard startsAgent, MonotonicClock.now < deadline else { throw unreachable }
      if client.isConnected {
        turn(waiting: max(.zero, deadline - MonotonicClock.now))
      } else {
        MonotonicClock.wait(min(client.retryDelay, Self.longestPause))
        client.retry()
      }
    }
    isLost = false
  }

  /// A person waits meanwhile.
  private static let longestPause = Duration.milliseconds(200)

  /// Sends `command` and waits for its answer; `limit` nil waits as long as the agent takes.
  func ask(_ command: AgentCommand, limit: Duration? = .seconds(30)) throws(ContinuityError) -> AgentAnswer {
    answer = nil
    client.send(command, number: 1)
    let deadline = limit.map { MonotonicClock.now + $0 }
    while answer == nil {
      let left = deadline.map { max(.zero, $0 - MonotonicClock.now) }
      guard left != .zero, !isLost else { throw isLost ? client.lastError ?? silent : silent }
      turn(waiting: left)
    }
    guard let answer else { throw silent }
    if case .failed(let error) = answer { throw error }
    return answer
  }

  /// Waits until the agent has ended: it closes its connections last, when another one may start.
  func waitForEnd(limit: Duration) throws(ContinuityError) {
    let deadline = MonotonicClock.now + limit
    while client.isConnected {
      guard MonotonicClock.now < deadline else { throw silent }
      turn(waiting: max(.zero, deadline - MonotonicClock.now))
    }
  }

  /// One wait for the socket, and for `descriptor` beside it; true when that one is readable.
  @discardableResult
  func turn(waiting limit: Duration?, orReadable descriptor: Int32? = nil) -> Bool {
    var polled: [pollfd] = []
    if client.descriptor >= 0 {
      let events = Int16(POLLIN) | (client.wantsToWrite ? Int16(POLLOUT) : 0)
      polled.append(pollfd(fd: client.descriptor, events: events, revents: 0))
    }
    if let descriptor { polled.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)) }
    let timeout = limit.map { Int32(clamping: ($0.nanoseconds + 999_999) / 1_000_000) } ?? -1
    guard poll(&polled, nfds_t(polled.count), timeout) > 0 else { return false }
    for each in polled where each.revents != 0 && each.fd == client.descriptor {
      if each.revents & Int16(POLLOUT) != 0 { client.writable() }
      if each.revents & ~Int16(POLLOUT) != 0 { client.readable() }
    }
    return polled.contains { $0.fd == descriptor && $0.revents != 0 }
  }

  private var unreachable: ContinuityError {
    client.lastError
      ?? ContinuityError(
        .agentUnavailable, "No agent runs, and none could be started: run `continuo agent` to see why.")
  }

  private var silent: ContinuityError {
    ContinuityError(
      .agentUnavailable,
      "The agent did not answer: `continuo agent stop` and try again; its log is \(client.places.log).")
  }
}

/// This machine's monotonic clock.
enum MonotonicClock {
  static var now: Instant {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Instant(nanoseconds: UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec))
  }

  /// Blocks the thread.
  static func wait(_ duration: Duration) {
    _ = poll(nil, 0, Int32(clamping: duration.nanoseconds / 1_000_000))
  }
}

/// The process's environment.
enum CommandLineEnvironment {
  static var variables: [String: String] {
    var variables: [String: String] = [:]
    var entry = environ
    while let text = entry.pointee {
      let pair = String(cString: text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if pair.count == 2 { variables[String(pair[0])] = String(pair[1]) }
      entry += 1
    }
    return variables
  }
}
