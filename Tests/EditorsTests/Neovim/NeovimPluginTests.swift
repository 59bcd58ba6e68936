// SPDX-License-Identifier: MIT

import LinuxSystem
import Glibc
import TestSupport
import Testing

@testable import fixtures

/// What the plugin does by itself: its tests are written in its own language.
@Suite("Neovim's plugin", .waiting)
struct NeovimPluginTests {
  private func nvim(_ arguments: String..., within seconds: Int = 60) throws -> ChildProcess {
    let scratch = try Scratch("nvim")
    let directories = ["HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"]
    var environment = Dictionary(uniqueKeysWithValues: directories.map { ($0, scratch.path) })
    environment["PATH"] = try Programs().directory + ":/usr/local/bin:/usr/bin:/bin"
    environment["XDG_RUNTIME_DIR"] = scratch.path
    environment["LANG"] = "C.UTF-8"
    environment["TMPDIR"] = scratch.path
    // An agent that the editor's server had started.
    defer { Descendants.endAll(runningIn: scratch.path) }
    let child = try ChildProcess(
      "nvim", ["--headless", "-u", "NONE", "-i", "NONE", "-n"] + arguments, environment: environment)
    try child.waitForExit(within: seconds)
    return child
  }

  @Test("All that is told of it in Lua holds")
  func scripts() throws {
    let scripts = NeovimEditor.root + "/Tests/EditorsTests/Neovim/Plugin"
    let child = try nvim(
      "--cmd", "let g:plugin = '\(NeovimEditor.plugin)'", "-S", scripts + "/run.lua", within: 600)
    #expect(child.exit == .code(0), "\(child.outputText) \(child.errorText)")
    #expect(child.outputText.hasSuffix(" tests, 0 failed\n"), "\(child.outputText) \(child.errorText)")
  }

  @Test("Its health is checked, with a sentence for what is missing")
  func health() throws {
    let check = "lua vim.opt.runtimepath:prepend('\(NeovimEditor.plugin)')"
    let show = "lua io.stdout:write(table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\\n'))"
    let bare = try nvim("--cmd", check, "-c", "checkhealth continuo", "-c", show, "-c", "qall!")
    #expect(bare.outputText.contains("setup was not called"), "\(bare.state)")
    let missing = try nvim(
      "--cmd", check, "-c", "lua require('continuo').setup{cmd = {'no-such-program'}}",
      "-c", "checkhealth continuo", "-c", show, "-c", "qall!")
    #expect(missing.outputText.contains("no-such-program is not on PATH"), "\(missing.state)")
    let whole = try nvim(
      "--cmd", check, "-c", "lua require('continuo').setup{}", "-c", "checkhealth continuo", "-c", show,
      "-c", "qall!")
    #expect(whole.outputText.contains("it serves editors"), "\(whole.state)")
    #expect(!whole.outputText.contains("ERROR"), "\(whole.state)")
  }

  @Test("Its help has the tags that it refers to, and names every command")
  func help() throws {
    let scratch = try Scratch("help")
    let help = try #require(Files.text(NeovimEditor.plugin + "/doc/continuo.txt"))
    try Scratch.write(help, to: scratch.folder("doc") + "/continuo.txt")
    let child = try nvim("-c", "helptags \(scratch.path)/doc", "-c", "qall!")
    #expect(child.exit == .code(0) && child.errorText.isEmpty, "\(child.state)")
    let tags = Set(
      (Files.text(scratch.path + "/doc/tags") ?? "").split(separator: "\n").compactMap {
        $0.split(separator: "\t").first
      })
    let plugin = try #require(Files.text(NeovimEditor.plugin + "/plugin/continuo.lua"))
    let commands = plugin.matches(of: /command\("(\w+)"/).map(\.output.1)
    #expect(commands.count >= 9)
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
    let files = Files.list(NeovimEditor.plugin).filter { $0.hasSuffix(".lua") }
    #expect(files.count > 10)
    for file in files {
      let lines = (Files.text(NeovimEditor.plugin + "/" + file) ?? "").split(
        separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.first == "-- SPDX-License-Identifier: MIT", "\(file)")
      #expect(lines.count <= 301, "\(file) has \(lines.count - 1) lines")
    }
  }
}
