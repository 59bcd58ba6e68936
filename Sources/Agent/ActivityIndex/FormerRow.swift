// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import GRDB
import StateDatabase

/// A row of the first form, which held an activity as records do.
enum FormerRow {
  /// All of them that lie in `table`.
  static func all(in table: String) -> String {
    "SELECT former.id, app.name, former.snapshot, former.checksum, former.app, former.expires "
      + "FROM \(table) former JOIN app ON app.id = former.app"
  }

  /// Throws `DatabaseFault` for one that is not as it was written.
  static func entry(_ row: Row) throws -> IndexDatabase.Entry {
    guard let number = row.integer(0), let name = row.bytes(1), let app = IndexedApp(bytes: name),
      let bytes = row.bytes(2), row.integer(3) == checksum(of: bytes, by: name),
      let snapshot = try? ActivitySnapshot(cbor: CBOR(decoding: bytes, limits: StoredForm.limits))
    else { throw DatabaseFault.damaged("an activity cannot be read") }
    return IndexDatabase.Entry(number: number, app: app, snapshot: snapshot, size: bytes.count)
  }

  /// Takes one over into today's table.
  static func takeOver(_ row: Row, in database: Database) throws {
    let former = try entry(row)
    guard let app = row.integer(4), let expires = row.integer(5) else {
      throw DatabaseFault.damaged("an activity cannot be read")
    }
    _ = try ActivityRow.insert(
      former.snapshot, of: (former.app, app), until: WallTime(expires), as: former.number, in: database)
  }

  private static func checksum(of snapshot: [UInt8], by app: [UInt8]) -> Int64 {
    var sum = Checksum()
    sum.add(app)
    sum.add(snapshot)
    return Int64(bitPattern: sum.value)
  }
}
