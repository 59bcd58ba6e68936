// SPDX-License-Identifier: MIT

import ActivityModel
import ArgumentParser
import LinuxSystem

/// Whether a command that takes something away may go on: the person types it, or `--yes` says so.
struct Consent: ParsableArguments {
  @Flag(help: "Do not ask.")
  var yes = false

  @Flag(help: "Print a JSON object; goes with --yes.")
  var json = false

  func validate() throws {
    guard yes || !json else { throw ValidationError("--json asks nobody: add --yes.") }
  }

  /// Throws `invalidRequest` with `sentence`, which says what would happen, where nobody can be asked.
  func check(orSay sentence: String) throws(ContinuityError) {
    guard yes || BorrowedDescriptor.standardInput.isTerminal else {
      throw ContinuityError(.invalidRequest, subject: "--yes", description: "\(sentence): add --yes.")
    }
  }

  /// Asks on the terminal, unless `--yes` was given.
  func isGiven(to questions: String...) -> Bool {
    if yes { return true }
    for each in questions { Terminal.hint(each) }
    return readLine() == "yes"
  }
}
