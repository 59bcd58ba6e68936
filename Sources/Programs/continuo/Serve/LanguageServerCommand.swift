// SPDX-License-Identifier: MIT

import ActivityModel
import ArgumentParser
import EditorProtocol
import LinuxSystem

struct LanguageServerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lsp",
    abstract: "Hand over from an editor that speaks to language servers, and has no plugin.",
    discussion: CommandEnd.help(
      """
      The editor starts this as a language server of all files: Helix, Zed, Sublime Text, JetBrains, Kate \
      and others; docs/users/lsp-editors.md has the lines for each, and tells what each cannot do. Files \
      outside of synced folders are let alone. What goes wrong is told on standard error.
      """,
      ends: [
        .done: "the editor said `exit` after `shutdown`, or went away",
        .failed: "it said `exit` alone, or something that is no message",
      ]))

  @Flag(help: "Speak on standard input and output, which it does anyway: many editors say so.")
  var stdio = false

  @Option(
    name: .customLong("clientProcessId"),
    help: ArgumentHelp(
      "The editor's process, which some editors name; nothing comes of it.", valueName: "PID"))
  var clientProcess: Int?

  func run() throws {
    let now = WallTime.now
    let machine = LanguageServerMachine(
      version: ContinuoCommand.version, minutesEast: LocalTime(now)?.minutesEast(at: now) ?? 0)
    try ServeLoop.serve(machine)
  }
}
