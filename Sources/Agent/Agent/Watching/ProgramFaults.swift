// SPDX-License-Identifier: MIT

import ActivityModel
import LinuxSystem

// Why a program of this installation does not run.
extension ContinuityError {
  /// It was not found; `meanwhile` is what is not done until then.
  static func missingProgram(_ name: String, meanwhile: String) -> ContinuityError {
    ContinuityError(
      .agentUnavailable, subject: name,
      description: "\(name) is neither beside continuo nor in PATH: install it; until then \(meanwhile).")
  }

  /// The kernel refuses to start it.
  static func unstartableProgram(_ program: String, _ reason: Errno) -> ContinuityError {
    ContinuityError(
      .agentUnavailable, subject: program,
      description: "\(program) cannot be started (\(reason.text)): install continuo again.")
  }
}
