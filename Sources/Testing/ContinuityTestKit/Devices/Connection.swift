// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import AgentEngine

/// Whoever holds the app's end of a socket.
protocol ConnectedApp: AnyObject {
  var isDead: Bool { get }
  /// A message of the agent, with the file that came along and what it held then.
  func receive(_ report: AgentReport, _ file: OpenFile?, text: Content?) throws
}

/// The socket between an app and its agent: messages arrive in order, and a file travels beside one.
final class Connection: ClientChannel {
  let number: UInt64
  let app: any ConnectedApp
  /// Its device holds it; nil once it is gone.
  private weak var agent: SimulatedAgent?
  private unowned let device: Device
  private unowned let world: World
  var isOpen = true
  /// Activities that the agent heard the end of.
  private(set) var ended: Set<ActivityID> = []
  private var lastAtAgent: UInt64 = 0
  private var lastAtApp: UInt64 = 0

  init(_ number: UInt64, _ app: any ConnectedApp, _ agent: SimulatedAgent) {
    self.number = number
    self.app = app
    self.agent = agent
    device = agent.device
    world = agent.device.world
    agent.accept(self)
  }

  func send(_ request: AgentRequest, _ file: OpenFile?) {
    guard isOpen else { return }
    lastAtAgent = max(lastAtAgent + 1, world.time + world.random.between(.microseconds(20), .milliseconds(2)))
    world.schedule(.message, device.number, after: lastAtAgent - world.time) { [self] in
      guard isOpen, let agent, !agent.isDead else { return }
      if case .withdraw(let activity) = request { ended.insert(activity) }
      try agent.receive(request, file, from: self)
    }
  }

  /// False when the app is gone.
  @discardableResult
  func send(_ report: AgentReport, _ file: OpenFile? = nil, text: Content? = nil) -> Bool {
    guard isOpen else { return false }
    lastAtApp = max(lastAtApp + 1, world.time + world.random.between(.microseconds(20), .milliseconds(2)))
    world.schedule(.message, device.number, after: lastAtApp - world.time) { [self] in
      guard isOpen, !app.isDead else { return }
      try app.receive(report, file, text: text)
    }
    return true
  }

  /// What the agent says; a document's bytes are those that the file has at this moment.
  func send(_ message: AgentMessage, file: (any AgentEngine.OpenFile)?) -> ClientSending {
    guard case .report(let report) = message, let agent, agent.process.isAlive else { return .sent }
    if case .offers(let offers) = report {
      world.count(.offers)
      world.judge { $0.offers(device, offers) }
    }
    let file = file as? OpenFile
    send(report, file, text: file?.content)
    return .sent
  }

  /// One side is gone; the other finds out a moment later.
  func disconnect() {
    guard isOpen else { return }
    isOpen = false
    world.schedule(.message, device.number, after: world.random.between(.zero, .milliseconds(20))) {
      [self] in
      if let agent, !agent.isDead { try agent.ended(self) }
    }
  }
}
