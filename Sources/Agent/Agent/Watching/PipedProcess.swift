// SPDX-License-Identifier: MIT

import ActivityModel
import LinuxSystem

/// A program run with pipes on its standard input and output. It keeps nothing that could be lost, and may be
/// stopped or stuck: it is killed when this goes, not asked. Owned by one thread.
final class PipedProcess {
  private let child: ChildProcess
  /// Writes to the program's standard input; non-blocking.
  let input: Descriptor
  /// Reads the program's standard output; non-blocking.
  let output: Descriptor

  var process: CInt { child.process }

  /// `changes` are variables that differ from this process's own. Throws `agentUnavailable`.
  init(
    program: String, arguments: [String] = [], changing changes: [String: String?] = [:]
  ) throws(ContinuityError) {
    let toChild: (read: Descriptor, write: Descriptor)
    let fromChild: (read: Descriptor, write: Descriptor)
    do throws(Errno) {
      toChild = try Pipe.make()
      fromChild = try Pipe.make()
    } catch {
      throw ContinuityError(
        .agentUnavailable, subject: program, description: "No pipe can be made: too many files are open.")
    }
    var start = ChildProcess.Start(program, arguments: arguments)
    start.changes = changes
    start.standard = [toChild.read.number, fromChild.write.number, nil]
    do throws(Errno) { child = try ChildProcess(start) } catch {
      throw .unstartableProgram(program, error)
    }
    (input, output) = (toChild.write, fromChild.read)
    for end in [input, output] { end.setNonBlocking() }
  }

  /// Becomes readable when the program has ended. Throws what pidfd_open(2) fails with.
  func endDescriptor() throws(Errno) -> Descriptor { try child.endDescriptor() }

  /// Kills the program, if it has not ended, and takes its exit status. How it ended, for the log.
  func reap() -> String { child.kill().description }
}
