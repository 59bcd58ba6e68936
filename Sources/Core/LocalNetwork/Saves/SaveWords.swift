// SPDX-License-Identifier: MIT

public import ActivityModel
import ActivityWire

/// A question of whoever asks for a save, as it counts its own.
public struct SaveNumber: RawRepresentable, Hashable, Sendable, Comparable {
  /// As whoever asks counts.
  public var rawValue: UInt32

  /// The question with that number.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// In the order of counting.
  public static func < (left: SaveNumber, right: SaveNumber) -> Bool { left.rawValue < right.rawValue }

  init(cbor: CBOR) throws(ContinuityError) { try self.init(cbor: cbor, of: "save") }
}

/// What two agents say to each other over a link about saving a document before it is continued, each in a
/// frame of the kind `request`.
public enum SaveWord: Hashable, Sendable {
  /// A person goes on with this activity: its app is to save its document first. Never a path.
  case ask(SaveNumber, ActivityID)
  /// It did, and its record says so: the version, and whether text was typed after it.
  case saved(SaveNumber, ContentDigest, hasTextAfter: Bool)
  /// It did not: why, and what its app says of that, at most `messageLimit` bytes.
  case refuse(SaveNumber, SaveRefusal, message: String)

  /// So many bytes an app's own reason may have on a link.
  public static let messageLimit = 160
}

/// Why another device did not save a document.
public enum SaveRefusal: UInt64, Sendable, CaseIterable {
  /// It has no such activity for this device, or not any more.
  case unknownActivity = 0
  /// Its app did not save, or could not.
  case refused = 1
  /// Its app has ended, or is of a release that is not asked.
  case appGone = 2
  /// It was asked too often.
  case busy = 3
  /// Its app says nothing.
  case unanswered = 4
}

extension SaveWord {
  /// The frame's bytes.
  public var encoded: [UInt8] {
    let value: CBOR =
      switch self {
      case .ask(let number, let activity): .array([7, number.cbor, .bytes(activity.bytes)])
      case .saved(let number, let digest, let hasTextAfter):
        .array([8, number.cbor, .bytes(digest.bytes), .bool(hasTextAfter)])
      case .refuse(let number, let refusal, let message):
        .array([
          9, number.cbor, .unsigned(refusal.rawValue),
          .text(RecordText.sanitised(message, byteLimit: Self.messageLimit)),
        ])
      }
    return value.encoded
  }

  /// From a frame's bytes; nil for another word. Throws `invalidBytes` for what no device says.
  public static func decoded(_ bytes: [UInt8]) throws(ContinuityError) -> SaveWord? {
    let (kind, fields) = try LinkWord.read(bytes)
    switch (kind, fields.count) {
    case (7, 3): return .ask(try SaveNumber(cbor: fields[1]), try fields[2].identifier("activity"))
    case (8, 4):
      guard let digest = ContentDigest(bytes: try fields[2].bytes("digest")) else {
        throw CBOR.mismatch("digest", expected: "32 bytes")
      }
      return .saved(try SaveNumber(cbor: fields[1]), digest, hasTextAfter: try fields[3].bool("text after"))
    case (9, 4):
      let message = try fields[3].text("message")
      guard RecordText.isClean(message, byteLimit: messageLimit) else {
        throw CBOR.mismatch("message", expected: "a sentence of at most \(messageLimit) bytes")
      }
      return .refuse(
        try SaveNumber(cbor: fields[1]), try fields[2].numbered("refusal"), message: message)
    case (7...9, _): throw CBOR.mismatch("word", expected: "a word of this version")
    default: return nil
    }
  }
}
