// SPDX-License-Identifier: MIT

import ActivityModel
import AgentClient
import Glibc
import LinuxSystem
import TestSupport

extension Scratch {
  convenience init() throws { try self.init("agent") }
}

extension FileMark {
  /// Of the file at `path`; nil when there is none.
  init?(path: String) {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    defer { if file >= 0 { close(file) } }
    self.init(descriptor: file)
  }
}
