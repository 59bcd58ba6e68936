// SPDX-License-Identifier: MIT

public import ActivityModel
public import ActivityWire

// The frames between the agent and its network process.
extension CBOR.Limits {
  /// The largest frame of a link, and what stands around it.
  public static let link = CBOR.Limits(depth: 4, entries: 16, items: 64, bytes: (1 << 20) + 256)
}

extension LinkOrder {
  /// So many periods are known at once: the current and the previous one, and room.
  public static let periodLimit = 4
  /// Bytes of what an identity is made of beside its nonce.
  public static let contextLimit = 64
  /// Bytes of a key.
  public static let keySize = 32

  /// The frame's content; nil for what no link carries.
  public var encoded: [UInt8]? {
    let value: CBOR =
      switch self {
      case .receive(let keys):
        .array([0, .array(keys.map { .array([.unsigned($0.period), .bytes($0.key), .bytes($0.context)]) })])
      case .listen: .array([1])
      case .dial(let number, let identity, let key): .array([2, number.cbor, .bytes(identity), .bytes(key)])
      case .prove(let number, let proof): .array([3, number.cbor, .bytes(proof)])
      case .admit(let number): .array([4, number.cbor])
      case .send(let number, let kind, let bytes): .array([5, number.cbor, kind.cbor, .bytes(bytes)])
      case .close(let number): .array([6, number.cbor])
      case .sendFile(let number, let transfer, let size):
        .array([7, number.cbor, transfer.cbor, .unsigned(size)])
      case .receiveFile(let number, let transfer, let size):
        .array([8, number.cbor, transfer.cbor, .unsigned(size)])
      case .stopSending(let number, let transfer): .array([9, number.cbor, transfer.cbor])
      case .stopReceiving(let number, let transfer): .array([10, number.cbor, transfer.cbor])
      case .carry(let number, let stream): .array([11, number.cbor, stream.cbor])
      case .reset(let number, let stream, let isTold): .array([12, number.cbor, stream.cbor, .bool(isTold)])
      }
    return isCarried ? value.encoded : nil
  }

  private var isCarried: Bool {
    switch self {
    case .receive(let keys): keys.count <= Self.periodLimit && keys.allSatisfy(\.isCarried)
    case .listen, .admit, .close, .stopSending, .stopReceiving, .carry, .reset: true
    case .dial(_, let identity, let key):
      (1...LinkIdentity.size).contains(identity.count) && key.count == Self.keySize
    case .prove(_, let proof): LinkFrameKind.proof.carries(proof)
    case .send(_, let kind, let bytes): kind.isSaidByAgents && kind.carries(bytes)
    // The others know what nothing is without asking.
    case .sendFile(_, _, let size), .receiveFile(_, _, let size): size > 0
    }
  }

  /// From a frame's content. Throws `invalidBytes`.
  public init(decoding bytes: [UInt8]) throws(ContinuityError) {
    let fields = try CBOR(decoding: bytes, limits: .link).array("order")
    switch (try fields.first?.unsigned("kind"), fields.count) {
    case (0, 2):
      var keys: [ReceivingKey] = []
      for key in try fields[1].array("keys") { keys.append(try ReceivingKey(cbor: key)) }
      self = .receive(keys)
    case (1, 1): self = .listen
    case (2, 4):
      self = .dial(
        try LinkNumber(cbor: fields[1]), identity: try fields[2].bytes("identity"),
        key: try fields[3].bytes("key"))
    case (3, 3): self = .prove(try LinkNumber(cbor: fields[1]), try fields[2].bytes("proof"))
    case (4, 2): self = .admit(try LinkNumber(cbor: fields[1]))
    case (5, 4):
      self = .send(
        try LinkNumber(cbor: fields[1]), try fields[2].numbered("kind"), try fields[3].bytes("frame"))
    case (6, 2): self = .close(try LinkNumber(cbor: fields[1]))
    case (7, 4):
      self = .sendFile(
        try LinkNumber(cbor: fields[1]), try TransferNumber(cbor: fields[2]),
        size: try fields[3].unsigned("size"))
    case (8, 4):
      self = .receiveFile(
        try LinkNumber(cbor: fields[1]), try TransferNumber(cbor: fields[2]),
        size: try fields[3].unsigned("size"))
    case (9, 3): self = .stopSending(try LinkNumber(cbor: fields[1]), try TransferNumber(cbor: fields[2]))
    case (10, 3): self = .stopReceiving(try LinkNumber(cbor: fields[1]), try TransferNumber(cbor: fields[2]))
    case (11, 3): self = .carry(try LinkNumber(cbor: fields[1]), try StreamNumber(cbor: fields[2]))
    case (12, 4):
      self = .reset(
        try LinkNumber(cbor: fields[1]), try StreamNumber(cbor: fields[2]),
        isTold: try fields[3].bool("told"))
    default: throw CBOR.mismatch("order", expected: "an order of this version")
    }
    guard isCarried else { throw CBOR.mismatch("order", expected: "what a link carries") }
  }
}

extension LinkReport {
  /// The frame's content; nil for what no link carries.
  public var encoded: [UInt8]? {
    let value: CBOR =
      switch self {
      case .secured(let number, let exporter, let period):
        .array([0, number.cbor, .bytes(exporter), period.map { .unsigned($0) } ?? .null])
      case .proof(let number, let proof): .array([1, number.cbor, .bytes(proof)])
      case .received(let number, let kind, let bytes): .array([2, number.cbor, kind.cbor, .bytes(bytes)])
      case .closed(let number, let end): .array([3, number.cbor, end.cbor])
      case .fileSent(let number, let transfer, let end): .array([4, number.cbor, transfer.cbor, end.cbor])
      case .fileReceived(let number, let transfer, let end):
        .array([5, number.cbor, transfer.cbor, end.cbor])
      case .streamEnded(let number, let stream, let end):
        .array([6, number.cbor, stream.cbor, end.cbor])
      }
    return isCarried ? value.encoded : nil
  }

  private var isCarried: Bool {
    switch self {
    case .secured(_, let exporter, _): exporter.count == LinkOrder.keySize
    case .proof(_, let proof): LinkFrameKind.proof.carries(proof)
    case .received(_, let kind, let bytes): kind.isSaidByAgents && kind.carries(bytes)
    case .closed, .fileSent, .fileReceived, .streamEnded: true
    }
  }

  /// From a frame's content. Throws `invalidBytes`.
  public init(decoding bytes: [UInt8]) throws(ContinuityError) {
    let fields = try CBOR(decoding: bytes, limits: .link).array("report")
    guard fields.count >= 3 else { throw CBOR.mismatch("report", expected: "a kind and a link") }
    let number = try LinkNumber(cbor: fields[1])
    switch (try fields[0].unsigned("kind"), fields.count) {
    case (0, 4):
      let period = try fields[3].optional { (value) throws(ContinuityError) in try value.unsigned("period") }
      self = .secured(number, exporter: try fields[2].bytes("exporter"), period: period)
    case (1, 3): self = .proof(number, try fields[2].bytes("proof"))
    case (2, 4): self = .received(number, try fields[2].numbered("kind"), try fields[3].bytes("frame"))
    case (3, 3):
      self = .closed(number, try fields[2].numbered("end"))
    case (4, 4):
      self = .fileSent(number, try TransferNumber(cbor: fields[2]), try fields[3].numbered("end"))
    case (5, 4):
      self = .fileReceived(number, try TransferNumber(cbor: fields[2]), try fields[3].numbered("end"))
    case (6, 4):
      self = .streamEnded(number, try StreamNumber(cbor: fields[2]), try fields[3].numbered("end"))
    default: throw CBOR.mismatch("report", expected: "a report of this version")
    }
    guard isCarried else { throw CBOR.mismatch("report", expected: "what a link carries") }
  }
}

/// The network process's first frame: it is confined, and this is how.
public struct LinkGreeting: Hashable, Sendable {
  /// Whether the kernel keeps every path from it. Older ones do not know how; then a list of the calls that
  /// it may make is all there is.
  public var isWithoutPaths: Bool

  /// What a process says of itself.
  public init(isWithoutPaths: Bool) { self.isWithoutPaths = isWithoutPaths }

  /// Of the messages in this file.
  private static let version: UInt64 = 3

  /// The frame's content.
  public var encoded: [UInt8] { CBOR.array([.unsigned(Self.version), .bool(isWithoutPaths)]).encoded }

  /// From a frame's content. Throws `invalidBytes`, also for a process of another release.
  public init(decoding bytes: [UInt8]) throws(ContinuityError) {
    let fields = try CBOR(decoding: bytes, limits: .link).array("greeting", count: 2)
    guard try fields[0].unsigned("version") == Self.version else {
      throw CBOR.mismatch("version", expected: "this version")
    }
    isWithoutPaths = try fields[1].bool("isWithoutPaths")
  }
}

extension ReceivingKey {
  fileprivate init(cbor: CBOR) throws(ContinuityError) {
    let fields = try cbor.array("key", count: 3)
    self.init(
      period: try fields[0].unsigned("period"), key: try fields[1].bytes("key"),
      context: try fields[2].bytes("context"))
  }

  fileprivate var isCarried: Bool {
    key.count == LinkOrder.keySize && (1...LinkOrder.contextLimit).contains(context.count)
  }
}

extension LinkNumber {
  fileprivate init(cbor: CBOR) throws(ContinuityError) { try self.init(cbor: cbor, of: "link") }
}

extension TransferNumber {
  init(cbor: CBOR) throws(ContinuityError) { try self.init(cbor: cbor, of: "transfer") }
}

extension RawRepresentable<UInt8> {
  fileprivate var cbor: CBOR { .unsigned(UInt64(rawValue)) }
}
