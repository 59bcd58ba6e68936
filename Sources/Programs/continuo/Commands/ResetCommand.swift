// SPDX-License-Identifier: MIT

import ActivityModel
import Agent
import AgentClient
import ArgumentParser
import LinuxSystem

struct ResetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reset", abstract: "Make this computer a new device, which is paired anew.",
    discussion: CommandEnd.help(
      """
      For a computer whose home directory was copied from another one: both use one identity then, and \
      neither offers anything. Run it on the copy; the other computer goes on by itself. Registered folders, \
      documents and their histories stay as they are. This computer tells your other devices nothing until \
      it is paired with them: `continuo pair` there, `continuo join` here. The same goes for a computer that \
      was left with `continuo move-out`.
      """,
      ends: [
        .done: "it is a new device, or the question was answered with no",
        .failed: "nothing was changed, and the sentence says why",
      ]))

  @OptionGroup var consent: Consent

  func run() throws {
    try Failure.told { () throws(ContinuityError) in
      try consent.check(
        orSay: "`continuo reset` gives this computer a new identity, which has to be paired again")
      let isWanted = consent.isGiven(
        to: "This computer gets a new identity, and has to be paired with your other devices again.",
        "Folders and documents stay as they are. Type yes to go on:")
      guard isWanted else { return Terminal.hint("Nothing was changed.") }
      if let sentence = try Self.beganAnew() {
        return try DevicesRow.say(sentence, json: consent.json, try AgentSession())
      }
      let session = try AgentSession()
      guard case .done(let sentence) = try session.ask(.reset) else { return }
      try DevicesRow.say(sentence, json: consent.json, session)
    }
  }

  /// Where a device went from here to another computer, no agent runs that could be asked; nil elsewhere.
  private static func beganAnew() throws(ContinuityError) -> String? {
    guard let moving = try? DeviceMoving(environment: CurrentProcess.environment) else { return nil }
    defer { moving.end() }
    guard let moved = try moving.movedDevice() else { return nil }
    try moving.beginAnew()
    return
      "\(moved) is at another computer; this one is a new device now. Pair it: `continuo pair` on another "
      + "device, then `continuo join` here."
  }
}
