// SPDX-License-Identifier: MIT

import ActivityExchange
package import ActivityModel
import ActivityWire
import LinuxSystem

/// A connection to the agent for who asks it one thing after the other and waits for each answer, with
/// poll(2): the command line, and the desktop's search. One thread.
package final class AgentSession {
  /// The connection.
  package let client: AgentClient
  private var answer: AgentAnswer?
  /// Of the last command: one that is answered late is answered no more.
  private var number: UInt64 = 0
  private var isLost = false

  /// Connects; starts the agent when none runs and `startsAgent`, and waits until it has come up. Throws
  /// `agentUnavailable`: at once when the agent tells why it cannot start, else after `limit`.
  package init(startsAgent: Bool = true, limit: Duration = .seconds(10)) throws(ContinuityError) {
    client = AgentClient(
      places: try AgentPlaces(environment: CurrentProcess.environment), startsAgent: startsAgent)
    client.didAnswer = { [weak self] number, answer in
      if let self, number == self.number { self.answer = answer }
    }
    client.connectionDidChange = { [weak self] isConnected in self?.isLost = !isConnected }
    let deadline = Instant.now + limit
    client.connect()
    while startsAgent ? !client.isGreeted : !client.isConnected {
      if let failure = client.startFailure { throw failure }
      guard startsAgent, Instant.now < deadline else { throw client.isConnected ? silent : unreachable }
      if client.isConnected {
        turn(waiting: max(.zero, deadline - Instant.now))
      } else {
        var none: [Poll.Entry] = []
        Poll.wait(for: &none, atMost: min(client.retryDelay, Self.longestPause))
        client.retry()
      }
    }
    isLost = false
  }

  /// A person waits meanwhile.
  private static let longestPause = Duration.milliseconds(200)

  /// Sends `command` and waits for its answer; `limit` nil waits as long as the agent takes. `meanwhile` is
  /// called every second, with how many have passed. Throws what the agent answers, `agentUnavailable` when
  /// it does not in time.
  package func ask(
    _ command: AgentCommand, limit: Duration? = .seconds(30), meanwhile: ((Int64) -> Void)? = nil
  ) throws(ContinuityError) -> AgentAnswer {
    answer = nil
    number += 1
    client.send(command, number: number)
    let start = Instant.now
    let deadline = limit.map { start + $0 }
    while answer == nil {
      let left = deadline.map { max(.zero, $0 - Instant.now) }
      guard left != .zero, !isLost else { throw isLost ? client.lastError ?? silent : silent }
      let second = meanwhile.map { _ in Duration.seconds(1) }
      turn(waiting: [left, second].compactMap { $0 }.min())
      meanwhile?((Instant.now - start).components.seconds)
    }
    guard let answer else { throw silent }
    if case .failed(let error) = answer { throw error }
    return answer
  }

  /// Waits until the agent has ended: it closes its connections last, when another one may start. Throws
  /// `agentUnavailable` when it has not by then.
  package func waitForEnd(limit: Duration) throws(ContinuityError) {
    let deadline = Instant.now + limit
    while client.isConnected {
      guard Instant.now < deadline else { throw silent }
      turn(waiting: max(.zero, deadline - Instant.now))
    }
  }

  /// One wait for the socket, and for `descriptor` beside it; true when that one is readable.
  @discardableResult
  package func turn(waiting limit: Duration?, orReadable descriptor: Int32? = nil) -> Bool {
    var entries: [Poll.Entry] = []
    if client.descriptor >= 0 {
      entries.append(
        Poll.Entry(client.descriptor, for: client.wantsToWrite ? [.readable, .writable] : .readable))
    }
    if let descriptor { entries.append(Poll.Entry(descriptor)) }
    guard Poll.wait(for: &entries, atMost: limit) else { return false }
    for each in entries where !each.ready.isEmpty && each.descriptor == client.descriptor {
      if each.ready.contains(.writable) { client.writable() }
      if !each.ready.subtracting(.writable).isEmpty { client.readable() }
    }
    return entries.contains { $0.descriptor == descriptor && !$0.ready.isEmpty }
  }

  private var unreachable: ContinuityError {
    client.lastError
      ?? ContinuityError(
        .agentUnavailable,
        description: "No agent runs, and none could be started: run `continuo agent` to see why.")
  }

  private var silent: ContinuityError {
    ContinuityError(
      .agentUnavailable,
      description:
        "The agent did not answer: `continuo agent stop` and try again; its log is \(client.places.log).")
  }
}
