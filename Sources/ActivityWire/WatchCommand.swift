// SPDX-License-Identifier: MIT

public import ActivityModel

/// What the agent asks of the watch process.
public enum WatchCommand: Hashable, Sendable {
  /// Follow the folder at an absolute path under this number; a number in use gets the new path.
  /// Answered by `watching`, or by `rootLost` when it cannot be followed.
  case watch(RootNumber, path: [UInt8])
  /// Follow the root no longer. Hints already on their way still come; an unknown number is ignored.
  case unwatch(RootNumber)

  /// The whole frame, length first. Total: a path over 4,095 bytes, which no system call takes, is cut there.
  public var frame: [UInt8] {
    let value: CBOR =
      switch self {
      case .watch(let root, let path):
        .array([.unsigned(0), .unsigned(root.rawValue), .bytes(Array(path.prefix(4095)))])
      case .unwatch(let root): .array([.unsigned(1), .unsigned(root.rawValue)])
      }
    return FrameBuffer.frame(value.encoded)
  }

  /// From a frame's content. Throws `invalidBytes`.
  public init(content: [UInt8]) throws(ContinuityError) {
    let fields = try CBOR(decoding: content, limits: .message).array("command")
    guard fields.count >= 2 else { throw CBOR.mismatch("command", "a kind and a root") }
    let root = RootNumber(rawValue: try fields[1].unsigned("root"))
    switch (try fields[0].unsigned("kind"), fields.count) {
    case (0, 3):
      let path = try fields[2].bytes("path")
      guard path.first == UInt8(ascii: "/"), path.count < 4096, !path.contains(0) else {
        throw CBOR.mismatch("path", "an absolute path")
      }
      self = .watch(root, path: path)
    case (1, 2): self = .unwatch(root)
    default: throw CBOR.mismatch("command", "a command of this version")
    }
  }
}
