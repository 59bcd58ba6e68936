// SPDX-License-Identifier: MIT

public import ActivityModel

/// The versions that one path has had on this device, newest first: where lineages come from, and what tells
/// `ahead` from `diverged`. A version that comes back (undo, then save) stands there twice.
public struct DocumentHistory: Hashable, Sendable {
  /// The versions' digest prefixes, newest first, at most `limit`, no two equal neighbours.
  public private(set) var versions: [DigestPrefix]
  /// How many versions were ever recorded, thinned ones included: a version's `generation`.
  public private(set) var generation: UInt64

  /// As many as a lineage carries.
  public static let limit = DocumentVersion.lineageLimit

  /// A history as it was stored; a longer one is thinned.
  public init(versions: [DigestPrefix] = [], generation: UInt64 = 0) {
    self.versions = versions
    self.generation = max(generation, UInt64(versions.count))
    thin()
  }

  /// The bytes at the path are now this version. Nothing happens when they were already. True if new.
  @discardableResult
  public mutating func record(_ digest: ContentDigest) -> Bool { record(digest.prefix) }

  /// Whether the path ever had this version, as far as is remembered.
  public func contains(_ digest: ContentDigest) -> Bool { versions.contains(digest.prefix) }

  /// What `digest` descends from: the versions before its newest occurrence, or all when it is new.
  public func lineage(before digest: ContentDigest) -> [DigestPrefix] {
    guard let place = versions.firstIndex(of: digest.prefix) else { return versions }
    return Array(versions[(place + 1)...])
  }

  /// The version that was just published or continued, with all that this device knows it descends from.
  public func version(_ digest: ContentDigest, size: UInt64) -> DocumentVersion {
    DocumentVersion(
      digest: digest, size: size, generation: generation, lineage: lineage(before: digest))
  }

  /// Another device's version became this path's: its ancestors become ours, then it is recorded.
  ///
  /// Those younger than the newest one that is known here are laid above it, the others below all that is
  /// known, in their order; none is forgotten for another unless `limit` demands it.
  public mutating func adopt(_ version: DocumentVersion) {
    if versions.first == version.digest.prefix {
      if holds(version.lineage, from: 1) {
        // It is all known, as mostly when the same version is told of again.
        return generation = max(generation, version.generation)
      }
      versions.removeFirst()
      generation -= min(generation, 1)
    }
    let known = versions
    if let newest = version.lineage.first(where: known.contains) {
      let unseen = version.lineage.prefix { $0 != newest }
      for ancestor in unseen.reversed() { record(ancestor) }
    }
    if !holds(version.lineage, from: 0) {
      // Both are short: looking through one costs less than a table of it.
      let afterwards = versions
      versions += version.lineage.filter { !afterwards.contains($0) }
    }
    record(version.digest)
    // Older versions that only the other device knew are known now, whatever number it said.
    generation = max(generation, version.generation, UInt64(versions.count))
    thin()
  }

  /// Whether all of these stand from `place` on, in their order: one walk through both.
  private func holds(_ lineage: [DigestPrefix], from place: Int) -> Bool {
    var place = place
    return lineage.allSatisfy { ancestor in
      while place < versions.count, versions[place] != ancestor { place += 1 }
      place += 1
      return place <= versions.count
    }
  }

  @discardableResult
  private mutating func record(_ prefix: DigestPrefix) -> Bool {
    guard versions.first != prefix else { return false }
    versions.insert(prefix, at: 0)
    // Another device may have said any number.
    if generation < .max { generation += 1 }
    thin()
    return true
  }

  /// Keeps the newer half as it is and every second one of the older, the oldest among them: after many
  /// rounds the gaps double with age, so an old copy still finds a relative near its own time.
  private mutating func thin() {
    while versions.count > Self.limit {
      let newer = versions.prefix(Self.limit / 2)
      let older = versions.dropFirst(Self.limit / 2)
      let kept = older.reversed().enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
      versions = newer + kept.reversed()
    }
  }
}
