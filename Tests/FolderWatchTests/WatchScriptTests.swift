// SPDX-License-Identifier: MIT

import Foundation
import Testing

@Suite("Watching scripts")
struct WatchScriptTests {
  static let directory = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Fixtures/watching")

  static var names: [String] {
    let files =
      (try? FileManager.default.contentsOfDirectory(atPath: directory.path(percentEncoded: false))) ?? []
    return files.filter { $0.hasSuffix(".script") }.sorted()
  }

  @Test("There are scripts to run")
  func inventory() { #expect(Self.names.count >= 15) }

  @Test("Each script leads to exactly its hints", arguments: names)
  func script(name: String) throws {
    let text = try String(contentsOf: Self.directory.appending(path: name), encoding: .utf8)
    var script = WatchScript(text: text)
    let hints = try script.run()
    #expect(!script.expected.isEmpty)
    #expect(hints == script.expected)
  }
}
