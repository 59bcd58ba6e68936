// SPDX-License-Identifier: MIT

import ActivityModel
import Agent
import AgentClient
import ArgumentParser
import LinuxSystem

struct AgentCommandLine: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "agent",
    abstract: "Run the agent, or stop it. Apps start it by themselves when they need it.",
    subcommands: [Run.self, Stop.self], defaultSubcommand: Run.self)

  struct Run: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Run the agent until it is stopped; it logs to standard error.",
      discussion: CommandEnd.help(
        ends: [.done: "it was stopped", .failed: "it cannot run, and the sentence says why"]))

    func run() throws {
      try Failure.told { () throws(ContinuityError) in
        try Agent.run(environment: CurrentProcess.environment)
      }
    }
  }

  struct Stop: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Stop the agent; what it offered stands.",
      discussion: CommandEnd.help(
        ends: [.done: "no agent runs any more", .failed: "it runs on, and the sentence says why"]))

    @Flag(help: "Print a JSON object.")
    var json = false

    func run() throws {
      try Failure.told { () throws(ContinuityError) in
        let session: AgentSession
        do {
          session = try AgentSession(startsAgent: false)
        } catch {
          return say("No agent runs.", wasRunning: false)
        }
        guard case .done(let sentence) = try session.ask(.stop) else { return }
        try session.waitForEnd(limit: .seconds(10))
        say(sentence, wasRunning: true)
      }
    }

    private func say(_ sentence: String, wasRunning: Bool) {
      if json { JSONOutput.say(StopRow(wasRunning: wasRunning, message: DisplayText.shown(sentence))) }
      if !json { Terminal.say(sentence) }
    }
  }
}

/// What `agent stop --json` prints.
struct StopRow: Encodable {
  var wasRunning: Bool
  var message: String
}

struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Tell how this device stands, and what does not work.",
    discussion: CommandEnd.help(
      ends: [.done: "it was told, with or without problems", .failed: "no agent told it"]))

  /// Who edits which document elsewhere: nobody is kept from editing it here. Nil for what has no document.
  private static func editing(_ offer: Offer) -> String? {
    guard let path = offer.path else { return nil }
    let document = "\(path) in \(offer.folderName.isEmpty ? "another folder" : offer.folderName)"
    let last = "last change \(clock(offer.changedAt))"
    if offer.flags.contains(.leftOpen) { return "\(offer.deviceName) left \(document) open, \(last)" }
    let unsaved = offer.flags.contains(.unsavedChanges) ? ", with unsaved changes" : ""
    return "\(offer.deviceName) is editing \(document), \(last)\(unsaved)"
  }

  /// Local time to the minute, by the other device's clock.
  private static func clock(_ moment: WallTime) -> String {
    LocalTime(moment).map { "\($0.date) \($0.clock)" } ?? "unknown"
  }

  @Flag(help: "Print a JSON object.")
  var json = false

  func run() throws {
    try Failure.told { () throws(ContinuityError) in
      let session = try AgentSession()
      guard case .status(let status) = try session.ask(.status) else { return }
      if json {
        guard case .offers(let offers) = try session.ask(.offers) else { return }
        var row = StatusRow(status, offers)
        row.lan = (try? LanAnswer.ask(.status, session)).map(LanRow.init)
        return JSONOutput.say(row)
      }
      Terminal.say("Device   \(status.deviceName)  \(status.deviceID)")
      Terminal.say("Circle   \(status.devices.joined(separator: ", "))")
      for folder in status.folders {
        let away = folder.isPresent ? "" : folder.refused == nil ? "  (not there now)" : "  (not used)"
        Terminal.say("Folder   \(folder.name)  \(Terminal.shown(folder.path))\(away)")
      }
      for app in status.apps { Terminal.say("App      \(app)") }
      Terminal.say("Agent    process \(status.process), watch process \(status.watchProcess)")
      if case .offers(let offers) = try session.ask(.offers) {
        for offer in offers { if let sentence = Self.editing(offer) { Terminal.say("Editing  \(sentence)") } }
      }
      // Last: an agent of an earlier release ends the connection at what it does not know.
      if let lan = try? LanAnswer.ask(.status, session) {
        Terminal.say("LAN      \(LanAnswer.summary(of: lan))")
      }
      for problem in status.problems { Terminal.say("Problem  \(problem)") }
    }
  }
}

/// How the device stands, as `status --json` prints it.
struct StatusRow: Encodable {
  var device: String
  var deviceID: String
  /// The circle, this device first.
  var devices: [String]
  var folders: [FolderRow]
  /// Identifiers of the connected apps.
  var apps: [String]
  var process: UInt64
  /// 0 while it is being restarted.
  var watchProcess: UInt64
  /// What other devices offer that has a document.
  var editing: [OfferRow]
  /// As `lan status --json` prints it; absent where the agent knows of none.
  var lan: LanRow?
  var problems: [String]

  init(_ status: AgentStatus, _ offers: [Offer]) {
    device = status.deviceName
    deviceID = status.deviceID
    devices = status.devices.map { DisplayText.shown($0) }
    folders = status.folders.map(FolderRow.init)
    apps = status.apps.map { DisplayText.shown($0) }
    process = status.process
    watchProcess = status.watchProcess
    editing = OfferRow.rows(offers.filter { $0.path != nil })
    problems = status.problems.map { DisplayText.shown($0) }
  }
}
