// SPDX-License-Identifier: MIT

import TestSupport

extension Scratch {
  convenience init() throws { try self.init("history", inMemory: true) }
}
