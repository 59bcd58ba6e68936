// SPDX-License-Identifier: MIT

import TestGround

extension Scratch {
  convenience init() throws { try self.init("history", inMemory: true) }
}
