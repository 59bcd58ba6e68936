// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import TextEditing

/// Two texts, what git finds to differ, and what comes of taking parts.
@Suite struct TextComparisonTests {
  private func buffer(_ text: String) throws -> TextBuffer {
    try TextBuffer(bytes: Array(text.utf8), name: "plan.md")
  }

  private func comparison(_ yours: String, _ other: String, _ diff: String) throws -> TextComparison {
    try #require(TextComparison(yours: buffer(yours), other: buffer(other), unifiedDiff: diff.utf8))
  }

  /// As git says it, with the texts kept on the disk.
  private func compared(_ yours: String, _ other: String) async throws -> TextComparison {
    let folder = FileManager.default.temporaryDirectory.appending(path: "-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let kept = try ComparedTexts(yours: Array(yours.utf8), other: Array(other.utf8), below: folder)
    let diff = try await kept.unifiedDiff()
    return try #require(TextComparison(yours: buffer(yours), other: buffer(other), unifiedDiff: diff))
  }

  @Test func hunksAreReadAndTheirLinesAreNot() throws {
    let diff = """
      diff --git a/x b/y
      --- a/x
      +++ b/y
      @@ -1 +1,2 @@ a heading @@ -9 +9 @@
      -@@ -5 +5 @@
      +new
      +@@ -7 +7 @@
      @@ -3,0 +5 @@
      +z
      """
    let read = try #require(TextComparison.differences(in: diff.utf8))
    #expect(read == [.init(yours: 0..<1, other: 0..<2), .init(yours: 3..<3, other: 4..<5)])
  }

  @Test(arguments: [
    "@@ -1", "@@ 1 2 @@", "@@ -a +1 @@", "@@ -1,2,3 +1 @@", "@@ -0 +1 @@", "@@ -9 +9 @@", "@@ -1 +2 @@",
    "@@ -99999999999999999999 +1 @@", "@@ -1,9223372036854775807 +1 @@", "@@ -2 +2 @@\n@@ -1 +1 @@",
  ])
  func whatFitsNeitherTextIsRefused(diff: String) throws {
    #expect(
      try TextComparison(yours: buffer("a\nb\n"), other: buffer("a\nb\n"), unifiedDiff: diff.utf8) == nil)
  }

  /// A full disk cuts a diff off, and git ends as if nothing were.
  @Test(arguments: ["", "@@ -1 +1 @@", "@@ -3 +3,2 @@"])
  func aDiffThatLeavesOutADifferenceIsRefused(diff: String) throws {
    #expect(
      try TextComparison(
        yours: buffer("a\nb\nc\n"), other: buffer("A\nb\nC\nd\n"), unifiedDiff: diff.utf8) == nil)
  }

  @Test func takingIsChosenPartByPartAndTakenBack() throws {
    var texts = try comparison("a\nb\nc\n", "A\nb\nC\nd\n", "@@ -1 +1 @@\n@@ -3 +3,2 @@")
    #expect(texts.headline == "Difference 1 of 2: your text stays")
    texts.goToPrevious()
    texts.toggle()
    #expect(texts.headline == "Difference 2 of 2: the other text is taken")
    #expect(texts.result == "a\nb\nC\nd\n")
    #expect(texts.resultLines == [0..<1, 2..<4])
    texts.takeAll()
    #expect(texts.result == "A\nb\nC\nd\n")
    #expect(texts.undo() && texts.undo() && !texts.undo())
    #expect(texts.result == "a\nb\nc\n" && !texts.takesSomething)
    texts.goToNext()
    texts.goToNext()
    #expect(texts.current == 1)
  }

  /// Whatever the two texts are: nothing taken is the one, everything the other, and the edits make the same.
  @Test(arguments: [
    ("", ""), ("", "a"), ("a", ""), ("a", "a\n"), ("a\n", "a"), ("a\nb", "a\nb\nc"),
    ("a\r\nb\r\n", "a\nb\r\nc"),
    ("x\ny\nz\n", "x\nz\n"), ("\u{FEFF}a\n", "\u{FEFF}b\n"), ("-- a\n@@ -1 +1 @@\n", "++ b\n@@ -1 +1 @@\n"),
    ("a\u{301}b\nc\n", "\u{301}\nc\nd"), ("1\n2\n3\n4\n5\n6\n", "0\n1\n3\n4\n4\n6"), ("a\rb\n", "a\rc\n"),
  ])
  func gitsDifferencesLeadFromOneTextToTheOther(yours: String, other: String) async throws {
    var texts = try await compared(yours, other)
    let shown = try buffer(yours)
    #expect(texts.result.utf8.elementsEqual(shown.text(in: .start..<shown.end).utf8))
    texts.takeAll()
    let wanted = try buffer(other)
    #expect(texts.result.utf8.elementsEqual(wanted.text(in: .start..<wanted.end).utf8))
    var editor = TextEditor(shown)
    editor.take(texts.edits)
    #expect(editor.buffer.text(in: .start..<editor.buffer.end).utf8.elementsEqual(texts.result.utf8))
    for _ in texts.edits { editor.apply(.undo) }
    #expect(editor.buffer.bytes == shown.bytes)
  }

  /// It is in neither text, and yet the files are not the same.
  @Test(arguments: [
    ("a\n", "\u{FEFF}a\n", "The two texts differ in one thing: the other file begins with a byte order"),
    ("\u{FEFF}a\n", "a\n", "The two texts differ in one thing: your file begins with a byte order mark"),
    ("\u{FEFF}a\n", "\u{FEFF}a\n", "The two texts are the same"),
    ("a\n", "\u{FEFF}b\n", "Difference 1 of 1: your text stays; the other file begins with a byte order"),
  ])
  func aByteOrderMarkAloneIsSaid(yours: String, other: String, headline: String) async throws {
    let texts = try await compared(yours, other)
    #expect(texts.headline.hasPrefix(headline))
    #expect(headline.contains("byte") == texts.headline.contains("byte"))
  }

  @Test func bothTextsAreKeptForTheUserAloneUntilTheyAreTakenAway() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "compared-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let kept = try ComparedTexts(yours: Array("mine".utf8), other: Array("theirs".utf8), below: folder)
    let place = try #require(FileManager.default.contentsOfDirectory(atPath: folder.path).first)
    let file = folder.appending(path: place).appending(path: "yours")
    #expect(try Data(contentsOf: file) == Data("mine".utf8))
    let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
    #expect(mode.map { $0 & 0o077 } == 0)
    kept.remove()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
  }
}
