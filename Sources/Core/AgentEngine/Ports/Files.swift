// SPDX-License-Identifier: MIT

package import ActivityModel
package import SyncedFolders

/// A file that is open for reading: what it leads to stays the same file whatever happens to its name. Opaque
/// here; it is read by the folder and travels beside a message. Closed when the last reference goes.
package protocol OpenFile: AnyObject, Sendable {
  /// Whether it is known to lead to another file than the one that has `stamp`.
  func isOther(than stamp: FileStamp) -> Bool
  /// How many bytes it has now; zero where that cannot be told.
  var size: UInt64 { get }
}

/// A document that was opened beneath its folder, reached without a symbolic link.
package struct OpenedDocument: Sendable {
  /// Where it was opened.
  package let path: RelativePath
  /// Leads to it.
  package let file: any OpenFile
  /// What it looked like right after it was opened.
  package let stamp: FileStamp

  /// A document at `path`.
  package init(path: RelativePath, file: any OpenFile, stamp: FileStamp) {
    (self.path, self.file, self.stamp) = (path, file, stamp)
  }
}

/// A directory of this device's own files: the state directory, or `.continuo` in a synced folder. Files are
/// replaced whole and durably. Calls block for what the disk needs; loop thread only.
package protocol OwnFiles: AnyObject {
  /// For people: where it was opened.
  var displayPath: String { get }
  /// Whether its name still leads to this directory.
  var isInPlace: Bool { get }
  /// Whether its file system is of a kind that raises an event for each change.
  var raisesEvents: Bool { get }
  /// The bytes under `name`; nil when there is no such file. Throws `invalidBytes` for a file longer than
  /// `limit`, `folderUnavailable` for what cannot be read.
  func read(_ name: String, limit: Int) throws(ContinuityError) -> [UInt8]?
  /// Makes `name` lead to `bytes`, whole and on the disk, or throws `folderUnavailable` and leaves what was
  /// there. One that `isShared` may be read by others.
  func replace(_ name: String, with bytes: [UInt8], isShared: Bool) throws(ContinuityError)
  /// Removes a file; nothing happens when it is not there. Throws `folderUnavailable`.
  func remove(_ name: String) throws(ContinuityError)
  /// A new file without a name that a document of so many bytes is received into, which is gone with whoever
  /// has it open. Throws `folderUnavailable`, also where there is no room.
  func receive(_ size: UInt64) throws(ContinuityError) -> any OpenFile
  /// Makes an empty file, which must not be there; false when that is not possible.
  func makeEmpty(_ name: [UInt8]) -> Bool
  /// Tells `found` each name with what stands under it, in any order, names that end in `~` left out. False
  /// when there are more than `OwnFilesLimit.scan`; the rest was not looked at. Throws `folderUnavailable`.
  func scan(_ found: ([UInt8], FileObservation) -> Void) throws(ContinuityError) -> Bool
  /// Removes temporary files that are as old as `age`, and returns how many.
  @discardableResult func removeLeftovers(olderThan age: Duration) -> Int
  /// How long ago the file was changed, by the clock that its stamp is from; zero for the future.
  func age(of stamp: FileStamp) -> Duration
}

/// Bounds of `OwnFiles`.
package enum OwnFilesLimit {
  /// The most names that one scan goes through.
  package static let scan = 1 << 20
}

/// One synced folder, as it was opened: looks, opens and hashes below its root and cannot be led out of it.
/// Whatever takes its place at its path is left alone. Used by the loop's thread and by readings beside it.
package protocol SyncedFolder: AnyObject, FolderContents, Sendable {
  /// The root's absolute path.
  var path: [UInt8] { get }
  /// Whether the path still leads to this folder.
  var isInPlace: Bool { get }
  /// How far stamps of files here stand for their bytes.
  var stampTrust: StampTrust { get }
  /// Opens a document for reading. Throws `documentMissing` or `documentUnreadable`.
  func open(document path: RelativePath) throws(ContinuityError) -> OpenedDocument
  /// Reads a file to its end: the one that `file` leads to, where given, else the one at `path`; `unstable`
  /// unless the path names it, unchanged, at the end. `isCancelled` is asked before each piece, `progress`
  /// told the bytes read so far.
  func hash(
    _ path: RelativePath, file: (any OpenFile)?, isCancelled: () -> Bool, progress: (UInt64) -> Void
  ) -> HashOutcome
  /// Lays what `file` holds into the folder as `document` says, once `kept` has what it replaces; the stamp
  /// of the file that holds it now, where nobody can have written in it since that was checked.
  func lay(
    _ document: LaidDocument, from file: any OpenFile, keeping kept: any ReplacedFiles,
    isCancelled: () -> Bool, progress: (UInt64) -> Void
  ) -> (outcome: LayingOutcome, stamp: FileStamp?)
  /// Whether a merge left conflict markers in the document; false when it cannot be read.
  func hasConflictMarkers(_ path: RelativePath) -> Bool
  /// `.continuo` in it; nil when that is not there and not to be made (`creating`). Throws
  /// `folderUnavailable`.
  func ownFiles(creating: Bool) throws(ContinuityError) -> (any OwnFiles)?
  /// How long ago the file was changed, by the clock that its stamp is from; zero for the future.
  func age(of stamp: FileStamp) -> Duration
}

/// The disks of this device: finds folders by absolute path. Loop thread only; calls block as long as a disk
/// takes, and not on one that does not answer.
package protocol Disks: AnyObject {
  /// False when the path lies on a file system that does not answer now: nothing there may be touched.
  func answers(_ path: [UInt8]) -> Bool
  /// Called on the loop's thread when a file system answers again that had been given up.
  var onReturn: () -> Void { get set }
  /// The path without links, `.` and `..`; nil when it leads nowhere.
  func realPath(_ path: [UInt8]) -> [UInt8]?
  /// Whether a directory is at the path.
  func isFolder(_ path: [UInt8]) -> Bool
  /// Whether anything is at the path.
  func exists(_ path: [UInt8]) -> Bool
  /// Opens the folder at the path. Throws `folderUnavailable` when it is not there or may not be listed.
  func open(folder path: [UInt8]) throws(ContinuityError) -> any SyncedFolder
}
