// SPDX-License-Identifier: MIT

import ActivityModel
import ArgumentParser

struct ResumeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "resume", abstract: "Continue an offer here: the newest, or the one whose ID begins so.",
    discussion: """
      Hands it to a connected app that declares its type, else starts the sample editor on this terminal, \
      else       prints the document's path and version and exits with 3.
      """)

  @Argument(help: "The ID, or its beginning, as `continuo offers` prints it.")
  var id: String?

  func run() throws {
    try Failure.told { () throws(ContinuityError) in
      switch try AgentSession().ask(.resume(id)) {
      case .handedOver(let appName): Terminal.say("Handed over to \(appName).")
      case .noApp(let offer, let path): try SampleEditor.continueOrPrint(offer, path)
      default: break
      }
    }
  }
}
