// SPDX-License-Identifier: MIT

public import ActivityModel
import CJSONReader

// JSON as bytes. What is JSON, and what its numbers and texts mean, nlohmann-json tells.
extension JSONValue {
  /// What a text may cost its reader.
  public enum Limit {
    /// Arrays and objects in each other.
    public static let depth = 128
    /// Values, and names of members.
    public static let values = 200_000
  }

  /// The value that UTF-8 text stands for.
  ///
  /// Throws `invalidBytes`, with what is wrong and where in one sentence, for anything else and beyond
  /// `Limit`.
  public init(decoding bytes: [UInt8]) throws(ContinuityError) {
    var builder = JSONBuilder()
    let end = withUnsafeMutablePointer(to: &builder) { builder in
      bytes.withUnsafeBytes {
        continuo_json_read($0.baseAddress, $0.count, takePiece, builder)
      }
    }
    if let refusal = builder.refusal { throw Self.fault(refusal) }
    guard end == 0, let value = builder.value else {
      throw Self.fault("cannot be read: byte \(end) belongs to no JSON in UTF-8")
    }
    self = value
  }

  /// UTF-8 text in one line, members in the order of their names: equal values give equal bytes.
  public var encoded: [UInt8] {
    var writer = JSONWriter()
    writer.write(self)
    return writer.bytes
  }

  private static func fault(_ what: String) -> ContinuityError {
    ContinuityError(.invalidBytes, subject: "JSON", description: "The JSON \(what).")
  }
}

private func takePiece(_ builder: UnsafeMutableRawPointer?, _ piece: continuo_json_piece) -> Bool {
  builder?.assumingMemoryBound(to: JSONBuilder.self).pointee.take(piece) ?? false
}
