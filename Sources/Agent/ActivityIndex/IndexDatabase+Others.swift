// SPDX-License-Identifier: MIT

import ActivityModel
import GRDB

/// An app as the index names it: one of this device by its identifier alone, one of another device by a byte
/// with which no text begins, that device's ID, and its identifier.
struct IndexedApp: Hashable {
  let appID: String
  let device: DeviceID?

  private static let mark: UInt8 = 0xff

  init(_ appID: String, on device: DeviceID? = nil) { (self.appID, self.device) = (appID, device) }

  /// Nil for what the index names nothing by.
  init?(bytes: [UInt8]) {
    var (name, device) = (bytes[...], nil as DeviceID?)
    if Self.isOther(bytes) {
      device = DeviceID(bytes: bytes.dropFirst().prefix(16))
      guard device != nil else { return nil }
      name = bytes.dropFirst(17)
    }
    guard let appID = String(validating: name, as: UTF8.self) else { return nil }
    self.init(appID, on: device)
  }

  var isOther: Bool { device != nil }

  var bytes: [UInt8] { Self.prefix(of: device) + Array(appID.utf8) }

  static func isOther(_ bytes: [UInt8]) -> Bool { bytes.first == mark }

  /// With what the names of a device's apps begin.
  static func prefix(of device: DeviceID?) -> [UInt8] { device.map { [mark] + $0.bytes } ?? [] }
}

/// What other devices have (semantics 11i). Their rows have numbers below zero, later ones lower numbers.
extension IndexDatabase {
  /// So many of them are looked at for one question.
  static let othersLimit = 512

  var hasOthers: Bool { apps.keys.contains(where: IndexedApp.isOther) }

  /// What is known of one of them, or of all.
  func others(of device: DeviceID? = nil) throws -> [Entry] {
    try queue.read { try Self.entries("activity.id < 0", in: $0) }
      .filter { device == nil || $0.app.device == device }
  }

  /// Keeps these of another device, newest first, and none besides in that part of its list. What is as it
  /// was is not written again.
  func take(
    _ activities: [(app: IndexedApp, snapshot: ActivitySnapshot)], of device: DeviceID, part: Int
  ) throws {
    var wanted = Dictionary(activities.map { (Name($0.app, $0.snapshot), $0.snapshot) }) { first, _ in first }
    var gone: [Entry] = []
    for entry in try others(of: device) where entry.saved.key.map(SavedActivityList.part) == part {
      let name = Name(entry.app, entry.snapshot)
      if wanted[name] == entry.snapshot { wanted[name] = nil } else { gone.append(entry) }
    }
    guard !gone.isEmpty || !wanted.isEmpty else { return }
    try change { database in
      for entry in gone { try remove(entry, in: database) }
      for (app, snapshot) in activities.reversed() where wanted[Name(app, snapshot)] != nil {
        try put(snapshot, of: app, in: database)
      }
    }
  }

  /// Removes these.
  func forget(_ keys: [SavedActivity.Key]) throws {
    try change { database in
      for key in keys {
        let app = IndexedApp(key.appID, on: key.device)
        if let entry = try entry(key.identifier, of: app, in: database) { try remove(entry, in: database) }
      }
    }
  }

  /// By which one row is meant.
  private struct Name: Hashable {
    let app: IndexedApp
    let identifier: String?

    init(_ app: IndexedApp, _ snapshot: ActivitySnapshot) {
      (self.app, identifier) = (app, snapshot.persistentIdentifier)
    }
  }

  /// The number of the next one.
  func numberOfOther(in database: Database) throws -> Int64 {
    let lowest = try Int64.fetchOne(database, sql: "SELECT min(id) FROM activity") ?? 0
    return min(lowest, 0) - 1
  }

  /// Both in one order, by when they changed; what this device has stays in the order in which it was saved.
  static func merged(_ own: [Entry], _ others: [Entry], atMost limit: Int) -> [Entry] {
    var theirs = others.sorted { $0.snapshot.changedAt > $1.snapshot.changedAt }[...]
    var merged: [Entry] = []
    for entry in own {
      while let other = theirs.first, other.snapshot.changedAt > entry.snapshot.changedAt {
        merged.append(other)
        theirs.removeFirst()
      }
      merged.append(entry)
    }
    return Array((merged + theirs).prefix(limit))
  }
}
