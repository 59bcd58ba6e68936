// SPDX-License-Identifier: MIT

import LinuxSystem
import Glibc
import Testing

@testable import fixtures

/// In these tests the runner's, with what it printed.
typealias ChildProcess = fixtures.ChildProcess

/// One simulated device for one test; its agent ends with it.
final class Home {
  let sandbox: Sandbox
  let device: Device

  init(_ name: String = "desktop") throws {
    signal(SIGPIPE, SIG_IGN)
    sandbox = try Sandbox()
    device = try sandbox.add(name)
  }

  deinit { sandbox.close(keepingFiles: false, endingProcesses: false) }

  /// Runs the command line, whatever comes of it.
  func continuo(
    _ arguments: String..., input: String = "", changing environment: [String: String?] = [:]
  ) throws -> ChildProcess {
    try run(arguments, input: input, changing: environment)
  }

  /// The same with words that a list holds.
  func run(
    _ arguments: [String], input: String = "", changing environment: [String: String?] = [:]
  ) throws -> ChildProcess {
    var all = device.environment
    for (name, value) in environment { all[name] = value }
    let child = try ChildProcess(
      sandbox.programs["continuo"], arguments, environment: all, input: input)
    try child.waitForExit(within: 30)
    return child
  }

  /// Registers the folder.
  func addFolder() throws { try device.continuo("folder", "add", device.folder, "--name", "Notes") }
}

extension Device {
  /// Kills the agent and what it started, if it runs, and waits for its end.
  func endAgent() {
    guard let connection = try? WireConnection(socketPath: socket), let agent = connection.agentProcess
    else {
      return
    }
    let below = Descendants.all(of: agent)
    for process in [agent] + below { kill(process, SIGKILL) }
  }
}

/// A refusal: a sentence on standard error that says `words`, an exit code, and no trace of a crash.
func expectSentence(
  _ child: ChildProcess, saying words: String..., sourceLocation: SourceLocation = #_sourceLocation
) {
  guard case .code(let code)? = child.exit else {
    Issue.record("\(child.state)", sourceLocation: sourceLocation)
    return
  }
  #expect(code != 0, "\(child.state)", sourceLocation: sourceLocation)
  let told = child.errorText
  for word in words {
    #expect(told.lowercased().contains(word.lowercased()), "\(child.state)", sourceLocation: sourceLocation)
  }
  #expect(told.split(separator: " ").count >= 4, "\(child.state)", sourceLocation: sourceLocation)
  for trace in ["Fatal error", "Crash", "Backtrace", "ContinuityError(", "Error Domain", "rawValue"] {
    #expect(!told.contains(trace), "\(child.state)", sourceLocation: sourceLocation)
  }
}
