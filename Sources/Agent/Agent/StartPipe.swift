// SPDX-License-Identifier: MIT

import ActivityModel
import LinuxSystem

/// The pipe to whoever started this agent and waits for it; nobody does when a person runs it.
struct StartPipe {
  private let descriptor: Descriptor?

  /// Takes over the descriptor that `environment` names, so that no child inherits it.
  init(environment: [String: String]) {
    CurrentProcess.removeVariable(StartReport.variable)
    guard let number = environment[StartReport.variable].flatMap({ Int32($0) }), number > 2,
      (try? BorrowedDescriptor(number).status())?.kind == .pipe
    else {
      descriptor = nil
      return
    }
    let pipe = Descriptor(owning: number)
    pipe.closeOnExec()
    descriptor = pipe
  }

  /// Says it once, and ends the pipe. Nobody may be left to read it.
  func report(_ report: StartReport) {
    guard let descriptor else { return }
    _ = try? descriptor.write(report.bytes)
    descriptor.close()
  }

  /// Says why this agent cannot run.
  func report(_ error: ContinuityError) {
    report(error.subject == AgentSocket.isTaken ? .busy(error.description) : .failed(error.description))
  }
}
