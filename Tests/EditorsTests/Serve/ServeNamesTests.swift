// SPDX-License-Identifier: MIT

import ActivityJSON
import ActivityModel
import EditorProtocol
import Glibc
import LinuxSystem
import TestSupport
import Testing

@testable import fixtures

/// What documents and titles are called is data on its way through `continuo serve --stdio`.
@Suite("Hostile names in continuo serve", .waiting)
final class ServeNamesTests {
  private let sandbox: Sandbox
  private let device: Device

  init() throws {
    signal(SIGPIPE, SIG_IGN)
    sandbox = try Sandbox()
    device = try sandbox.add("desktop")
  }

  deinit {
    device.killAgent()
    sandbox.close(keepingFiles: false, endingProcesses: false)
  }

  /// The names of the fixture, and each byte by itself.
  private static func names() throws -> [[UInt8]] {
    let bytes = (UInt8(1)...255).filter { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ".") }
    let names = try HostileNames.all()
    return names + bytes.map { [$0] }.filter { !names.contains($0) }
  }

  private static func make(_ path: [UInt8]) throws {
    let file = (path + [0]).withUnsafeBytes { name in
      name.bindMemory(to: CChar.self).baseAddress.map { open($0, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600) }
        ?? -1
    }
    try #require(file >= 0, "\(path): \(lastSystemError())")
    close(file)
  }

  @Test("A document of any name is opened, asked for, renamed and closed byte for byte")
  func documents() throws {
    try device.continuo("folder", "add", device.folder, "--name", "Notes")
    let editor = try ServedEditor(on: device)
    try editor.begin()
    let names = try Self.names()
    for name in names {
      let path = Array("\(device.folder)/".utf8) + name
      try Self.make(path)
      let uri = JSONValue.text(FileURI(path: path).text)
      let answer = try editor.ask("document/open", ["uri": uri])
      #expect(answer["uri"] == uri && answer["synced"] == true, "\(name): \(answer)")
      #expect(answer["error"] == nil && answer["folder"] == "Notes", "\(name): \(answer)")
    }
    for words in [["status"], ["why"], ["why", "--json"], ["offers", "--own"], ["apps", "connected"]] {
      let child = try ChildProcess(device.programs["continuo"], words, environment: device.environment)
      #expect(try child.waitForExit() == .code(0), "\(child.state)")
      for row in child.outputText.split(separator: "\n") {
        #expect(!HostileNames.steers(row), "\(words): \(row)")
      }
    }
    // A round of the one in front, and what it is called by its editor.
    for name in [names[2], names[names.count - 1]] {
      editor.forget()
      let uri = JSONValue.text(FileURI(path: Array("\(device.folder)/".utf8) + name).text)
      editor.update = ["title": .text(String(decoding: name, as: UTF8.self))]
      try editor.tell("document/becomeCurrent", ["uri": uri])
      #expect(try editor.news(of: "activity/update")["uri"] == uri)
    }
    for name in names {
      let uri = JSONValue.text(FileURI(path: Array("\(device.folder)/".utf8) + name).text)
      #expect(try editor.ask("document/close", ["uri": uri]) == .null, "\(name)")
    }
    #expect(!Files.list(device.folder).contains("pwned") && access("pwned", F_OK) != 0)
    try TrafficSchema.check(editor, on: device)
  }

  @Test("A title of any text makes an activity, and what it is offered as is one line")
  func titles() throws {
    let circle = try ServedCircle()
    let desktop = try circle.editor(on: circle.desktop)
    let laptop = try circle.editor(on: circle.laptop)
    for editor in [desktop, laptop] { try editor.begin(types: ["org.example.page"], continues: true) }
    let all = try Self.names().map { String(decoding: $0, as: UTF8.self) }
    for title in all {
      let made = try desktop.ask("activity/create", ["type": "org.example.page", "title": .text(title)])
      #expect(made["activity"] != nil, "\(title.debugDescription): \(made)")
      try desktop.ask("activity/invalidate", ["activity": made["activity"]])
    }
    let made = try desktop.ask("activity/create", ["type": "org.example.page"])
    try desktop.ask("activity/becomeCurrent", ["activity": made["activity"]])
    for (number, title) in all.enumerated() where number % 60 == 0 {
      let mark = "end \(number)"
      try desktop.ask(
        "activity/set", ["activity": made["activity"], "title": .text(String(title.prefix(60)) + mark)])
      let shown = try laptop.wait("an offer of \(title.debugDescription)") { () -> String? in
        let lists = laptop.news.filter { $0["method"] == "offers/didChange" }
        guard case .array(let offers)? = lists.last?["params"]?["offers"],
          case .text(let shown)? = offers.first?["title"], shown.hasSuffix(mark)
        else { return nil }
        return shown
      }
      let controls = shown.unicodeScalars.filter { $0.properties.generalCategory == .control }
      #expect(controls.isEmpty, "\(shown.debugDescription)")
    }
  }
}
