// SPDX-License-Identifier: MIT

public import ActivityModel

/// What the agent asks of the watch process.
public enum WatchCommand: Hashable, Sendable {
  /// Follow the folder at an absolute path under this number; a number in use gets the new path.
  /// Answered by `watching`, or by `rootLost` when it cannot be followed.
  case watch(RootNumber, path: [UInt8])
  /// Follow the root no longer. Hints already on their way still come; an unknown number is ignored.
  case unwatch(RootNumber)
  /// These folders of the root matter, as raw names from the root down: when watches are short, they and
  /// those above them are watched first. Replaces what was said before; an unknown number is ignored.
  case prefer(RootNumber, paths: [[[UInt8]]])
  /// No event comes from the root although something changed there: look at it again and again.
  case poll(RootNumber)

  /// The whole frame, length first. Total: a path over 4,095 bytes, which no system call takes, is cut there,
  /// and folders that do not fit into a frame are not preferred.
  public var frame: [UInt8] {
    let value: CBOR =
      switch self {
      case .watch(let root, let path):
        .array([.unsigned(0), .unsigned(root.rawValue), .bytes(Array(path.prefix(4095)))])
      case .unwatch(let root): .array([.unsigned(1), .unsigned(root.rawValue)])
      case .prefer(let root, let paths):
        .array([.unsigned(2), .unsigned(root.rawValue), .array(Self.fitting(paths))])
      case .poll(let root): .array([.unsigned(3), .unsigned(root.rawValue)])
      }
    return FrameBuffer.frame(value.encoded)
  }

  /// From a frame's content. Throws `invalidBytes`.
  public init(content: [UInt8]) throws(ContinuityError) {
    let fields = try CBOR(decoding: content, limits: .message).array("command")
    guard fields.count >= 2 else { throw CBOR.mismatch("command", expected: "a kind and a root") }
    let root = RootNumber(rawValue: try fields[1].unsigned("root"))
    switch (try fields[0].unsigned("kind"), fields.count) {
    case (0, 3):
      let path = try fields[2].bytes("path")
      guard path.first == UInt8(ascii: "/"), path.count < 4096, !path.contains(0) else {
        throw CBOR.mismatch("path", expected: "an absolute path")
      }
      self = .watch(root, path: path)
    case (1, 2): self = .unwatch(root)
    case (2, 3):
      var paths: [[[UInt8]]] = []
      for value in try fields[2].array("paths") { paths.append(try Self.names(value)) }
      self = .prefer(root, paths: paths)
    case (3, 2): self = .poll(root)
    default: throw CBOR.mismatch("command", expected: "a command of this version")
    }
  }

  private static func fitting(_ paths: [[[UInt8]]]) -> [CBOR] {
    var room = CBOR.Limits.message.bytes / 2
    return paths.prefix { path in
      room -= path.reduce(8) { $0 + $1.count + 4 }
      return room > 0
    }.map { path in .array(path.map { .bytes($0) }) }
  }

  private static func names(_ value: CBOR) throws(ContinuityError) -> [[UInt8]] {
    var names: [[UInt8]] = []
    for part in try value.array("path") {
      let name = try part.bytes("name")
      guard RelativePath.isName(name) else { throw CBOR.mismatch("name", expected: "one file name") }
      names.append(name)
    }
    return names
  }
}
