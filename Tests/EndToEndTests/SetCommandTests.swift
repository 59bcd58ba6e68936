// SPDX-License-Identifier: MIT

import Foundation
import LinuxSystem
import TestSupport
import Testing

@testable import fixtures

/// `continuo set` and `continuo apps prefer` with a real file; no agent is asked.
@Suite(.waiting) struct SetCommandTests {
  private let home: Home
  private let folder: Scratch
  private var path: String { folder.path + "/continuo/settings.toml" }

  init() throws {
    home = try Home()
    folder = try Scratch("set")
  }

  private func continuo(_ arguments: String...) throws -> ChildProcess {
    var environment = home.device.environment
    environment["XDG_CONFIG_HOME"] = folder.path
    let child = try ChildProcess(home.sandbox.programs["continuo"], arguments, environment: environment)
    try child.waitForExit(within: 30)
    return child
  }

  private func done(_ child: ChildProcess) { #expect(child.exit == .code(0), "\(child.state)") }

  @Test func aSettingIsSetListedAndUnset() throws {
    done(try continuo("set", "notifications.off-folders", "Büro,a.b"))
    done(try continuo("set", "notifications.enabled", "false"))
    #expect(
      Files.text(path) == "[notifications]\noff-folders = [\"Büro\", \"a.b\"]\nenabled = false\n")
    let listed = try continuo("set")
    done(listed)
    let lines = listed.outputText.split(separator: "\n").map(String.init)
    #expect(lines.contains("notifications.enabled = false") && lines.contains("apps.terminal = []"))
    #expect(lines.contains("    Whether the desktop shows what can be continued here."))
    done(try continuo("set", "notifications.enabled", "--unset"))
    #expect(Files.text(path) == "[notifications]\noff-folders = [\"Büro\", \"a.b\"]\n")
  }

  @Test func allIsListedAsJSON() throws {
    done(try continuo("apps", "prefer", "org.example.a", "org.example.App"))
    let listed = try continuo("set", "--json")
    done(listed)
    let object = try JSONSerialization.jsonObject(with: Data(listed.outputText.utf8))
    let rows = try #require(object as? [[String: Any]])
    let row = try #require(rows.first { $0["key"] as? String == "apps.prefer" })
    #expect(row["value"] as? [String: String] == ["org.example.a": "org.example.App"])
    #expect((row["default"] as? [String: String])?.isEmpty == true && row["help"] is String)
    #expect(rows.first { $0["key"] as? String == "notifications.enabled" }?["value"] as? Bool == true)
  }

  @Test func anAppIsPreferredAndNoLonger() throws {
    done(try continuo("apps", "prefer", "org.example.a", "org.example.App"))
    done(try continuo("set", "apps.prefer.org.example.b", "b"))
    #expect(
      Files.text(path)
        == "[apps.prefer]\n\"org.example.a\" = \"org.example.App\"\n\"org.example.b\" = \"b\"\n")
    done(try continuo("apps", "prefer", "org.example.a", "--unset"))
    #expect(Files.text(path) == "[apps.prefer]\n\"org.example.b\" = \"b\"\n")
  }

  @Test func whatIsRefusedIsASentenceAndChangesNothing() throws {
    expectSentence(try continuo("set", "notifications.enabled", "yes"), saying: "true or false, not \"yes\"")
    expectSentence(try continuo("set", "loud", "true"), saying: "no setting loud", "continuo set")
    expectSentence(try continuo("set", "apps.prefer", "a"), saying: "apps.prefer.TYPE")
    expectSentence(try continuo("set", "notifications.enabled"), saying: "--unset")
    expectSentence(try continuo("set", "--unset"), saying: "Name the setting")
    expectSentence(try continuo("apps", "prefer", "a"), saying: "--unset")
    #expect(Scratch.names(in: folder.path) == [])
    try folder.folder("continuo")
    try Scratch.write("[notifications\n", to: path)
    expectSentence(try continuo("set", "notifications.enabled", "true"), saying: "line 1", "no TOML")
    expectSentence(try continuo("set"), saying: "line 1", "mend")
    #expect(Files.text(path) == "[notifications\n")
  }
}
