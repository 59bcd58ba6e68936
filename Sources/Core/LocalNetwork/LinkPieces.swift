// SPDX-License-Identifier: MIT

public import ActivityModel
import ActivityWire

/// How frames lie on a link, below TLS: in pieces, of which each says its kind in a byte and in four, most
/// significant first, how many bytes of its frame are left, its own included. What one piece holds follows
/// from that, so a frame is written in one way only, and a piece is one record of TLS.
public enum LinkPiece {
  /// Bytes before those of the frame.
  public static let headerSize = 5
  /// So many bytes of a frame are in one piece, unless fewer are left.
  public static let limit = 16384 - headerSize
}

extension LinkFrameKind {
  /// The most bytes of one frame; a document's or a stream's is one piece.
  public var sizeLimit: Int {
    switch self {
    case .proof: 4096
    case .record, .request: 1 << 20
    case .document, .stream: LinkPiece.limit
    }
  }

  /// Whether a frame is of a size that goes over a link.
  public func carries(_ frame: [UInt8]) -> Bool { carries(frame.count) }

  func carries(_ count: Int) -> Bool { (1...sizeLimit).contains(count) }
}

/// Frames that wait for a link. After each piece of a frame one of a lower kind goes first.
public struct LinkOutput: Sendable {
  /// More than this waiting for another device that does not read ends its link, beside one frame.
  public static let byteLimit = 4 << 20

  private struct Waiting {
    var frames: [[UInt8]] = []
    var first = 0
    /// How much of the first frame has gone.
    var sent = 0

    mutating func next(of kind: LinkFrameKind, _ byteCount: inout Int) -> [UInt8] {
      let frame = frames[first]
      let left = frame.count - sent
      let piece = frame[sent...].prefix(LinkPiece.limit)
      sent += piece.count
      byteCount -= piece.count
      if sent == frame.count {
        sent = 0
        frames[first] = []
        first += 1
        if first == frames.count || first >= 64 {
          frames.removeFirst(first)
          first = 0
        }
      }
      var bytes: [UInt8] = []
      bytes.reserveCapacity(LinkPiece.headerSize + piece.count)
      bytes.append(kind.rawValue)
      withUnsafeBytes(of: UInt32(left).bigEndian) { bytes += $0 }
      bytes += piece
      return bytes
    }
  }

  private var waiting = [Waiting](repeating: Waiting(), count: LinkFrameKind.allCases.count)
  private var byteCount = 0

  /// With nothing that waits.
  public init() {}

  /// Whether nothing waits.
  public var isEmpty: Bool { byteCount == 0 }

  /// Takes a frame of 1 byte to its kind's limit; false where too much waits already.
  public mutating func append(_ frame: [UInt8], as kind: LinkFrameKind) -> Bool {
    guard kind.carries(frame), byteCount <= Self.byteLimit else { return false }
    waiting[Int(kind.rawValue)].frames.append(frame)
    byteCount += frame.count
    return true
  }

  /// The next piece, which is forgotten here; nil where nothing waits.
  public mutating func next() -> [UInt8]? {
    guard let kind = LinkFrameKind.allCases.first(where: { !waiting[Int($0.rawValue)].frames.isEmpty }) else {
      return nil
    }
    return waiting[Int(kind.rawValue)].next(of: kind, &byteCount)
  }
}

/// Makes frames of the pieces that come over a link. Total, and holds no more than has come: a frame that is
/// announced takes no room.
public struct LinkInput: Sendable {
  private struct Begun {
    var bytes: [UInt8] = []
    var left = 0
  }

  private var bytes: [UInt8] = []
  /// How many of the bytes are read. They go with the next chunk: many small frames in one are not moved up
  /// for each of them.
  private var taken = 0
  private var begun = [Begun](repeating: Begun(), count: LinkFrameKind.allCases.count)

  /// At the beginning of a link.
  public init() {}

  /// How many bytes have come and belong to no piece yet.
  public var waitingCount: Int { bytes.count - taken }

  /// Takes what came, in any chunking.
  public mutating func append(_ chunk: some Collection<UInt8>) {
    bytes.removeFirst(taken)
    taken = 0
    bytes += chunk
  }

  /// The next whole frame; nil until more has come. Throws `invalidBytes` for what no device sends: a kind
  /// that there is not, a frame that is too long or empty, or a piece that does not go on where its frame
  /// was.
  public mutating func next() throws(ContinuityError) -> (LinkFrameKind, [UInt8])? {
    while bytes.count - taken >= LinkPiece.headerSize {
      guard let kind = LinkFrameKind(rawValue: bytes[taken]) else { throw Self.broken("an unknown kind") }
      let index = Int(kind.rawValue)
      let left = bytes[taken + 1..<taken + LinkPiece.headerSize].reduce(0) { $0 << 8 | Int($1) }
      guard kind.carries(left) else { throw Self.broken("a frame of \(left) bytes") }
      guard begun[index].left == 0 || begun[index].left == left else {
        throw Self.broken("a piece of another frame")
      }
      let count = min(left, LinkPiece.limit)
      let start = taken + LinkPiece.headerSize
      guard bytes.count - start >= count else { return nil }
      begun[index].bytes += bytes[start..<start + count]
      begun[index].left = left - count
      taken = start + count
      guard begun[index].left == 0 else { continue }
      defer { begun[index] = Begun() }
      return (kind, begun[index].bytes)
    }
    return nil
  }

  private static func broken(_ what: String) -> ContinuityError {
    ContinuityError(.invalidBytes, subject: "link", description: "The other device sent \(what).")
  }
}
