// SPDX-License-Identifier: MIT

public import ActivityModel

/// Which synced folder a local path belongs to, and what it is called inside.
public enum DocumentResolver {
  /// The folder and the path inside it; of nested folders the innermost. `absolute` is taken as it is:
  /// resolve symbolic links and `..` before. Throws `invalidRequest`, saying what to do.
  public static func resolve(
    _ absolute: [UInt8], in roots: [SyncedRoot]
  ) throws(ContinuityError) -> (root: SyncedRoot, path: RelativePath) {
    let shown = DisplayText.shown(absolute)
    let holders = roots.filter { holds($0.path, absolute) }
    guard let root = holders.max(by: { $0.path.count < $1.path.count }) else {
      throw ContinuityError(
        .invalidRequest, subject: shown,
        description: "\(shown) lies in no synced folder: add the folder with `continuo folder add`, "
          + "or move the file into one."
      )
    }
    guard let path = root.relativePath(of: absolute) else {
      throw ContinuityError(
        .invalidRequest, subject: shown,
        description: "\(shown) is not a path that can travel: give it without “..” and at most "
          + "\(RelativePath.componentLimit) folders below \(root.name).")
    }
    guard !isKeptBack(path) else {
      throw ContinuityError(
        .invalidRequest, subject: shown,
        description: "\(shown) belongs to the sync engine or to continuo itself and cannot be handed over: "
          + "open the document."
      )
    }
    return (root, path)
  }

  /// Whether a path lies in a record folder: never a document, whoever refers to it.
  public static func isRecord(_ path: RelativePath) -> Bool {
    path.components.contains(where: SyncNames.isRecordFolder)
  }

  /// Whether this device refers to no such path: records, and what lies in an engine's own folder. What
  /// another device refers to is refused only for `isRecord`, since people own names that look like an
  /// engine's.
  public static func isKeptBack(_ path: RelativePath) -> Bool {
    isRecord(path)
      || path.components.dropLast().contains(where: SyncNames.isInternalFolder)
  }

  private static func holds(_ root: [UInt8], _ path: [UInt8]) -> Bool {
    root == [UInt8(ascii: "/")] || path.starts(with: root + [UInt8(ascii: "/")])
  }
}
