// SPDX-License-Identifier: MIT

/// A home of its own with an agent and a synced folder for our editor, and one tmux server for both editors.
@MainActor final class Stage {
  let terminals: TmuxServer
  private let root: String
  private let programs: String
  private let environment: [String: String]

  /// Our document lies in the synced folder, as those of our users do; the peer's beside it, so that the
  /// agent has nothing to do with it.
  private var folder: String { root + "/synced" }

  init() throws {
    programs = try Files.ownDirectory()
    root = try Files.makeTemporaryDirectory()
    environment = [
      "HOME": root + "/home", "XDG_STATE_HOME": root + "/state", "XDG_CONFIG_HOME": root + "/config",
      "XDG_DATA_HOME": root + "/data", "XDG_RUNTIME_DIR": root + "/run", "LANG": "C.UTF-8",
      "PATH": programs + ":/usr/local/bin:/usr/bin:/bin",
    ]
    do {
      for directory in ["home", "state", "config", "data", "run", "synced", "plain"] {
        try Files.makeDirectory("\(root)/\(directory)")
      }
      terminals = try TmuxServer(in: root, environment: environment)
    } catch {
      Files.remove(root)
      throw error
    }
    do {
      _ = try ChildProcess.run([programs + "/continuo", "folder", "add", folder], environment: environment)
    } catch {
      end()
      throw error
    }
  }

  /// Ends all programs and removes all files.
  func end() {
    terminals.end()
    _ = try? ChildProcess.run([programs + "/continuo", "agent", "stop"], environment: environment)
    Files.remove(root)
  }

  /// Writes the same document for both, and gives what opens it.
  func place(_ log: LogFile) throws -> (ours: [String], peer: [String]) {
    let text = log.text
    try Files.write(text, to: folder + "/events.log")
    try Files.write(text, to: root + "/plain/events.log")
    return ([programs + "/continuo-edit", folder + "/events.log"], ["nano", root + "/plain/events.log"])
  }
}
