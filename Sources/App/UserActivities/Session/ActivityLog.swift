// SPDX-License-Identifier: MIT

import Logging

/// What the framework has to say beside what delegates are told: swift-log's logger `continuo`.
///
/// The app chooses where it goes, with `LoggingSystem.bootstrap`; without that it goes to standard error. A
/// logger is made for each entry, for entries are few, and one made earlier would keep to the backend of
/// then.
package enum ActivityLog {
  private static var logger: Logger { Logger(label: "continuo") }

  /// What happens, where nobody shows it. Below swift-log's usual level, for standard error may be the screen
  /// of the app.
  package static func debug(_ sentence: String) { logger.debug("\(sentence)") }

  /// What the app had better change, although nothing is lost.
  package static func warning(_ sentence: String) { logger.warning("\(sentence)") }

  /// What was left out, or not done.
  package static func error(_ sentence: String) { logger.error("\(sentence)") }
}
