// SPDX-License-Identifier: MIT

/// Takes choices from an input, front to back. Total: where nothing is left, each choice is 0.
struct InputReader {
  private var bytes: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

  /// What was not taken yet.
  var rest: [UInt8] { Array(bytes) }

  var isAtEnd: Bool { bytes.isEmpty }

  mutating func byte() -> UInt8 { bytes.popFirst() ?? 0 }

  /// Two bytes, most significant first.
  mutating func word() -> Int { Int(byte()) << 8 | Int(byte()) }

  /// One of the numbers below `count`, which is at most 256.
  mutating func choice(of count: Int) -> Int { Int(byte()) % count }

  mutating func bytes(_ count: Int) -> [UInt8] {
    defer { bytes = bytes.dropFirst(count) }
    return Array(bytes.prefix(count))
  }

  /// So many bytes as the next byte says.
  mutating func counted() -> [UInt8] { bytes(Int(byte())) }

  /// How a stream comes: lengths of pieces, used in turn.
  mutating func cuts() -> Cuts { Cuts(lengths: bytes(choice(of: 8))) }
}

/// A way to cut a stream into pieces.
struct Cuts {
  /// 0 is a piece without bytes, then one of a single byte; none leaves the stream whole.
  let lengths: [UInt8]

  func pieces(of stream: [UInt8]) -> [[UInt8]] {
    guard !lengths.isEmpty else { return [stream] }
    var pieces: [[UInt8]] = []
    var start = 0
    while start < stream.count {
      let length = Int(lengths[pieces.count % lengths.count])
      if length == 0 { pieces.append([]) }
      let end = min(stream.count, start + max(1, length))
      pieces.append(Array(stream[start..<end]))
      start = end
    }
    return pieces
  }

  /// What stands in front of a seed.
  static func seed(_ lengths: [UInt8] = []) -> [UInt8] { [UInt8(lengths.count)] + lengths }
}

/// Changes of single bytes.
struct Mutations {
  /// Places, and what is turned over there.
  private let changes: [(place: Int, bits: UInt8)]

  init(_ reader: inout InputReader) {
    changes = (0..<reader.choice(of: 8)).map { _ in (reader.word(), reader.byte()) }
  }

  func applied(to bytes: [UInt8]) -> [UInt8] {
    guard !bytes.isEmpty else { return bytes }
    var bytes = bytes
    for change in changes { bytes[change.place % bytes.count] ^= change.bits }
    return bytes
  }

  /// What stands in a seed for them.
  static func seed(_ changes: [(place: Int, bits: UInt8)]) -> [UInt8] {
    [UInt8(changes.count)] + changes.flatMap { [UInt8($0.place >> 8), UInt8($0.place & 0xff), $0.bits] }
  }
}
