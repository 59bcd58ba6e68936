// SPDX-License-Identifier: MIT

public import ActivityModel

// The frames that carry `FolderHint` from the watch process to the agent.
extension FolderHint {
  /// The most names of a path in a frame; a deeper place is told as a rescan of the folder at that depth.
  public static let frameDepthLimit = 2048

  /// The whole frame, length first. Total: paths that no frame can hold become `rescan` of a folder above.
  public var frame: [UInt8] {
    if namesFit {
      let content = cbor.encoded
      if content.count <= CBOR.Limits.message.bytes { return FrameBuffer.frame(content) }
    }
    return FrameBuffer.frame(shortened.cbor.encoded)
  }

  /// From a frame's content. Throws `invalidBytes`.
  public init(content: [UInt8]) throws(ContinuityError) {
    let fields = try CBOR(decoding: content, limits: .message).array("hint")
    guard fields.count >= 2 else { throw CBOR.mismatch("hint", expected: "a kind and a root") }
    let root = RootNumber(rawValue: try fields[1].unsigned("root"))
    switch (try fields[0].unsigned("kind"), fields.count) {
    case (0, 3): self = .watching(root, folders: try fields[2].unsigned("folders"))
    case (1, 4):
      guard let change = Change(rawValue: try fields[3].unsigned("change")) else {
        throw CBOR.mismatch("change", expected: "a change of this version")
      }
      self = .changed(root, path: try Self.path(fields[2]), change: change)
    case (2, 5):
      self = .moved(
        root, from: try Self.path(fields[2]), to: try Self.path(fields[3]),
        isFolder: try fields[4].bool("isFolder"))
    case (3, 3): self = .rescan(root, path: try Self.path(fields[2]))
    case (4, 3): self = .rootLost(root, reason: try fields[2].text("reason"))
    case (5, 4):
      self = .watchLimit(root, path: try Self.path(fields[2]), limit: try fields[3].unsigned("limit"))
    case (6, 3): self = .synchronized(root, cookie: try fields[2].bytes("cookie"))
    case (7, 4):
      self = .polling(
        root, folders: try fields[2].unsigned("folders"), reason: try fields[3].text("reason"))
    default: throw CBOR.mismatch("hint", expected: "a hint of this version")
    }
  }

  /// The root that the hint is about.
  public var root: RootNumber {
    switch self {
    case .watching(let root, _), .changed(let root, _, _), .moved(let root, _, _, _), .rescan(let root, _),
      .rootLost(let root, _), .watchLimit(let root, _, _), .synchronized(let root, _),
      .polling(let root, _, _):
      root
    }
  }

  private var cbor: CBOR {
    let number = CBOR.unsigned(root.rawValue)
    return switch self {
    case .watching(_, let folders): .array([.unsigned(0), number, .unsigned(folders)])
    case .changed(_, let path, let change):
      .array([.unsigned(1), number, Self.value(path), .unsigned(change.rawValue)])
    case .moved(_, let from, let to, let isFolder):
      .array([.unsigned(2), number, Self.value(from), Self.value(to), .bool(isFolder)])
    case .rescan(_, let path): .array([.unsigned(3), number, Self.value(path)])
    case .rootLost(_, let reason): .array([.unsigned(4), number, .text(reason)])
    case .watchLimit(_, let path, let limit):
      .array([.unsigned(5), number, Self.value(path), .unsigned(limit)])
    case .synchronized(_, let cookie): .array([.unsigned(6), number, .bytes(cookie)])
    case .polling(_, let folders, let reason):
      .array([.unsigned(7), number, .unsigned(folders), .text(reason)])
    }
  }

  private var paths: [[[UInt8]]] {
    switch self {
    case .changed(_, let path, _), .rescan(_, let path), .watchLimit(_, let path, _): [path]
    case .moved(_, let from, let to, _): [from, to]
    case .watching, .rootLost, .synchronized, .polling: []
    }
  }

  private var namesFit: Bool { paths.allSatisfy { $0.count <= Self.frameDepthLimit } }

  // What both names share, or the names above the one, as far as they surely fit.
  private var shortened: FolderHint {
    switch self {
    case .rootLost(let root, let reason): return .rootLost(root, reason: String(reason.prefix(1000)))
    case .synchronized(let root, let cookie): return .synchronized(root, cookie: Array(cookie.prefix(64)))
    case .polling(let root, let folders, let reason):
      return .polling(root, folders: folders, reason: String(reason.prefix(1000)))
    default: break
    }
    var common = paths.first ?? []
    if let other = paths.last { common = zip(common, other).prefix { $0 == $1 }.map(\.0) }
    var room = CBOR.Limits.message.bytes / 2
    let kept = common.prefix(Self.frameDepthLimit).prefix { name in
      room -= name.count + 3
      return room > 0
    }
    return .rescan(root, path: Array(kept))
  }

  private static func value(_ path: [[UInt8]]) -> CBOR { .array(path.map { .bytes($0) }) }

  private static func path(_ value: CBOR) throws(ContinuityError) -> [[UInt8]] {
    var path: [[UInt8]] = []
    for part in try value.array("path") {
      let name = try part.bytes("name")
      guard RelativePath.isName(name) else { throw CBOR.mismatch("name", expected: "one file name") }
      path.append(name)
    }
    return path
  }
}
