// SPDX-License-Identifier: MIT

import ActivityModel
import Agent
import AgentClient
import ArgumentParser
import LinuxSystem

struct MoveOutCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "move-out",
    abstract: "Take this device to a new computer: write it to a file, and stop here for good.",
    discussion: CommandEnd.help(
      """
      The file holds this device's keys, its circle and the list of its folders, sealed by twelve words that \
      are shown once: write them down. Run `continuo move-in FILE` on the new computer, which then takes \
      this one's place; nothing is paired anew. Documents are not in the file: the sync engine brings them. \
      This computer offers nothing any more; `continuo reset` makes it a new device. If the move is broken \
      off before that is said, this computer goes on, and the file can be deleted.
      """,
      ends: [
        .done: "the file is written and this computer has stopped, or the question was answered with no",
        .failed: "nothing was moved, and the sentence says why",
      ]))

  @Argument(
    help: "The file to be written; nothing may be there, and not in a synced folder.", completion: .file())
  var file: String

  @OptionGroup var consent: Consent

  func run() throws {
    try Failure.told { () throws(ContinuityError) in
      try consent.check(
        orSay: "`continuo move-out` takes this device's keys away, and nobody can be asked here")
      let path = Terminal.absolutePath(file)
      let pause = try AgentPause()
      defer { pause.end() }
      let hasLeft = try pause.moving.moveOut(to: path) { (words, device) throws(ContinuityError) in
        try show(words, device, path)
        return consent.isGiven(
          to: "This computer now stops for good, and the file is all that is left. Type yes when you have "
            + "written down the words:")
      }
      guard hasLeft else { return Terminal.hint("Nothing was moved, and the file is removed.") }
      pause.staysStopped = true
      if !consent.json {
        Terminal.hint("This computer has stopped. On the new one: continuo move-in \(Terminal.shown(path))")
      }
    }
  }

  private func show(_ words: [String], _ device: String, _ path: [UInt8]) throws(ContinuityError) {
    guard consent.json else {
      Terminal.hint("\(Terminal.shown(path)) is written. These words open it; they are not shown again:")
      return try Terminal.deliver(words.joined(separator: " "))
    }
    try JSONOutput.deliver(
      MovedOutRow(
        device: DisplayText.shown(device), file: FileURL.text(of: path), words: words,
        message: "On the new computer: continuo move-in \(Terminal.shown(path))"))
  }
}

/// A device on its way, as `move-out --json` prints it before the keys are taken from this computer.
struct MovedOutRow: Encodable {
  var device: String
  /// A `file:` URL.
  var file: String
  /// The twelve words, for `move-in --words-file`.
  var words: [String]
  var message: String
}

struct MoveInCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "move-in",
    abstract: "Take the place of the computer on which `continuo move-out` wrote the file.",
    discussion: CommandEnd.help(
      """
      Asks for the words on the terminal, or reads them from a file. This computer goes on as that device, \
      under its name and in its circle. Its folders are looked for where they were, and below the home \
      directory where they were there; folders that are registered here stay. A computer that \
      belongs to a circle with other devices is refused.
      """,
      ends: [
        .done: "this computer is that device now", .failed: "nothing was changed, and the sentence says why",
      ]))

  @Argument(help: "The file that `continuo move-out` wrote.", completion: .file())
  var file: String

  @Option(
    help: ArgumentHelp("Read the words from this file, or from standard input.", valueName: "FILE|-"),
    completion: .file())
  var wordsFile: String?

  @Flag(help: "Print a JSON object.")
  var json = false

  func run() throws {
    try Failure.told { () throws(ContinuityError) in
      let bytes = try DeviceMoving.read(Terminal.absolutePath(file))
      let opened = try DeviceMoving.Opened(bytes, words: TypedWords.read(from: wordsFile))
      let pause = try AgentPause()
      defer { pause.end() }
      let arrival = try pause.moving.moveIn(opened)
      pause.startsAgent = true
      let sentence =
        "This computer is \(arrival.device) now. Devices: \(arrival.devices.joined(separator: ", ")). Delete "
        + "the file, and forget its words."
      if json { return JSONOutput.say(MovedInRow(arrival, sentence)) }
      Terminal.say(sentence)
      for folder in arrival.folders where !folder.isPresent {
        Terminal.hint(
          "Folder \(folder.name) is expected at \(Terminal.shown(folder.path)): have the sync engine bring "
            + "it there. If it lies elsewhere: continuo folder remove, continuo folder add.")
      }
    }
  }
}

/// How moving in ended, as `move-in --json` prints it.
struct MovedInRow: Encodable {
  var device: String
  /// All names of the circle, this device first.
  var devices: [String]
  var folders: [FolderRow]
  var message: String

  init(_ arrival: DeviceMoving.Arrival, _ message: String) {
    device = DisplayText.shown(arrival.device)
    devices = arrival.devices.map { DisplayText.shown($0) }
    folders = arrival.folders.map(FolderRow.init)
    self.message = DisplayText.shown(message)
  }
}

/// No agent runs for as long as this lives: one that ran is stopped, and started again at the end.
final class AgentPause {
  let moving: DeviceMoving
  /// Whether an agent runs afterwards; by default one does where one did.
  var startsAgent = false
  /// Whether none can run afterwards.
  var staysStopped = false

  /// Throws `agentUnavailable` when the agent does not end, or others come again and again.
  init() throws(ContinuityError) {
    var wasRunning = false
    var attempts = 10
    while true {
      if let session = try? AgentSession(startsAgent: false) {
        _ = try session.ask(.stop)
        try session.waitForEnd(limit: .seconds(10))
        wasRunning = true
      }
      do throws(ContinuityError) {
        moving = try DeviceMoving(environment: CurrentProcess.environment)
        break
      } catch {
        attempts -= 1
        guard DeviceMoving.isTaken(error), attempts > 0 else { throw error }
        // An app may have started another one, which is about to listen.
        var none: [Poll.Entry] = []
        Poll.wait(for: &none, atMost: .milliseconds(200))
      }
    }
    startsAgent = wasRunning
  }

  /// What is done stands, also where the agent says only later that it cannot run.
  func end() {
    moving.end()
    if startsAgent, !staysStopped { _ = try? AgentSession() }
  }
}
