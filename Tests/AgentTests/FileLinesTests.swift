// SPDX-License-Identifier: MIT

import LinuxSystem
import TestSupport
import TextAnchors
import Testing

@testable import Embedding

/// The lines around a place, as a large file has them, beside the same text held whole.
struct FileLinesTests {
  @Test(arguments: ["\n", "\r\n"]) func anyLineIsFoundWithoutReadingTheFileAsAWhole(ending: String) throws {
    let scratch = try Scratch()
    let lines = (0..<3000).map { "line \($0) " + String(repeating: "é", count: $0 % 130) }
    for mark in ["", "\u{FEFF}"] {
      try Scratch.write(mark + lines.joined(separator: ending), to: scratch.path + "/text")
      let file = try OpenedFile(Array((scratch.path + "/text").utf8))
      let index = try #require(LineIndex(file))
      #expect(index.lineCount == 3000)
      for line in [0, 1, 255, 256, 257, 511, 512, 1500, 2047, 2048, 2998, 2999] {
        let held = try #require(FileLines(around: line, of: file, index))
        for each in max(0, line - 402)...min(2999, line + 402) {
          held.withUTF8(ofLine: each) { #expect($0.elementsEqual(lines[each].utf8)) }
        }
        #expect(held.lineCount == 3000)
      }
      let last = try #require(FileLines(around: 9999, of: file, index))
      #expect(last.holds(2999) && !last.holds(3000) && !last.holds(0))
      // What an anchor reads is the same in both.
      let place = LineColumn(line: 1400, column: 4)
      let around = try #require(FileLines(around: 1399, of: file, index))
      #expect(TextAnchor(at: place, in: around) == TextAnchor(at: place, in: StringLines(lines)))
    }
  }

  @Test func anEmptyFileHasOneLineAndOneThatEndsWithABreakAnEmptyLastOne() throws {
    let scratch = try Scratch()
    for (text, count) in [("", 1), ("a", 1), ("a\n", 2), ("\n\n", 3)] {
      try Scratch.write(text, to: scratch.path + "/text")
      let file = try OpenedFile(Array((scratch.path + "/text").utf8))
      let index = try #require(LineIndex(file))
      let held = try #require(FileLines(around: count - 1, of: file, index))
      #expect(held.lineCount == count && held.holds(count - 1) && !held.holds(count))
      held.withUTF8(ofLine: count - 1) { #expect($0.elementsEqual((count == 1 ? text : "").utf8)) }
    }
    #expect(throws: Errno.noSuchFile) { try OpenedFile(Array((scratch.path + "/nothing").utf8)) }
  }
}
