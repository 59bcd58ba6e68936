// SPDX-License-Identifier: MIT

import ActivityModel
import AgentEngine

/// The device's watch process, as the agent speaks to it.
final class SimulatedWatch: FolderWatching {
  private let agent: AgentProcess

  init(_ agent: AgentProcess) { self.agent = agent }

  private var shell: WatchShell? { agent.isAlive ? agent.device.watch : nil }

  var process: UInt64 { shell == nil ? 0 : 2 }
  let problem: String? = nil

  func watch(_ root: RootNumber, path: [UInt8]) { shell?.add() }

  func prefer(_ root: RootNumber, folders: Set<[[UInt8]]>) {
    if agent.device.folder.events.watchLimit < 8 { shell?.prefer(folders) }
  }

  func settle(_ root: RootNumber, path: [UInt8]) {}
  func unwatch(_ root: RootNumber) {}
  func poll(_ root: RootNumber) {}
  func noteHealthy(_ root: RootNumber) {}
  func stop() {}
}

/// No desktop: nobody knows types, no list of recent files is kept, and nobody is told anything.
final class AbsentDesktop: Desktop {
  func askType(
    of name: [UInt8], beginning: [UInt8], among candidates: [String],
    answer: @escaping (Result<[String], ContinuityError>) -> Void
  ) { answer(.success([])) }

  func noteUse(of path: [UInt8], by application: String, program: [UInt8]) {}
  func startableApps() -> [AppManifest] { [] }
  func associatedDomains(of app: AppManifest) -> [String] { [] }
  func start(
    _ app: AppManifest, pressed: NotificationNumber?, for client: UInt64?,
    answer: @escaping (Result<Void, ContinuityError>) -> Void
  ) { answer(.failure(Self.absence)) }
  func use(terminal: [String]) {}
  func askDefaultApp(of name: [UInt8], answer: @escaping (String?) -> Void) { answer(nil) }
  func open(
    _ path: [UInt8], pressed: NotificationNumber?, for client: UInt64?,
    answer: @escaping (Result<Void, ContinuityError>) -> Void
  ) { answer(.failure(Self.absence)) }
  func browse(
    _ address: String, pressed: NotificationNumber?, for client: UInt64?,
    answer: @escaping (Result<Void, ContinuityError>) -> Void
  ) { answer(.failure(Self.absence)) }
  private static let absence = ContinuityError(.agentUnavailable, description: "No desktop runs here.")
  let canTell = false
  var onEvent: (DesktopEvent) -> Void = { _ in }
  func hasSomethingToTell(_ has: Bool) {}
  func show(_ notification: OfferNotification, as number: NotificationNumber, isSilent: Bool) {}
  func withdraw(_ number: NotificationNumber) {}
}
