// SPDX-License-Identifier: MIT

package import ActivityModel

/// Keeps what a document held before a version from a link takes its place. Used beside the loop.
package protocol ReplacedFiles: AnyObject, Sendable {
  /// Keeps what `file` holds, which has this digest. Throws `folderUnavailable`; nothing is replaced then.
  func keep(_ file: any OpenFile, called name: [UInt8], digest: ContentDigest) throws(ContinuityError)
  /// What the file with this stamp holds, where that was read before; nil where it is to be read. May block
  /// while it is being read, and not once `isCancelled`.
  func digest(of stamp: FileStamp, isCancelled: () -> Bool) -> ContentDigest?
  /// A version of so many bytes begins to come that will be laid at `path`: for that laying. What lies there
  /// may be read and copied meanwhile. Called on the loop's thread; what it began is given up with the last
  /// reference.
  func begin(_ path: RelativePath, for size: UInt64, in folder: any SyncedFolder) -> any ReplacedFiles
}

extension ReplacedFiles {
  package func digest(of stamp: FileStamp, isCancelled: () -> Bool) -> ContentDigest? { nil }

  package func begin(
    _ path: RelativePath, for size: UInt64, in folder: any SyncedFolder
  ) -> any ReplacedFiles { self }
}

/// Keeps nothing, so nothing is replaced.
package final class NoReplacedFiles: ReplacedFiles {
  /// For a world without such a place.
  package init() {}

  /// See `ReplacedFiles`. Throws `folderUnavailable` always.
  package func keep(
    _ file: any OpenFile, called name: [UInt8], digest: ContentDigest
  ) throws(ContinuityError) {
    throw ContinuityError(.folderUnavailable, description: "Nothing is kept here.")
  }
}
