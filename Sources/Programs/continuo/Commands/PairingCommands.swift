// SPDX-License-Identifier: MIT

import ActivityModel
import AgentClient
import ArgumentParser
import LinuxSystem

struct PairCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pair", abstract: "Invite another device by twelve words.",
    discussion: CommandEnd.help(
      """
      Prints the words on one line and ends. The agent waits for 24 hours for the answer of the other \
      device, which comes through the synced folders. Whoever knows the words can join: tell them to nobody.
      """,
      ends: [
        .done: "the invitation is open, or closed with --cancel",
        .failed: "it is not, and the sentence says why",
      ]))

  @Option(help: "What to call this device; by default its host name.")
  var deviceName: String?

  @Flag(help: "Close the open invitation.")
  var cancel = false

  @Flag(help: "Print a JSON object.")
  var json = false

  func run() throws {
    try Failure.told { () throws(ContinuityError) in
      // The words come into its memory.
      CurrentProcess.forbidDumps()
      let session = try AgentSession()
      switch try session.ask(cancel ? .cancelPairing : .pair(deviceName: deviceName)) {
      case .done(let sentence) where json:
        JSONOutput.say(InvitationRow(message: DisplayText.shown(sentence)))
      case .done(let sentence): Terminal.say(sentence)
      case .words(let words) where json:
        JSONOutput.say(
          InvitationRow(
            words: words, message: "On the other device: continuo folder add FOLDER, continuo join"))
      case .words(let words):
        Terminal.hint(
          "On the other device, first register its copy of the folder: continuo folder add FOLDER")
        Terminal.hint("Then run `continuo join` there, and type these words when it asks for them:")
        Terminal.say(words.joined(separator: " "))
        Terminal.hint("The agent waits for the answer for 24 hours; `continuo pair --cancel` ends that.")
      default: break
      }
    }
  }
}

/// An invitation as `pair --json` prints it.
struct InvitationRow: Encodable {
  /// The twelve words, for `join --words-file`; nil where the invitation was closed.
  var words: [String]?
  var message: String
}

struct JoinCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "join",
    abstract: "Join a device that `continuo pair` was run on, by the twelve words that it printed.",
    discussion: CommandEnd.help(
      """
      Asks for the words on the terminal, or reads them from a file. Nothing else is asked. Waits for up to \
      a minute until the sync engine has brought the invitation.
      """,
      ends: [
        .done: "the devices are paired", .failed: "they are not, and the sentence says what to do",
      ]))

  @Option(
    help: ArgumentHelp("Read the words from this file, or from standard input.", valueName: "FILE|-"),
    completion: .file())
  var wordsFile: String?

  @Option(help: "What to call this device; by default its host name.")
  var deviceName: String?

  @Flag(help: "Print a JSON object.")
  var json = false

  func run() throws {
    try Failure.told { () throws(ContinuityError) in
      let words = try TypedWords.read(from: wordsFile)
      let (inviter, devices) = try Self.join(with: words, as: deviceName, try AgentSession())
      let sentence = "Paired with \(inviter). Devices: \(devices.joined(separator: ", "))."
      json ? JSONOutput.say(PairedRow(inviter, devices, sentence)) : Terminal.say(sentence)
    }
  }

  /// Waits until the invitation of these words has come; gives who invited, and all names of the circle.
  static func join(
    with words: String, as deviceName: String?, _ session: AgentSession
  ) throws(ContinuityError) -> (inviter: String, devices: [String]) {
    Terminal.hint("Looking for the invitation in the synced folders …")
    var line = WaitingLine()
    defer { line.erase() }
    let command = AgentCommand.join(words: words, deviceName: deviceName)
    let answer = try session.ask(command, limit: .seconds(90)) { line.draw("Waiting for it … \($0) s") }
    guard case .joined(let inviter, let devices) = answer else {
      throw ContinuityError(
        .agentUnavailable,
        description: "The agent answered something else: `continuo agent stop`, and try again.")
    }
    return (inviter, devices)
  }
}

/// How joining ended, as `join --json` prints it.
struct PairedRow: Encodable {
  var inviter: String
  /// All names of the circle, this device first.
  var devices: [String]
  var message: String

  init(_ inviter: String, _ devices: [String], _ message: String) {
    self.inviter = DisplayText.shown(inviter)
    self.devices = devices.map { DisplayText.shown($0) }
    self.message = DisplayText.shown(message)
  }
}
