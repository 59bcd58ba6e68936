// SPDX-License-Identifier: MIT

public import ActivityJSON
public import ActivityModel

/// The ID of a JSON-RPC request, as its sender chose it.
public enum RPCID: Hashable, Sendable {
  /// A whole number.
  case number(Int64)
  /// A string.
  case text(String)

  var json: JSONValue {
    switch self {
    case .number(let number): .int(number)
    case .text(let text): .text(text)
    }
  }

  init?(_ json: JSONValue?) {
    switch json {
    case .int(let number)?: self = .number(number)
    case .text(let text)?: self = .text(text)
    default: return nil
    }
  }
}

/// An error of JSON-RPC: what a request is answered with that cannot be done.
public struct RPCError: Error, Hashable, Sendable {
  /// JSON-RPC's number, or one of the Language Server Protocol's.
  public var code: Int64
  /// One sentence, with the remedy if there is one.
  public var message: String
  /// `{code, subject}` of an error of the product.
  public var data: JSONValue?

  /// An error with a sentence.
  public init(_ code: Int64, message: String, data: JSONValue? = nil) {
    self.code = code
    self.message = message
    self.data = data
  }

  /// The numbers that are used.
  public enum Code {
    /// No JSON.
    public static let parse: Int64 = -32700
    /// No request, or none at this time.
    public static let invalidRequest: Int64 = -32600
    /// A method that is not there.
    public static let unknownMethod: Int64 = -32601
    /// Parameters of a wrong type or value.
    public static let invalidParams: Int64 = -32602
    /// Before `initialize`.
    public static let notInitialized: Int64 = -32002
    /// The product could not do it; `data` says more.
    public static let requestFailed: Int64 = -32803
    /// The sender withdrew the request, or the session ended before its answer.
    public static let cancelled: Int64 = -32800
  }

  /// An error of the product.
  public init(_ error: ContinuityError) {
    self.init(
      Code.requestFailed, message: error.description,
      data: ["code": .text(error.code.name), "subject": .text(error.subject)])
  }

  var json: JSONValue { ["code": .int(code), "message": .text(message), "data": data] }

  /// What an error of the other side says; lenient.
  init(json: JSONValue) {
    if case .int(let code)? = json["code"] { self.code = code } else { code = Code.requestFailed }
    if case .text(let text)? = json["message"] { message = text } else { message = "" }
    data = json["data"]
  }
}

extension ContinuityError.Code {
  /// The name that programs see: `documentUnreadable`.
  public var name: String { Self.names[self] ?? "error\(rawValue)" }

  /// Every code that has a name of its own.
  static let names: [ContinuityError.Code: String] = [
    .handoffFailed: "handoffFailed", .connectionUnavailable: "connectionUnavailable",
    .remoteTimedOut: "remoteTimedOut", .userInfoTooLarge: "userInfoTooLarge",
    .userCancelled: "userCancelled", .documentMissing: "documentMissing",
    .documentDiverged: "documentDiverged", .versionNeverArrived: "versionNeverArrived",
    .folderUnknown: "folderUnknown", .declined: "declined", .changedWhileOpening: "changedWhileOpening",
    .documentUnreadable: "documentUnreadable", .invalidRequest: "invalidRequest",
    .invalidManifest: "invalidManifest", .invalidBytes: "invalidBytes",
    .folderUnavailable: "folderUnavailable", .pairingFailed: "pairingFailed",
    .agentUnavailable: "agentUnavailable", .typedPayloadMissing: "typedPayloadMissing",
    .typedPayloadUnreadable: "typedPayloadUnreadable",
  ]
}

/// One message of JSON-RPC 2.0, either way.
enum RPCMessage: Hashable, Sendable {
  case request(RPCID, method: String, JSONValue?)
  case notification(method: String, JSONValue?)
  case response(RPCID, Result<JSONValue, RPCError>)

  /// Throws what a request of that form is to be answered with, under ID null.
  init(_ json: JSONValue) throws(RPCError) {
    guard case .object = json else {
      throw RPCError(
        RPCError.Code.invalidRequest,
        message: json.kind == "an array"
          ? "A batch is not taken; send one message at a time." : "A message is an object, not \(json.kind).")
    }
    guard json["jsonrpc"] == .text("2.0") else {
      throw RPCError(RPCError.Code.invalidRequest, message: "A message has the member \"jsonrpc\": \"2.0\".")
    }
    let id = RPCID(json["id"])
    if let method = json["method"] {
      guard case .text(let name) = method else {
        throw RPCError(RPCError.Code.invalidRequest, message: "The member \"method\" is a string.")
      }
      if let id {
        self = .request(id, method: name, json["params"])
      } else if json["id"] == nil {
        self = .notification(method: name, json["params"])
      } else {
        throw RPCError(
          RPCError.Code.invalidRequest, message: "The member \"id\" is a whole number or a string.")
      }
    } else if let id = id ?? Self.unreadable(json) {
      if let error = json["error"], error != .null {
        self = .response(id, .failure(RPCError(json: error)))
      } else {
        self = .response(id, .success(json["result"] ?? .null))
      }
    } else {
      throw RPCError(
        RPCError.Code.invalidRequest, message: "A message has a \"method\", or an \"id\" with a \"result\".")
    }
  }

  /// An error about a message that the other side could not read: under an ID that nothing has, for an answer
  /// to it would be answered again.
  private static func unreadable(_ json: JSONValue) -> RPCID? { json["error"] == nil ? nil : .number(-1) }

  var json: JSONValue {
    switch self {
    case .request(let id, let method, let params):
      ["jsonrpc": "2.0", "id": id.json, "method": .text(method), "params": params]
    case .notification(let method, let params):
      ["jsonrpc": "2.0", "method": .text(method), "params": params]
    case .response(let id, .success(let result)): ["jsonrpc": "2.0", "id": id.json, "result": result]
    case .response(let id, .failure(let error)): ["jsonrpc": "2.0", "id": id.json, "error": error.json]
    }
  }

  /// An error that answers no request that could be read.
  static func failure(_ error: RPCError) -> JSONValue {
    ["jsonrpc": "2.0", "id": JSONValue.null, "error": error.json]
  }
}
