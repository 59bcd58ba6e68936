// SPDX-License-Identifier: MIT

import ActivityModel
import Testing

@testable import EditorProtocol

@Suite("Messages in a stream")
struct MessageFramingTests {
  private let contents = ["{}", "", "aé😀漢\tz", String(repeating: "x", count: 700), "\r\n\r\n"].map {
    Array($0.utf8)
  }

  private func split(_ bytes: [UInt8], into size: Int) throws -> [[UInt8]] {
    var framing = MessageFraming()
    var found: [[UInt8]] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      framing.append(rest.prefix(size))
      rest = rest.dropFirst(size)
      while let content = try framing.next() { found.append(content) }
    }
    #expect(framing.held == 0)
    return found
  }

  @Test("Messages come whole, wherever the stream is cut", arguments: [1, 2, 3, 7, 64, 10_000])
  func anyCut(_ size: Int) throws {
    let stream = contents.flatMap { MessageFraming.frame($0) }
    #expect(try split(stream, into: size) == contents)
  }

  @Test("Other headers are allowed, in any order and case")
  func otherHeaders() throws {
    let header = "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\ncontent-LENGTH:  2\r\n\r\n"
    #expect(try split(Array((header + "{}").utf8), into: 5) == [Array("{}".utf8)])
  }

  @Test(
    "What is no header ends the stream with a sentence",
    arguments: [
      "\r\n\r\n", "{}\r\n\r\n", "Content-Length\r\n\r\n", "Content-Length: \r\n\r\n",
      "Content-Length: -1\r\n\r\n",
      "Content-Length: 0x2\r\n\r\n", "Content-Length: 2 \r\n\r\n",
      "Content-Length: 99999999999999999999\r\n\r\n",
      "Content-Length: 8388609\r\n\r\n", "Content-Length: 2\r\nContent-Length: 2\r\n\r\n", "X: 1\r\n\r\n",
      "Content-Length: ２\r\n\r\n", "\0\0\0\0\r\n\r\n",
    ])
  func badHeaders(_ header: String) {
    let error = #expect(throws: ContinuityError.self) { try split(Array(header.utf8), into: 3) }
    #expect(error?.code == .invalidBytes)
    #expect(error?.description.contains("Language Server Protocol") == true)
  }

  @Test("A header without an end is refused before it fills the memory")
  func endless() throws {
    var framing = MessageFraming()
    framing.append([UInt8](repeating: 65, count: MessageFraming.headerLimit))
    #expect(try framing.next() == nil)
    framing.append([65])
    #expect(throws: ContinuityError.self) { try framing.next() }
    let long = Array(
      "Content-Length: 2\r\nX: \(String(repeating: "y", count: MessageFraming.headerLimit))\r\n\r\n{}".utf8)
    #expect(throws: ContinuityError.self) { try split(long, into: long.count) }
  }

  @Test("The largest message that is allowed is taken")
  func largest() throws {
    let content = [UInt8](repeating: 32, count: MessageFraming.contentLimit)
    #expect(try split(MessageFraming.frame(content), into: 1 << 16).map(\.count) == [content.count])
  }
}
