// SPDX-License-Identifier: MIT

import ActivityModel
import AgentClient
import Documents
import Foundation
import Glibc
import Testing
import UserActivities

@MainActor
@Suite("An app and the agent that it starts")
struct RealAgentTests {
  /// The whole way of the source: no agent runs, the app starts one, its folder is told, the document gets
  /// its activity, is saved by itself and published. In a process of its own, for places come from the
  /// environment.
  @Test(.timeLimit(.minutes(1))) func anAppStartsItsAgentAndPublishesThroughIt() async {
    await #expect(processExitsWith: .success) { @MainActor in
      let home = SampleFolder()
      let places = try ownPlaces(home)
      let folder = SampleFolder()
      folder.write("plan.md", "alpha")
      let application = try Application(manifest: SampleApp.manifest())
      let watcher = ConnectionWatcher()
      application.delegate = watcher
      DocumentController.shared.register(TextFile.self, name: "TextFile")
      let (document, _) = try await DocumentController.shared.openDocument(
        withContentsOf: folder.url("plan.md"), display: true)
      application.mainDocument = document
      #expect(document.userActivity == nil)

      application.connect()
      await watcher.wait { application.isConnected }
      let commands = CommandLine(places)
      _ = try commands.ask(.addFolder(path: Array(folder.directory.utf8), name: nil))
      await watcher.wait { document.userActivity?.isCurrent == true }

      (document as? TextFile)?.type(" beta")
      application.terminate()
      #expect(folder.text("plan.md") == "alpha beta")
      _ = try commands.ask(.stop)
    }
  }
}

@MainActor
private final class ConnectionWatcher: ApplicationDelegate {
  private let (changes, feed) = AsyncStream<Void>.makeStream()

  func wait(until condition: () -> Bool) async {
    if condition() { return }
    for await _ in changes where condition() { return }
  }

  func applicationConnectionDidChange(_ application: Application) { feed.yield() }
  func applicationRootsDidChange(_ application: Application) { feed.yield() }
}

/// Asks an agent one question at a time, blocking.
private final class CommandLine {
  private let client: AgentClient
  private var answers: [AgentAnswer] = []
  private var number: UInt64 = 0

  init(_ places: AgentPlaces) {
    client = AgentClient(places: places, startsAgent: false)
    client.didAnswer = { [weak self] _, answer in self?.answers.append(answer) }
    client.connect()
  }

  func ask(_ command: AgentCommand) throws -> AgentAnswer {
    number += 1
    client.send(command, number: number)
    while answers.isEmpty {
      var polled = pollfd(fd: client.descriptor, events: Int16(POLLIN), revents: 0)
      try #require(poll(&polled, 1, 10_000) == 1, "no answer to \(command)")
      client.readable()
    }
    let answer = answers.removeFirst()
    if case .failed(let error) = answer { throw error }
    return answer
  }
}

/// Places of this process alone.
private func ownPlaces(_ home: SampleFolder) throws -> AgentPlaces {
  for variable in ["HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR"] {
    setenv(variable, home.directory, 1)
  }
  return try AgentPlaces(environment: ProcessInfo.processInfo.environment)
}
