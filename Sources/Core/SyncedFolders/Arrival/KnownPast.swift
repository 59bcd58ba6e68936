// SPDX-License-Identifier: MIT

import ActivityModel

/// What is known of the past of both sides: which versions this device had, and which came before the one
/// that is awaited.
struct KnownPast: Hashable, Sendable {
  private var history = DocumentHistory()
  private var ancestors: Set<DigestPrefix> = []

  /// Whether this device had any version of the document.
  var hasVersions: Bool { !history.versions.isEmpty }

  mutating func record(_ known: DocumentHistory) { history = known }

  mutating func record(ancestors known: some Sequence<DigestPrefix>) { ancestors.formUnion(known) }

  /// A newer version takes the place of `version`, which becomes an ancestor like those before it.
  mutating func recordOutdated(_ version: DocumentVersion) {
    ancestors.insert(version.digest.prefix)
    ancestors.formUnion(version.lineage)
  }

  /// How the bytes of this digest stand to `version`, and whether anything of that is certain before they lie
  /// still: bytes that no history holds are somebody's version, or a file that is just being written.
  func standing(
    of digest: ContentDigest, to version: DocumentVersion, isMoved: Bool
  ) -> (arrival: Arrival, isCertain: Bool) {
    let standing = VersionOrder.standing(
      of: digest, to: version, history: history, ancestors: ancestors, isMoved: isMoved)
    let isKnown = standing != .ahead || history.contains(digest)
    return (standing, standing != .diverged && isKnown)
  }
}
