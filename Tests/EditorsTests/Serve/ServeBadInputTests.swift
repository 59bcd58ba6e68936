// SPDX-License-Identifier: MIT

import LinuxSystem
import ActivityJSON
import EditorProtocol
import Glibc
import Testing
import TestSupport

@testable import fixtures

@Suite("Bad input to continuo serve", .waiting)
final class ServeBadInputTests {
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

  @Test("Nonsense in frames is answered, and the session goes on")
  func nonsense() throws {
    let editor = try ServedEditor(on: device)
    #expect(try editor.ask("offers/list")["error"]?["code"] == -32002)
    try editor.begin()
    for text in ["{", "\0", "[]", "\u{feff}", String(repeating: "[", count: 9000)] {
      editor.forget()
      try editor.write(MessageFraming.frame(Array(text.utf8)))
      let answer = try editor.wait("an answer under ID null") { editor.news.first { $0["id"] == .null } }
      #expect(answer["error"]?["code"] == (text == "[]" ? -32600 : -32700))
    }
    #expect(try editor.ask("document/fly")["error"]?["code"] == -32601)
    #expect(try editor.ask("document/open", ["uri": "plan.md"])["error"]?["code"] == -32602)
    #expect(try editor.ask("document/open", ["uri": "file:///%00"])["error"]?["code"] == -32602)
    let nowhere = try editor.ask("document/open", ["uri": "file:///nowhere/plan.md"])
    #expect(nowhere["error"]?["data"] == ["code": "documentUnreadable", "subject": "/nowhere/plan.md"])
    #expect(try editor.ask("document/close", ["uri": "file:///etc/hosts"])["error"]?["code"] == -32803)
    let outside = try editor.ask("document/open", ["uri": "file:///etc/hosts"])
    #expect(outside["synced"] == false)
    #expect(outside["reason"]?.kind == "a string")
    try editor.tell("document/didSave", ["uri": "file:///etc/passwd"])
    try editor.tell("document/flew")
    #expect(try editor.ask("offers/list") == ["offers": []])
    try editor.tell("exit")
    #expect(try editor.exit() == 1)
    #expect(editor.complaints.contains("file:///etc/passwd is not open"))
    #expect(editor.complaints.contains("document/flew"))
  }

  @Test(
    "Input that is not framed ends the server with a sentence",
    arguments: [
      "Content-Length: 9999999\r\n\r\n", "GET / HTTP/1.1\r\n\r\n", String(repeating: "x", count: 9000),
    ])
  func unframed(_ text: String) throws {
    let editor = try ServedEditor(on: device)
    try editor.write(Array(text.utf8))
    #expect(try editor.exit() == 1)
    #expect(editor.complaints.hasPrefix("continuo: The input is not framed"))
  }

  @Test("An editor that goes away ends its server without a word, also within a message")
  func gone() throws {
    for beginning in ["", "Content-Length: 20\r\n\r\n{"] {
      let editor = try ServedEditor(on: device)
      try editor.write(Array(beginning.utf8))
      editor.closeInput()
      #expect(try editor.exit() == 0)
      #expect(editor.complaints.isEmpty)
    }
  }

  @Test("An editor that reads nothing is not read any more, and gets every answer once it does")
  func slowReader() throws {
    let editor = try ServedEditor(on: device)
    try editor.begin()
    let name = String(repeating: "x", count: 4000)
    let count = 600
    let requests = (1...count).flatMap { number -> [UInt8] in
      let message: JSONValue = ["jsonrpc": "2.0", "id": .int(Int64(1000 + number)), "method": .text(name)]
      return MessageFraming.frame(message.encoded)
    }
    let taken = editor.writeUnread(requests)
    #expect(taken < requests.count, "Somebody holds \(taken) bytes for nobody.")
    try editor.write(Array(requests[taken...]))
    #expect(try editor.answer(to: Int64(1000 + count))["error"]?["code"] == -32601)
    for number in 1...count { _ = try editor.answer(to: Int64(1000 + number)) }
  }

  @Test("A document is named by the text that the editor used, whatever bytes its name has")
  func names() throws {
    try device.continuo("folder", "add", device.folder, "--name", "Notes")
    let path = Array("\(device.folder)/caf".utf8) + [0xE9, 0x0A] + Array(".md".utf8)
    let file = (path + [0]).withUnsafeBytes { name in
      name.bindMemory(to: CChar.self).baseAddress.map { open($0, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600) }
        ?? -1
    }
    try #require(file >= 0)
    close(file)
    let editor = try ServedEditor(on: device)
    try editor.begin()
    // An escape that is not needed, and one in small letters.
    let uri = JSONValue.text("file://localhost\(device.folder)/%63af%e9%0A.md")
    let answer = try editor.ask("document/open", ["uri": uri])
    #expect(answer["uri"] == .text(FileURI(path: path).text))
    #expect(answer["folder"] == "Notes")
    #expect(answer["reason"] == nil)
    try editor.tell("document/becomeCurrent", ["uri": .text(FileURI(path: path).text)])
    #expect(try editor.news(of: "activity/update")["uri"] == uri)
    try editor.ask("offers/list")
    try TrafficSchema.check(editor, on: device)
  }

  @Test("A document is offered as soon as its folder is registered, and the editor is told")
  func laterFolder() throws {
    try Files.replace(device.folder + "/plan.md", with: Array("one\n".utf8))
    let editor = try ServedEditor(on: device)
    try editor.begin()
    #expect(try editor.open("plan.md")["synced"] == false)
    try device.continuo("folder", "add", device.folder, "--name", "Notes")
    let standing = try editor.news(of: "document/standingDidChange")
    #expect(standing["uri"] == editor.uri("plan.md"))
    #expect(standing["folder"] == "Notes")
    #expect(standing["reason"] == nil)
    #expect(try editor.news(of: "activity/update")["uri"] == editor.uri("plan.md"))
    editor.forget()
    try device.continuo("folder", "remove", device.folder)
    #expect(try editor.news(of: "document/standingDidChange")["synced"] == false)
    try TrafficSchema.check(editor, on: device)
  }

  @Test("An agent that cannot be started is told, and no document waits for it")
  func noAgent() throws {
    Files.removeTree(device.root + "/run")
    try Files.replace(device.root + "/run", with: Array("no directory".utf8))
    try Files.replace(device.folder + "/plan.md", with: Array("one\n".utf8))
    let editor = try ServedEditor(on: device)
    #expect(try editor.begin()["connected"] == false)
    let told = try editor.news(of: "connection/didChange")
    #expect(told["connected"] == false)
    #expect(told["message"]?.kind == "a string")
    let answer = try editor.ask("document/open", ["uri": editor.uri("plan.md")])
    #expect(answer["synced"] == false)
    #expect(answer["reason"] == told["message"])
    #expect(try editor.ask("offers/list") == ["offers": []])
    #expect(try editor.ask("shutdown") == .null)
    try editor.tell("exit")
    #expect(try editor.exit() == 0)
  }

  @Test("serve says how it is called")
  func command() throws {
    let child = try ChildProcess(device.programs["continuo"], ["serve"], environment: device.environment)
    #expect(try child.waitForExit() == .code(64))
    #expect(child.errorText.contains("continuo serve --stdio"))
  }
}
