// SPDX-License-Identifier: MIT

import LinuxSystem

/// A folder of a million files: how long until it is watched, and whether the agent reads what is in them.
/// The names are links to one large file, so that reading any of them would be seen.
@MainActor enum MillionFiles {
  private static let files = 1_000_000
  private static let size = 1_000_000

  static var time: Race {
    Race(
      name: "set-up, a folder of 1,000,000 files", figures: [Race.Figure(name: "", unit: "ms")], rounds: 3
    ) {
      let folder = try WatchedFolder(inMemory: true)
      do {
        try fill(folder.path)
      } catch {
        folder.remove()
        throw error
      }
      let entrants = Peer.field([.raw, .inotifywait, .watchman]) { peer in
        let watcher = try peer?.start(folder.path) ?? OurWatcher(folder.path)
        defer { watcher.stop() }
        return [Double(watcher.readyAfter) / 1_000_000]
      }
      return Race.Field(entrants: entrants, end: folder.remove)
    }
  }

  static var hashes: Race {
    Race(
      name: "files read when an agent starts beside 1,000,000",
      figures: [Race.Figure(name: "", unit: "files", target: .ours(atMost: 0))], rounds: 1, warmUp: 0
    ) {
      let (full, empty) = (try WatchedFolder(inMemory: true), try WatchedFolder(inMemory: true))
      let end: @MainActor () -> Void = { [full, empty].forEach { $0.remove() } }
      do {
        try fill(full.path)
      } catch {
        end()
        throw error
      }
      return Race.Field(
        entrants: [
          Race.Entrant(name: "ours") { [try filesRead(in: full.path)] },
          Race.Entrant(name: "the same with no file") { [try filesRead(in: empty.path)] },
        ], end: end)
    }
  }

  /// What the agent has read when the folder is watched and all is quiet, in sizes of a file.
  private static func filesRead(in folder: String) throws -> Double {
    let home = try AgentHome(folders: [])
    defer { home.stop() }
    try home.ask("folder", "add", folder)
    // A second start finds the folder registered, as each start but the first does.
    try home.ask("agent", "stop")
    let (agent, watch) = try home.processes()
    var (before, quiet) = (-1.0, 0)
    let deadline = now() + 120_000_000_000
    while quiet < 3 {
      guard now() < deadline else { throw Failure("the agent is still busy after two minutes") }
      // Nothing tells that a program has nothing more to do, but that it does nothing.
      pass(milliseconds: 1000)
      let sleeps = try ProcessFigures.sleeps(of: agent) + ProcessFigures.sleeps(of: watch)
      quiet = sleeps == before ? quiet + 1 : 0
      before = sleeps
    }
    return (try ProcessFigures.bytesRead(by: agent) / Double(size)).rounded(.down)
  }

  private static func fill(_ folder: String) throws {
    let first = folder + "/f0"
    try Files.write(String(repeating: "0123456789", count: size / 10), to: first)
    for number in 1..<files {
      try FilePath(first).link(to: FilePath("\(folder)/f\(number)"))
    }
  }
}
