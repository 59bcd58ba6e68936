// SPDX-License-Identifier: MIT

import ActivityModel

/// Whoever holds the app's end of a socket.
protocol ConnectedApp: AnyObject {
  var isDead: Bool { get }
  /// A message of the agent, with the file that came along and what it held then.
  func take(_ report: AgentReport, _ file: OpenFile?, text: Content?) throws
}

/// The socket between an app and its agent: messages arrive in order, and a file travels beside one.
final class Connection {
  let number: UInt64
  let app: any ConnectedApp
  let agent: Agent
  private unowned let world: World
  var isOpen = true
  private var lastAtAgent: UInt64 = 0
  private var lastAtApp: UInt64 = 0

  init(_ number: UInt64, _ app: any ConnectedApp, _ agent: Agent) {
    self.number = number
    self.app = app
    self.agent = agent
    world = agent.world
  }

  func send(_ request: AgentRequest, _ file: OpenFile?) {
    guard isOpen else { return }
    lastAtAgent = max(lastAtAgent + 1, world.time + world.random.between(.microseconds(20), .milliseconds(2)))
    world.schedule(.message, agent.device.number, after: lastAtAgent - world.time) { [self] in
      guard isOpen, !agent.isDead else { return }
      try agent.take(request, file, from: self)
    }
  }

  /// False when the app is gone.
  @discardableResult
  func tell(_ report: AgentReport, _ file: OpenFile? = nil, text: Content? = nil) -> Bool {
    guard isOpen else { return false }
    lastAtApp = max(lastAtApp + 1, world.time + world.random.between(.microseconds(20), .milliseconds(2)))
    world.schedule(.message, agent.device.number, after: lastAtApp - world.time) { [self] in
      guard isOpen, !app.isDead else { return }
      try app.take(report, file, text: text)
    }
    return true
  }

  /// One side is gone; the other finds out a moment later.
  func end() {
    guard isOpen else { return }
    isOpen = false
    world.schedule(.message, agent.device.number, after: world.random.between(.zero, .milliseconds(20))) {
      [self] in
      if !agent.isDead { try agent.ended(self) }
    }
  }
}
