// SPDX-License-Identifier: MIT

import ActivityJSON
import Glibc
import TestSupport
import Testing

@testable import fixtures

@Suite("Editors whose agent cannot start", .waiting)
struct ServeStartTests {
  @Test("The agent's own reason reaches the editor, and ends when it is mended")
  func reason() throws {
    signal(SIGPIPE, SIG_IGN)
    let sandbox = try Sandbox()
    defer { sandbox.close(keepingFiles: false, endingProcesses: false) }
    let device = try sandbox.add("desktop")
    defer { device.killAgent() }
    let state = device.root + "/state/continuo"
    try Files.makeDirectory(state)
    chmod(state, 0o755)
    let editor = try ServedEditor(on: device)
    try editor.begin()
    let told = try editor.news(of: "connection/didChange") { news in
      guard case .text(let message)? = news["message"] else { return false }
      return message.contains("chmod 700 \(state)")
    }
    #expect(told["connected"] == false)
    chmod(state, 0o700)
    try editor.news(of: "connection/didChange") { $0["connected"] == true }
  }
}
