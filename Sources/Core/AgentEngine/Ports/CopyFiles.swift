// SPDX-License-Identifier: MIT

package import ActivityModel
package import SyncedFolders

/// Where private copies of documents lie: a folder of this device's own, and in it one for each copy, so that
/// a copy has its document's name. Loop thread only; calls block for what the disk needs.
package protocol CopyFiles: AnyObject {
  /// Whether there is such a place.
  var isThere: Bool { get }
  /// The folder of them all; made when it is not there. Throws `folderUnavailable`.
  func folder() throws(ContinuityError) -> any SyncedFolder
  /// Makes the empty folder of a copy. Throws `folderUnavailable`.
  func make(_ copy: PrivateCopy.ID) throws(ContinuityError)
  /// Gives a file in a copy's folder another name, in the place of what has that only where it `replaces`.
  /// False where that is not possible.
  func rename(_ name: [UInt8], to other: [UInt8], of copy: PrivateCopy.ID, replaces: Bool) -> Bool
  /// Removes a file of a copy, if it is there.
  func remove(_ name: [UInt8], of copy: PrivateCopy.ID)
  /// Removes a copy's folder unless something was saved there: that stays, and so does the folder.
  func removeFolder(of copy: PrivateCopy.ID)
  /// Removes the folders in which nothing lies.
  func removeEmptyFolders()
}

/// Has no place for copies, so none is made.
package final class NoCopyFiles: CopyFiles {
  /// For a world without such a place.
  package init() {}

  /// See `CopyFiles`.
  package var isThere: Bool { false }

  /// See `CopyFiles`. Throws `folderUnavailable` always.
  package func folder() throws(ContinuityError) -> any SyncedFolder { throw Self.none }

  /// See `CopyFiles`. Throws `folderUnavailable` always.
  package func make(_ copy: PrivateCopy.ID) throws(ContinuityError) { throw Self.none }

  /// See `CopyFiles`.
  package func rename(
    _ name: [UInt8], to other: [UInt8], of copy: PrivateCopy.ID, replaces: Bool
  ) -> Bool { false }

  /// See `CopyFiles`.
  package func remove(_ name: [UInt8], of copy: PrivateCopy.ID) {}

  /// See `CopyFiles`.
  package func removeFolder(of copy: PrivateCopy.ID) {}

  /// See `CopyFiles`.
  package func removeEmptyFolders() {}

  private static var none: ContinuityError {
    ContinuityError(.folderUnavailable, description: "No copies are kept here.")
  }
}
