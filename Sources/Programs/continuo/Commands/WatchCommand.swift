// SPDX-License-Identifier: MIT

import ActivityModel
import ArgumentParser
import LinuxSystem

struct WatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch", abstract: "Tell what changes in a folder, until Ctrl-C.",
    discussion: CommandEnd.help(
      """
      The folder need not be registered, and no agent is asked. A name is told once it was quiet for a \
      moment, with what is there then. Says so when folders can only be looked at every few seconds.
      """,
      ends: [.done: "who read it ended", .failed: "there is no such folder, or it is gone"]))

  @Argument(help: "The folder; everything below it counts.", completion: .directory)
  var directory: String

  @Flag(help: "Print a JSON object a line; `continuo-watch --help` explains them.")
  var json = false

  @Flag(help: "Print what the kernel reports, too, as it comes.")
  var raw = false

  func run() throws {
    try Failure.told { () throws(ContinuityError) in
      try checkFolder()
      // The watch process takes this one's place, and with it the terminal and the signals.
      let options = (json ? ["--json", "--settled"] : ["--text"]) + (raw ? ["--raw"] : [])
      try become(["continuo-watch"] + options + ["--", directory])
    }
  }

  private func checkFolder() throws(ContinuityError) {
    let status: FileStatus
    do throws(Errno) { status = try FilePath(directory).status() } catch {
      throw ContinuityError(
        .folderUnavailable, subject: directory, description: "\(directory): \(error.text); check the path.")
    }
    guard status.kind == .folder else {
      throw ContinuityError(
        .folderUnavailable, subject: directory,
        description: "\(directory) is a file; name the folder that holds it.")
    }
  }

  private func become(_ arguments: [String]) throws(ContinuityError) {
    let name = "continuo-watch"
    for program in [InstalledProgram.beside(name)].compactMap({ $0 }) + InstalledProgram.inSearchPath(name) {
      _ = CurrentProcess.become(FilePath(program), arguments: arguments.map { Array($0.utf8) })
    }
    throw ContinuityError(
      .agentUnavailable, subject: name,
      description: "\(name) is neither beside continuo nor in PATH: install it.")
  }
}
