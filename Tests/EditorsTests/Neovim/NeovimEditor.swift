// SPDX-License-Identifier: MIT

import LinuxSystem
import Glibc

@testable import fixtures

/// A real Neovim without a screen, with the plugin and the server and agent of its device; ends with this
/// value.
final class NeovimEditor {
  let device: Device
  private let socket: String
  private let process: ChildProcess
  private let flow: RecordFlow?
  private static let patience = 60

  /// Where the plugin lies in this package.
  static let plugin = root + "/Sources/Editors/continuo.nvim"
  static let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4)
    .joined(separator: "/")

  init(on device: Device, flow: RecordFlow?, setup: String = "{}") throws {
    self.device = device
    self.flow = flow
    socket = device.root + "/nvim.sock"
    _ = unlink(socket)
    let settings = device.root + "/init.lua"
    let lines = """
      vim.opt.runtimepath:prepend("\(Self.plugin)")
      require("continuo").setup\(setup)
      """
    try Files.replace(settings, with: Array(lines.utf8))
    process = try ChildProcess(
      "nvim", ["--headless", "--listen", socket, "-i", "NONE", "-n", "-u", settings],
      environment: device.environment)
    let changes = try FolderEvents([device.root])
    try changes.wait(for: "Neovim to listen", lastState: { [process] in process.state }) {
      access(socket, F_OK) == 0 ? () : nil
    }
    // It has the socket a moment before it listens there.
    let deadline = Deadline(seconds: Self.patience)
    while (try? lua("1")) == nil {
      guard !deadline.hasPassed else { throw Failure("Neovim to listen", lastSeen: process.state) }
    }
  }

  /// As by a person: the last state is told.
  func quit() throws {
    // It may be gone before it has answered.
    _ = try? send("<C-\\><C-n>:qall!<CR>")
    _ = try Waiting.wait(
      for: "Neovim to end", by: Deadline(seconds: Self.patience), on: { process.descriptors },
      lastState: { process.state }
    ) {
      process.takeNews()
      return process.exit
    }
  }

  /// Presses keys, in Vim's notation.
  func send(_ keys: String) throws { try ask("--remote-send", keys) }

  /// The value of an expression of Lua, in Vim's words.
  @discardableResult
  func lua(_ expression: String) throws -> String {
    try ask("--remote-expr", "luaeval('\(expression.replacing("'", with: "''"))')")
  }

  /// Waits until a condition in Lua holds there; records are carried meanwhile.
  func wait(for condition: String) throws {
    let deadline = Deadline(seconds: Self.patience)
    // Neovim waits by itself, and answers when it holds or after a moment, so that keys are taken between.
    let question = "tostring(vim.wait(100, function() return \(condition) end, 5))"
    while try lua(question) != "true" {
      try flow?.takeNews()
      guard !deadline.hasPassed else {
        let report = "table.concat(require('continuo').report(), ' | ')"
        let told = (try? lua("\(report) .. vim.inspect(vim.fn.getpos('.'))")) ?? process.state
        throw Failure(condition, lastSeen: told + "\n" + device.logEnd)
      }
    }
  }

  func edit(_ name: String) throws {
    try lua("vim.cmd('edit \(device.folder)/\(name)')")
    try wait(for: "require('continuo').state().documents[1].standing ~= nil")
  }

  /// Continues what is offered, again for each later state, until `condition` holds in Lua: agents write
  /// records at their own pace, and the last one is meant.
  func resume(_ name: String, until condition: String) throws {
    let prompt = "(require('continuo').state().prompt or '')"
    let isOffered = "\(prompt):find('\(name) from', 1, true) ~= nil"
    while true {
      try wait(for: "(\(condition)) or \(isOffered)")
      if try lua("tostring(\(condition))") == "true" { return }
      // A newer state may be offered before anybody sees that the one accepted is not any more.
      let state = "tostring((require('continuo').state().offers[1] or {}).changedAt)"
      let accepted = try lua(state)
      try send(":ContinuoResume<CR>")
      try wait(for: "(\(condition)) or not (\(isOffered)) or \(state) ~= '\(accepted)'")
    }
  }

  /// The same, until the cursor is at this line and column, in scalars from 1.
  func resume(_ name: String, at line: Int, _ column: Int) throws {
    let isThere = "vim.fn.expand('%:t') == '\(name)' and vim.fn.line('.') == \(line)"
    try resume(name, until: isThere + " and vim.fn.charcol('.') == \(column)")
  }

  /// The server's process.
  func server() throws -> pid_t {
    for process in Descendants.all(of: process.process) {
      let words = (Files.read("/proc/\(process)/cmdline") ?? []).split(separator: 0)
      if words.contains(where: { $0.elementsEqual("serve".utf8) }) { return process }
    }
    throw Failure("a server of Neovim's", lastSeen: process.state)
  }

  @discardableResult
  private func ask(_ how: String, _ what: String) throws -> String {
    let asking = try ChildProcess(
      "nvim", ["--server", socket, how, what], environment: device.environment)
    guard try asking.waitForExit(within: Self.patience) == .code(0) else {
      throw Failure("an answer of Neovim's", lastSeen: asking.state + "\n" + process.state)
    }
    // Older ones print it as an error.
    return asking.outputText + asking.errorText
  }
}

/// Two paired devices with Neovim on each; everything that was started ends with it.
final class NeovimPair {
  let player: Player
  let desktop: Device
  let laptop: Device

  init() throws {
    signal(SIGPIPE, SIG_IGN)
    player = try Player()
    try player.setUp(["desktop", "laptop"])
    desktop = try player.device("desktop").device
    laptop = try player.device("laptop").device
    player.flow?.isOn = true
  }

  deinit {
    for device in [desktop, laptop] {
      guard let connection = try? WireConnection(socketPath: device.socket),
        let agent = connection.agentProcess
      else { continue }
      for process in [agent] + Descendants.all(of: agent) { kill(process, SIGKILL) }
    }
    player.sandbox.close(keepingFiles: false, endingProcesses: false)
  }

  func editor(on device: Device, setup: String = "{}") throws -> NeovimEditor {
    try NeovimEditor(on: device, flow: player.flow, setup: setup)
  }

  /// The same file on both devices.
  func write(_ name: String, _ text: String) throws {
    try Files.replace(desktop.folder + "/" + name, with: Array(text.utf8))
    try carry()
  }

  func carry() throws { try player.carrying().deliverEverything() }

  /// Waits until the file holds exactly `text`.
  func wait(for name: String, on device: Device, toHold text: String) throws {
    let file = device.folder + "/" + name
    let changes = try FolderEvents([device.folder])
    try changes.wait(
      for: "\(name) to hold \(text.debugDescription)", within: 60,
      lastState: { Files.text(file)?.debugDescription ?? "no file" }
    ) { Files.text(file) == text ? () : nil }
  }
}
