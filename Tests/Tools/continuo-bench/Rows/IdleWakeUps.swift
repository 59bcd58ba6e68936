// SPDX-License-Identifier: MIT

/// How often agent and watch process wake when nothing happens: two folders that are there, and one that is
/// away.
@MainActor enum IdleWakeUps {
  private static let seconds: Int32 = 120

  static var race: Race {
    Race(
      name: "idle, agent and watch process together",
      figures: [Race.Figure(name: "", unit: "wake-ups a minute", target: .ours(atMost: 2))], rounds: 1,
      warmUp: 0
    ) {
      let home = try AgentHome(folders: ["one", "two/below", "away"])
      do {
        for name in ["one", "two", "away"] { try home.ask("folder", "add", "\(home.root)/\(name)") }
        Files.remove("\(home.root)/away")
        let (agent, watch) = try home.processes()
        // What the start leads to is over by then, also what waits for a minute.
        pass(milliseconds: 75_000)
        return Race.Field(
          entrants: [
            Race.Entrant(name: "ours") { [try wakeUps(of: [agent, watch])] },
            Race.Entrant(name: Peer.watchman.rawValue) {
              let watcher = try WatchmanWatcher("\(home.root)/two")
              defer { watcher.stop() }
              pass(milliseconds: 15_000)
              return [try wakeUps(of: [watcher.process])]
            },
          ], end: home.stop)
      } catch {
        home.stop()
        throw error
      }
    }
  }

  private static func wakeUps(of processes: [Int32]) throws -> Double {
    func count() throws -> Double {
      try processes.reduce(0) { try $0 + ProcessFigures.sleeps(of: $1) }
    }
    let before = try count()
    pass(milliseconds: seconds * 1000)
    return try (count() - before) * 60 / Double(seconds)
  }
}
