// SPDX-License-Identifier: MIT

import ActivityModel
public import LinuxSystem

/// Notices when a settings file may say something else: one descriptor to poll, no timer. One thread.
///
/// The folder is watched when it is there, else the nearest one above it; and each folder that links of the
/// file lead through. Of folders above, nothing is asked but whether they themselves are moved or removed.
public final class SettingsWatch {
  /// What may come of a name that is watched for. Bytes count when whoever wrote them is done.
  private static let changes: FolderNotices.Kinds = [
    .create, .closeAfterWriting, .attributes, .movedFrom, .movedTo, .delete,
  ]
  /// What makes the path to a folder lead elsewhere.
  private static let leaving: FolderNotices.Kinds = [.deleteSelf, .moveSelf, .unmounted]
  /// Links that are followed, as the kernel does.
  private static let linkLimit = 40

  private let path: FilePath
  private let notices: FolderNotices
  /// The names that matter in each folder.
  private var names: [CInt: Set<[UInt8]>] = [:]

  /// Watches from now on: read the file after this. Throws what inotify_init1(2) fails with.
  public init(_ file: SettingsFile) throws(Errno) {
    path = file.path
    notices = try FolderNotices()
    arm()
  }

  /// Whether nothing could be watched, as when the user's watches are used up; the file can still be read.
  public var isBlind: Bool { names.isEmpty }

  /// Readable when `mustReadAgain` has something to say.
  public var descriptor: CInt { notices.descriptor }

  /// Takes what was told; whether the file is to be read again. Does not wait.
  public func mustReadAgain() -> Bool {
    guard notices.read().contains(where: matters) else { return false }
    // What is made while the watches are set anew is told by the new ones; only then nothing is missed.
    for _ in 0..<8 {
      arm()
      if !notices.read().contains(where: matters) { break }
    }
    return true
  }

  private func matters(_ notice: FolderNotices.Notice) -> Bool {
    if notice.kinds.contains(.overflow) { return true }
    guard let names = names[notice.watch] else { return false }
    // A new file says something when its bytes are in it.
    if notice.kinds == .create, notice.name == path.name, isBarelyMade { return false }
    return names.contains(notice.name) || !notice.kinds.isDisjoint(with: Self.leaving)
  }

  private var isBarelyMade: Bool {
    guard let status = try? path.status(followingLinks: false), status.kind == .regular else { return false }
    return status.size == 0 && status.stamp.linkCount == 1
  }

  private func arm() {
    for watch in names.keys { notices.unwatch(watch) }
    names = [:]
    var path = path
    for _ in 0..<Self.linkLimit {
      watch(path)
      guard let target = path.linkTarget else { break }
      path = target.bytes.first == UInt8(ascii: "/") ? target : path.parent.appending(target.bytes)
    }
  }

  /// Watches what leads to `path`. From below: a folder that comes meanwhile is seen by one or the other.
  private func watch(_ path: FilePath) {
    var (folder, name) = (path.parent, path.name)
    // Bounded: a folder may be there and not be watched, for want of permission.
    for _ in 0..<Self.linkLimit {
      if add(folder, Self.changes.union(Self.leaving), name) {
        // It may have come between the two looks.
        let inner = folder.appending(name)
        guard folder != path.parent, inner.isFolder else { break }
        (folder, name) = next(below: folder, towards: path)
      } else if folder.bytes.count > 1 {
        (folder, name) = (folder.parent, folder.name)
      } else {
        break
      }
    }
    while folder.bytes.count > 1 {
      // A link to a folder may be replaced, too.
      if folder.linkTarget != nil { add(folder, Self.leaving.union([.noFollow, .attributes]), []) }
      folder = folder.parent
      add(folder, Self.leaving, nil)
    }
  }

  private func next(below folder: FilePath, towards path: FilePath) -> (FilePath, [UInt8]) {
    let depth = folder.bytes.count > 1 ? folder.bytes.count + 1 : 1
    let rest = path.bytes.dropFirst(depth).split(separator: UInt8(ascii: "/")).map { Array($0) }
    return (folder.appending(rest[0]), rest[1])
  }

  @discardableResult
  private func add(_ folder: FilePath, _ kinds: FolderNotices.Kinds, _ name: [UInt8]?) -> Bool {
    let asked = kinds.contains(.noFollow) ? kinds : kinds.union(.onlyFolders)
    guard let watch = try? notices.watch(folder, for: asked.union(.adding)) else { return false }
    names[watch, default: []].formUnion(name.map { [$0] } ?? [])
    return true
  }
}
