// SPDX-License-Identifier: MIT

import ArgumentParser
import EditorProtocol

struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Serve one editor, which starts this: JSON-RPC on standard input and output.",
    discussion: CommandEnd.help(
      """
      For authors of editors: the editor says which files it has open and where the cursor is, and is told \
      what other devices offer, and what to open where. Messages are framed as the Language Server Protocol \
      frames them; docs/authors/stdio-protocol.md describes each. What goes wrong is told on standard error.
      """,
      ends: [
        .done: "the editor said `exit` after `shutdown`, or went away",
        .failed: "it said `exit` alone, or something that is no message",
      ]))

  @Flag(help: "Speak on standard input and output; there is no other way yet.")
  var stdio = false

  func validate() throws {
    guard stdio else { throw ValidationError("Say how to speak: `continuo serve --stdio`.") }
  }

  func run() throws {
    try ServeLoop.serve(RPCMachine())
  }
}
