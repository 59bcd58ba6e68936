// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import SyncedFolders

/// The versions that each document has had here, as far as this device published or continued them.
struct DocumentHistories: Hashable, Sendable {
  struct Place: Hashable, Sendable {
    var folder: FolderID
    var path: RelativePath
  }

  private struct Entry: Hashable, Sendable {
    var history: DocumentHistory
    /// Counts up with every change, so that the oldest can go.
    var age: UInt64
  }

  private var entries: [Place: Entry] = [:]
  private var clock: UInt64 = 0

  /// The most documents remembered; the one untouched longest goes first.
  static let limit = 2048
  private static let limits = CBOR.Limits(depth: 8, entries: 4096, items: 1 << 18, bytes: 16 << 20)

  init() {}

  subscript(place: Place) -> DocumentHistory {
    get { entries[place]?.history ?? DocumentHistory() }
    set {
      guard entries[place]?.history != newValue else { return }
      clock += 1
      entries[place] = Entry(history: newValue, age: clock)
      if entries.count > Self.limit, let oldest = entries.min(by: { $0.value.age < $1.value.age })?.key {
        entries[oldest] = nil
      }
    }
  }

  /// Documents of `old` are documents of `new` from now on; where both are known, the newer history stays and
  /// takes the other in. True when anything changed.
  mutating func move(from old: FolderID, to new: FolderID) -> Bool {
    let moved = entries.filter { $0.key.folder == old }.sorted { $0.value.age < $1.value.age }
    guard old != new else { return false }
    for (place, entry) in moved {
      entries[place] = nil
      let target = Place(folder: new, path: place.path)
      let newer = self[target].versions
      self[target] = DocumentHistory(
        versions: newer + entry.history.versions.filter { !newer.contains($0) },
        generation: max(self[target].generation, entry.history.generation))
    }
    return !moved.isEmpty
  }

  var encoded: [UInt8] {
    let sorted = entries.sorted { $0.value.age < $1.value.age }
    return CBOR.array(
      sorted.map { place, entry in
        .array([
          .bytes(place.folder.bytes), .array(place.path.components.map(CBOR.bytes)),
          .bytes(entry.history.versions.flatMap(\.bytes)), .unsigned(entry.history.generation),
        ])
      }
    ).encoded
  }

  init(decoding bytes: [UInt8]) throws(ContinuityError) {
    for element in try CBOR(decoding: bytes, limits: Self.limits).array("histories") {
      let parts = try element.array("history", count: 4)
      var components: [[UInt8]] = []
      for part in try parts[1].array("path") { components.append(try part.bytes("path")) }
      guard let path = RelativePath(components: components) else { throw CBOR.mismatch("path", "a path") }
      let prefixes = try parts[2].bytes("versions")
      let versions = stride(from: 0, to: prefixes.count, by: 6).compactMap {
        DigestPrefix(bytes: prefixes[$0..<min($0 + 6, prefixes.count)])
      }
      self[Place(folder: try parts[0].identifier("folder"), path: path)] = DocumentHistory(
        versions: versions, generation: try parts[3].unsigned("generation"))
    }
  }
}
