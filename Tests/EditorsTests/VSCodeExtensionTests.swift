// SPDX-License-Identifier: MIT

import LinuxSystem
import TestSupport
import Testing

@testable import fixtures

/// The extension for VS Code and its family: its tests are written in its own language, and run in Node
/// against a stand-in for the editor, in which each member has its page of the API reference.
@Suite("VS Code's extension", .waiting)
struct VSCodeExtensionTests {
  private static let root = Files.parent(of: Files.parent(of: Files.parent(of: #filePath)))
  private static let tests = root + "/Tests/EditorsTests/VSCode"

  /// What is saved, continued, compared, named and packed; types by Debian's node-typescript, too.
  @Test(
    "All that is told of it in JavaScript holds",
    arguments: [
      "saving", "continuing", "versions", "hostile", "members", "package", "serving",
    ])
  func scripts(_ name: String) throws {
    let scratch = try Scratch("vscode")
    // An agent that a server had started.
    defer { Descendants.endAll(runningIn: scratch.path) }
    var environment = Dictionary(
      uniqueKeysWithValues: ["HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "TMPDIR"].map {
        ($0, scratch.path)
      })
    environment["XDG_RUNTIME_DIR"] = scratch.path
    environment["PATH"] = try Programs().directory + ":/usr/local/bin:/usr/bin:/bin"
    environment["LANG"] = "C.UTF-8"
    let child = try ChildProcess(
      "node", ["--test", "\(Self.tests)/\(name).test.js"], environment: environment)
    try child.waitForExit(within: 600)
    let failures = child.outputText.split(separator: "not ok").dropFirst().map { $0.prefix(1500) }
    #expect(child.exit == .code(0), "\(failures) \(child.errorText)")
    #expect(child.outputText.contains("\n# fail 0\n") && child.outputText.contains("\n# skipped 0\n"))
    #expect(!child.outputText.contains("\n# pass 0\n"))
  }

  @Test("Its types fit, by the compiler as a person would run it")
  func types() throws {
    let said = try ChildProcess.run(
      "tsc", ["-p", Self.tests + "/types/tsconfig.json"],
      environment: ["PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8"])
    #expect(said.isEmpty)
  }
}
