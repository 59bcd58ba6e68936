// SPDX-License-Identifier: MIT

import ActivityModel
import LinuxSystem

extension Errno {
  /// A sentence that says what could not be done and what to do.
  /// - Parameter failed: what could not be done, as a clause: "plan.md could not be read".
  func error(_ code: ContinuityError.Code, subject: String, _ failed: String) -> ContinuityError {
    ContinuityError(code, subject: subject, description: "\(failed): \(clause).")
  }
}
