// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import Foundation
import Testing

/// The socket messages of `Fixtures/written/0706be6-messages.txt`, as that version sent them: an app may be
/// older than the agent it meets, and an agent older than its app.
@Suite struct WrittenBeforeTests {
  private static let path =
    #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()
    + "/Fixtures/written/0706be6-messages.txt"

  /// The bytes of the messages that `sender` sent.
  private static func messages(of sender: String) throws -> [[UInt8]] {
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map {
      $0.split(separator: " ")
    }
    return try lines.filter { $0[0] == sender }.map { try #require([UInt8](hexadecimal: String($0[1]))) }
  }

  @Test func anAppsMessagesAreReadAndMeanTheSame() throws {
    let stored = try Self.messages(of: "app")
    #expect(stored.count == 34)
    for bytes in stored { #expect(try ClientMessage(decoding: bytes).encoded == bytes) }
  }

  @Test func anAgentsMessagesAreReadAndMeanTheSame() throws {
    let stored = try Self.messages(of: "agent")
    #expect(stored.count == 27)
    for bytes in stored { #expect(try AgentMessage(decoding: bytes).encoded == bytes) }
  }
}
