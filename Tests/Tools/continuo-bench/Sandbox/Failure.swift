// SPDX-License-Identifier: MIT

import LinuxSystem

/// Why something could not be measured.
struct Failure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  /// With the text of errno.
  static func system(_ what: String) -> Self { Self("\(what): \(Errno.current.text)") }
}
