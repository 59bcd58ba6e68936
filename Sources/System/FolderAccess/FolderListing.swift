// SPDX-License-Identifier: MIT

public import ActivityModel
import LinuxSystem
public import SyncedFolders

/// The names in a folder, as far as they were read.
public struct FolderListing: Hashable, Sendable {
  /// Names and what they stand for, in no order; `.` and `..` left out.
  public var entries: [Entry]
  /// Whether the folder holds no more than these.
  public var isComplete: Bool

  /// One name; a link is a link.
  public typealias Entry = FolderEntry

  /// Reads up to `limit` names of an open folder. Anew from the start each time.
  static func read(_ folder: Descriptor, limit: Int) throws(Errno) -> FolderListing {
    var listing = FolderListing(entries: [], isComplete: true)
    try folder.forEachName { name, kind in
      guard listing.entries.count < limit else {
        listing.isComplete = false
        return false
      }
      listing.entries.append(Entry(name: name, kind: kind()))
      return true
    }
    return listing
  }
}

extension SyncedDirectory {
  /// The names in `folder`, or in the root for nil. Throws `folderUnavailable` when it cannot be read.
  public func list(_ folder: RelativePath?, limit: Int = 4096) throws(ContinuityError) -> FolderListing {
    let shown = folder?.description ?? DisplayText.shown(path)
    let failed = "The folder \(shown) could not be listed"
    do throws(Errno) {
      return try FolderListing.read(openFolder(folder?.components ?? []), limit: limit)
    } catch {
      throw error.error(.folderUnavailable, subject: shown, failed)
    }
  }
}

extension SyncedDirectory: FolderContents {
  /// The first names of a folder; nil when it cannot be read.
  public func entries(of folder: RelativePath?) -> [FolderEntry]? {
    (try? list(folder))?.entries
  }

  /// The blocks that the file system gave the file, where those are fewer than its size: Syncthing makes its
  /// temporary files as long as they will be first. Compression makes this too small.
  public func writtenSize(of path: RelativePath) -> UInt64? {
    guard let status = try? openFolder(path.components.dropLast()).status(of: path.name),
      status.kind == .regular
    else { return nil }
    return min(status.stamp.size, UInt64(clamping: status.blocks) << 9)
  }

  /// Blocks as long as the disk takes.
  public func digest(of path: RelativePath) -> HashOutcome { hash(path) }
}
