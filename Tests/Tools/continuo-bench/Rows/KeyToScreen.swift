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
      let stage = try Stage()
      let commands = try stage.place(.small)
      let (echo, _) = try stage.terminals.start(["cat"])
      let nano = try stage.open(commands.peer, .small, at: .start)
      return Contest(
        ours: { try stage.type(on: echo) }, peer: { try stage.type(on: nano) }, end: { stage.close() })
    }
  }

  private func prepare() throws -> Contest {
    let stage = try Stage()
    do {
      let commands = try stage.place(log)
      let ours = try stage.open(commands.ours, log, at: place)
      let peer = try stage.open(commands.peer, log, at: place)
      return Contest(
        ours: { try stage.type(on: ours) }, peer: { try stage.type(on: peer) }, end: { stage.close() })
    } catch {
      stage.close()
      throw error
    }
  }
}

extension Stage {
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
