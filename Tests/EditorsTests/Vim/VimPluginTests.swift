// SPDX-License-Identifier: MIT

import Glibc
import LinuxSystem
import TestSupport
import Testing

@testable import fixtures

/// What the plugin does by itself, in real Vims on terminals of their own: its tests are written in Python.
@Suite("Vim's plugin", .waiting)
struct VimPluginTests {
  private static let plugin = NeovimEditor.root + "/Sources/Editors/continuo.vim"

  private func run(_ program: String, _ arguments: String..., within seconds: Int = 60) throws -> ChildProcess
  {
    let scratch = try Scratch("vim")
    let environment = [
      "HOME": scratch.path, "XDG_RUNTIME_DIR": scratch.path, "TMPDIR": scratch.path, "LANG": "C.UTF-8",
      "PATH": try Programs().directory + ":/usr/local/bin:/usr/bin:/bin",
    ]
    defer { Descendants.endAll(runningIn: scratch.path) }
    let child = try ChildProcess(program, arguments, environment: environment)
    try child.waitForExit(within: seconds)
    return child
  }

  @Test(
    "All that is told of it in Python holds",
    arguments: ["saving_tests", "continuing_tests", "server_tests", "versions_tests", "hostile_tests"])
  func scripts(name: String) throws {
    let tests = NeovimEditor.root + "/Tests/EditorsTests/Vim/Plugin"
    let child = try run("python3", "-B", tests + "/run.py", name, within: 900)
    #expect(child.exit == .code(0), "\(child.outputText) \(child.errorText)")
    let count = child.errorText.firstMatch(of: /Ran (\d+) tests? in/).flatMap { Int($0.output.1) }
    #expect(try #require(count) >= 4)
  }

  @Test("Its help has the tags that it refers to, and names every command")
  func help() throws {
    let scratch = try Scratch("help")
    let help = try #require(Files.text(Self.plugin + "/doc/continuo.txt"))
    try Scratch.write(help, to: scratch.folder("doc") + "/continuo-vim.txt")
    let child = try run(
      "vim", "-es", "-u", "NONE", "-i", "NONE", "-c", "helptags \(scratch.path)/doc", "-c", "qall!")
    #expect(child.exit == .code(0), "\(child.state)")
    let tags = Set(
      (Files.text(scratch.path + "/doc/tags") ?? "").split(separator: "\n").compactMap {
        $0.split(separator: "\t").first
      })
    let plugin = try #require(Files.text(Self.plugin + "/plugin/continuo.vim"))
    let commands = plugin.matches(of: /s:Titles (Continuo\w+) call|command! (Continuo\w+) call/)
      .compactMap { $0.output.1 ?? $0.output.2 }
    #expect(commands.count == 11)
    for command in commands { #expect(tags.contains(":" + command), "\(command)") }
    for reference in help.matches(of: /\|(:?[Cc]ontinuo[-\w]*)\|/) {
      #expect(tags.contains(reference.output.1), "\(reference.output.1)")
    }
    for (number, line) in help.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      #expect(line.count <= 79, "line \(number + 1)")
    }
  }

  @Test("Its files are short and begin with the licence")
  func files() {
    let files = Files.list(Self.plugin).filter { $0.hasSuffix(".vim") }
    #expect(files.count > 15)
    for file in files {
      let lines = (Files.text(Self.plugin + "/" + file) ?? "").split(
        separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.first == "\" SPDX-License-Identifier: MIT", "\(file)")
      #expect(lines.count <= 501, "\(file) has \(lines.count - 1) lines")
      for (number, line) in lines.enumerated() { #expect(line.count <= 120, "\(file):\(number + 1)") }
    }
  }
}
