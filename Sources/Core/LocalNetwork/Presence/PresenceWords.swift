// SPDX-License-Identifier: MIT

public import ActivityModel
import ActivityWire

/// What agents tell each other over a link about documents that are open, each in a frame of the kind
/// `request`. Nothing is asked, and nothing answered.
public enum PresenceWord: Hashable, Sendable {
  /// A person has the document of this activity open, and is in that line of it, from 0; nil where nobody
  /// says. Never a path.
  case here(ActivityID, line: UInt32?)
  /// Not any more.
  case left(ActivityID)
}

extension PresenceWord {
  /// The frame's bytes.
  public var encoded: [UInt8] {
    let value: CBOR =
      switch self {
      case .here(let activity, let line):
        .array([10, .bytes(activity.bytes), line.map { .unsigned(UInt64($0)) } ?? .null])
      case .left(let activity): .array([11, .bytes(activity.bytes)])
      }
    return value.encoded
  }

  /// From a frame's bytes; nil for another word. Throws `invalidBytes` for what no device says.
  public static func decoded(_ bytes: [UInt8]) throws(ContinuityError) -> PresenceWord? {
    let (kind, fields) = try LinkWord.read(bytes)
    switch (kind, fields.count) {
    case (10, 3):
      return .here(
        try fields[1].identifier("activity"),
        line: try fields[2].optional { (value) throws(ContinuityError) in try value.line() })
    case (11, 2): return .left(try fields[1].identifier("activity"))
    case (10...11, _): throw CBOR.mismatch("word", expected: "a word of this version")
    default: return nil
    }
  }
}
