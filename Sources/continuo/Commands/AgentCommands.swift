// SPDX-License-Identifier: MIT

import ActivityModel
import Agent
import AgentClient
import ArgumentParser

struct AgentCommandLine: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "agent",
    abstract: "Run the agent, or stop it. Apps start it by themselves when they need it.",
    subcommands: [Run.self, Stop.self], defaultSubcommand: Run.self)

  struct Run: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Run the agent until it is stopped; it logs to standard error.")

    func run() throws {
      try Failure.told { () throws(ContinuityError) in
        try Agent.run(environment: CommandLineEnvironment.variables)
      }
    }
  }

  struct Stop: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Stop the agent; what it offered stands.")

    func run() throws {
      try Failure.told { () throws(ContinuityError) in
        let session: AgentSession
        do {
          session = try AgentSession(startsAgent: false)
        } catch {
          return Terminal.say("No agent runs.")
        }
        guard case .done(let sentence) = try session.ask(.stop) else { return }
        try session.waitForEnd(limit: .seconds(10))
        Terminal.say(sentence)
      }
    }
  }
}

struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Tell how this device stands, and what does not work.")

  func run() throws {
    try Failure.told { () throws(ContinuityError) in
      guard case .status(let status) = try AgentSession().ask(.status) else { return }
      Terminal.say("Device   \(status.deviceName)  \(status.deviceID)")
      Terminal.say("Circle   \(status.devices.joined(separator: ", "))")
      for folder in status.folders {
        let away = folder.isPresent ? "" : "  (not there now)"
        Terminal.say("Folder   \(folder.name)  \(Terminal.shown(folder.path))\(away)")
      }
      for app in status.apps { Terminal.say("App      \(app)") }
      Terminal.say("Agent    process \(status.process), watch process \(status.watchProcess)")
      for problem in status.problems { Terminal.say("Problem  \(problem)") }
    }
  }
}
