// SPDX-License-Identifier: MIT

public import ActivityModel
import Foundation

extension UserActivity {
  /// Carries `payload` beside `userInfo`, encoded at once as JSON; it replaces an earlier one, and sets
  /// `needsSave` as an assignment to `userInfo` does.
  ///
  /// Throws `invalidRequest` for a value that JSON cannot hold, and nothing changes then.
  public func setTypedPayload(_ payload: some Codable) throws(ContinuityError) {
    do {
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      encodedPayload = Array(try encoder.encode(payload))
    } catch {
      throw ContinuityError(
        .invalidRequest, subject: "typedPayload",
        description: "A \(type(of: payload)) cannot be encoded as a typed payload: \(Self.reason(error))")
    }
    touch()
  }

  /// The typed payload as a `Payload`.
  ///
  /// Throws `typedPayloadMissing` when there is none, and `typedPayloadUnreadable` when it is of another type
  /// (semantics 5).
  public func typedPayload<Payload: Codable>(_ type: Payload.Type) throws(ContinuityError) -> Payload {
    guard let encodedPayload else {
      throw ContinuityError(
        .typedPayloadMissing, subject: "typedPayload",
        description: "The activity carries no typed payload; look into userInfo.")
    }
    do {
      return try JSONDecoder().decode(type, from: Data(encodedPayload))
    } catch {
      throw ContinuityError(
        .typedPayloadUnreadable, subject: "typedPayload",
        description: "The typed payload cannot be read as a \(type): \(Self.reason(error))")
    }
  }

  private static func reason(_ error: any Error) -> String {
    switch error {
    case DecodingError.keyNotFound(let key, let context):
      "\(place(context.codingPath + [key])) is missing."
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
      DecodingError.dataCorrupted(let context):
      "\(place(context.codingPath)): \(context.debugDescription)"
    case EncodingError.invalidValue(_, let context):
      "\(place(context.codingPath)): \(context.debugDescription)"
    default: "\(error)"
    }
  }

  private static func place(_ path: [any CodingKey]) -> String {
    path.isEmpty ? "the value" : path.map(\.stringValue).joined(separator: ".")
  }
}
