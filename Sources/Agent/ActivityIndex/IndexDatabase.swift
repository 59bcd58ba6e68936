// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import FoundationEssentials
import GRDB
import StateDatabase

/// The saved activities in SQLite, with their words in FTS5; also those that other devices have. Throws
/// `DatabaseFault`. One thread at a time.
///
/// The index keeps no text of its own: what it has to be told when an activity goes comes from the activity.
final class IndexDatabase {
  /// An activity's row.
  struct Entry {
    /// Below zero for what another device has: what this one has is found without looking at that.
    var number: Int64
    var app: IndexedApp
    var snapshot: ActivitySnapshot

    var saved: SavedActivity { SavedActivity(appID: app.appID, snapshot: snapshot, device: app.device) }
  }

  struct App {
    let number: Int64
    var count: Int
    var bytes: Int
  }

  let queue: DatabaseQueue
  private var limits: SavedActivityLimits
  /// By their bytes: names that only look alike are different ones.
  private(set) var apps: [[UInt8]: App] = [:]
  /// Words may be readable that no activity has any more; also after a restart.
  private(set) var hasRemains = false

  private static let activity = CBOR.Limits(depth: 16, entries: 65536, items: 1 << 20, bytes: 1 << 20)
  static let columns = "SELECT activity.id, app.name, activity.snapshot, activity.checksum FROM"

  /// Opens the file, or makes it.
  init(_ file: DatabaseFile, limits: SavedActivityLimits) throws {
    self.limits = limits
    queue = try IndexSchema.setup.open(file)
    do {
      try queue.write { database in
        apps = try Self.apps(in: database)
        let mark = try Row.fetchOne(database, sql: "SELECT tokens, remains FROM mark")
        if mark?.integer(0) != SearchText.version { try indexAnew(in: database) }
        hasRemains = mark?.integer(1) != 0
        // It is made as it is first used: what became of its declaration shows now.
        _ = try Row.fetchOne(database, sql: "SELECT rowid FROM words WHERE words MATCH 'a' LIMIT 1")
      }
    } catch {
      close()
      throw error
    }
  }

  /// Lets go of the file.
  func close() { try? queue.close() }

  /// Lets go of a file that is removed, in a process that goes on.
  func closeForEver() { queue.closeForEver() }

  private static func apps(in database: Database) throws -> [[UInt8]: App] {
    var apps: [[UInt8]: App] = [:]
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT app.id, app.name, count(activity.id), coalesce(sum(length(activity.snapshot)), 0)
        FROM app LEFT JOIN activity ON activity.app = app.id GROUP BY app.id
        """)
    for row in rows {
      guard let number = row.integer(0), let name = row.bytes(1) else { continue }
      apps[name] = App(
        number: number, count: Int(row.integer(2) ?? 0), bytes: Int(row.integer(3) ?? 0))
    }
    return apps
  }

  private func indexAnew(in database: Database) throws {
    try database.execute(sql: "INSERT INTO words (words) VALUES ('delete-all')")
    let rows = try Row.fetchCursor(
      database, sql: Self.columns + " activity JOIN app ON app.id = activity.app")
    while let row = try rows.next() {
      let entry = try Self.entry(row)
      try put(IndexedWords(entry.snapshot), as: entry.number, in: database)
    }
    try database.execute(sql: "UPDATE mark SET tokens = ?", arguments: [SearchText.version])
  }

  static func entry(_ row: Row) throws -> Entry {
    guard let number = row.integer(0), let name = row.bytes(1), let app = IndexedApp(bytes: name),
      let bytes = row.bytes(2), row.integer(3) == checksum(of: bytes, by: name),
      let snapshot = try? ActivitySnapshot(cbor: CBOR(decoding: bytes, limits: activity))
    else { throw DatabaseFault.damaged("an activity cannot be read") }
    return Entry(number: number, app: app, snapshot: snapshot)
  }

  /// What is read of the activity once it was stored, for its words go as they came; nil for one that could
  /// not be read again.
  static func stored(_ snapshot: ActivitySnapshot) -> ActivitySnapshot? {
    try? ActivitySnapshot(cbor: CBOR(decoding: snapshot.cbor.encoded, limits: activity))
  }

  private static func checksum(of snapshot: [UInt8], by app: [UInt8]) -> Int64 {
    var sum = Checksum()
    sum.add(app)
    sum.add(snapshot)
    return Int64(bitPattern: sum.value)
  }

  // MARK: Finding

  /// Where all the words of what is found are, the best place first.
  private static let places = ["{title} : ", "{title keywords place} : ", ""]

  /// Those that the query finds: with all words in the title, then in what else names it, then anywhere; in
  /// each the newest first. FTS5's own order by relevance looks at all that have one of the words, which is
  /// seconds for one letter.
  func search(_ query: String, of appID: String?, atMost limit: Int, at wall: WallTime) throws -> [Entry] {
    var found: [Entry] = []
    var numbers: Set<Int64> = []
    for place in Self.places where found.count < limit {
      let more = try entries(
        Source(
          sql: "words JOIN activity ON activity.id = words.rowid JOIN app ON app.id = activity.app "
            + "WHERE words MATCH ?", number: "words.rowid", arguments: ["\(place)(\(query))"]),
        of: appID, atMost: limit, at: wall)
      found += more.filter { numbers.insert($0.number).inserted }.prefix(limit - found.count)
    }
    return found
  }

  /// Those that were saved last, newest first.
  func recent(of appID: String?, atMost limit: Int, at wall: WallTime) throws -> [Entry] {
    try entries(Self.all, of: appID, atMost: limit, at: wall)
  }

  /// Those of this device, the one that was saved last first.
  func own(atMost limit: Int, at wall: WallTime) throws -> [Entry] {
    try rows(Self.all, "> 0", "DESC", of: nil, atMost: limit, at: wall)
  }

  private static let all = Source(
    sql: "activity JOIN app ON app.id = activity.app WHERE true", number: "activity.id", arguments: [])

  /// From what is selected, and which of it is the activity's number.
  private struct Source {
    let sql: String
    let number: String
    let arguments: StatementArguments
  }

  /// Those of this device; with those of others among them by when they changed, where no app is named.
  private func entries(
    _ source: Source, of appID: String?, atMost limit: Int, at wall: WallTime
  ) throws -> [Entry] {
    let own = try rows(source, "> 0", "DESC", of: appID, atMost: limit, at: wall)
    guard appID == nil, hasOthers else { return own }
    let others = try rows(source, "< 0", "ASC", of: nil, atMost: Self.othersLimit, at: wall)
    return Self.merged(own, others, atMost: limit)
  }

  private func rows(
    _ source: Source, _ sign: String, _ order: String, of appID: String?, atMost limit: Int, at wall: WallTime
  ) throws -> [Entry] {
    var sql = "\(Self.columns) \(source.sql) AND \(source.number) \(sign) AND activity.expires > ?"
    var arguments = source.arguments + [Self.milliseconds(wall)]
    if let appID {
      sql += " AND app.name = ?"
      arguments += [Self.key(appID)]
    }
    return try queue.read { database in
      // A number is never used twice, and each save takes a new one.
      let statement = try database.cachedStatement(sql: sql + " ORDER BY \(source.number) \(order) LIMIT ?")
      return try Row.fetchAll(statement, arguments: arguments + [limit]).map(Self.entry)
    }
  }

  /// The activity of an app under an identifier, unless it has expired.
  func activity(_ identifier: String, of app: IndexedApp, at wall: WallTime) throws -> Entry? {
    try queue.read { try entry(identifier, of: app, after: Self.milliseconds(wall), in: $0) }
  }

  func entry(
    _ identifier: String, of app: IndexedApp, after expiry: Int64 = -1, in database: Database
  ) throws -> Entry? {
    guard let app = apps[app.bytes] else { return nil }
    let statement = try database.cachedStatement(
      sql: """
        \(Self.columns) activity JOIN app ON app.id = activity.app
        WHERE activity.app = ? AND activity.identifier = ? AND activity.expires > ?
        """)
    return try Row.fetchOne(statement, arguments: [app.number, Self.key(identifier), expiry])
      .map(Self.entry)
  }

  /// All that can be read of a file that is damaged, in order: from both ends, for what lies on a damaged
  /// page ends a walk.
  static func readable(in file: DatabaseFile) -> [Entry] {
    var found: [Int64: Entry] = [:]
    _ = try? IndexSchema.setup.salvage(file) { database in
      for order in ["", " DESC"] {
        let sql = columns + " activity JOIN app ON app.id = activity.app ORDER BY activity.id" + order
        guard let rows = try? Row.fetchCursor(database, sql: sql) else { continue }
        while let row = try? rows.next() {
          if let entry = try? entry(row) { found[entry.number] = entry }
        }
      }
    }
    return found.sorted { $0.key < $1.key }.map(\.value)
  }

  /// When the next one expires.
  func nextExpiry() throws -> WallTime? {
    try queue.read { try Int64.fetchOne($0, sql: "SELECT min(expires) FROM activity") }
      .map { WallTime(milliseconds: UInt64(clamping: $0)) }
  }

  // MARK: Changing

  /// Keeps all of these or none, each in place of what its app had under the same identifier. They are on the
  /// disk when this returns.
  func save(_ activities: [(app: IndexedApp, snapshot: ActivitySnapshot)]) throws {
    try change { database in
      for (app, snapshot) in activities {
        try put(snapshot, of: app, in: database)
        try makeRoom(for: app.bytes, in: database)
      }
    }
  }

  /// Removes the activities of these identifiers, or of these domains and those below them; all of the app's
  /// where neither is said.
  func delete(_ identifiers: [String]?, domains: [String]?, of appID: String) throws {
    guard let app = apps[Array(appID.utf8)] else { return }
    try change { database in
      var entries: [Entry] = []
      for identifier in identifiers ?? [] {
        try self.entry(identifier, of: IndexedApp(appID), in: database).map { entries.append($0) }
      }
      for domain in domains ?? [] {
        entries += try Row.fetchAll(
          database,
          sql: """
            \(Self.columns) activity JOIN app ON app.id = activity.app
            WHERE activity.app = ? AND (activity.domain = ? OR (activity.domain >= ? AND activity.domain < ?))
            """,
          arguments: [app.number, Self.key(domain), Self.key(domain + "."), Self.key(domain + "/")]
        ).map(Self.entry)
      }
      if identifiers == nil, domains == nil {
        entries = try Row.fetchAll(
          database, sql: "\(Self.columns) activity JOIN app ON app.id = activity.app WHERE activity.app = ?",
          arguments: [app.number]
        ).map(Self.entry)
      }
      // One may be named twice.
      let numbered = Dictionary(entries.map { ($0.number, $0) }) { first, _ in first }
      for entry in numbered.values { try remove(entry, in: database) }
    }
  }

  /// Removes what is kept because it was handed over.
  func deleteHandedOver() throws {
    let prefix = Self.key(SavedActivity.handedOverPrefix)
    // The first of what does not begin like that.
    let end = prefix.dropLast() + [prefix[prefix.endIndex - 1] + 1]
    try change { database in
      for app in apps.values {
        let entries = try Row.fetchAll(
          database,
          sql: """
            \(Self.columns) activity JOIN app ON app.id = activity.app
            WHERE activity.app = ? AND activity.identifier >= ? AND activity.identifier < ?
            """,
          arguments: [app.number, prefix, end]
        ).map(Self.entry)
        // An app may call its own so.
        for entry in entries where entry.saved.isHandedOver { try remove(entry, in: database) }
      }
    }
  }

  /// So much is kept from now on; what is too much is removed.
  func use(_ limits: SavedActivityLimits) throws {
    self.limits = limits
    try change { database in
      for app in Array(apps.keys) { try makeRoom(for: app, in: database) }
    }
  }

  /// Removes what has expired.
  func removeExpired(at wall: WallTime) throws {
    try change { database in
      let expired = try Row.fetchAll(
        database,
        sql: "\(Self.columns) activity JOIN app ON app.id = activity.app WHERE activity.expires <= ?",
        arguments: [Self.milliseconds(wall)]
      ).map(Self.entry)
      for entry in expired { try remove(entry, in: database) }
    }
  }

  /// Makes what was removed unreadable, in the file and in its log. FTS5 keeps words of removed activities
  /// until it merges its segments, and pages keep what was moved away from them: the file is written anew.
  func erase() throws {
    try queue.writeWithoutTransaction { database in
      try database.execute(sql: "INSERT INTO words (words) VALUES ('optimize')")
      try database.execute(sql: "VACUUM")
      try foldLog(in: database)
      // Not before: whoever is killed in between erases once more.
      try database.execute(sql: "UPDATE mark SET remains = 0")
      try foldLog(in: database)
    }
    hasRemains = false
  }

  private func foldLog(in database: Database) throws {
    let folded = try Row.fetchOne(database, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
    guard folded?.integer(0) == 0 else { throw DatabaseFault.unavailable("its log cannot be folded in") }
  }

  func change<Result>(_ body: (Database) throws -> Result) throws -> Result {
    let former = (apps, hasRemains)
    do {
      return try queue.write(body)
    } catch {
      (apps, hasRemains) = former
      throw error
    }
  }

  func put(_ snapshot: ActivitySnapshot, of named: IndexedApp, in database: Database) throws {
    let identifier = snapshot.persistentIdentifier ?? ""
    if let former = try entry(identifier, of: named, in: database) { try remove(former, in: database) }
    let bytes = snapshot.cbor.encoded
    let app = try apps[named.bytes] ?? add(named, in: database)
    let number: Int64? = try named.isOther ? numberOfOther(in: database) : nil
    try database.cachedStatement(
      sql: """
        INSERT INTO activity (id, app, identifier, domain, expires, snapshot, checksum)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      number, app.number, Self.key(identifier), snapshot.domainIdentifier.map(Self.key),
      Self.milliseconds(limits.expiry(of: snapshot)), Data(bytes),
      Self.checksum(of: bytes, by: named.bytes),
    ])
    try put(IndexedWords(snapshot), as: database.lastInsertedRowID, in: database)
    apps[named.bytes] = App(number: app.number, count: app.count + 1, bytes: app.bytes + bytes.count)
  }

  private func add(_ app: IndexedApp, in database: Database) throws -> App {
    try database.execute(sql: "INSERT INTO app (name) VALUES (?)", arguments: [Data(app.bytes)])
    return App(number: database.lastInsertedRowID, count: 0, bytes: 0)
  }

  private func put(_ words: IndexedWords, as number: Int64, in database: Database) throws {
    try database.cachedStatement(
      sql: "INSERT INTO words (rowid, title, keywords, description, place) VALUES (?, ?, ?, ?, ?)"
    ).execute(arguments: [number, words.title, words.keywords, words.description, words.place])
  }

  func remove(_ entry: Entry, in database: Database) throws {
    let words = IndexedWords(entry.snapshot)
    try database.cachedStatement(
      sql: """
        INSERT INTO words (words, rowid, title, keywords, description, place)
        VALUES ('delete', ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [entry.number, words.title, words.keywords, words.description, words.place])
    try database.cachedStatement(sql: "DELETE FROM activity WHERE id = ?").execute(arguments: [entry.number])
    if !hasRemains { try database.execute(sql: "UPDATE mark SET remains = 1") }
    hasRemains = true
    guard let app = apps[entry.app.bytes] else { return }
    apps[entry.app.bytes] = App(
      number: app.number, count: app.count - 1, bytes: app.bytes - entry.snapshot.cbor.encoded.count)
    guard app.count == 1 else { return }
    // The name of an app that has none would stay readable.
    try database.execute(sql: "DELETE FROM app WHERE id = ?", arguments: [app.number])
    apps[entry.app.bytes] = nil
  }

  /// What is oldest goes: of the app, then of all. What other devices have is bounded by their records.
  private func makeRoom(for name: [UInt8], in database: Database) throws {
    guard !IndexedApp.isOther(name) else { return }
    while let app = apps[name], app.count > limits.count || app.bytes > limits.bytes {
      try removeOldest(of: app.number, in: database)
    }
    while apps.reduce(0, { $0 + (IndexedApp.isOther($1.key) ? 0 : $1.value.bytes) }) > limits.totalBytes {
      try removeOldest(of: nil, in: database)
    }
  }

  private func removeOldest(of app: Int64?, in database: Database) throws {
    let oldest = try Row.fetchOne(
      database.cachedStatement(
        sql: """
          \(Self.columns) activity JOIN app ON app.id = activity.app
          WHERE activity.app = coalesce(?, activity.app) AND activity.id > 0 ORDER BY activity.id LIMIT 1
          """), arguments: [app])
    guard let oldest else { throw DatabaseFault.damaged("it counts more than it holds") }
    try remove(Self.entry(oldest), in: database)
  }

  /// Bytes, for SQLite ends a text at its first zero.
  private static func key(_ text: String) -> Data { Data(text.utf8) }

  private static func milliseconds(_ time: WallTime) -> Int64 { Int64(clamping: time.milliseconds) }
}

extension ActivitySnapshot {
  /// The group that its app put it in, for deleting it with that.
  var domainIdentifier: String? {
    guard case .text(let domain)? = contentAttributes?[.text("domainIdentifier")], !domain.isEmpty else {
      return nil
    }
    return domain
  }
}
