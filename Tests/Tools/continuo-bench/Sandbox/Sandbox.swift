// SPDX-License-Identifier: MIT

/// A home of its own with an agent and a synced folder for our editor, and one tmux server for both editors.
@MainActor final class Sandbox {
  let terminals: TmuxServer
  private let home: AgentHome

  /// Our document lies in the synced folder, as those of our users do; the peer's beside it, so that the
  /// agent has nothing to do with it.
  private var folder: String { home.root + "/synced" }

  /// Where the agent's records lie.
  var records: String { folder + "/.continuo" }

  init() throws {
    home = try AgentHome(folders: ["synced", "plain"])
    do {
      terminals = try TmuxServer(in: home.root, environment: home.environment)
    } catch {
      home.stop()
      throw error
    }
    do {
      try home.ask("folder", "add", folder)
    } catch {
      close()
      throw error
    }
  }

  /// Ends all programs and removes all files.
  func close() {
    terminals.stop()
    home.stop()
  }

  /// Writes the same document for both, and gives what opens it.
  func place(_ log: LogFile) throws -> (ours: [String], peer: [String]) {
    let text = log.text
    try Files.write(text, to: folder + "/events.log")
    try Files.write(text, to: home.root + "/plain/events.log")
    return (
      [home.programs + "/continuo-edit", folder + "/events.log"], ["nano", home.root + "/plain/events.log"]
    )
  }
}
