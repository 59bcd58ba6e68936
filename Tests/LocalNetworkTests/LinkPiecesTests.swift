// SPDX-License-Identifier: MIT

import ActivityModel
import LocalNetwork
import Testing

/// Frames in pieces, and what goes first.
@Suite struct LinkPiecesTests {
  private static func frame(_ count: Int, _ byte: UInt8 = 1) -> [UInt8] {
    [UInt8](repeating: byte, count: count)
  }

  private static func header(_ kind: UInt8, _ count: Int) -> [UInt8] {
    [kind] + (0..<4).reversed().map { UInt8(truncatingIfNeeded: count >> (8 * $0)) }
  }

  @Test func framesComeOutAsTheyWentInHoweverTheyAreCut() throws {
    let frames: [(LinkFrameKind, [UInt8])] = [
      (.proof, Self.frame(4096)), (.record, Self.frame(LinkPiece.limit)), (.record, Self.frame(200_000, 2)),
      (.request, Self.frame(LinkPiece.limit + 1, 3)), (.request, [9]),
    ]
    var output = LinkOutput()
    for (kind, bytes) in frames { #expect(output.append(bytes, as: kind) == true) }
    var sent: [UInt8] = []
    while let piece = output.next() {
      #expect(piece.count <= 16384)
      sent += piece
    }
    #expect(output.isEmpty)
    for size in [1, 5, 4093, 16384, sent.count] {
      var input = LinkInput()
      var received: [(LinkFrameKind, [UInt8])] = []
      for start in stride(from: 0, to: sent.count, by: size) {
        input.append(sent[start..<min(start + size, sent.count)])
        while let frame = try input.next() { received.append(frame) }
      }
      #expect(received.count == frames.count && zip(received, frames).allSatisfy { $0 == $1 }, "\(size)")
    }
  }

  @Test func aFrameOfALowerKindGoesAfterOnePieceOfALargeOne() throws {
    var output = LinkOutput()
    #expect(output.append(Self.frame(1 << 20), as: .request) == true)
    #expect(output.next()?.first == LinkFrameKind.request.rawValue)
    #expect(output.append([7], as: .record) == true)
    #expect(output.append([8], as: .proof) == true)
    let next = [output.next(), output.next(), output.next()].compactMap { $0 }
    #expect(next.map(\.first) == [0, 1, 2])
    #expect(next[0] == Self.header(0, 1) + [8] && next[1] == Self.header(1, 1) + [7])
    #expect(next[2].prefix(5) == Self.header(2, 1 << 20 - LinkPiece.limit)[...])
    // Both come whole, the small one first.
    var input = LinkInput()
    input.append(Self.header(2, LinkPiece.limit + 1) + Self.frame(LinkPiece.limit))
    #expect(try input.next() == nil)
    input.append(Self.header(1, 1) + [7] + Self.header(2, 1) + [1])
    let (first, second) = (try input.next(), try input.next())
    #expect(try #require(first) == (.record, [7]))
    #expect(try #require(second) == (.request, Self.frame(LinkPiece.limit + 1)))
  }

  @Test func whatNoDeviceSendsIsRefusedByItsHeaderAlone() {
    let limit = 1 << 20
    for bytes in [
      Self.header(0, 4097), Self.header(1, limit + 1), Self.header(2, 32 << 20), Self.header(1, 0),
      Self.header(5, 1), Self.header(4, LinkPiece.limit + 1), Self.header(3, LinkPiece.limit + 1),
      Self.header(3, 0),
      [1, 0xff, 0xff, 0xff, 0xff],
      // A piece that does not go on where its frame was.
      Self.header(1, limit) + Self.frame(LinkPiece.limit) + Self.header(1, limit),
      Self.header(1, limit) + Self.frame(LinkPiece.limit) + Self.header(1, 1),
    ] {
      var input = LinkInput()
      input.append(bytes)
      #expect(throws: ContinuityError.self, "\(bytes.prefix(5))") { while try input.next() != nil {} }
    }
  }

  @Test func whoDoesNotReadFillsNoMemory() {
    var output = LinkOutput()
    var taken = 0
    while output.append(Self.frame(1 << 20), as: .record) { taken += 1 }
    #expect(taken == 5, "what is allowed, and one frame")
    #expect(output.append([1], as: .proof) == false, "whatever its kind")
    for _ in 0..<70 { _ = output.next() }
    #expect(output.append([1], as: .proof) == true)
    #expect(output.append([], as: .record) == false)
    #expect(output.append(Self.frame(4097), as: .proof) == false)
  }
}
