// SPDX-License-Identifier: MIT

import ActivityModel
import ArgumentParser
import LinuxSystem

@main
struct ContinuoCommand: ParsableCommand {
  static let version = "0.1.0"

  static let configuration = CommandConfiguration(
    commandName: "continuo",
    abstract: "Continue on this computer what you were doing on another one.",
    discussion: CommandEnd.help(
      """
      Documents in synced folders are offered to your other devices while you edit them, and opened there in \
      the version you were editing. Nothing but the folder is needed.
      """,
      ends: [
        .done: "it was done", .failed: "it failed, with a sentence that says what to do",
        .late: "a version did not come in time",
        .printedOnly: "nothing here could take the offer, whose path and version were printed",
        .stillInConflict: "versions are still in conflict",
      ]),
    version: version,
    subcommands: [
      SetupCommand.self,
      FolderCommand.self, PairCommand.self, JoinCommand.self, DevicesCommand.self, DeviceCommand.self,
      RevokeCommand.self, ResetCommand.self, MoveOutCommand.self, MoveInCommand.self, OffersCommand.self,
      ResumeCommand.self,
      ResolveCommand.self, PublishCommand.self, WaitCommand.self, WatchCommand.self, StatusCommand.self,
      WhyCommand.self, DoctorCommand.self, LanCommandLine.self, CopiesCommand.self, SearchCommand.self,
      RecentCommand.self, AppsCommand.self,
      SetCommand.self, ServeCommand.self,
      LanguageServerCommand.self, AgentCommandLine.self,
    ])
}

extension ContinuoCommand {
  /// What was misspelt is quoted in the answer: names of files, where a shell's pattern stood.
  static func main() {
    CurrentProcess.fillClosedStreams()
    do {
      // The agent stays for days: without what reading a command line needs.
      let isAgent = CommandLine.arguments.dropFirst().elementsEqual(["agent", "run"])
      var command: any ParsableCommand = isAgent ? AgentCommandLine.Run() : try parseAsRoot()
      try command.run()
    } catch {
      let code = exitCode(for: error)
      var text = fullMessage(for: error)
      for word in CommandLine.arguments.dropFirst() where !DisplayText.isClean(word) {
        // Of `--option=value` either side is quoted alone, too.
        let sides = word.split(separator: "=", maxSplits: 1).map(String.init)
        for part in [word] + sides where !DisplayText.isClean(part) {
          text.replace(part, with: DisplayText.shown(part))
        }
      }
      let rows = text.split(separator: "\n", omittingEmptySubsequences: false)
      for row in rows where !text.isEmpty {
        if code.isSuccess { Terminal.say(String(row)) } else { Terminal.hint(String(row)) }
      }
      exit(withError: code)
    }
  }
}

/// How every command fails.
enum Failure {
  static let failed = ExitCode(CommandEnd.failed.rawValue)
  static let timedOut = ExitCode(CommandEnd.late.rawValue)
  static let stillInConflict = ExitCode(CommandEnd.stillInConflict.rawValue)

  /// Runs `body`; an error becomes a sentence on standard error and an exit code.
  static func told(_ body: () throws(ContinuityError) -> Void) throws {
    do {
      try body()
    } catch {
      Terminal.complain(error.description)
      throw error.code == .versionNeverArrived ? timedOut : failed
    }
  }
}

/// The process's standard streams. Each call writes one row, cleaned for display: a name cannot make rows,
/// nor steer the terminal.
enum Terminal {
  static func say(_ line: String) { put(DisplayText.shown(line) + "\n", on: .standardOutput) }

  /// A line that must reach whoever reads it, for it is told once. Throws when it did not.
  static func deliver(_ line: String) throws(ContinuityError) {
    do throws(Errno) {
      try BorrowedDescriptor.standardOutput.writeAll(Array((DisplayText.shown(line) + "\n").utf8))
    } catch {
      throw ContinuityError(
        .invalidRequest, subject: "output",
        description: "What was to be shown could not be written (\(error.clause)): nothing was changed.")
    }
  }

  static func complain(_ line: String) {
    put(DisplayText.shown("continuo: \(line)") + "\n", on: .standardError)
  }

  static func hint(_ line: String) { put(DisplayText.shown(line) + "\n", on: .standardError) }

  static func ask(_ prompt: String) { put(DisplayText.shown(prompt), on: .standardError) }

  /// Text of a `WaitingLine`, which is cleaned already and steers the row.
  static func draw(_ text: String) { if !text.isEmpty { put(text, on: .standardError) } }

  private static func put(_ text: String, on stream: BorrowedDescriptor) {
    try? stream.writeAll(Array(text.utf8))
  }

  /// The absolute path of what the person typed; `.` and `..` stay for the agent to resolve.
  static func absolutePath(_ typed: String) -> [UInt8] {
    let bytes = RawArguments.bytes(of: typed)
    if bytes.first == UInt8(ascii: "/") { return bytes }
    return (try? FilePath.workingFolder()).map { $0.bytes + [UInt8(ascii: "/")] + bytes } ?? bytes
  }

  static func shown(_ path: [UInt8]) -> String { DisplayText.shown(path) }
}
