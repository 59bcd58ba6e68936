// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import TestSupport
import Testing

@testable import fixtures

/// Pages for authors with the package `jot`, followed to the letter in one folder, one after another.
@Suite(.serialized, .waiting) struct FirstContinuationTests {
  static let root = URL(filePath: #filePath + "/../../..").standardized.path

  @Test(.timeLimit(.minutes(20))) func everyStepOfThePageWorksAsWritten() throws {
    let page = try Self.page("first-continuation")
    #expect(page.steps.count >= 11)
    let reader = try GuideReader(besideCheckout: Self.root)
    for step in page.steps { try reader.follow(step) }
  }

  /// It goes on with that app, whose listings come first.
  @Test(.timeLimit(.minutes(20))) func everyStepOfThePageAboutTestsWorksAsWritten() throws {
    let app = try Self.page("first-continuation").steps.prefix { $0 != .commands("swift build\n") }
    let page = try Self.page("testing")
    #expect(app.count == 5 && page.steps.count >= 7)
    #expect(page.steps.contains(.commands("swift test\n")))
    let reader = try GuideReader(besideCheckout: Self.root)
    for step in app + page.steps { try reader.follow(step) }
  }

  static func page(_ name: String) throws -> GuidePage {
    try GuidePage(try #require(Files.text("\(root)/docs/authors/\(name).md")))
  }

  @Test func aPageIsReadInOrder() throws {
    let page = try GuidePage(
      "Text.\n\n```sh\nls\n```\n\nIt is `a/b`:\n\n```swift\nlet c = 1\n```\n\n```console desktop\n$ d\n```\n")
    #expect(
      page.steps == [
        .commands("ls\n"), .file("a/b", text: "let c = 1\n"), .terminal("desktop", lines: ["$ d"]),
      ])
    #expect(throws: Failure.self) { try GuidePage("Text.\n\n```swift\nlet c = 1\n```\n") }
  }

  @Test(arguments: [
    ("a", "a", true), ("a", "ab", false), ("in …/Notes now", "in /x/Notes now", true),
    ("in …/Notes now", "in /x/Note", false), ("ab…ba", "aba", false),
  ])
  func aRowIsComparedWithThePagesLine(line: String, row: String, isSame: Bool) {
    #expect(GuideTerminal.matches(line: line, row: row) == isSame)
  }
}

/// Somebody who does what the page says, beside a checkout that is built.
final class GuideReader {
  private let sandbox: Sandbox
  private let terminals: TerminalServer
  private var open: [String: GuideTerminal] = [:]
  private let beside: String
  private var app: String { beside + "/jot" }
  /// Where what it built lies.
  var built: String { app + "/.build/debug" }

  /// The app's folder begins empty, but for what an earlier run built: the first build takes the longest.
  init(besideCheckout root: String) throws {
    signal(SIGPIPE, SIG_IGN)
    sandbox = try Sandbox()
    terminals = try TerminalServer(in: sandbox.directory)
    beside = root + "/.build/first-continuation"
    try Files.makeDirectory(app)
    for name in try FileManager.default.contentsOfDirectory(atPath: app) where name != ".build" {
      try FileManager.default.removeItem(atPath: app + "/" + name)
    }
    let link = beside + "/continuo"
    try? FileManager.default.removeItem(atPath: link)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: root)
  }

  deinit {
    terminals.stop()
    for device in ["desktop", "laptop"] {
      let socket = app + "/devices/\(device)/RUNTIME_DIR/continuo/agent.sock"
      guard let agent = try? WireConnection(socketPath: socket)?.agentProcess else { continue }
      for process in [agent] + Descendants.all(of: agent) { kill(process, SIGKILL) }
    }
    sandbox.close(keepingFiles: false, endingProcesses: false)
  }

  func follow(_ step: GuidePage.Step) throws {
    switch step {
    case .file(let name, let text): try Files.replace(app + "/" + name, with: Array(text.utf8))
    case .commands(let commands): try run(commands)
    case .terminal(let name, let lines): try terminal(name).play(lines)
    }
  }

  /// The folder that the page makes first is there already.
  private func run(_ commands: String) throws {
    let isFirst = commands.contains("mkdir jot && cd jot\n")
    let rest = commands.replacingOccurrences(of: "mkdir jot && cd jot\n", with: "")
    _ = try ChildProcess.run(
      "bash", ["-e", "-c", "cd '\(app)'\n" + rest], environment: environment, within: isFirst ? 30 : 600)
  }

  private func terminal(_ name: String) throws -> GuideTerminal {
    if let known = open[name] { return known }
    let shell = ["env", "-C", app, "PS1=$ ", "bash", "--norc", "--noprofile", "-i"]
    let screen = try terminals.open(name, shell, environment: environment, columns: 120, rows: 50)
    try screen.wait(toShow: "$")
    let fresh = GuideTerminal(screen)
    open[name] = fresh
    return fresh
  }

  private var environment: [String: String] {
    ProcessInfo.processInfo.environment.filter { ["HOME", "PATH"].contains($0.key) }
      .merging(["LANG": "C.UTF-8"]) { $1 }
  }
}
