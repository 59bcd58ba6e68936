// SPDX-License-Identifier: MIT

package import ActivityModel
package import SyncedFolders

/// Which versions each document had here, when, and from whom. Loop thread only; calls block for what the
/// disk needs, and never throw but `save`: what cannot be written is kept in memory, and `problem` says so.
package protocol VersionLog: AnyObject {
  /// Why the last change could not be written, and what to do; nil when it was.
  var problem: String? { get }
  /// What damage took along, in sentences for people.
  var losses: [String] { get }
  /// Asked whose histories stay when room is needed.
  var placesInUse: () -> Set<DocumentPlace> { get set }
  /// Asked what this device's own activities name now: a log that has to begin anew begins with it.
  var ownVersions: () -> [(place: DocumentPlace, version: DocumentVersion)] { get set }
  /// What the document had; empty when nothing is known, or it cannot be read now.
  subscript(place: DocumentPlace) -> DocumentHistory { get }
  /// Lets `change` happen to a document's history, because of `sighting`. It outlives this process when this
  /// returns, and a loss of power after `save()`.
  func change(
    _ place: DocumentPlace, because sighting: VersionSighting, at wall: WallTime,
    by change: (inout DocumentHistory) -> Void)
  /// Takes in a version that this device's own record names, unless it is known.
  func recall(_ version: DocumentVersion, of place: DocumentPlace, at wall: WallTime)
  /// The folder has another ID from now on; its documents keep their past.
  func move(from old: FolderID, to new: FolderID)
  /// Makes everything that was changed outlive a loss of power. Throws `folderUnavailable`.
  func save() throws(ContinuityError)
}

/// Opens the version log of the state directory.
package typealias VersionLogOpening = () throws(ContinuityError) -> any VersionLog
