// SPDX-License-Identifier: MIT

import ActivityModel
import SyncedFolders

/// A `DocumentHistory`, and beside each of its versions what is known of it. Pure.
struct DocumentPast: Hashable, Sendable {
  /// One version as it is stored: a higher position is a newer one.
  struct Row: Hashable, Sendable {
    var position: Int64
    var version: KnownVersion
  }

  private(set) var history: DocumentHistory
  /// Newest first, one for each of the history's versions.
  private(set) var rows: [Row]

  init() {
    history = DocumentHistory()
    rows = []
  }

  /// As it was stored; nil when no history can look like that.
  init?(rows: [Row], generation: UInt64) {
    history = DocumentHistory(versions: rows.map(\.version.prefix), generation: generation)
    self.rows = rows
    let isOrdered = zip(rows, rows.dropFirst()).allSatisfy { $0.position > $1.position }
    guard isOrdered, history.versions == rows.map(\.version.prefix), history.generation == generation else {
      return nil
    }
  }

  /// A history of which nothing else is known.
  init(_ history: DocumentHistory) {
    self.init()
    apply(history, from: nil, at: nil)
  }

  /// Lets `change` happen to the history, and notes the sighting that led to it.
  mutating func change(
    _ sighting: VersionSighting, at wall: WallTime, _ change: (inout DocumentHistory) -> Void
  ) {
    var changed = history
    change(&changed)
    apply(changed, from: sighting.device, at: wall)
    guard let index = rows.firstIndex(where: { $0.version.prefix == sighting.digest.prefix }) else { return }
    rows[index].version.record(sighting)
  }

  /// Takes in what `other` knows of the same document; this one stays the newer.
  mutating func merge(_ other: DocumentPast) {
    let known = Set(history.versions)
    var merged = rows.map(\.version)
    merged += other.rows.map(\.version).filter { !known.contains($0.prefix) }
    let result = DocumentHistory(
      versions: merged.map(\.prefix), generation: max(history.generation, other.history.generation))
    rows = merged.enumerated().map { Row(position: Int64(merged.count - $0.offset), version: $0.element) }
    history = DocumentHistory(versions: merged.map(\.prefix))
    apply(result, from: nil, at: nil)
  }

  /// Makes `changed` the history. What stays keeps what is known of it; what is new is known by its prefix.
  private mutating func apply(
    _ changed: DocumentHistory, from device: KnownVersion.Device?, at wall: WallTime?
  ) {
    // From the old end, for what stays keeps its order, and new versions come at the new end most often.
    var left = Array(rows.reversed())[...]
    var taken: [Row?] = []
    for prefix in changed.versions.reversed() {
      if let index = left.firstIndex(where: { $0.version.prefix == prefix }) {
        taken.append(left[index])
        left = left[(index + 1)...]
      } else {
        taken.append(nil)
      }
    }
    let olderCount = taken.lastIndex { $0 != nil }.map { $0 + 1 } ?? 0
    let isInserted = taken[..<olderCount].contains(nil)
    let top = isInserted ? 0 : taken.prefix(olderCount).last.flatMap { $0?.position } ?? 0
    var result: [Row] = []
    for (index, prefix) in changed.versions.reversed().enumerated() {
      var row = taken[index] ?? Row(position: 0, version: .ancestor(prefix, of: device, at: wall))
      if isInserted || taken[index] == nil {
        row.position = isInserted ? Int64(index + 1) : top + Int64(index - olderCount + 1)
      }
      result.append(row)
    }
    if changed.generation != history.generation, changed.versions.first != history.versions.first,
      let last = result.indices.last
    {
      result[last].version.generation = changed.generation
    }
    rows = result.reversed()
    history = changed
  }
}

extension KnownVersion {
  fileprivate static func ancestor(
    _ prefix: DigestPrefix, of device: Device?, at wall: WallTime?
  ) -> KnownVersion {
    var version = KnownVersion(prefix)
    version.seen = wall
    version.device = device
    if device != nil { version.sources = .lineage }
    return version
  }

  /// Adds what the sighting tells and nobody knew.
  fileprivate mutating func record(_ sighting: VersionSighting) {
    digest = sighting.digest
    size = sighting.size
    // What an app here published first was not received, whoever says it again.
    let isAgain = sighting.source == .received && sources.contains(.published)
    guard !isAgain else { return }
    if sighting.source == .received, !sources.contains(.received) {
      device = sighting.device
      changed = sighting.changed
      sources.remove(.lineage)
    }
    sources.formUnion(sighting.source)
  }
}
