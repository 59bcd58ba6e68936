// SPDX-License-Identifier: MIT

import ActivityModel
import ArgumentParser
import Glibc

@main
struct ContinuoCommand: ParsableCommand {
  static let version = "0.1.0"

  static let configuration = CommandConfiguration(
    commandName: "continuo",
    abstract: "Continue on this computer what you were doing on another one.",
    discussion: """
      Documents in synced folders are offered to your other devices while you edit them, and opened there in \
      the version you were editing. Nothing but the folder is needed.

      Exit codes: 0 done; 1 failed, with a sentence that says what to do; 2 it did not come in time; \
      3 nothing here could take the offer, its path and version were printed; 64 the command was misspelt.
      """,
    version: version,
    subcommands: [
      FolderCommand.self, PairCommand.self, JoinCommand.self, DevicesCommand.self, DeviceCommand.self,
      RevokeCommand.self, ResetCommand.self, OffersCommand.self, ResumeCommand.self,
      PublishCommand.self, WaitCommand.self, WatchCommand.self, StatusCommand.self, AppsCommand.self,
      ServeCommand.self, AgentCommandLine.self,
    ])
}

extension ContinuoCommand {
  /// What was misspelt is quoted in the answer: names of files, where a shell's pattern stood.
  static func main() {
    Terminal.fillClosedStreams()
    do {
      var command = try parseAsRoot()
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

/// What every command ends with when it fails.
enum Failure {
  static let failed = ExitCode(1)
  static let timedOut = ExitCode(2)
  static let printedOnly = ExitCode(3)

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
  static func say(_ line: String) { put(DisplayText.shown(line) + "\n", on: STDOUT_FILENO) }

  static func complain(_ line: String) {
    put(DisplayText.shown("continuo: \(line)") + "\n", on: STDERR_FILENO)
  }

  static func hint(_ line: String) { put(DisplayText.shown(line) + "\n", on: STDERR_FILENO) }

  static func ask(_ prompt: String) { put(DisplayText.shown(prompt), on: STDERR_FILENO) }

  /// A stream that was closed by whoever started this would else be the next file that is opened, and take
  /// what is printed.
  static func fillClosedStreams() {
    var descriptor: Int32
    repeat { descriptor = open("/dev/null", O_RDWR) } while (0...STDERR_FILENO).contains(descriptor)
    if descriptor >= 0 { close(descriptor) }
  }

  private static func put(_ text: String, on descriptor: Int32) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 || errno == EINTR else { return }
      rest = rest.dropFirst(max(0, count))
    }
  }

  /// The absolute path of what the person typed; `.` and `..` stay for the agent to resolve.
  static func absolutePath(_ typed: String) -> [UInt8] {
    let bytes = RawArguments.bytes(of: typed)
    if bytes.first == UInt8(ascii: "/") { return bytes }
    guard let current = getcwd(nil, 0) else { return bytes }
    defer { free(current) }
    let directory = UnsafeBufferPointer(start: current, count: strlen(current)).map { UInt8(bitPattern: $0) }
    return directory + [UInt8(ascii: "/")] + bytes
  }

  static func shown(_ path: [UInt8]) -> String { DisplayText.shown(path) }

  /// For system calls; a path holds no NUL.
  static func cString(_ path: [UInt8]) -> [CChar] { path.map { CChar(bitPattern: $0) } + [0] }
}
