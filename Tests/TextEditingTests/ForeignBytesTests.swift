// SPDX-License-Identifier: MIT

import Continuo
import Foundation
import Testing

@testable import TextEditing

@MainActor
@Suite("A text that is not UTF-8") struct ForeignBytesTests {
  private func document(_ bytes: [UInt8]) throws -> TextDocument {
    let document = TextDocument()
    try document.read(from: Data(bytes), ofType: "Text")
    return document
  }

  @Test func isShownCountedAndSavedAsItWas() throws {
    let latin = Array("caf".utf8) + [0xE9] + Array(" cr".utf8) + [0xE8] + Array("me\n".utf8)
    let document = try document(latin)
    #expect(document.foreignByteCount == 2 && document.bytes == latin)
    #expect(try document.data(ofType: "Text") == Data(latin))
    let line = document.editor.buffer.text(ofLine: 0)
    #expect(line.map { CellWidths.unicode.shape(of: $0, at: 0).text }.joined() == "caf\u{FFFD} cr\u{FFFD}me")
    document.perform(.insert("a "))
    #expect(document.bytes == Array("a ".utf8) + latin)
  }

  @Test(
    arguments: [
      [0xFF], [0xE2, 0x82], [0xE2, 0x82, 0x41], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80],
      // What stands for a byte elsewhere, in a file that has foreign bytes too.
      [0xF4, 0x8F, 0xBE, 0x80, 0xFF], [0xF4, 0x8F, 0xBF, 0xBF, 0x80, 0xF4, 0x8F],
      [0xEF, 0xBB, 0xBF, 0xFE, 0x0D, 0x0A],
    ] as [[UInt8]])
  func everyByteComesBack(_ bytes: [UInt8]) throws {
    let document = try document(bytes)
    #expect(document.bytes == bytes && document.foreignByteCount > 0)
  }

  @Test func anyBytesComeBack() throws {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<300 {
      let bytes = (0..<Int.random(in: 1...80, using: &random)).map { _ in
        [UInt8.random(in: 1...255, using: &random), 0xF4, 0x8F, 0xBE, 0x20].randomElement(using: &random) ?? 1
      }
      #expect(try document(bytes).bytes == bytes, "\(bytes)")
    }
  }

  @Test func textInUTF8IsLeftAlone() throws {
    let document = try document([0xF4, 0x8F, 0xBE, 0x80, 0x0A])
    #expect(document.foreignByteCount == 0 && document.bytes == [0xF4, 0x8F, 0xBE, 0x80, 0x0A])
  }

  @Test func aBinaryFileIsRefused() {
    #expect(throws: ContinuityError.self) { try document([0xFF, 0x00, 0xFE]) }
  }
}
