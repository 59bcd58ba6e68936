// SPDX-License-Identifier: MIT

import Foundation
import LinuxSystem
import TestSupport
import Testing

@testable import continuo
@testable import fixtures

/// What Tab proposes, in the shells that people use.
@Suite(.waiting, .timeLimit(.minutes(20))) struct CompletionTests {
  private static func script(_ shell: String, of program: String = "continuo") throws -> String {
    try ChildProcess.run(
      try Home().sandbox.programs[program], ["--generate-completion-script", shell], environment: [:])
  }

  /// What bash proposes for the last of `words`.
  private func proposed(_ words: String..., on device: Device) throws -> Set<String> {
    let folder = try Scratch("completion")
    try Scratch.write(try Self.script("bash"), to: folder.path + "/script")
    let line = words.map { "'\($0)'" }.joined(separator: " ")
    let program = """
      cd '\(folder.path)'; source ./script; COMP_WORDS=('\(device.programs["continuo"])' \(line))
      COMP_CWORD=\(words.count); COMP_LINE="${COMP_WORDS[*]}"; COMP_POINT=${#COMP_LINE}
      _continuo continuo "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
      printf '%s\\n' "${COMPREPLY[@]}"; ls
      """
    let child = try ChildProcess("bash", ["-c", program], environment: device.environment)
    #expect(try child.waitForExit(within: 30) == .code(0), "\(child.state)")
    #expect(child.errorText.isEmpty, "\(child.state)")
    return Set(child.outputText.split(separator: "\n").map(String.init)).subtracting(["script"])
  }

  @Test func bashProposesCommandsOptionsAndFiles() throws {
    let home = try Home()
    #expect(try proposed("re", on: home.device) == ["recent", "reset", "resolve", "resume", "revoke"])
    #expect(try proposed("wait", "--t", on: home.device) == ["--timeout"])
    #expect(try proposed("folder", "a", on: home.device) == ["add"])
    #expect(try proposed("set", "notifications.e", on: home.device) == ["notifications.enabled"])
    #expect(try proposed("wait", "./sc", on: home.device) == ["./script"])
  }

  @Test func anAgentIsAskedAndNoneIsStarted() throws {
    let home = try Home()
    #expect(
      try proposed("folder", "remove", "", on: home.device).subtracting(["--json"]).allSatisfy {
        $0.hasPrefix("-")
      })
    #expect(!FilePath(home.device.socket).allows(), "an agent was started")
    try home.addFolder()
    #expect(try proposed("folder", "remove", "N", on: home.device) == ["Notes"])
  }

  @Test("a person presses Tab", arguments: ["zsh", "fish"])
  func otherShells(shell: String) throws {
    guard SearchPath.holds(shell) else {
      return Skipped.say("\(shell) is not installed: its completions are not driven")
    }
    let home = try Home()
    try home.addFolder()
    let root = home.device.root
    let script = try Array(Self.script(shell).utf8)
    try Files.replace(
      root + (shell == "zsh" ? "/_continuo" : "/config/fish/completions/continuo.fish"), with: script)
    let settings = "fpath=(\(root) $fpath); autoload -Uz compinit; compinit -u; PS1='z> '\n"
    try Files.replace(root + "/home/.zshrc", with: Array(settings.utf8))
    let terminals = try TerminalServer(in: home.sandbox.directory)
    defer { terminals.stop() }
    let path = home.device.environment["PATH"] ?? ""
    let screen = try terminals.open(
      "desktop", ["env", "PATH=\(path)", shell], environment: home.device.environment)
    for (typed, whole) in [
      ("folder remove N", "folder remove Notes"), ("set notifications.e", "set notifications.enabled"),
    ] {
      try screen.type("continuo \(typed)")
      try screen.wait(toShow: "continuo \(typed)")
      try screen.press("Tab")
      try screen.wait(toShow: "continuo \(whole)")
      try screen.press("C-u")
    }
  }

  @Test func offersAndDevicesAreProposed() throws {
    let devices = try TwoDevices()
    try devices.offer("plan.md", "alpha")
    let laptop = devices.laptop.device
    let rows = try JSONSerialization.jsonObject(with: Data(laptop.continuo("offers", "--json").utf8))
    let id = try #require((rows as? [[String: Any]])?.first?["id"] as? String)
    #expect(try proposed("resume", String(id.prefix(2)), on: laptop) == [String(id.prefix(8))])
    #expect(try proposed("revoke", "de", on: laptop) == ["desktop"])
  }

  /// bash expands what is proposed to it.
  @Test func aNameThatAShellWouldRunIsNeverProposed() throws {
    let home = try Home()
    try home.addFolder()
    for name in ["$(touch hacked)", "`touch hacked`", "a b", "'; touch hacked'", "~root", "--json"] {
      _ = try home.continuo("device", "rename", "--", name)
      let names = try proposed("revoke", "", on: home.device).filter { !$0.hasPrefix("-") }
      #expect(names.count == 1 && names.allSatisfy { $0.count == 4 }, "\(name): \(names)")
      #expect(!Completions.isSafe(name))
    }
    for name in ["laptop", "Büro-2", "文書", "a.b_c@d"] { #expect(Completions.isSafe(name)) }
  }

  @Test(
    "scripts are what the shells can read", arguments: ["bash", "zsh", "fish"], ["continuo", "continuo-edit"])
  func syntax(shell: String, program: String) throws {
    guard SearchPath.holds(shell) else {
      return Skipped.say("\(shell) is not installed: its completions of \(program) are not looked at")
    }
    let folder = try Scratch("completion")
    try Scratch.write(try Self.script(shell, of: program), to: folder.path + "/script")
    let child = try ChildProcess(shell, ["-n", folder.path + "/script"], environment: [:])
    #expect(try child.waitForExit(within: 30) == .code(0), "\(child.state)")
  }
}

/// Which programs are there.
enum SearchPath {
  static func holds(_ program: String) -> Bool {
    InstalledProgram.inSearchPath(program).contains { FilePath($0).allows(.execute) }
  }
}

/// Why a test did not look.
enum Skipped {
  static func say(_ reason: String) { print("Skipped: \(reason).") }
}
