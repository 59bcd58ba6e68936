// SPDX-License-Identifier: MIT

public import ActivityModel

/// Which document: where it lies in which folder.
public struct DocumentPlace: Hashable, Sendable, Comparable {
  /// The folder's canonical ID.
  public var folder: FolderID
  /// Where in the folder.
  public var path: RelativePath

  /// The document at `path` in `folder`.
  public init(folder: FolderID, path: RelativePath) {
    self.folder = folder
    self.path = path
  }

  /// By folder, then by path: an order for those who go through several documents.
  public static func < (left: Self, right: Self) -> Bool {
    left.folder == right.folder ? left.path < right.path : left.folder < right.folder
  }
}
