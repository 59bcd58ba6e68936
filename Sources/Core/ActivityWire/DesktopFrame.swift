// SPDX-License-Identifier: MIT

/// One message between the agent and `continuo-desktop`: its length in decimal and a line feed; then fields,
/// each with a NUL behind it, and what is left. Both sides read and write it here.
package struct DesktopFrame {
  /// What was not read yet.
  package private(set) var rest: ArraySlice<UInt8>

  /// The longest frame that is understood, in bytes.
  package static let limit = 1 << 17

  /// What was said is no frame, or not one with these fields: the other side is of another release.
  package struct Broken: Error, Equatable {
    /// For whoever reads the fields.
    package init() {}
  }

  /// A frame of which this is all but the length.
  package init(_ content: [UInt8]) { rest = content[...] }

  // MARK: Writing

  /// What is written for these fields, and behind them the bytes of `rest` as they are. A NUL in a field is
  /// left out.
  package static func bytes(of fields: [[UInt8]], rest: [UInt8] = []) -> [UInt8] {
    let content = fields.flatMap { field in field.filter { $0 != 0 } + [0] } + rest
    return Array("\(content.count)\n".utf8) + content
  }

  /// The same for fields that are text.
  package static func bytes(of fields: [String]) -> [UInt8] { bytes(of: fields.map { Array($0.utf8) }) }

  // MARK: Reading

  /// The next field. Throws where none is left.
  package mutating func field() throws(Broken) -> [UInt8] {
    guard let end = rest.firstIndex(of: 0) else { throw Broken() }
    defer { rest = rest[(end + 1)...] }
    return Array(rest[..<end])
  }

  /// The next field as text. Throws where none is left.
  package mutating func text() throws(Broken) -> String { String(decoding: try field(), as: UTF8.self) }

  /// The next field as a number that is not negative. Throws for anything else.
  package mutating func number() throws(Broken) -> Int {
    guard let number = Int(try text()), number >= 0 else { throw Broken() }
    return number
  }

  /// A number, and so many fields. Throws where so many are not there.
  package mutating func fields() throws(Broken) -> [[UInt8]] {
    var found: [[UInt8]] = []
    for _ in 0..<(try number()) { found.append(try field()) }
    return found
  }

  /// `0` or `1`. Throws for anything else.
  package mutating func flag() throws(Broken) -> Bool {
    switch try text() {
    case "0": return false
    case "1": return true
    default: throw Broken()
    }
  }

  /// All fields that are left, as text.
  package var texts: [String] {
    rest.split(separator: 0, omittingEmptySubsequences: false).dropLast().map {
      String(decoding: $0, as: UTF8.self)
    }
  }
}

/// Makes frames of bytes as they come, in pieces of any length.
package struct DesktopFrameReader {
  private var bytes: [UInt8] = []
  /// How many of `bytes` were given out.
  private var taken = 0

  /// Nothing was received yet.
  package init() {}

  /// Whether a frame has begun.
  package var isInTheMidst: Bool { taken < bytes.count }

  /// Adds what came.
  package mutating func append(_ piece: some Collection<UInt8>) {
    // What was given out goes at once, not frame by frame: many small ones come together.
    bytes.removeFirst(taken)
    taken = 0
    bytes += piece
  }

  /// The next whole frame; nil when more has to come. Throws for what is no frame.
  package mutating func next() throws(DesktopFrame.Broken) -> DesktopFrame? {
    let begun = bytes[taken...]
    guard let end = begun.prefix(8).firstIndex(of: UInt8(ascii: "\n")) else {
      guard begun.count < 8 else { throw DesktopFrame.Broken() }
      return nil
    }
    // As it is written, without a sign or zeros before it: else what is a frame would depend on the pieces.
    guard let length = Int(String(decoding: begun[..<end], as: UTF8.self)),
      (0...DesktopFrame.limit).contains(length), begun[..<end].elementsEqual(String(length).utf8)
    else { throw DesktopFrame.Broken() }
    guard bytes.count - end - 1 >= length else { return nil }
    taken = end + 1 + length
    return DesktopFrame(Array(bytes[(end + 1)..<taken]))
  }
}
