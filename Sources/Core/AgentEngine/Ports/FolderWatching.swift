// SPDX-License-Identifier: MIT

package import ActivityModel

/// Has the registered folders watched. What was seen is told to `AgentCore.receive(_:)` as `FolderHint`s, in
/// turns of the loop; whatever is lost on the way is told as a rescan. Loop thread only; nothing fails but by
/// `problem`.
package protocol FolderWatching: AnyObject {
  /// The process that watches, for people; zero while there is none.
  var process: UInt64 { get }
  /// What keeps folders from being watched, if anything does.
  var problem: String? { get }
  /// Follows the root; again, when it is another folder now or lies elsewhere. `watching` is told when all of
  /// it is watched.
  func watch(_ root: RootNumber, path: [UInt8])
  /// After a word about the root: has it followed by another process if it lies elsewhere now.
  func settle(_ root: RootNumber, path: [UInt8])
  /// Follows it no longer.
  func unwatch(_ root: RootNumber)
  /// Says which folders of the root, from it on, get a watch before any other.
  func prefer(_ root: RootNumber, folders: Set<[[UInt8]]>)
  /// No event comes from the root although something was changed there: it is looked at again and again.
  func poll(_ root: RootNumber)
  /// The root is watched in full: its process runs well.
  func noteHealthy(_ root: RootNumber)
  /// Watches nothing any more.
  func stop()
}
