// SPDX-License-Identifier: MIT

import LinuxSystem
import ActivityModel
import Glibc
import Testing

@testable import fixtures

/// Two paired devices for one test, with terminals; everything that was started ends with it.
final class TwoDevices {
  let player: Player
  let desktop: Player.DeviceInPlay
  let laptop: Player.DeviceInPlay
  let terminals: TerminalServer

  init() throws {
    signal(SIGPIPE, SIG_IGN)
    player = try Player()
    try player.setUp(["desktop", "laptop"])
    desktop = try player.device("desktop")
    laptop = try player.device("laptop")
    terminals = try TerminalServer(in: player.sandbox.directory)
  }

  deinit {
    terminals.stop()
    for each in player.cast.values {
      for publisher in each.publishing.values { publisher.signal(.kill) }
    }
    player.sandbox.close(keepingFiles: false, endingProcesses: false)
  }

  /// Saves a document on the desktop as another program would.
  func write(_ path: String, _ text: String) throws {
    try Files.replace(desktop.device.folder + "/" + path, with: Array(text.utf8))
  }

  /// Saves, publishes and carries a document, until the laptop sees it.
  func offer(_ path: String, _ text: String, line: Int = 1, column: Int = 1) throws {
    try write(path, text)
    let now = WallTime(milliseconds: wallNow())
    try desktop.publish(path, line: line, column: column)
    try player.carrying().deliverEverything()
    try laptop.app.see(path, "current", since: now)
  }

  /// Opens the sample editor on a device's terminal.
  func edit(_ path: String?, on device: Device, program: String? = nil) throws -> Screen {
    let program = program ?? device.programs["continuo-edit"]
    let command = [program] + (path.map { [device.folder + "/" + $0] } ?? [])
    return try terminals.open(device.name, command, environment: device.environment)
  }
}

extension TwoDevices {
  /// On the laptop an older version lies; an editor there is asked to continue, and waits for the newer one.
  /// `prepare` gets the laptop's app before the editor starts.
  func waitingEditor(
    _ program: String? = nil, preparing prepare: (ContinuingApp) -> Void = { _ in }
  ) throws -> Screen {
    try offer("plan.md", "alpha")
    try desktop.stopPublishing("plan.md")
    try write("plan.md", "alpha beta")
    let now = WallTime(milliseconds: wallNow())
    try desktop.publish("plan.md", line: 1, column: 6)
    try player.carrying().deliverRecords()
    let flow = flow()
    try laptop.app.see("plan.md", "behind", since: now)
    prepare(laptop.app)
    let screen = try edit(nil, on: laptop.device, program: program)
    screen.flow = flow
    try screen.wait(toShow: "Continue plan.md")
    try screen.press("C-r")
    try screen.wait(toShow: "Waiting for plan.md")
    return screen
  }

  /// Lets the engine carry records from now on, for as long as apps wait.
  func flow() -> RecordFlow? {
    let flow = laptop.app.flow
    flow?.isOn = true
    return flow
  }
}

extension Player.DeviceInPlay {
  /// Runs the command line, whatever comes of it.
  func run(_ arguments: String...) throws -> ChildProcess {
    let child = try ChildProcess(
      device.programs["continuo"], arguments, environment: device.environment)
    try child.waitForExit()
    return child
  }
}
