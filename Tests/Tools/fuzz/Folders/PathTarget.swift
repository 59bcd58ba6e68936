// SPDX-License-Identifier: MIT

import ActivityModel
import FolderAccess
import LinuxSystem
import SyncedFolders

/// Names from another device, opened in a real folder that has links out of it: nothing outside is ever read,
/// looked at or listed, in both ways of opening.
struct PathTarget: FuzzTarget {
  static let name = "path"
  static let longest = 512
  static let touchesFiles = true
  static let words =
    [
      "plan.md", "dir", "inner.md", "link", "out.md", "up", "loop", "dirlink", "..", ".", "/", "//", "pipe",
      "secret.md", "outside", "\u{1}", "plan.md~", "deep",
    ].map { Array($0.utf8) } + [[0], [0xff]]

  private let place: PlayedFolder
  private let directories: [SyncedDirectory]

  init() throws {
    let place = try PlayedFolder()
    self.place = place
    directories = try [.kernel, .walk].map { try SyncedDirectory(path: place.root.bytes, way: $0) }
  }

  func seeds() throws -> [[UInt8]] {
    [
      "plan.md", "dir/inner.md", "link/secret.md", "out.md", "dir/up/plan.md", "loop", "dirlink/inner.md",
      "dir/../plan.md", "/etc/passwd", "../outside/secret.md", "dir//inner.md", "pipe", "", "dir",
      "dir/deep/a", "link/../plan.md",
    ].flatMap { path in [0, 1].map { [$0] + Array(path.utf8) } }
  }

  /// A path as text, or names that may hold anything.
  func check(_ input: [UInt8]) throws {
    var reader = InputReader(input)
    let isText = reader.choice(of: 2) == 0
    let path =
      isText
      ? RelativePath(String(decoding: reader.rest, as: UTF8.self))
      : RelativePath(
        components: reader.rest.split(separator: 1, omittingEmptySubsequences: false).map { Array($0) })
    guard let path else { return }
    try Self.checkNames(path)
    let looks = directories.map { directory in Look(directory, path) }
    try expect(looks[0] == looks[1], "both ways of opening differ about \(path): \(looks)")
    let look = looks[0]
    if let bytes = look.content {
      try expect(place.inside.contains(bytes), "a file from outside was read by \(path)")
      try expect(look.isObserved, "a file was opened and is not seen")
    }
    try expect(!look.names.contains(PlayedFolder.secret), "a folder outside was listed by \(path)")
  }

  /// What a path may be made of, whoever made it.
  static func checkNames(_ path: RelativePath) throws {
    let slash = UInt8(ascii: "/")
    try expect((1...32).contains(path.components.count), "a path has \(path.components.count) names")
    for name in path.components {
      let isHarmless = !name.isEmpty && name.count <= 255 && !name.contains(slash) && !name.contains(0)
      try expect(isHarmless && name != [46] && name != [46, 46], "a name is none: \(name)")
    }
    try expect(RelativePath(components: path.components) == path, "a path is another one when made again")
    try expect(DisplayText.isClean(path.description), "a path is shown as it came")
    try expect(
      path.bytes.split(separator: slash, omittingEmptySubsequences: false).map { Array($0) }
        == path.components,
      "a path has other names when split")
  }

  /// What one can learn by a path.
  private struct Look: Equatable {
    var content: [UInt8]?
    var refusal: ContinuityError.Code?
    var isObserved = false
    var names: Set<[UInt8]> = []

    init(_ directory: SyncedDirectory, _ path: RelativePath) {
      do throws(ContinuityError) {
        let document = try directory.open(path)
        content = try? document.descriptor.readToEnd(limit: 64)
      } catch {
        refusal = error.code
      }
      if case .file = directory.observe(path) { isObserved = true }
      names = Set(((try? directory.list(path))?.entries ?? []).map(\.name))
    }
  }
}

/// A synced folder in a temporary one, with a secret beside it to which links lead.
final class PlayedFolder: Sendable {
  static let secret = Array("secret.md".utf8)
  let root: FilePath
  private let parent: FilePath
  /// What the files in the folder hold.
  let inside: Set<[UInt8]> = [[1], [2], [3]]

  init() throws(Errno) {
    let place = CurrentProcess.variable("TMPDIR") ?? "/tmp"
    parent = try FilePath("\(place)/continuo-fuzz-").makeUniqueFolder()
    root = parent.appending(Array("root".utf8))
    let outside = parent.appending(Array("outside".utf8))
    let folders = ["dir", "dir/deep"].map { root.appending(Array($0.utf8)) }
    for folder in [root, outside] + folders { try folder.makeFolder(mode: 0o700) }
    try Self.write([9, 9], outside.appending(Self.secret))
    try Self.write([9, 9], outside.appending(Array("inner.md".utf8)))
    for (name, byte) in [("plan.md", 1), ("dir/inner.md", 2), ("dir/deep/a", 3)] as [(String, UInt8)] {
      try Self.write([byte], root.appending(Array(name.utf8)))
    }
    for (name, target) in [
      ("link", "../outside"), ("out.md", "../outside/secret.md"), ("dir/up", ".."), ("loop", "loop"),
      ("dirlink", "dir"), ("dir/deep/out", "/"),
    ] {
      try root.appending(Array(name.utf8)).makeSymbolicLink(to: FilePath(target))
    }
    try root.appending(Array("pipe".utf8)).makePipe(mode: 0o600)
  }

  deinit { Self.remove(parent) }

  private static func write(_ bytes: [UInt8], _ path: FilePath) throws(Errno) {
    try path.open([.writeOnly, .create], mode: 0o600).writeAll(bytes)
  }

  private static func remove(_ path: FilePath) {
    if (try? path.unlink()) != nil { return }
    for name in (try? path.names()) ?? [] { remove(path.appending(name)) }
    try? path.removeFolder()
  }
}
