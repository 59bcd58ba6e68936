// SPDX-License-Identifier: MIT

import ActivityModel
import Glibc

/// The pipe to whoever started this agent and waits for it; nobody does when a person runs it.
struct StartPipe {
  private let descriptor: Int32

  /// Takes over the descriptor that `environment` names, so that no child inherits it.
  init(environment: [String: String]) {
    unsetenv(StartReport.variable)
    var status = stat()
    guard let number = environment[StartReport.variable].flatMap({ Int32($0) }), number > STDERR_FILENO,
      fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFIFO
    else {
      descriptor = -1
      return
    }
    _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    descriptor = number
  }

  /// Says it once, and ends the pipe. Nobody may be left to read it.
  func tell(_ report: StartReport) {
    guard descriptor >= 0 else { return }
    let bytes = report.bytes
    _ = write(descriptor, bytes, bytes.count)
    close(descriptor)
  }

  /// Says why this agent cannot run.
  func tell(_ error: ContinuityError) {
    tell(error.subject == AgentSocket.isTaken ? .busy(error.description) : .failed(error.description))
  }
}
