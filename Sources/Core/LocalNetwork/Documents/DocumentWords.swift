// SPDX-License-Identifier: MIT

public import ActivityModel
import ActivityWire

/// What two agents say to each other over a link about documents, each in a frame of the kind `request`. The
/// bytes themselves go as `document`.
public enum DocumentWord: Hashable, Sendable {
  /// The document that the newest record of the other device names under this activity is wanted, in this
  /// version and no other; its bytes are to come as this transfer. Never a path.
  case ask(TransferNumber, ActivityID, ContentDigest, size: UInt64)
  /// They do not come.
  case refuse(TransferNumber, DocumentRefusal)
  /// They are wanted no more.
  case cancel(TransferNumber)
  /// They come; when the file was last written there, in nanoseconds since 1970.
  case send(TransferNumber, modified: Int64)
}

/// Why another device does not send a document.
public enum DocumentRefusal: UInt64, Sendable, CaseIterable {
  /// Its record offers no such thing, or not any more.
  case notOffered = 0
  /// The file is another one by now: a newer record says which.
  case changed = 1
  /// The file cannot be read there now.
  case unreadable = 2
  /// Too many are under way, or it was sent again and again.
  case busy = 3
}

extension DocumentWord {
  /// The frame's bytes.
  public var encoded: [UInt8] {
    let value: CBOR =
      switch self {
      case .ask(let transfer, let activity, let digest, let size):
        .array([0, transfer.cbor, .bytes(activity.bytes), .bytes(digest.bytes), .unsigned(size)])
      case .refuse(let transfer, let refusal): .array([1, transfer.cbor, .unsigned(refusal.rawValue)])
      case .cancel(let transfer): .array([2, transfer.cbor])
      case .send(let transfer, let modified): .array([3, transfer.cbor, CBOR(modified)])
      }
    return value.encoded
  }

  /// From a frame's bytes; nil for a word of a later release, which is to be passed over. Throws
  /// `invalidBytes` for what no device says.
  public static func decoded(_ bytes: [UInt8]) throws(ContinuityError) -> DocumentWord? {
    let (kind, fields) = try LinkWord.read(bytes)
    switch (kind, fields.count) {
    case (0, 5):
      guard let digest = ContentDigest(bytes: try fields[3].bytes("digest")) else {
        throw CBOR.mismatch("digest", expected: "32 bytes")
      }
      return .ask(
        try TransferNumber(cbor: fields[1]), try fields[2].identifier("activity"), digest,
        size: try fields[4].unsigned("size"))
    case (1, 3): return .refuse(try TransferNumber(cbor: fields[1]), try fields[2].numbered("refusal"))
    case (2, 2): return .cancel(try TransferNumber(cbor: fields[1]))
    case (3, 3):
      return .send(try TransferNumber(cbor: fields[1]), modified: try fields[2].signed("modified"))
    case (0...3, _): throw CBOR.mismatch("word", expected: "a word of this version")
    default: return nil
    }
  }
}
