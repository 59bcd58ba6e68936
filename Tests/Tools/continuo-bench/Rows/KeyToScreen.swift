// SPDX-License-Identifier: MIT

/// From a key to the changed screen: a `~` is typed, and is seen when the editor has written it.
@MainActor struct KeyToScreen {
  var name: String
  var log: LogFile
  /// Where the cursor stands.
  var place: Place

  enum Place { case start, end }

  var row: Row {
    Row(
      name: name, unit: "ms", peerName: "nano", rounds: 200, target: .ratio(atMost: 1.5),
      prepare: prepare)
  }

  /// What the terminal itself takes: the kernel's echo of a key, without any program.
  static var floor: Row {
    Row(name: "key to screen, no editor: the kernel's echo", unit: "ms", peerName: "nano", rounds: 200) {
      let sandbox = try Sandbox()
      let commands = try sandbox.place(.small)
      let (echo, _) = try sandbox.terminals.start(["cat"])
      let nano = try sandbox.open(commands.peer, .small, at: .start)
      return Contest(
        ours: { try sandbox.type(on: echo) }, peer: { try sandbox.type(on: nano) }, end: { sandbox.close() })
    }
  }

  private func prepare() throws -> Contest {
    let sandbox = try Sandbox()
    do {
      let commands = try sandbox.place(log)
      let ours = try sandbox.open(commands.ours, log, at: place)
      let peer = try sandbox.open(commands.peer, log, at: place)
      return Contest(
        ours: { try sandbox.type(on: ours) }, peer: { try sandbox.type(on: peer) }, end: { sandbox.close() })
    } catch {
      sandbox.close()
      throw error
    }
  }
}

extension Sandbox {
  /// Opens a document and goes to its place.
  fileprivate func open(_ command: [String], _ log: LogFile, at place: KeyToScreen.Place) throws
    -> TmuxServer.Pane
  {
    let (pane, _) = try terminals.start(command)
    try terminals.waitForScreen(LogFile.mark(1), on: pane)
    guard place == .end else { return pane }
    try terminals.press("C-End", on: pane)
    try terminals.waitForScreen(LogFile.mark(log.lastLine), on: pane)
    return pane
  }

  /// Milliseconds from the key to the screen. Keys come at the pace of somebody typing fast, and at no even
  /// one: nothing that the editor does now and then is met always or never.
  fileprivate func type(on pane: TmuxServer.Pane) throws -> Double {
    try terminals.takeAll(for: Int.random(in: 20...60))
    terminals.forget(pane)
    let pressed = try terminals.press("~", on: pane)
    let seen = try terminals.waitToShow("~", on: pane)
    try terminals.takeAll(for: Int.random(in: 20...60))
    try terminals.press("BSpace", on: pane)
    return milliseconds(from: pressed, to: seen)
  }
}
