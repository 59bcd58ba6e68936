// SPDX-License-Identifier: MIT

import ActivityModel
import CContinuo

/// Why a call fails: the status that it returns, and the sentence behind `continuo_last_error`.
struct Refusal: Error {
  var status: continuo_status
  var sentence: String

  static func handle(_ sentence: String) -> Self { Self(CONTINUO_ERROR_HANDLE, sentence) }
  static func argument(_ sentence: String) -> Self { Self(CONTINUO_ERROR_ARGUMENT, sentence) }
  static func order(_ sentence: String) -> Self { Self(CONTINUO_ERROR_ORDER, sentence) }
  static func absent(_ sentence: String) -> Self { Self(CONTINUO_ERROR_ABSENT, sentence) }
  static func limit(_ sentence: String) -> Self { Self(CONTINUO_ERROR_LIMIT, sentence) }
  static func null(_ name: String) -> Self { argument("\(name) is a null pointer; give an address.") }

  init(_ status: Int, _ sentence: String) {
    (self.status, self.sentence) = (continuo_status(status), sentence)
  }

  /// An error of the rooms below. `fallback` is the status for requests that make no sense.
  init(_ error: ContinuityError, otherwise fallback: Int = CONTINUO_ERROR_ARGUMENT) {
    let status =
      switch error.code {
      case .invalidManifest: CONTINUO_ERROR_DECLARATION
      case .documentUnreadable, .documentMissing, .folderUnavailable: CONTINUO_ERROR_FILE
      case .userInfoTooLarge: CONTINUO_ERROR_LIMIT
      default: fallback
      }
    self.init(status, error.description)
  }
}
