// SPDX-License-Identifier: MIT

/// A home of its own for an agent, which starts when it is first asked something.
@MainActor final class AgentHome {
  let root: String
  let programs: String
  let environment: [String: String]

  /// Also makes these folders below `root`.
  init(folders: [String]) throws {
    programs = try Files.ownDirectory()
    root = try Files.makeTemporaryDirectory()
    environment = [
      "HOME": root + "/home", "XDG_STATE_HOME": root + "/state", "XDG_CONFIG_HOME": root + "/config",
      "XDG_DATA_HOME": root + "/data", "XDG_RUNTIME_DIR": root + "/run", "LANG": "C.UTF-8",
      "PATH": programs + ":/usr/local/bin:/usr/bin:/bin",
    ]
    do {
      for folder in ["home", "state", "config", "data", "run"] + folders {
        try Files.makeDirectory("\(root)/\(folder)")
      }
    } catch {
      Files.remove(root)
      throw error
    }
  }

  /// Runs `continuo` and gives what it printed.
  @discardableResult
  func ask(_ words: String...) throws -> String {
    try ChildProcess.run([programs + "/continuo"] + words, environment: environment)
  }

  /// The agent, and its watch process.
  func processes() throws -> (agent: Int32, watch: Int32) {
    let line = try ask("status").split(separator: "\n").first { $0.hasPrefix("Agent ") } ?? ""
    let numbers = line.split { !$0.isNumber }.compactMap { Int32($0) }
    guard numbers.count == 2, !numbers.contains(0) else { throw Failure("no agent runs: \(line)") }
    return (numbers[0], numbers[1])
  }

  /// Stops the agent and removes everything.
  func stop() {
    _ = try? ask("agent", "stop")
    Files.remove(root)
  }
}
