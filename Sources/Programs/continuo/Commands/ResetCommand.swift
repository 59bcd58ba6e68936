// SPDX-License-Identifier: MIT

import ActivityModel
import ArgumentParser
import LinuxSystem

struct ResetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reset", abstract: "Make this computer a new device, which is paired anew.",
    discussion: """
      For a computer whose home directory was copied from another one: both use one identity then, and \
      neither offers anything. Run it on the copy; the other computer goes on by itself. Registered folders, \
      documents and their histories stay as they are. This computer tells your other devices nothing until \
      it is paired with them: `continuo pair` there, `continuo join` here.
      """)

  @Flag(help: "Do not ask.")
  var yes = false

  func run() throws {
    try Failure.told { () throws(ContinuityError) in
      let isWanted = yes ? true : try isWanted()
      guard isWanted else { return Terminal.hint("Nothing was changed.") }
      guard case .done(let sentence) = try AgentSession().ask(.reset) else { return }
      Terminal.say(sentence)
    }
  }

  private func isWanted() throws(ContinuityError) -> Bool {
    guard BorrowedDescriptor.standardInput.isTerminal else {
      throw ContinuityError(
        .invalidRequest, subject: "--yes",
        description:
          "`continuo reset` gives this computer a new identity, which has to be paired again: add --yes.")
    }
    Terminal.hint("This computer gets a new identity, and has to be paired with your other devices again.")
    Terminal.hint("Folders and documents stay as they are. Type yes to go on:")
    return readLine() == "yes"
  }
}
