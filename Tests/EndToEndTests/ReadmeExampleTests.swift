// SPDX-License-Identifier: MIT

import LinuxSystem
import Foundation
import Glibc
import TestSupport
import Testing

@testable import fixtures

/// The commands at the top of the README, typed as they stand there on two devices with a real Syncthing
/// between them, and a document that did not exist before.
@Suite(.waiting) struct ReadmeExampleTests {
  @Test(.timeLimit(.minutes(10))) func theCommandsHandOverADocumentThatIsNew() throws {
    let steps = try ReadmeStep.all()
    #expect(
      steps.map(\.command) == [
        "continuo setup", "continuo setup", "continuo-edit ~/Notes/plan.md", "continuo-edit",
      ])
    let reader = try ReadmeReader()
    for step in steps { for place in step.places { try reader.type(step.command, on: place) } }
    try reader.bothShowTheSame()
  }

  @Test func aStepSaysWhereItIsTyped() throws {
    let page = "Text.\n\n    ab c d   # on both\n    e        # on the second: f\n    g        # not a step\n"
    #expect(
      ReadmeStep.all(in: page) == [
        ReadmeStep(command: "ab c d", places: ["first", "second"]),
        ReadmeStep(command: "e", places: ["second"]),
      ])
  }
}

/// A command of the README and the machines that it is typed on.
private struct ReadmeStep: Equatable {
  var command: String
  var places: [String]

  static func all() throws -> [ReadmeStep] {
    let root = URL(filePath: #filePath + "/../../..").standardized.path
    return all(in: try #require(Files.text(root + "/README.md")))
  }

  static func all(in page: String) -> [ReadmeStep] {
    page.matches(of: /(?m)^    (\S.*?) +# on (both|the first|the second)\b/).map { match in
      let places = ["both": ["first", "second"], "the first": ["first"]][String(match.2)] ?? ["second"]
      return ReadmeStep(command: String(match.1), places: places)
    }
  }
}

/// Somebody who has both programs in PATH, Syncthing on both machines, and the README on paper.
private final class ReadmeReader {
  private let sandbox: Sandbox
  private let terminals: TerminalServer
  private let syncthings: [Syncthing]
  private var screens: [String: Screen] = [:]
  private var words = ""
  private static let text = "Pack the red suitcase."

  init() throws {
    signal(SIGPIPE, SIG_IGN)
    sandbox = try Sandbox()
    let devices = [try sandbox.add("first"), try sandbox.add("second")]
    terminals = try TerminalServer(in: sandbox.directory)
    syncthings = try devices.map { try Syncthing(on: $0) }
    try syncthings[0].start(with: [syncthings[1]])
    try syncthings[1].start(with: [syncthings[0]])
    try syncthings[1].waitForConnection(with: [syncthings[0]])
    for device in devices {
      // Where Syncthing keeps its settings by itself.
      try FileManager.default.createSymbolicLink(
        atPath: device.root + "/config/syncthing", withDestinationPath: device.root + "/syncthing")
      // The folder is the one that the README names.
      let environment = device.environment.merging(["HOME": device.root]) { $1 }
      let path = "PATH=" + (environment["PATH"] ?? "")
      let shell = ["env", "-C", device.root, path, "PS1=$ ", "bash", "--norc", "--noprofile", "-i"]
      let screen = try terminals.open(
        device.name, shell, environment: environment, columns: 120, rows: 30)
      try screen.wait(toShow: "$")
      screens[device.name] = screen
    }
  }

  deinit {
    terminals.stop()
    for syncthing in syncthings { syncthing.process?.signal(.kill) }
    for device in sandbox.devices { device.endAgent() }
    sandbox.close(keepingFiles: false, endingProcesses: false)
  }

  /// Types a command and what belongs to it, and waits for what comes of it.
  func type(_ command: String, on place: String) throws {
    let screen = try #require(screens[place])
    // What runs there tells of the offer, and ends.
    if command == "continuo-edit" {
      try screen.wait(toShow: "offers plan.md: `continuo resume ", within: 120)
    }
    try screen.type(command)
    try screen.press("Enter")
    switch command {
    case "continuo setup":
      try screen.wait(toShow: "Notes  Syncthing", "Which shall be used?")
      try screen.press("Enter")
      try screen.wait(toShow: "show twelve words already?")
      if words.isEmpty { return try readWords(on: screen) }
      try screen.type("y")
      try screen.press("Enter")
      try screen.wait(toShow: "Words:")
      try screen.type(words)
      try screen.press("Enter")
      try screen.wait(toShow: "Paired. Devices:", within: 120)
      for screen in screens.values {
        try screen.wait(toShow: "Switch that on here?", within: 120)
        try screen.press("Enter")
      }
      try screen.wait(toShow: "Now edit a document in Notes here", within: 120)
      _ = try screen.wait(for: "the prompt") {
        $0.rows.last { !$0.isEmpty }?.hasPrefix("$") == true ? true : nil
      }
    case "continuo-edit ~/Notes/plan.md":
      try screen.wait(toShow: "plan.md", "Ln 1, Col 1")
      try screen.type(Self.text)
      try screen.wait(toShow: Self.text)
    case "continuo-edit":
      try screen.wait(toShow: "Continue plan.md from", within: 60)
      try screen.press("Enter")
    default: Issue.record("nobody knows what comes of \(command)")
    }
  }

  private func readWords(on screen: Screen) throws {
    try screen.press("Enter")
    words = try screen.wait(for: "twelve words") { screen in
      screen.rows.first { row in
        row.split(separator: " ").count == 12 && row.allSatisfy { $0.isLowercase || $0 == " " }
      }
    }
  }

  /// The text, and the cursor behind it, on both screens and in both files; nobody is told of a deletion.
  func bothShowTheSame() throws {
    for device in sandbox.devices {
      let screen = try #require(screens[device.name])
      try screen.wait(toShow: Self.text, "plan.md  Ln 1, Col \(Self.text.count + 1)", within: 60)
      #expect(!screen.text.contains("deleted"), "\(screen.text)")
      #expect(Files.text(device.folder + "/plan.md")?.hasPrefix(Self.text) == true)
    }
  }
}
