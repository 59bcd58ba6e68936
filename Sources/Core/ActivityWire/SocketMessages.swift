// SPDX-License-Identifier: MIT

public import ActivityModel

/// What travels from a client to the agent: one frame each, at most 64 KiB.
public enum ClientMessage: Hashable, Sendable {
  /// The client speaks this version of the protocol; first on every connection.
  case version(UInt64)
  /// From an app.
  case request(AgentRequest)
  /// From the command line; the number comes back with the answer.
  case command(UInt64, AgentCommand)

  /// The version that this code speaks.
  public static let currentVersion: UInt64 = 1
}

/// What an app takes of its agent beyond the messages of the first release. After its hello it says its
/// version once more for each, in this order; an agent of an earlier release passes over that.
public enum AppAbility: Int, Sendable, CaseIterable {
  /// `continued` with its time.
  case receipts = 1
  /// `streams`.
  case streams = 2
  /// `saveNow`.
  case saves = 3
  /// `presence`.
  case presence = 4
  /// `deliver` with the text of a draft.
  case drafts = 5
}

/// What an agent takes of apps beyond the requests of the first release. After the hello it says its version
/// once more for each, in this order; an app of an earlier release passes over that.
public enum AgentAbility: Int, Sendable, CaseIterable {
  /// `explain`.
  case explanations = 1
  /// `openStreams`.
  case streams = 2
  /// `cursorMoved`.
  case cursors = 3
}

/// What travels from the agent to a client.
public enum AgentMessage: Hashable, Sendable {
  /// The agent speaks this version of the protocol; first on every connection.
  case version(UInt64)
  /// To an app.
  case report(AgentReport)
  /// To the command line.
  case answer(UInt64, AgentAnswer)
}

extension ClientMessage {
  /// The frame's content.
  public var encoded: [UInt8] {
    switch self {
    case .version(let version): CBOR.array([0, .unsigned(version)]).encoded
    case .request(let request): CBOR.array([1, request.cbor]).encoded
    case .command(let number, let command): CBOR.array([2, .unsigned(number), command.cbor]).encoded
    }
  }

  /// From a frame's content. Throws `invalidBytes`.
  public init(decoding bytes: some Collection<UInt8>) throws(ContinuityError) {
    let (tag, parts) = try CBOR(decoding: bytes, limits: .message).tagged("client message")
    switch (tag, parts.count) {
    case (0, 1): self = .version(try parts[0].unsigned("version"))
    case (1, 1): self = .request(try AgentRequest(cbor: parts[0]))
    case (2, 2):
      self = .command(try parts[0].unsigned("command number"), try AgentCommand(cbor: parts[1]))
    default: throw CBOR.mismatch("client message", expected: "a known message")
    }
  }
}

extension AgentMessage {
  /// The frame's content.
  public var encoded: [UInt8] {
    switch self {
    case .version(let version): CBOR.array([0, .unsigned(version)]).encoded
    case .report(let report): CBOR.array([1, report.cbor]).encoded
    case .answer(let number, let answer): CBOR.array([2, .unsigned(number), answer.cbor]).encoded
    }
  }

  /// From a frame's content. Throws `invalidBytes`.
  public init(decoding bytes: some Collection<UInt8>) throws(ContinuityError) {
    let (tag, parts) = try CBOR(decoding: bytes, limits: .message).tagged("agent message")
    switch (tag, parts.count) {
    case (0, 1): self = .version(try parts[0].unsigned("version"))
    case (1, 1): self = .report(try AgentReport(cbor: parts[0]))
    case (2, 2): self = .answer(try parts[0].unsigned("answer number"), try AgentAnswer(cbor: parts[1]))
    default: throw CBOR.mismatch("agent message", expected: "a known message")
    }
  }
}

extension CBOR: ExpressibleByIntegerLiteral {
  /// A literal in an encoder: the number of a case.
  public init(integerLiteral value: UInt64) { self = .unsigned(value) }

  /// Null for nil.
  static func optional<Value>(_ value: Value?, _ encode: (Value) -> CBOR) -> CBOR {
    value.map(encode) ?? .null
  }

  /// An array whose first element numbers the case: that number, and the rest.
  func tagged(_ field: String) throws(ContinuityError) -> (UInt64, [CBOR]) {
    let parts = try array(field)
    guard let first = parts.first else { throw CBOR.mismatch(field, expected: "a numbered case") }
    return (try first.unsigned(field), Array(parts.dropFirst()))
  }

  /// Each element of an array, decoded.
  func list<Value>(
    _ field: String, _ decode: (CBOR) throws(ContinuityError) -> Value
  ) throws(ContinuityError) -> [Value] {
    var values: [Value] = []
    for element in try array(field) { values.append(try decode(element)) }
    return values
  }

  /// A path inside a folder, refused when it breaks the rules of one.
  func relativePath(_ field: String) throws(ContinuityError) -> RelativePath {
    let components = try list(field) { (part) throws(ContinuityError) in try part.bytes(field) }
    guard let path = RelativePath(components: components) else {
      throw CBOR.mismatch(field, expected: "a path that stays inside its folder")
    }
    return path
  }
}

extension RelativePath {
  var cbor: CBOR { .array(components.map(CBOR.bytes)) }
}
