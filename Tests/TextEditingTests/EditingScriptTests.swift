// SPDX-License-Identifier: MIT

import Continuo
import Testing
import TextEditing

@Suite struct EditingScriptTests {
  @Test func thereAreScripts() throws {
    #expect(try EditingScript.all().count >= 20)
  }

  @Test(arguments: try EditingScript.all())
  func scriptGivesWhatItExpects(_ script: EditingScript) throws {
    let layout = ScreenLayout(columns: script.columns, rows: script.rows)
    var editor = TextEditor(try TextBuffer(bytes: Array(script.text.utf8), name: script.name))
    var machine = EditorMachine()
    editor.resize(width: layout.columns, height: layout.textRows)
    let original = editor.revision
    var facts = DocumentFacts(name: "plan.md", hasFile: true, isEdited: false)
    for key in script.keys {
      for action in machine.handle(.key(key), document: facts, at: Instant(nanoseconds: 0)) {
        if case .edit(let command) = action { editor.apply(command) }
      }
      facts.isEdited = editor.revision != original
    }
    if let expected = script.expectedText {
      #expect(String(decoding: editor.buffer.bytes, as: UTF8.self).debugScalars == expected.debugScalars)
      #expect(editor.buffer.byteCount == expected.utf8.count)
    }
    if let expected = script.expectedCursor {
      #expect("\(editor.portableCursor.line):\(editor.portableCursor.column)" == expected)
    }
    if let expected = script.expectedScreen {
      #expect(layout.frame(editor, machine, facts).withCursorMarked() == expected)
    }
    #expect(script.expectedText != nil || script.expectedScreen != nil, "the script expects nothing")
  }
}

extension String {
  /// Told apart scalar by scalar: `==` of strings calls "é" and "e" + accent equal.
  var debugScalars: [String] { unicodeScalars.map { $0.isASCII ? String($0) : $0.escaped(asASCII: true) } }
}

extension Frame {
  /// The rows without trailing blanks, and a last line `cursor ROW,COLUMN` counted from 0.
  func withCursorMarked() -> [String] {
    let place = cursor.map { "cursor \($0.row),\($0.column)" } ?? "no cursor"
    return rows.map { row in
      var text = row.text
      while text.hasSuffix(" ") { text.removeLast() }
      return text
    } + [place]
  }
}
