// SPDX-License-Identifier: MIT

import ActivityModel
import CTomlReader
import SettingsFile
import Testing

/// toml++ behind its shim: what it hands out, and that no bytes make it fall.
@Suite struct TomlDocumentTests {
  private func problem(_ bytes: [UInt8]) -> SettingsProblem? {
    do throws(SettingsProblem) {
      _ = try TomlDocument(bytes)
      return nil
    } catch {
      return error
    }
  }

  @Test func valuesComeWithTheirPlaces() throws {
    let text = "a = \"é\\u0000\" # x\n[b]\nc.d = [1, 2.5, 1979-05-27]\n\"e.f\" = { g = true }\n"
    let entries = try TomlDocument(Array(text.utf8)).entries
    #expect(entries.map(\.key) == ["a", "b"])
    #expect(entries[0].value == .string("é\0"))
    #expect(entries[0].place == SettingsPlace(line: 1, column: 5, endLine: 1, endColumn: 14))
    guard case .table(let inner, isInline: false) = entries[1].value else {
      Issue.record("\(entries)")
      return
    }
    #expect(inner.map(\.key) == ["c", "e.f"])
    #expect(inner[0].value.written == "{ d = [1, 2.5, 1979-05-27] }")
    #expect(inner[1].value.written == "{ g = true }")
    #expect(inner[1].place.line == 4)
  }

  @Test(arguments: [
    ("a = \n", 1), ("a = 1\na = 2\n", 2), ("\n\n[x\n", 3), ("a = \"\u{1}\"\n", 1),
    ("a = 99999999999999999999\n", 1), ("\nb = 1e\n", 2),
  ])
  func aFaultHasItsLine(text: String, line: Int) {
    let found = problem(Array(text.utf8))
    #expect(found?.line == line, "\(String(describing: found))")
    #expect(found?.description.hasPrefix("settings.toml line \(line): this is no TOML") == true)
  }

  @Test func whatIsNotUTF8IsAFault() {
    #expect(problem(Array("a = 1\nb = \"".utf8) + [0xFF, 0x22, 0x0A])?.line == 2)
    #expect(problem([0xC3]) != nil)
  }

  @Test func letterTablesAndAssertionsOfTheLibraryDoNotFall() {
    // Issues 190 and 295 of toml++, and a key that does not begin like one.
    #expect(problem(Array("s = \"\"\"\\\n§\"\"\"\n".utf8)) == nil)
    #expect(problem([0xCC, 0xAA]) != nil)
    for text in ["a.\u{0}", "a.é\u{300} = 1", "{", "[a.", "a.\"", "\u{FEFF}\u{FEFF}"] {
      _ = problem(Array(text.utf8))
    }
  }

  @Test func sizeAndNestingAreBounded() {
    let comment = [UInt8](repeating: UInt8(ascii: "#"), count: TomlDocument.byteLimit)
    #expect(problem(comment) == nil)
    #expect(problem(comment + comment.prefix(1))?.clause.contains("256 KiB") == true)
    for opening in ["a = " + String(repeating: "[", count: 100_000), String(repeating: "a={", count: 80_000)]
    {
      #expect(problem(Array(opening.utf8)) != nil)
    }
    let dots = String(repeating: "a.", count: 100_000)
    #expect(problem(Array("\n\(dots)a = 1\n".utf8))?.line == 2)
    #expect(problem(Array("[\(dots)a]\n".utf8))?.line == 1)
    // As deep as it gets: the header and each of seven inline tables in arrays have all dots of a line.
    let key = String(repeating: "a.", count: 127) + "a"
    let deep =
      "[\(key)]\n" + String(repeating: "\(key) = [\n{", count: 7) + "z = 1"
      + String(repeating: "}]", count: 7)
    #expect(problem(Array(deep.utf8)) == nil)
  }

  @Test func noBytesMakeItFall() {
    let pieces: [String] = [
      "a", "b.", "[", "]", "[[", "]]", "{", "}", "=", " = ", "\"", "'", "\"\"\"", "'''", "\n", "\r\n", "#",
      ",",
      "1e999", "0x", "-", "+inf", "nan", "1979-05-27T07:32:00Z", "07:32:00", "\\u0000", "\\UFFFFFFFF", "é",
      "§",
      "true", "99999999999999999999", ".", "\t", "1_0", "\u{FEFF}", "\0", "\\\n",
    ]
    var generator = SystemRandomNumberGenerator()
    var good = 0
    for _ in 0..<3000 {
      var bytes: [UInt8] = []
      for _ in 0..<Int.random(in: 0..<40, using: &generator) {
        if Int.random(in: 0..<12, using: &generator) == 0 {
          bytes.append(UInt8.random(in: .min ... .max, using: &generator))
        } else {
          bytes += Array(pieces[Int.random(in: 0..<pieces.count, using: &generator)].utf8)
        }
      }
      if problem(bytes) == nil { good += 1 }
    }
    #expect(good > 0)
  }
}
