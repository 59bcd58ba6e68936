// SPDX-License-Identifier: MIT

import ActivityJSON
import ActivityModel
import EditorProtocol
import LinuxSystem
import Testing
import TestSupport

@testable import fixtures

@Suite("Bad input of the Language Server Protocol", .waiting)
struct LanguageBadInputTests {
  @Test("Fifty megabytes are handed over with their place, though the text is not followed")
  func large() throws {
    let circle = try ServedCircle()
    let line = String(repeating: "x", count: 99) + "\n"
    let text = String(repeating: line, count: 500_000)
    try Files.replace(circle.desktop.folder + "/large.md", with: Array(text.utf8))
    let (desktop, laptop) = (
      try circle.languageEditor(on: circle.desktop), try circle.editor(on: circle.laptop)
    )
    try desktop.introduce()
    try laptop.begin()
    try desktop.show("large.md", holding: text)
    try desktop.sentence(with: "is not followed")
    try desktop.stand(in: "large.md", 400_000, 7)
    let offer = try laptop.offer("large.md")
    #expect(offer["unsavedChanges"] == false)
    try circle.carry()
    try laptop.ask("continuation/accept", ["offer": offer["id"]])
    #expect(
      try laptop.news(of: "document/restore")["place"]?["position"] == ["line": 400_000, "character": 7])
  }

  @Test("Documents of every hostile name are followed, and none of them steers what is said")
  func names() throws {
    let circle = try ServedCircle()
    let desktop = try circle.languageEditor(on: circle.desktop)
    try desktop.introduce()
    let names = try HostileNames.all()
    for name in names {
      let path = Array("\(circle.desktop.folder)/".utf8) + name
      _ = try FilePath(bytes: path).open([.writeOnly, .create], mode: 0o600)
      let uri = JSONValue.text(FileURI(path: path).text)
      try desktop.tell(
        "textDocument/didOpen",
        ["textDocument": ["uri": uri, "languageId": "x", "version": 1, "text": ""]])
      let place: JSONValue = ["line": 0, "character": 0]
      #expect(
        try desktop.ask("textDocument/documentHighlight", ["textDocument": ["uri": uri], "position": place])
          == .null)
    }
    try desktop.run("continuo.status")
    let said = try desktop.sentence(with: "is in Notes")
    #expect(!said.contains { "\u{1B}\u{202E}\n<`".contains($0) }, "\(said)")
    for words in [["status"], ["why"], ["why", "--json"], ["offers", "--own"], ["apps", "connected"]] {
      let device = circle.desktop
      let child = try ChildProcess(device.programs["continuo"], words, environment: device.environment)
      #expect(try child.waitForExit() == .code(0), "\(child.state)")
      for row in child.outputText.split(separator: "\n") {
        #expect(!HostileNames.steers(row), "\(words): \(row)")
      }
    }
    #expect(try desktop.ask("shutdown") == .null)
  }

  @Test("What is no message ends with a sentence, and a wrong flag with the one for misspelt commands")
  func nonsense() throws {
    let circle = try ServedCircle()
    let desktop = try circle.languageEditor(on: circle.desktop)
    try desktop.introduce()
    try desktop.write(Array("Hello: there\r\n\r\n".utf8))
    #expect(try desktop.exit() == 1)
    #expect(desktop.complaints.contains("Content-Length"))
    let device = circle.desktop
    let child = try ChildProcess(
      device.programs["continuo"], ["lsp", "--port", "1"], environment: device.environment)
    #expect(try child.waitForExit() == .code(64))
  }
}
