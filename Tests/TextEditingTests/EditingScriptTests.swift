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
    var person = PersonAtTheKeys(
      editor: TextEditor(try TextBuffer(bytes: Array(script.text.utf8), name: script.name)))
    person.facts.isReadOnly = script.isReadOnly
    person.editor.resize(width: layout.columns, height: layout.textRows)
    for key in script.keys { person.press(key) }
    if let changed = script.changedText {
      person.editor.reload(try TextBuffer(bytes: Array(changed.utf8), name: script.name))
      person.facts.isEdited = false
    }
    let (editor, machine, facts) = (person.editor, person.machine, person.facts)
    if let expected = script.expectedText {
      #expect(String(decoding: editor.buffer.bytes, as: UTF8.self).debugScalars == expected.debugScalars)
      #expect(editor.buffer.byteCount == expected.utf8.count)
    }
    if let expected = script.expectedCursor {
      #expect("\(editor.portableCursor.line):\(editor.portableCursor.column)" == expected)
    }
    if let expected = script.expectedSelection {
      #expect(editor.selection.map { editor.buffer.text(in: $0) } ?? "" == expected)
    }
    if let expected = script.expectedScreen {
      #expect(layout.frame(editor, machine: machine, facts: facts).withCursorMarked() == expected)
    }
    let hasExpectation =
      script.expectedText != nil || script.expectedScreen != nil || script.expectedSelection != nil
    #expect(hasExpectation, "the script expects nothing")
  }
}

/// An editor without terminal and files: what the screen's owner does for the text, and nothing else.
struct PersonAtTheKeys {
  var editor: TextEditor
  var machine = EditorMachine()
  var facts = DocumentFacts(name: "plan.md", hasFile: true, isEdited: false)
  var clipboard = ""
  /// What was asked of the screen's owner beyond the text.
  var others: [EditorAction] = []

  mutating func press(_ key: Key) { handle(.key(key)) }

  mutating func handle(_ event: EditorEvent) {
    for action in machine.handle(event, document: facts, at: Instant(nanoseconds: 0)) { perform(action) }
    facts.isEdited = editor.revision != 0
  }

  private mutating func perform(_ action: EditorAction) {
    switch action {
    case .edit(let command): editor.apply(command)
    case .copy(let cutting):
      clipboard = editor.copiedText
      if cutting { editor.apply(.cut) }
    case .paste: editor.apply(.paste(clipboard))
    case .find(let search, let next): handle(.searched(editor.find(search, next: next)))
    case .replace(let search, let text): handle(.searched(editor.replace(search, with: text)))
    case .replaceAll(let search, let text):
      handle(.replaced(count: editor.replaceAll(search, with: text)))
    default: others.append(action)
    }
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
