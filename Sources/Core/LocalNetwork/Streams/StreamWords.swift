// SPDX-License-Identifier: MIT

public import ActivityModel
import ActivityWire

/// A pair of continuation streams on one link, as whoever asks for it numbers them: whoever dialled the link
/// takes odd numbers, whoever accepted it even ones, so that both may ask at the same time.
public struct StreamNumber: RawRepresentable, Hashable, Sendable, Comparable {
  /// As whoever asked counted.
  public var rawValue: UInt32

  /// The pair with that number.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// In the order of counting.
  public static func < (left: StreamNumber, right: StreamNumber) -> Bool { left.rawValue < right.rawValue }

  init(cbor: CBOR) throws(ContinuityError) { try self.init(cbor: cbor, of: "stream") }
}

/// How a pair of streams ended.
public enum StreamEnd: UInt8, Sendable, CaseIterable {
  /// Both directions came to their end, or nobody reads them any more.
  case whole = 0
  /// The other device ended it before that.
  case reset = 1
  /// Too many are open on the link.
  case refused = 2
}

/// What two agents say to each other over a link about streams, each in a frame of the kind `request`. The
/// bytes of streams go as `stream`.
public enum StreamWord: Hashable, Sendable {
  /// Streams are wanted to the app that has this activity on the other device.
  case open(StreamNumber, ActivityID)
  /// That app has its end.
  case accept(StreamNumber)
  /// It gets none.
  case refuse(StreamNumber, StreamRefusal)
}

/// Why another device opens no streams.
public enum StreamRefusal: UInt64, Sendable, CaseIterable {
  /// It has no such activity for this device, or not any more.
  case unknownActivity = 0
  /// The activity's app set no `supportsContinuationStreams`.
  case unsupported = 1
  /// The activity's app has ended, or does not take streams in its release.
  case appGone = 2
  /// Too many are open.
  case busy = 3
}

extension StreamWord {
  /// The frame's bytes.
  public var encoded: [UInt8] {
    let value: CBOR =
      switch self {
      case .open(let stream, let activity): .array([4, stream.cbor, .bytes(activity.bytes)])
      case .accept(let stream): .array([5, stream.cbor])
      case .refuse(let stream, let refusal): .array([6, stream.cbor, .unsigned(refusal.rawValue)])
      }
    return value.encoded
  }

  /// From a frame's bytes; nil for another word. Throws `invalidBytes` for what no device says.
  public static func decoded(_ bytes: [UInt8]) throws(ContinuityError) -> StreamWord? {
    let (kind, fields) = try LinkWord.read(bytes)
    switch (kind, fields.count) {
    case (4, 3): return .open(try StreamNumber(cbor: fields[1]), try fields[2].identifier("activity"))
    case (5, 2): return .accept(try StreamNumber(cbor: fields[1]))
    case (6, 3): return .refuse(try StreamNumber(cbor: fields[1]), try fields[2].numbered("refusal"))
    case (4...6, _): throw CBOR.mismatch("word", expected: "a word of this version")
    default: return nil
    }
  }
}
