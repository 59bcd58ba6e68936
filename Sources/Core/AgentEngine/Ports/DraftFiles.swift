// SPDX-License-Identifier: MIT

package import ActivityModel

/// Where the text of drafts is kept: of those that apps here hand over, and of those that came from other
/// devices. A few, for a while; the oldest go first. Any thread.
package protocol DraftFiles: AnyObject, Sendable {
  /// Copies what `file` holds to a place that outlives the power, and says what that is. Blocks as long as
  /// the disk takes. Throws `userInfoTooLarge` for more than `Draft.byteLimit`, `invalidBytes` for nothing
  /// at all, `folderUnavailable` where the disk refuses; nothing is kept then.
  func keep(_ file: any OpenFile) throws(ContinuityError) -> (digest: ContentDigest, size: UInt64)
  /// Leads to the text of that digest; nil where it is not kept.
  func open(_ digest: ContentDigest) -> (any OpenFile)?
}

/// Keeps none.
package final class NoDraftFiles: DraftFiles {
  /// For a world without such a place.
  package init() {}

  /// See `DraftFiles`. Throws `folderUnavailable` always.
  package func keep(_ file: any OpenFile) throws(ContinuityError) -> (digest: ContentDigest, size: UInt64) {
    throw ContinuityError(.folderUnavailable, description: "No drafts are kept here.")
  }

  /// See `DraftFiles`.
  package func open(_ digest: ContentDigest) -> (any OpenFile)? { nil }
}
