// SPDX-License-Identifier: MIT

public import ActivityModel

/// Messages in a stream of bytes, framed as the Language Server Protocol frames them: `Content-Length: N`, an
/// empty line, N bytes. Fed in any pieces. After an error there is no telling where the next message begins.
public struct MessageFraming: Hashable, Sendable {
  /// The most bytes of one message's content: 8 MiB.
  public static let contentLimit = 8 << 20
  /// The most bytes of the header lines before it.
  public static let headerLimit = 8192

  private var bytes: [UInt8] = []
  /// How many of `bytes` were given out.
  private var taken = 0
  /// The content that is awaited, once its header is there.
  private var awaited: Int?
  /// Up to where there is no end of a header.
  private var searched = 0

  /// Whether a message that is longer than the limit is left out; else it ends the stream.
  private let leavesOut: Bool
  /// How many bytes of a message that is left out are still to come.
  private var unwanted = 0
  /// How many messages were left out.
  public private(set) var leftOut = 0

  /// An empty stream. Where `leavesOut`, longer messages are left out, for senders that know of no limit.
  public init(leavingOutLonger leavesOut: Bool = false) { self.leavesOut = leavesOut }

  /// How many bytes are held that `next()` has not given out.
  public var held: Int { bytes.count - taken }

  /// Takes what was read. Bounded by the caller: call `next()` until it is nil before the next piece.
  public mutating func append(_ piece: some Collection<UInt8>) {
    if taken > 0, taken == bytes.count || taken > 1 << 16 {
      bytes.removeFirst(taken)
      searched = max(0, searched - taken)
      taken = 0
    }
    let dropped = min(unwanted, piece.count)
    unwanted -= dropped
    bytes += piece.dropFirst(dropped)
  }

  /// The content of the next whole message; nil until more bytes come.
  ///
  /// Throws `invalidBytes` for headers without a length, or a length or headers beyond the limits.
  public mutating func next() throws(ContinuityError) -> [UInt8]? {
    while awaited == nil {
      guard let length = try takeHeader() else { return nil }
      if length > Self.contentLimit { leaveOut(length) } else { awaited = length }
    }
    guard let length = awaited, held >= length else { return nil }
    defer {
      taken += length
      searched = taken
      awaited = nil
    }
    return Array(bytes[taken..<taken + length])
  }

  /// The whole of a message with this content.
  public static func frame(_ content: [UInt8]) -> [UInt8] {
    Array("Content-Length: \(content.count)\r\n\r\n".utf8) + content
  }

  private mutating func leaveOut(_ length: Int) {
    leftOut += 1
    let here = min(length, held)
    taken += here
    searched = taken
    unwanted = length - here
  }

  /// The length that the next header says; nil while that has no end.
  private mutating func takeHeader() throws(ContinuityError) -> Int? {
    guard let end = endOfHeader() else {
      guard held <= Self.headerLimit else {
        throw Self.fault("A header ends within \(Self.headerLimit) bytes, with an empty line")
      }
      return nil
    }
    guard end - taken <= Self.headerLimit else {
      throw Self.fault("A header takes at most \(Self.headerLimit) bytes")
    }
    let length = try Self.length(in: bytes[taken..<end], atMost: leavesOut ? 1 << 40 : Self.contentLimit)
    taken = end + 4
    return length
  }

  /// Where `\r\n\r\n` begins.
  private mutating func endOfHeader() -> Int? {
    var place = max(taken, searched)
    while place + 3 < bytes.count {
      if bytes[place] == 13, bytes[place + 1] == 10, bytes[place + 2] == 13, bytes[place + 3] == 10 {
        return place
      }
      place += 1
    }
    searched = place
    return nil
  }

  private static func length(
    in header: ArraySlice<UInt8>, atMost limit: Int
  ) throws(ContinuityError) -> Int {
    var found: Int?
    for line in header.split(separator: 10, omittingEmptySubsequences: false) {
      let text = line.last == 13 ? line.dropLast() : line
      guard let colon = text.firstIndex(of: UInt8(ascii: ":")) else {
        throw fault("Each header line is a name, a colon and a value")
      }
      let name = String(decoding: text[..<colon], as: UTF8.self).lowercased()
      guard name == "content-length" else { continue }
      let digits = text[(colon + 1)...].drop { $0 == 32 || $0 == 9 }
      guard found == nil, (1...13).contains(digits.count), digits.allSatisfy({ (48...57).contains($0) }),
        let number = Int(String(decoding: digits, as: UTF8.self)), number <= limit
      else {
        throw fault("Content-Length comes once, as a number up to \(limit)")
      }
      found = number
    }
    guard let found else { throw fault("A message begins with Content-Length: and the number of its bytes") }
    return found
  }

  private static func fault(_ rule: String) -> ContinuityError {
    ContinuityError(
      .invalidBytes, subject: "header",
      description: "The input is not framed as the Language Server Protocol frames messages. \(rule).")
  }
}
