// SPDX-License-Identifier: MIT

import ActivityModel
import LinuxSystem
import LocalNetwork

/// The network process: alone in linking OpenSSL, on one thread, ended by the end of its socket to the agent,
/// which is its standard input. What it speaks through comes from there, and it has nothing else.
@main
enum ContinuoLan {
  private static let usage = """
    usage: continuo-lan

    Speaks with other devices on the network, for the agent, which starts it and hands it its sockets.
    It opens no file and no connection by itself.

    Exit codes: 0 the agent has ended, 1 it cannot go on, 2 wrong usage, 3 it cannot be confined.

    """

  static func main() {
    let words = CurrentProcess.arguments.dropFirst().map { String(decoding: $0, as: UTF8.self) }
    if words == ["--help"] || words == ["-h"] {
      try? BorrowedDescriptor.standardOutput.writeAll(Array(usage.utf8))
      return
    }
    guard words.isEmpty, UnixSocket.peer(of: BorrowedDescriptor.standardInput) != nil else {
      complain("This program is for the agent; run `continuo lan`.")
      CurrentProcess.exit(2)
    }
    do throws(Failure) { try run() } catch {
      complain(error.sentence)
      CurrentProcess.exit(error.exitCode)
    }
  }

  private static func run() throws(Failure) {
    Signal.ignoreBrokenPipes()
    CurrentProcess.forbidDumps()
    // Before the paths are gone.
    let security = try TransportSecurity()
    let isWithoutPaths: Bool
    do throws(Errno) {
      try Confinement.gainNoPrivileges()
      isWithoutPaths = try Confinement.forsakePaths()
      Confinement.tryWhatIsForbidden("landlock")
      try Confinement.keepDescriptorsOnly()
      Confinement.tryWhatIsForbidden("seccomp")
    } catch {
      throw Failure(
        exitCode: 3, sentence: "This kernel does not confine it (\(error.text)), so it does not run.")
    }
    let greeting = LinkGreeting(isWithoutPaths: isWithoutPaths)
    try LinkLoop(security, orders: .standardInput, greeting: greeting, patience: patience).run()
  }

  /// In a build for tests these may wait for less.
  private static var patience: Duration {
    #if DEBUG
      if let given = CurrentProcess.variable("CONTINUO_LAN_PATIENCE").flatMap({ Int($0) }) {
        return .milliseconds(given)
      }
    #endif
    return LinkMachine.patience
  }

  private static func complain(_ sentence: String) {
    try? BorrowedDescriptor.standardError.writeAll(Array("continuo-lan: \(sentence)\n".utf8))
  }
}

/// Why the program ends, in one sentence.
struct Failure: Error {
  var exitCode: Int32 = 1
  let sentence: String
}
