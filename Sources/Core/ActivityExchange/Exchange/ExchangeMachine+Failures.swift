// SPDX-License-Identifier: MIT

import ActivityModel

extension ExchangeMachine {
  /// Why a wait ends without the version.
  static func failure(of status: ArrivalStatus) -> ContinuityError {
    let code: ContinuityError.Code =
      switch status.arrival {
      case .missing: .documentMissing
      case .diverged: .documentDiverged
      case .unreadable: .documentUnreadable
      case .folderUnknown: .folderUnknown
      case .behind, .current, .ahead: .versionNeverArrived
      }
    return ContinuityError(code, because: status.cause ?? .told(""))
  }
}
