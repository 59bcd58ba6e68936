// SPDX-License-Identifier: MIT

import Continuo
import TestSupport
import Testing

@testable import TextEditing

/// Names on the rows of the screen: one row each, and nothing in them that steers a terminal.
extension EditorMachineTests {
  private func expectClean(_ rows: [String], sourceLocation: SourceLocation = #_sourceLocation) {
    for row in rows {
      #expect(DisplayText.isClean(row), "\(row.debugDescription)", sourceLocation: sourceLocation)
    }
  }

  @Test mutating func hostileNamesTakeOneRowOfTheScreen() throws {
    let layout = ScreenLayout(columns: 300, rows: 12)
    var editor = TextEditor(try TextBuffer(bytes: Array("text".utf8), name: "plan.md"))
    editor.resize(width: layout.columns, height: layout.textRows)
    for bytes in try HostileNames.all() {
      let name = String(decoding: bytes, as: UTF8.self)
      guard let path = RelativePath(components: [bytes]) else { continue }
      machine = EditorMachine()
      facts = DocumentFacts(name: name, hasFile: true, isEdited: true)
      facts.copies = [ConflictCopy(path: "/\(name)", modified: "now")]
      facts.otherEdited = [name]
      var offered = try offer()
      (offered.path, offered.deviceName, offered.title) = (path, name, name)
      send(.offers([offered], shown: []))
      expectClean(layout.frame(editor, machine: machine, facts: facts).rows.map(\.text))
      expectClean([line])
      send(.key(.control("q")))
      expectClean(layout.frame(editor, machine: machine, facts: facts).rows.map(\.text))
    }
  }
}
