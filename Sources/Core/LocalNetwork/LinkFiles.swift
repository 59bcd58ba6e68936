// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire

/// A document under way over a link, as whoever receives it numbers those of that link, from 1 on.
public struct TransferNumber: RawRepresentable, Hashable, Sendable, Comparable {
  /// As the receiver counted.
  public var rawValue: UInt32

  /// The one with that number.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// In the order of counting.
  public static func < (left: TransferNumber, right: TransferNumber) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// How a document's way over a link ended.
public enum TransferEnd: UInt8, Sendable, CaseIterable {
  /// All bytes have gone, or come and been written.
  case whole = 0
  /// There were fewer bytes than were said, or the other device stopped.
  case early = 1
  /// What came could not be written here.
  case unwritable = 2
}

/// The documents under way on one link: how much of each is left. Those that go take turns, piece by piece,
/// so a small one is not held up by a large one; a value.
///
/// A piece is a frame of its own: the transfer's number, and the next bytes. One without bytes says that no
/// more will come.
struct LinkFiles: Sendable {
  /// So many go, and so many come, at a time.
  static let limit = 16
  /// So many bytes of a document are in one piece, unless fewer are left.
  static let pieceLimit = LinkPiece.limit - 4

  private struct Sending {
    let transfer: TransferNumber
    var left: UInt64
  }

  /// The next one is the first.
  private var sending: [Sending] = []
  private var receiving: [TransferNumber: UInt64] = [:]
  /// What comes for a transfer up to this one that is not received any more is of no use, and no fault.
  private var highest = TransferNumber(rawValue: 0)

  /// What a piece of a document that comes means.
  enum Piece: Equatable {
    /// To be written; whether these are the last bytes.
    case bytes(TransferNumber, [UInt8], isLast: Bool)
    /// The other device stopped.
    case early(TransferNumber)
    /// Of a transfer that was given up.
    case useless
    /// Nobody asked for that.
    case misbehaved
  }

  // MARK: Sending

  /// Whether a document goes.
  var isSending: Bool { !sending.isEmpty }

  /// A document of so many bytes goes; false where too many do already, or one of that number.
  mutating func send(_ transfer: TransferNumber, _ size: UInt64) -> Bool {
    guard sending.count < Self.limit, !sending.contains(where: { $0.transfer == transfer }) else {
      return false
    }
    sending.append(Sending(transfer: transfer, left: size))
    return true
  }

  /// Of which document so many bytes are to be read next.
  var next: (transfer: TransferNumber, count: Int)? {
    sending.first.map { ($0.transfer, Int(min($0.left, UInt64(Self.pieceLimit)))) }
  }

  /// Makes a frame of what was read for `next`, and how the transfer has ended by it, if it has. Fewer bytes
  /// end it early.
  mutating func read(_ bytes: [UInt8]) -> (frame: [UInt8], end: TransferEnd?)? {
    guard let next else { return nil }
    var first = sending.removeFirst()
    guard bytes.count == next.count else { return (first.transfer.bytes, .early) }
    first.left -= UInt64(bytes.count)
    if first.left > 0 { sending.append(first) }
    return (first.transfer.bytes + bytes, first.left > 0 ? nil : .whole)
  }

  /// A document goes no further: the frame that says so; nil where it does not go.
  mutating func stopSending(_ transfer: TransferNumber) -> [UInt8]? {
    guard let place = sending.firstIndex(where: { $0.transfer == transfer }) else { return nil }
    sending.remove(at: place)
    return transfer.bytes
  }

  // MARK: Receiving

  /// A document of so many bytes is expected; false where too many are, or for a number that was used.
  mutating func receive(_ transfer: TransferNumber, _ size: UInt64) -> Bool {
    guard receiving.count < Self.limit, transfer > highest else { return false }
    highest = transfer
    receiving[transfer] = size
    return true
  }

  /// Nothing more is taken of it; whether it was.
  mutating func stopReceiving(_ transfer: TransferNumber) -> Bool {
    receiving.removeValue(forKey: transfer) != nil
  }

  /// Takes a frame that came.
  mutating func take(_ frame: [UInt8]) -> Piece {
    guard frame.count >= 4 else { return .misbehaved }
    let transfer = TransferNumber(rawValue: frame.prefix(4).reduce(0) { $0 << 8 | UInt32($1) })
    guard let left = receiving[transfer] else { return transfer > highest ? .misbehaved : .useless }
    let bytes = Array(frame.dropFirst(4))
    guard bytes.count <= left else { return .misbehaved }
    guard !bytes.isEmpty else { return .early(transfer) }
    receiving[transfer] = left - UInt64(bytes.count)
    return .bytes(transfer, bytes, isLast: bytes.count == left)
  }
}
