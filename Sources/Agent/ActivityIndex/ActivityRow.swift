// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import FoundationEssentials
import GRDB
import StateDatabase

/// How an activity lies in its row, and is read from it.
enum ActivityRow {
  /// What is read, from `activity JOIN app`.
  static let columns =
    "SELECT activity.id, app.name, activity.expires, activity.content, activity.checksum FROM"
  /// All of them.
  static let all = columns + " activity JOIN app ON app.id = activity.app"

  /// Throws `DatabaseFault` for one that is not as it was written.
  static func entry(_ row: Row) throws -> IndexDatabase.Entry {
    guard let number = row.integer(0), let name = row.bytes(1), let app = IndexedApp(bytes: name),
      let expires = row.integer(2), let content = row.bytes(3),
      row.integer(4) == checksum(of: content, until: expires, by: name),
      let snapshot = try? StoredForm(of: app.appID, expiry: WallTime(expires)).snapshot(of: content)
    else { throw DatabaseFault.damaged("an activity cannot be read") }
    return IndexDatabase.Entry(number: number, app: app, snapshot: snapshot, size: content.count)
  }

  /// Writes one, as the next one of this device where it has no number. Gives back the bytes that it takes.
  /// Throws what SQLite refuses.
  static func insert(
    _ snapshot: ActivitySnapshot, of app: (named: IndexedApp, number: Int64), until expiry: WallTime,
    as number: Int64?, in database: Database
  ) throws -> Int {
    let expires = expiry.signedMilliseconds
    let content = StoredForm(of: app.named.appID, expiry: WallTime(expires)).bytes(of: snapshot)
    let statement = try database.cachedStatement(
      sql: "INSERT INTO activity (id, app, key, expires, content, checksum) VALUES (?, ?, ?, ?, ?, ?)")
    try statement.execute(arguments: [
      number, app.number, key(snapshot.persistentIdentifier ?? "", of: app.named), expires, Data(content),
      checksum(of: content, until: expires, by: app.named.bytes),
    ])
    return content.count
  }

  /// By which a row is looked for: a number that others may have, too, and below zero where the identifier is
  /// one of what was handed over.
  static func key(_ identifier: String, of app: IndexedApp) -> Int64 {
    var sum = Checksum()
    sum.add(app.bytes)
    sum.add(Array(identifier.utf8))
    let key = Int64(sum.mixed(bits: 31))
    return identifier.utf8.starts(with: SavedActivity.handedOverPrefix.utf8) ? ~key : key
  }

  private static func checksum(of content: [UInt8], until expires: Int64, by app: [UInt8]) -> Int64 {
    var sum = Checksum()
    sum.add(app)
    sum.add(UInt64(bitPattern: expires))
    sum.add(content)
    // Signed, for SQLite to keep it in four bytes.
    return Int64(sum.mixed(bits: 32)) - (1 << 31)
  }
}

extension WallTime {
  /// As a column has it.
  init(_ milliseconds: Int64) { self.init(milliseconds: UInt64(clamping: milliseconds)) }

  /// For a column.
  var signedMilliseconds: Int64 { Int64(clamping: milliseconds) }
}
