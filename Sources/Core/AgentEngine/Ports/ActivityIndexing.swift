// SPDX-License-Identifier: MIT

package import ActivityModel

/// The activities that apps had kept for search, by their words. Loop thread only; calls block for what the
/// disk needs.
package protocol ActivityIndexing: AnyObject {
  /// What damage took along, in sentences for people.
  var losses: [String] { get }
  /// When the next one expires; nil for none. Throws `folderUnavailable`.
  func nextExpiry() throws(ContinuityError) -> WallTime?
  /// Keeps what a stored record holds of these, as far as they are to be kept, all or none: each in place of
  /// what its app had under the same identifier. They outlive a loss of power when this returns. Throws
  /// `folderUnavailable` when the disk refuses, `userInfoTooLarge` for one that could not be read again.
  func save(_ activities: [SavedActivity], at wall: WallTime) throws(ContinuityError)
  /// Removes an app's activities with one of these identifiers, or in one of these domains or below; all of
  /// them where both are nil. They are found no more. Throws `folderUnavailable`.
  func delete(_ identifiers: [String]?, domains: [String]?, of appID: String) throws(ContinuityError)
  /// Removes what is kept for nothing else than that it was handed over. Throws as `delete`.
  func deleteHandedOver() throws(ContinuityError)
  /// So much is kept from now on: what is too much is removed, and until when something is kept is decided
  /// when it is saved. Throws as `delete`.
  func use(_ limits: SavedActivityLimits) throws(ContinuityError)
  /// Removes what has expired. Throws as `delete`.
  func removeExpired(at wall: WallTime) throws(ContinuityError)
  /// Whether something that was removed or replaced may be readable.
  var hasRemains: Bool { get }
  /// Makes that unreadable; writes the whole index. Throws `folderUnavailable`.
  func erase() throws(ContinuityError)
  /// Those that have all of these words, best first; of one app, or of all for nil. Throws `invalidRequest`
  /// for too many words, `folderUnavailable`.
  func search(
    _ words: String, of appID: String?, atMost limit: Int, at wall: WallTime
  ) throws(ContinuityError) -> [SavedActivity]
  /// The one that an app saved under an identifier, here or on another device. Throws `folderUnavailable`.
  func activity(_ key: SavedActivity.Key, at wall: WallTime) throws(ContinuityError) -> SavedActivity?
  /// Those that were saved last, newest first; those of one app are this device's. Throws
  /// `folderUnavailable`.
  func recent(
    of appID: String?, atMost limit: Int, at wall: WallTime
  ) throws(ContinuityError) -> [SavedActivity]
  /// Those of this device, the one that was saved last first. Throws `folderUnavailable`.
  func own(atMost limit: Int, at wall: WallTime) throws(ContinuityError) -> [SavedActivity]
  /// What is kept of other devices, expired or not. Throws `folderUnavailable`.
  func ofOthers() throws(ContinuityError) -> [SavedActivity]
  /// Keeps these of another device, newest first, and none besides in that part of its list. Throws as
  /// `delete`.
  func take(
    _ activities: [SavedActivity], of device: DeviceID, part: Int, at wall: WallTime
  ) throws(ContinuityError)
  /// Removes these of other devices. Throws as `delete`.
  func forget(_ keys: [SavedActivity.Key]) throws(ContinuityError)
}

/// Opens the index of the state directory. Throws `agentUnavailable` for one that a newer release wrote.
package typealias ActivityIndexOpening = () throws(ContinuityError) -> any ActivityIndexing
