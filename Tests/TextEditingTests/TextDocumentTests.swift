// SPDX-License-Identifier: MIT

import Continuo
import Foundation
import Testing
import TextAnchors
import TestSamples

@testable import TextEditing

/// A text document between file, person and other devices; no agent is needed for these.
@MainActor @Suite struct TextDocumentTests {
  private func document(_ text: String) throws -> TextDocument {
    let document = TextDocument()
    try document.read(from: Data(text.utf8), ofType: "Text")
    return document
  }

  private func type(_ text: String, into document: TextDocument) {
    for character in text { document.perform(.insert(String(character))) }
  }

  @Test func itIsCalledWhatItsFileIsCalledNow() {
    let document = TextDocument()
    #expect(document.textName == "Untitled")
    for name in ["plan.md", "day.md", "plan.md"] {
      document.fileURL = URL(filePath: "/notes/" + name)
      #expect(document.textName == name && DocumentFacts(of: document).name == name)
    }
    document.fileURL = nil
    #expect(document.textName == "Untitled")
  }

  @Test func bytesGoThroughUnchanged() throws {
    let text = "\u{FEFF}# Plan\r\näöü 漢字\nlast"
    #expect(try document(text).data(ofType: "Text") == Data(text.utf8))
  }

  @Test func typingMakesTheDocumentEditedAndUndoingItClean() throws {
    let document = try document("plan")
    #expect(!document.isDocumentEdited)
    type("my ", into: document)
    #expect(document.isDocumentEdited)
    document.perform(.undo)
    document.perform(.undo)
    #expect(!document.isDocumentEdited)
    document.perform(.redo)
    #expect(document.isDocumentEdited)
  }

  @Test func aDuplicateMadeWhileASaveRunsIsNotTakenForWhatWasSaved() async throws {
    let (document, url) = try saved("plan")
    defer { try? FileManager.default.removeItem(at: url) }
    type("ab", into: document)
    let save = Task.immediate { try await document.save(to: url) }
    type("cd", into: document)
    let copy = try document.duplicate()
    try await save.value
    #expect(document.isDocumentEdited && (copy as? TextDocument)?.bytes == Array("abcdplan".utf8))
    copy.close()
  }

  @Test func theUndoManagerIsTheTextsOwn() throws {
    let document = try document("plan")
    let undo = try #require(document.undoManager)
    #expect(document.hasUndoManager && !undo.canUndo && !undo.canRedo)
    type("my", into: document)
    undo.undo()
    #expect(document.bytes == Array("plan".utf8) && !document.isDocumentEdited && undo.canRedo)
    undo.undo()
    undo.redo()
    #expect(document.bytes == Array("myplan".utf8) && document.isDocumentEdited && !undo.canRedo)
  }

  /// The document in a file of its own.
  private func saved(_ text: String) throws -> (document: TextDocument, url: URL) {
    let url = FileManager.default.temporaryDirectory.appending(path: "text-\(UUID().uuidString).txt")
    let document = try document(text)
    document.fileType = "Text"
    return (document, url)
  }

  @Test func undoingPastASaveMakesTheDocumentEditedAgain() async throws {
    let (document, url) = try saved("plan")
    defer { try? FileManager.default.removeItem(at: url) }
    type("ab", into: document)
    try await document.save(to: url)
    #expect(!document.isDocumentEdited)
    document.perform(.undo)
    #expect(document.isDocumentEdited)
    document.perform(.redo)
    #expect(!document.isDocumentEdited)
  }

  @Test func theCaretStaysAtTheFirstChangeFromElsewhereOfATextMadeHere() async throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "text-\(UUID().uuidString).txt")
    defer { try? FileManager.default.removeItem(at: url) }
    let document = TextDocument()
    document.fileType = "Text"
    for line in ["alpha", "beta", "gamma"] {
      type(line, into: document)
      document.perform(.newline)
    }
    try await document.save(to: url)
    document.perform(.move(.up))
    document.perform(.move(.right))
    try document.read(from: Data("new\nalpha\nbeta\ngamma\n".utf8), ofType: "Text")
    #expect(document.editor.portableCursor == PortablePosition(line: 4, column: 2))
  }

  @Test func aChangeFromElsewhereIsOneStepAndOwnStepsStay() throws {
    let document = try document("one\r\ntwo\nthree")
    type("my ", into: document)
    let own = document.bytes
    let theirs = "my one\r\n2\nzwei\nthree\nfour"
    try document.read(from: Data(theirs.utf8), ofType: "Text")
    #expect(!document.isDocumentEdited || document.bytes == Array(theirs.utf8))
    document.perform(.undo)
    #expect(document.bytes == own && document.isDocumentEdited)
    document.perform(.redo)
    #expect(document.bytes == Array(theirs.utf8) && !document.isDocumentEdited)
    document.perform(.undo)
    document.perform(.undo)
    #expect(document.bytes == Array("one\r\ntwo\nthree".utf8))
  }

  @Test func aTextMadeHereIsHadBackByUndoAfterAFileTookItsPlace() throws {
    let document = TextDocument()
    document.fileType = "Text"
    type("mine", into: document)
    try document.read(from: Data("theirs".utf8), ofType: "Text")
    #expect(document.bytes == Array("theirs".utf8) && document.editor.portableCursor.line == 1)
    document.perform(.undo)
    #expect(document.bytes == Array("mine".utf8) && document.isDocumentEdited)
  }

  @Test func whatNoStepCanTakeBackEndsTheHistory() throws {
    // A byte order mark, bytes that are no UTF-8, and more than is kept.
    let large = Data(String(repeating: "x", count: TextBuffer.changeLimit + 1).utf8)
    for other in [Data("\u{FEFF}plan".utf8), Data([0x70, 0xE4]), large] {
      let document = try document("plan")
      type("my ", into: document)
      try document.read(from: other, ofType: "Text")
      #expect(document.bytes == Array(other) && document.undoManager?.canUndo == false)
    }
  }

  @Test func anyTextBecomesAnyOtherAndBackByOneStep() throws {
    var random = SeededGenerator(seed: 20)
    let pieces = ["a", "b\n", "\r\n", "e\u{301}", "\u{301}", "\n", "漢", "\r", ""]
    func text() -> String {
      (0..<Int.random(in: 0...8, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
        .joined()
    }
    for _ in 0..<2000 {
      let (first, second) = (text(), text())
      var editor = TextEditor(try TextBuffer(bytes: Array(first.utf8), name: "a"))
      editor.reload(try TextBuffer(bytes: Array(second.utf8), name: "a"))
      try #require(editor.buffer.bytes == Array(second.utf8))
      guard first != second || Array(first.utf8) != Array(second.utf8) else { continue }
      editor.apply(.undo)
      try #require(editor.buffer.bytes == Array(first.utf8), "\(first) \(second)")
      editor.apply(.redo)
      try #require(editor.buffer.bytes == Array(second.utf8))
    }
  }

  @Test func undoLeadsBackToWhatASaveTookWhileTypingWentOn() async throws {
    let (document, url) = try saved("plan")
    defer { try? FileManager.default.removeItem(at: url) }
    type("ab", into: document)
    let save = Task.immediate { try await document.save(to: url) }
    type("cd", into: document)
    document.perform(.undo)
    try await save.value
    #expect(try Data(contentsOf: url) == Data("abplan".utf8))
    #expect(!document.isDocumentEdited)
    document.perform(.undo)
    #expect(document.isDocumentEdited)
    document.perform(.redo)
    document.perform(.redo)
    #expect(document.isDocumentEdited)
  }

  @Test func theStateHoldsLineColumnAndFirstVisibleLine() throws {
    let document = try document((1...50).map { "line \($0) äe\u{301}x" }.joined(separator: "\n"))
    document.resize(width: 40, height: 10)
    for _ in 0..<29 { document.perform(.move(.down)) }
    document.perform(.move(.lineEnd))
    let activity = UserActivity(activityType: "public.text-editing")
    document.updateUserActivityState(activity)
    #expect(activity.userInfo?["line"] as? Int == 30)
    #expect(activity.userInfo?["column"] as? Int == 13)
    #expect(activity.userInfo?["topLine"] as? Int == 21)

    let other = try self.document((1...50).map { "line \($0) äe\u{301}x" }.joined(separator: "\n"))
    other.resize(width: 40, height: 10)
    other.restoreUserActivityState(activity)
    #expect(other.editor.portableCursor == PortablePosition(line: 30, column: 13))
    #expect(other.editor.viewport.topLine == 20)
    #expect(other.keptFrom == nil)
  }

  @Test func aPlaceIsFoundAgainInAnotherVersion() throws {
    let lines = (1...60).map { "line \($0) of \($0 * 7919)" }
    let document = try document(lines.joined(separator: "\n"))
    document.resize(width: 40, height: 10)
    for _ in 0..<29 { document.perform(.move(.down)) }
    for _ in 0..<7 { document.perform(.move(.right)) }
    let activity = UserActivity(activityType: "public.text-editing")
    document.updateUserActivityState(activity)

    let other = try self.document((["new", "newer"] + lines).joined(separator: "\r\n"))
    other.resize(width: 40, height: 10)
    other.restoreUserActivityState(activity)
    #expect(other.editor.portableCursor == PortablePosition(line: 32, column: 8))
    #expect(other.editor.viewport.topLine == document.editor.viewport.topLine + 2)
    #expect(other.certainty == .sure)

    let foreign = try self.document("nothing of it")
    foreign.restoreUserActivityState(activity)
    #expect(foreign.certainty == .unsure)
    #expect(foreign.editor.portableCursor.line == 1)
  }

  @Test func whatIsSelectedIsSelectedThereToo() throws {
    let document = try document("one\näöü 漢字 x\nthree")
    document.perform(.move(.down))
    for _ in 0..<5 { document.perform(.select(.right)) }
    let activity = UserActivity(activityType: "public.text-editing")
    document.updateUserActivityState(activity)
    #expect(activity.userInfo?["column"] as? Int == 6)
    #expect(activity.userInfo?["selectionLine"] as? Int == 2)
    #expect(activity.userInfo?["selectionColumn"] as? Int == 1)

    let other = try self.document("new\none\näöü 漢字 x\nthree")
    other.restoreUserActivityState(activity)
    #expect(other.editor.copiedText == "äöü 漢")
    #expect(other.editor.portableCursor == PortablePosition(line: 3, column: 6))
    #expect(other.editor.portableSelection == PortablePosition(line: 3, column: 1))

    document.perform(.move(.left))
    document.updateUserActivityState(activity)
    #expect(document.editor.portableSelection == nil)
  }

  @Test func aSelectionThatEndsIsToldWithoutAMove() throws {
    let document = try document("one two")
    document.userActivity = UserActivity(activityType: "public.text-editing")
    document.perform(.select(.right))
    document.userActivity?.needsSave = false
    document.perform(.point(row: 0, column: 1, selecting: false))
    #expect(document.editor.portableSelection == nil)
    #expect(document.userActivity?.needsSave == true)
  }

  @Test func anAnchorThatIsNoneOrNotOfThePlaceIsPassedOver() throws {
    let document = try document("one\ntwo\nthree")
    let activity = UserActivity(activityType: "public.text-editing")
    document.updateUserActivityState(activity)
    for (line, anchor) in [(3, activity.userInfo?["anchor"]), (2, "rubbish"), (1, [7: 8])] {
      activity.userInfo = ["line": line, "column": 2, "anchor": anchor as Any]
      document.restoreUserActivityState(activity)
      #expect(document.editor.portableCursor == PortablePosition(line: line, column: 2))
      #expect(document.certainty == nil)
    }
  }

  @Test func aPlaceBeyondTheTextIsItsEnd() throws {
    let document = try document("one\ntwo")
    let activity = UserActivity(activityType: "public.text-editing")
    activity.userInfo = ["line": Int.max, "column": Int.max, "topLine": Int.max]
    document.restoreUserActivityState(activity)
    #expect(document.editor.portableCursor == PortablePosition(line: 2, column: 4))
  }

  @Test func aStateWithoutAPlaceLeavesTheCursor() throws {
    let document = try document("one\ntwo")
    document.perform(.move(.down))
    let activity = UserActivity(activityType: "public.text-editing")
    activity.userInfo = ["line": "two"]
    document.restoreUserActivityState(activity)
    #expect(document.editor.portableCursor == PortablePosition(line: 2, column: 1))
  }

  @Test func s44a_s44b_restoringLeavesACursorThatThePersonHasUsed() throws {
    let document = try document("one\ntwo\nthree")
    type("x", into: document)
    let activity = UserActivity(activityType: "public.text-editing")
    activity.userInfo = ["line": 3, "column": 2]
    document.restoreUserActivityState(activity)
    #expect(document.editor.portableCursor == PortablePosition(line: 1, column: 2))
    #expect(document.keptFrom == PortablePosition(line: 3, column: 2))

    document.continuationBegins()
    document.restoreUserActivityState(activity)
    #expect(document.editor.portableCursor == PortablePosition(line: 3, column: 2))
    #expect(document.keptFrom == nil)
  }

  @Test func readingAgainKeepsThePlace() throws {
    let document = try document("one\ntwo\nthree")
    document.perform(.move(.documentEnd))
    try document.read(from: Data("one\ntwo\nthree and a half\nfour".utf8), ofType: "Text")
    #expect(document.editor.portableCursor == PortablePosition(line: 3, column: 6))
    document.perform(.undo)
    #expect(document.editor.buffer.lineCount == 3 && document.isDocumentEdited, "the change is one step")
    document.perform(.redo)
    #expect(document.editor.buffer.lineCount == 4 && !document.isDocumentEdited)
    try document.read(from: Data("one".utf8), ofType: "Text")
    #expect(document.editor.portableCursor == PortablePosition(line: 1, column: 4))
  }

  @Test func aTextThatCannotBeShownLeavesTheOneThatIsThere() throws {
    let document = try document("one")
    #expect(throws: ContinuityError.self) { try document.read(from: Data([0xFF, 0, 1]), ofType: "Text") }
    #expect(document.editor.buffer.bytes == Array("one".utf8))
  }
}
