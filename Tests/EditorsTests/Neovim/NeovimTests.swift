// SPDX-License-Identifier: MIT

import Glibc
import LinuxSystem
import TestSupport
import Testing

@testable import fixtures

/// The plugin in real Neovims, with real servers and agents on two devices.
@Suite("Neovim", .waiting)
struct NeovimTests {
  private static let text = "one\r\n\taé😀漢\tz e\u{301}x\r\n" + String(repeating: "more\r\n", count: 60)

  @Test("What is typed in one Neovim is continued in another on the same character, and back")
  func thereAndBack() throws {
    let pair = try NeovimPair()
    try pair.write("plan.md", Self.text)
    let here = try pair.editor(on: pair.desktop)
    try here.edit("plan.md")
    // Behind the z, still in Insert mode.
    try here.send("jfza!")
    let typed = Self.text.replacing("\tz", with: "\tz!")
    try pair.wait(for: "plan.md", on: pair.desktop, toHold: typed)
    #expect(try here.lua("vim.api.nvim_get_mode().mode") == "i")
    try pair.carry()

    let there = try pair.editor(on: pair.laptop)
    try there.edit("plan.md")
    try there.resume("plan.md", at: 2, 9)
    try here.wait(
      for: "table.concat(require('continuo').state().messages):find('continued on laptop') ~= nil")
    try there.send("i?<Esc>")
    try pair.wait(for: "plan.md", on: pair.laptop, toHold: typed.replacing("\tz!", with: "\tz!?"))

    try here.send("<Esc>")
    try there.send("30G0ztv3l")
    try there.wait(for: "vim.fn.line('.') == 30 and vim.fn.mode() == 'v'")
    try pair.carry()
    try here.wait(for: "vim.fn.getline(2):find('z!?', 1, true) ~= nil")
    try here.resume("plan.md", until: "vim.fn.mode() == 'v' and vim.fn.line('w0') == 30")
    try here.send("\"xy")
    try here.wait(for: "vim.fn.mode() == 'n'")
    let selected = try here.lua("vim.fn.getreg('x')")
    #expect(selected == "more")
  }

  @Test("A server that is killed is started again and offers go on, and quitting withdraws nothing")
  func killedServer() throws {
    let pair = try NeovimPair()
    try pair.write("plan.md", "one\ntwo\n")
    let here = try pair.editor(on: pair.desktop)
    try here.edit("plan.md")
    let first = try here.server()
    let end = try #require(ProcessEnd(first))
    kill(first, SIGKILL)
    try end.wait(for: "the server to end")
    try here.wait(for: "require('continuo').state().connected == true")
    #expect(try here.server() != first)

    try here.send("jox<Esc>")
    try pair.wait(for: "plan.md", on: pair.desktop, toHold: "one\ntwo\nx\n")
    try here.send("gg")
    try here.quit()
    try pair.carry()
    let there = try pair.editor(on: pair.laptop)
    try there.lua("require('continuo').start()")
    try there.resume("plan.md", at: 1, 1)
    #expect(try there.lua("vim.fn.line('$')") == "3")
  }

  @Test("A new file is told to be offered after it was written, and is offered then")
  func newFile() throws {
    let pair = try NeovimPair()
    try pair.write("plan.md", "one\n")
    let here = try pair.editor(on: pair.desktop)
    try here.lua("vim.cmd('edit \(pair.desktop.folder)/new.md')")
    try here.wait(
      for:
        "table.concat(require('continuo').state().messages):find('after the first :write', 1, true) ~= nil"
    )
    try here.send("ihello<Esc>:write<CR>")
    try here.wait(for: "#require('continuo').state().documents == 1")
    #expect(
      try here.lua("tostring(table.concat(require('continuo').state().messages):find('deleted') == nil)")
        == "true")
    try pair.carry()
    let there = try pair.editor(on: pair.laptop)
    try there.lua("require('continuo').start()")
    try there.resume("new.md", at: 1, 5)
    #expect(try there.lua("vim.fn.getline(1)") == "hello")
  }

  @Test("A conflict is resolved with the real server, and the kept text is shown")
  func resolvesAConflict() throws {
    let pair = try NeovimPair()
    try pair.write("plan.md", "mine\n")
    let here = try pair.editor(on: pair.desktop)
    try here.edit("plan.md")
    let copy = pair.desktop.folder + "/plan.sync-conflict-20261122-040000-ABCDEFG.md"
    try Scratch.write("theirs\n", to: copy)
    let takeLast = "function(items, _, done) done(items[#items]) end"
    try here.lua("rawset(vim.ui, 'select', \(takeLast)) and vim.cmd('ContinuoResolve')")
    try here.wait(for: "vim.fn.getline(1) == 'theirs'")
    #expect(!FilePath(copy).allows())
    let texts = Scratch.names(in: pair.desktop.folder).compactMap {
      Scratch.bytes(at: pair.desktop.folder + "/" + $0)
    }
    #expect(texts.contains(Array("mine\n".utf8)))
  }

  @Test("A file whose name holds a command goes over as any other")
  func hostileName() throws {
    let pair = try NeovimPair()
    let name = "a\nlua_G.continuo_pwned=1"
    try pair.write(name, "one\ntwo\n")
    let here = try pair.editor(on: pair.desktop)
    let path = "'\(pair.desktop.folder)/a\\nlua_G.continuo_pwned=1'"
    try here.lua("vim.api.nvim_set_current_buf(vim.fn.bufadd(\(path)))")
    try here.wait(for: "#require('continuo').state().documents == 1")
    try here.send("jl")
    try pair.carry()
    let there = try pair.editor(on: pair.laptop)
    try there.lua("require('continuo').start()")
    let isThere = "vim.fn.line('.') == 2 and vim.fn.getline(1) == 'one'"
    try there.wait(for: "(require('continuo').state().prompt or ''):find('lua_G', 1, true) ~= nil")
    try there.send(":ContinuoResume<CR>")
    try there.wait(for: isThere)
    #expect(
      try there.lua("tostring(vim.api.nvim_buf_get_name(0):find('/a\\nlua_G', 1, true) ~= nil)") == "true")
    #expect(try there.lua("tostring(rawget(_G, 'continuo_pwned'))") == "nil")
  }

  @Test("What is given up by quitting is not saved")
  func givenUp() throws {
    let pair = try NeovimPair()
    try pair.write("plan.md", "one\n")
    let here = try pair.editor(on: pair.desktop, setup: "{autosave = false}")
    try here.edit("plan.md")
    try here.lua("require('continuo').setup{}")
    try here.send("ix<Esc>")
    try here.wait(for: "vim.bo.modified")
    try here.quit()
    #expect(Files.text(pair.desktop.folder + "/plan.md") == "one\n")
  }

  @Test("An agent that is killed is told, and heard again")
  func killedAgent() throws {
    let pair = try NeovimPair()
    try pair.write("plan.md", "one\ntwo\n")
    let here = try pair.editor(on: pair.desktop)
    try here.edit("plan.md")
    try pair.player.device("desktop").killAgent()
    try here.send("jl")
    try here.wait(for: "require('continuo').state().connected == true")
    try here.send("ix<Esc>")
    try pair.wait(for: "plan.md", on: pair.desktop, toHold: "one\ntxwo\n")
    try pair.carry()
    let there = try pair.editor(on: pair.laptop)
    try there.edit("plan.md")
    try there.resume("plan.md", at: 2, 2)
  }
}
