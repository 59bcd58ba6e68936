// SPDX-License-Identifier: MIT

import Continuo
import Foundation
import Testing

@testable import TextEditing

/// Edits, places and first lines that a view with keys of its own reports.
@Suite struct ViewEditingTests {
  private func editor(_ text: String) throws -> TextEditor {
    TextEditor(try TextBuffer(bytes: Array(text.utf8), name: "plan.md"))
  }

  private func text(_ editor: TextEditor) -> String { String(decoding: editor.buffer.bytes, as: UTF8.self) }

  private func at(_ line: Int, _ offset: Int) -> Position { Position(line: line, offset: offset) }

  @Test func whatIsTypedIsOneStepForUndoAsByKeysOfTheEditor() throws {
    var editor = try editor("plan")
    for (index, letter) in ["m", "y", " "].enumerated() {
      let place = at(0, index)
      #expect(editor.replace(place..<place, with: letter) == letter)
    }
    #expect(text(editor) == "my plan")
    #expect(editor.cursor == at(0, 3))
    editor.apply(.undo)
    #expect(text(editor) == "plan")
  }

  @Test func backspacesAreOneStepAndDeletionsAheadAnother() throws {
    var editor = try editor("abcdef")
    editor.go(to: at(0, 4), selection: nil)
    #expect(editor.replace(at(0, 3)..<at(0, 4), with: "") == "")
    #expect(editor.replace(at(0, 2)..<at(0, 3), with: "") == "")
    #expect(editor.replace(at(0, 2)..<at(0, 3), with: "") == "")
    #expect(text(editor) == "abf")
    editor.apply(.undo)
    #expect(text(editor) == "abef")
    editor.apply(.undo)
    #expect(text(editor) == "abcdef")
  }

  @Test func whatIsTypedOverASelectionIsOneStepWithItsDeletion() throws {
    var editor = try editor("one two")
    editor.go(to: at(0, 7), selection: at(0, 4))
    #expect(editor.replace(at(0, 4)..<at(0, 7), with: "") == "")
    #expect(editor.replace(at(0, 4)..<at(0, 4), with: "t", follows: true) == "t")
    #expect(editor.replace(at(0, 5)..<at(0, 5), with: "oo") == "oo")
    editor.apply(.undo)
    #expect(text(editor) == "one t")
    editor.apply(.undo)
    #expect(text(editor) == "one two")
  }

  @Test func lineBreaksAreMadeLikeThoseAround() throws {
    var editor = try editor("one\r\ntwo\r\n")
    #expect(editor.replace(at(0, 3)..<at(0, 3), with: "\n") == "\r\n")
    #expect(editor.replace(at(2, 0)..<at(2, 0), with: "a\rb\nc\0") == "a\r\nb\r\nc")
    #expect(text(editor) == "one\r\n\r\na\r\nb\r\nctwo\r\n")
  }

  @Test func whatWouldBeTooLargeIsRefused() throws {
    var editor = try editor(String(repeating: "x", count: TextBuffer.sizeLimit))
    let revision = editor.revision
    #expect(editor.replace(.start..<(.start), with: "y") == nil)
    #expect(editor.revision == revision)
    #expect(editor.replace(at(0, 0)..<at(0, 1), with: "") == "")
  }

  @Test func aMoveBeginsANewStepAndAPlaceAlreadyTakenDoesNot() throws {
    var editor = try editor("")
    #expect(editor.replace(at(0, 0)..<at(0, 0), with: "a") == "a")
    editor.go(to: at(0, 1), selection: nil)
    #expect(editor.replace(at(0, 1)..<at(0, 1), with: "b") == "b")
    editor.apply(.undo)
    #expect(text(editor) == "")
    editor.apply(.redo)
    editor.go(to: at(0, 0), selection: at(0, 2))
    #expect(editor.selection == at(0, 0)..<at(0, 2))
  }

  @Test func theFirstLineIsTheViewsAndStaysWithinTheText() throws {
    var editor = try editor("1\n2\n3")
    for (asked, shown) in [(2, 2), (9, 2), (-1, 0)] {
      editor.look(from: asked)
      #expect(editor.viewport.topLine == shown)
    }
  }

  @Test func placesGoThereAndBackByScalars() throws {
    let buffer = try editor("aé😀漢\nlast").buffer
    for (scalar, offset) in [(0, 0), (2, 3), (3, 7), (4, 10), (99, 10)] {
      #expect(buffer.place(line: 0, scalar: scalar) == at(0, offset))
    }
    #expect(buffer.scalar(of: at(0, 7)) == 3)
    #expect(buffer.place(line: 7, scalar: 0) == at(1, 0))
    #expect(buffer.place(line: -1, scalar: -1) == .start)
  }

  @Test(arguments: [
    ("a\nb\nc", "a\nx\nc"), ("a\nb", "a"), ("", "a\r\nb"), ("a\nb\n", "b\n"), ("same", "same"),
    ("\u{FEFF}a", "a"),
  ])
  func aReplacementMakesTheOtherText(former: String, fresh: String) throws {
    var buffer = try editor(former).buffer
    let wanted = try editor(fresh).buffer
    let (range, text) = buffer.replacement(to: wanted)
    buffer.replace(range, with: text)
    #expect(buffer.text(in: .start..<buffer.end) == wanted.text(in: .start..<wanted.end))
  }
}

/// What a view hears of its document.
@MainActor @Suite struct ViewedDocumentTests {
  @Test func itHearsOfEveryChangeByWhomever() throws {
    let document = TextDocument()
    var count = 0
    document.textObserver = { _ in count += 1 }
    try document.read(from: Data("one".utf8), ofType: "Text")
    #expect(count == 1)
    #expect(document.replace(.start..<(.start), with: "a") == "a")
    document.go(to: Position(line: 0, offset: 2), selection: .start)
    document.undoManager?.undo()
    #expect(count == 4)
    #expect(document.bytes == Array("one".utf8))
  }
}
