// SPDX-License-Identifier: MIT

/// Why nothing was told or noted, in one sentence that says what to do.
struct DesktopFault: Error, Equatable {
  var sentence: String
}

/// One message between the agent and this program: its length in decimal and a line feed; then fields, each
/// with a NUL behind it, and what is left.
struct DesktopFrame {
  private(set) var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  static let limit = 1 << 17
  static let cut = DesktopFault(sentence: "The request of the agent is cut; update continuo.")

  /// The one frame that comes from `descriptor`; waits for it.
  static func read(_ descriptor: Int32) throws(DesktopFault) -> DesktopFrame {
    var reader = DesktopFrameReader()
    while true {
      if let frame = try reader.next() { return frame }
      guard let piece = FileBeginning.piece(of: descriptor) else { continue }
      guard !piece.isEmpty else { throw cut }
      reader.take(piece)
    }
  }

  /// What is written for these fields.
  static func bytes(of fields: [[UInt8]]) -> [UInt8] {
    let content = fields.flatMap { $0.filter { $0 != 0 } + [0] }
    return Array("\(content.count)\n".utf8) + content
  }

  static func bytes(of fields: [String]) -> [UInt8] { bytes(of: fields.map { Array($0.utf8) }) }

  mutating func field() throws(DesktopFault) -> [UInt8] {
    guard let end = rest.firstIndex(of: 0) else { throw Self.cut }
    defer { rest = rest[(end + 1)...] }
    return Array(rest[..<end])
  }

  mutating func text() throws(DesktopFault) -> String { String(decoding: try field(), as: UTF8.self) }

  mutating func number() throws(DesktopFault) -> Int {
    guard let number = Int(try text()), number >= 0 else { throw Self.cut }
    return number
  }

  /// A number, and so many fields.
  mutating func fields() throws(DesktopFault) -> [[UInt8]] {
    var found: [[UInt8]] = []
    for _ in 0..<(try number()) { found.append(try field()) }
    return found
  }

  /// `0` or `1`.
  mutating func flag() throws(DesktopFault) -> Bool {
    switch try text() {
    case "0": return false
    case "1": return true
    default: throw Self.cut
    }
  }
}

/// Makes frames of bytes as they come.
struct DesktopFrameReader {
  private var bytes: [UInt8] = []

  /// Whether a frame has begun.
  var isInTheMidst: Bool { !bytes.isEmpty }

  mutating func take(_ piece: some Sequence<UInt8>) { bytes += piece }

  /// The next whole frame; nil when more has to come.
  mutating func next() throws(DesktopFault) -> DesktopFrame? {
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else {
      guard bytes.count < 8 else { throw DesktopFrame.cut }
      return nil
    }
    guard let length = Int(String(decoding: bytes[..<end], as: UTF8.self)),
      (0...DesktopFrame.limit).contains(length)
    else { throw DesktopFrame.cut }
    guard bytes.count - end - 1 >= length else { return nil }
    let frame = DesktopFrame(Array(bytes[(end + 1)...].prefix(length)))
    bytes.removeFirst(end + 1 + length)
    return frame
  }
}
