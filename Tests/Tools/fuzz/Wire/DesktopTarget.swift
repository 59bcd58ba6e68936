// SPDX-License-Identifier: MIT

import ActivityWire

/// Frames between the agent and the desktop's process: the same in pieces, and the same when written again.
struct DesktopTarget: FuzzTarget {
  static let name = "desktop"
  static let longest = 2048
  static let words: [[UInt8]] = [
    Array("4\n".utf8), Array("131072\n".utf8), Array("131073\n".utf8), Array("-1\n".utf8), [0],
    Array("+4\n".utf8), Array("99999999999999999999\n".utf8), Array("2\u{0}a\u{0}b\u{0}".utf8),
  ]

  func seeds() throws -> [[UInt8]] {
    let frames = [
      DesktopFrame.bytes(of: ["offers", "3", "a", "b", "c", "1"]),
      DesktopFrame.bytes(of: [[0xff], []], rest: [0, 1]),
      DesktopFrame.bytes(of: [String]()),
    ]
    return frames.map { Cuts.seed() + $0 } + [Cuts.seed([1, 0, 4]) + frames.flatMap(\.self)]
  }

  func check(_ input: [UInt8]) throws {
    var reader = InputReader(input)
    let cuts = reader.cuts()
    let whole = Self.read([reader.rest])
    let dripped = Self.read(cuts.pieces(of: reader.rest))
    try expect(dripped.contents.starts(with: whole.contents), "a pipe in pieces gives other frames")
    try expect(whole == dripped, "a pipe in pieces ends otherwise")
    for content in whole.contents { try Self.checkFields(content) }
  }

  private static func read(_ pieces: [[UInt8]]) -> SocketTarget.Reading {
    var frames = DesktopFrameReader()
    var reading = SocketTarget.Reading()
    do throws(DesktopFrame.Broken) {
      for piece in pieces {
        frames.append(piece)
        while let frame = try frames.next() { reading.contents.append(Array(frame.rest)) }
      }
      reading.isAtBoundary = !frames.isInTheMidst
    } catch {
      reading.isBroken = true
    }
    return reading
  }

  private static func checkFields(_ content: [UInt8]) throws {
    var frame = DesktopFrame(content)
    var fields: [[UInt8]] = []
    while let field = try? frame.field() { fields.append(field) }
    let again = DesktopFrame.bytes(of: fields, rest: Array(frame.rest))
    try expect(
      read([again]).contents == [content], "fields are written in other bytes than they were read from")
    var other = DesktopFrame(content)
    if let list = try? other.fields() {
      try expect(list.count <= content.count, "a frame holds more fields than bytes")
    }
  }
}
