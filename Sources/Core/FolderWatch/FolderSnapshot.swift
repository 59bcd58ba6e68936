// SPDX-License-Identifier: MIT

/// What one look at a polled folder found: the names, and of each file enough to notice that it changed.
public struct FolderSnapshot: Hashable, Sendable {
  /// What stat(2) says of one file. Times are nanoseconds as the file system keeps them.
  public struct File: Hashable, Sendable {
    /// The inode's number.
    public var inode: UInt64
    /// The length in bytes.
    public var size: Int64
    /// When the content changed, as far as the file system tells.
    public var modified: Int64
    /// When anything about the file changed.
    public var changed: Int64
    /// It changed so shortly before the look that a further change may carry the same times.
    public var isRecent: Bool

    /// What was found of one file.
    public init(inode: UInt64, size: Int64, modified: Int64, changed: Int64, isRecent: Bool = false) {
      self.inode = inode
      self.size = size
      self.modified = modified
      self.changed = changed
      self.isRecent = isRecent
    }
  }

  /// Real folders with their inode numbers; no symbolic links.
  public var folders: [[UInt8]: UInt64]
  /// Everything else; nil when there are more than `Listing.fileLimit`, and `fingerprint` alone tells.
  public var files: [[UInt8]: File]?
  /// A sum over all files that differs when one of them does.
  public var fingerprint: UInt64
  /// False when reading ended with an error, so that names may be missing.
  public var isComplete: Bool

  /// A folder that holds these.
  public init(
    folders: [[UInt8]: UInt64] = [:], files: [[UInt8]: File]? = [:], fingerprint: UInt64 = 0,
    isComplete: Bool = true
  ) {
    self.folders = folders
    self.files = files
    self.fingerprint = fingerprint
    self.isComplete = isComplete
  }

  /// The same names in order, without what stat(2) said of them.
  public var listing: Listing {
    Listing(folders: folderNames, files: fileNames, isComplete: isComplete)
  }

  var folderNames: [[UInt8]] { folders.keys.sorted(by: Self.precedes) }
  var fileNames: [[UInt8]]? { files.map { $0.keys.sorted(by: Self.precedes) } }

  /// Whether some file may have changed again without another size or time.
  var hasRecentFiles: Bool { files?.values.contains(where: \.isRecent) ?? false }

  static func precedes(_ left: [UInt8], _ right: [UInt8]) -> Bool { left.lexicographicallyPrecedes(right) }
}

/// Why a folder is looked at again and again.
public enum PollingCause: Hashable, Sendable {
  /// The kernel allows no more watches than this; `setting` is the sysctl that says so.
  case limit(UInt64, setting: String)
  /// The kernel allows no more inotify instances than this, and all are in use; `setting` as above.
  case instances(UInt64, setting: String)
  /// Its file system tells nothing of changes made elsewhere, so it is polled although it is watched.
  case silent(fileSystem: String)
  /// Following it failed for now, as when too many files are open; `reason` is a sentence.
  case failed(reason: String)
}
