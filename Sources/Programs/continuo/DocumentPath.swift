// SPDX-License-Identifier: MIT

import ActivityModel
import LinuxSystem

/// A document's absolute path as the agent knows it: links in the folders above it followed, its own name
/// kept.
enum DocumentPath {
  /// Folders that are not there yet stay as they were typed: their document may be on its way.
  static func resolve(_ typed: String) throws(ContinuityError) -> [UInt8] {
    let slash = UInt8(ascii: "/")
    let whole = Terminal.absolutePath(typed)
    var names = whole.split(separator: slash).map(Array.init)
    if let last = names.last, isDots(last), let folder = real(whole) { return folder }
    var missing = names.popLast().map { [$0] } ?? []
    while !missing.isEmpty {
      if let folder = real([slash] + Array(names.joined(separator: [slash]))) {
        guard !missing.contains(where: isDots) else { break }
        return (folder == [slash] ? [] : folder) + [slash] + Array(missing.joined(separator: [slash]))
      }
      guard let next = names.popLast() else { break }
      missing.insert(next, at: 0)
    }
    throw ContinuityError(
      .documentMissing, subject: typed, description: "There is no folder that holds \(typed): check the path."
    )
  }

  private static func isDots(_ name: [UInt8]) -> Bool {
    [Array(".".utf8), Array("..".utf8)].contains(name)
  }

  /// The synced folder that holds the path. Throws a sentence when none does, or when it is away.
  static func root(
    of path: [UInt8], among roots: [SyncedRoot]
  ) throws(ContinuityError) -> (SyncedRoot, RelativePath) {
    guard let (root, relative) = roots.innermost(holding: path) else { throw outside(path, roots) }
    guard root.isPresent else { throw away(root) }
    return (root, relative)
  }

  /// Why nothing in a folder can be used now.
  static func away(_ root: SyncedRoot) -> ContinuityError {
    ContinuityError(
      .folderUnavailable, subject: root.name,
      description: root.refusal ?? "Folder \(root.name) is not there now: bring it back first.")
  }

  /// Why the path is no document of any of these folders.
  static func outside(_ path: [UInt8], _ roots: [SyncedRoot]) -> ContinuityError {
    let shown = Terminal.shown(path)
    if let whole = roots.first(where: { $0.path == path }) {
      return ContinuityError(
        .invalidRequest, subject: shown,
        description: "\(shown) is the folder \(whole.name) itself: name a document in it."
      )
    }
    guard let holder = roots.first(where: { path.starts(with: $0.path + [UInt8(ascii: "/")]) }) else {
      return ContinuityError(
        .invalidRequest, subject: shown,
        description: "\(shown) lies in no synced folder: add the folder with `continuo folder add`, "
          + "or move the file into one.")
    }
    let name = path.split(separator: UInt8(ascii: "/")).last.map(Array.init) ?? path
    return ContinuityError(
      .invalidRequest, subject: shown,
      description:
        "\(Terminal.shown(name)) lies too deep in folder \(holder.name): documents are handed over "
        + "up to \(RelativePath.componentLimit) names below it.")
  }

  /// The path with every link followed; nil when it leads nowhere.
  static func real(_ folder: [UInt8]) -> [UInt8]? {
    (try? FilePath(bytes: folder).realPath())?.bytes
  }
}
