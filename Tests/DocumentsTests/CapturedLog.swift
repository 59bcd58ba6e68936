// SPDX-License-Identifier: MIT

import Logging
import Synchronization

/// What the framework logs in this process. Tests of several suites run at once: each looks for words of its
/// own.
enum CapturedLog {
  private static let lines = Mutex<[String]>([])

  /// Installs the handler, once for the process.
  static let isOn: Bool = {
    LoggingSystem.bootstrap { _ in Handler() }
    return true
  }()

  /// The entries that hold `words`, each as level and sentence.
  static func entries(_ words: String) -> [String] { lines.withLock { $0.filter { $0.contains(words) } } }

  private struct Handler: LogHandler {
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?
    var logLevel = Logger.Level.trace

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      lines.withLock { $0.append("\(event.level): \(event.message)") }
    }
  }
}
