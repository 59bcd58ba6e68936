// SPDX-License-Identifier: MIT

import Foundation
import Synchronization

/// Between fork and exec a child holds a copy of every descriptor of this process, so a file that another
/// test closes at that moment is closed, for the kernel, a little later: its `written` would come behind
/// whatever is done next.
private let starting = Mutex(())

extension Process {
  /// `run()`, while no test has a file open for writing.
  func start() throws { try starting.withLock { _ in try run() } }

  /// Calls `body`, which opens, writes and closes a file, while nothing is started.
  static func notStarting<Result>(_ body: () throws -> Result) rethrows -> Result {
    try starting.withLock { _ in try body() }
  }
}
