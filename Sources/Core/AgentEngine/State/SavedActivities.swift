// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire

/// The activities that apps had kept for search, each app's apart, oldest first (semantics 11).
///
/// Bounded in number and bytes: what is oldest goes. One app can crowd out only its own.
struct SavedActivities: Hashable, Sendable {
  struct Entry: Hashable, Sendable {
    var appID: String
    var snapshot: ActivitySnapshot
    var size: Int
  }

  private(set) var entries: [Entry] = []

  /// The most of one app: 128 activities, 256 KiB; of all apps together: 1 MiB.
  static let countLimit = 128
  static let byteLimit = 256 * 1024
  static let totalLimit = 1 << 20
  private static let limits = CBOR.Limits(depth: 16, entries: 65536, items: 1 << 20, bytes: 4 << 20)

  init() {}

  /// What `appID` has saved, oldest first.
  func activities(of appID: String) -> [ActivitySnapshot] {
    entries.filter { $0.appID == appID }.map(\.snapshot)
  }

  /// Keeps what a stored record holds of `snapshot`, in place of what was saved under its identifier.
  mutating func save(_ snapshot: ActivitySnapshot, of appID: String, at wall: WallTime) {
    removeExpired(at: wall)
    guard snapshot.isToBeKept, snapshot.expiry > wall else { return }
    let kept = snapshot.forKeeping
    entries.removeAll {
      $0.appID == appID && $0.snapshot.persistentIdentifier == kept.persistentIdentifier
    }
    entries.append(Entry(appID: appID, snapshot: kept, size: kept.cbor.encoded.count))
    makeRoom(for: appID)
  }

  private mutating func makeRoom(for appID: String) {
    var own = entries.filter { $0.appID == appID }
    while own.count > Self.countLimit || own.reduce(0, { $0 + $1.size }) > Self.byteLimit {
      let oldest = own.removeFirst()
      entries.removeAll { $0 == oldest }
    }
    while entries.reduce(0, { $0 + $1.size }) > Self.totalLimit { entries.removeFirst() }
  }

  /// Deletes those of `appID` with one of `identifiers`, or all of them.
  mutating func delete(_ identifiers: [String]?, of appID: String) {
    let named = identifiers.map(Set.init)
    entries.removeAll { entry in
      guard entry.appID == appID else { return false }
      return named?.contains(entry.snapshot.persistentIdentifier ?? "") ?? true
    }
  }

  mutating func removeExpired(at wall: WallTime) { entries.removeAll { $0.snapshot.expiry <= wall } }

  var nextExpiry: WallTime? { entries.lazy.map(\.snapshot.expiry).min() }

  var encoded: [UInt8] {
    CBOR.array(entries.map { .array([.text($0.appID), $0.snapshot.cbor]) }).encoded
  }

  init(decoding bytes: [UInt8]) throws(ContinuityError) {
    for element in try CBOR(decoding: bytes, limits: Self.limits).array("saved activities") {
      let parts = try element.array("saved activity", count: 2)
      entries.append(
        Entry(
          appID: try parts[0].text("app"), snapshot: try ActivitySnapshot(cbor: parts[1]),
          size: parts[1].encoded.count))
    }
  }
}
