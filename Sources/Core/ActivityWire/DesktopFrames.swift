// SPDX-License-Identifier: MIT

/// What the agent and `continuo-desktop` say to each other: frames of fields. A frame is its length in
/// decimal, a line feed, and the fields, each with a NUL behind it.
package struct DesktopFrames {
  /// The longest frame that is understood, in bytes.
  package static let limit = 1 << 17

  /// What was said is no frame: the other side is of another release.
  package struct Broken: Error {
    /// For whoever reads the fields.
    package init() {}
  }

  private var received: [UInt8] = []

  /// Nothing was received yet.
  package init() {}

  /// The frame of these fields, and behind them the bytes of `rest` as they are. A NUL in a field is left
  /// out.
  package static func frame(_ fields: [[UInt8]], rest: [UInt8] = []) -> [UInt8] {
    let content = fields.flatMap { field in field.filter { $0 != 0 } + [0] } + rest
    return Array("\(content.count)\n".utf8) + content
  }

  /// The same for fields that are text.
  package static func frame(_ fields: [String]) -> [UInt8] { frame(fields.map { Array($0.utf8) }) }

  /// Takes in what came, in pieces of any length.
  package mutating func append(_ bytes: some Collection<UInt8>) { received += bytes }

  /// The fields of the next whole frame; nil until all of it is here. Throws for what is no frame.
  package mutating func next() throws(Broken) -> [String]? {
    guard let end = received.firstIndex(of: UInt8(ascii: "\n")) else {
      guard received.count <= 20 else { throw Broken() }
      return nil
    }
    guard let length = Int(String(decoding: received[..<end], as: UTF8.self)),
      (0...Self.limit).contains(length)
    else { throw Broken() }
    let content = received[(end + 1)...]
    guard content.count >= length else { return nil }
    let fields = content.prefix(length).split(separator: 0, omittingEmptySubsequences: false).dropLast()
    defer { received.removeSubrange(..<(end + 1 + length)) }
    return fields.map { String(decoding: $0, as: UTF8.self) }
  }
}
