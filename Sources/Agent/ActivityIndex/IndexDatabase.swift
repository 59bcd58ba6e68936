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
    /// Bytes of it in its row.
    var size: Int

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
  /// Nothing expires before; nil for nothing that does.
  private(set) var earliest: Int64?
  let tokenizer: WordTokenizer

  /// Opens the file, or makes it.
  init(_ file: DatabaseFile, limits: SavedActivityLimits) throws {
    self.limits = limits
    let queue = try IndexSchema.setup.open(file)
    self.queue = queue
    do { tokenizer = try queue.read(WordTokenizer.init) } catch {
      try? queue.close()
      throw error
    }
    do { try queue.write(begin) } catch {
      close()
      throw error
    }
    // The look whether the file is sound has read all of its pages.
    queue.releaseMemory()
  }

  private func begin(in database: Database) throws {
    apps = try Self.apps(in: database)
    earliest = try Self.earliest(in: database)
    let mark = try Row.fetchOne(database, sql: "SELECT tokens, remains FROM mark")
    if mark?.integer(0) != SearchText.version { try indexAnew(in: database) }
    hasRemains = mark?.integer(1) != 0
    // It is made as it is first used: what became of its declaration shows now.
    _ = try Row.fetchOne(database, sql: "SELECT rowid FROM words WHERE words MATCH 'a' LIMIT 1")
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
        SELECT app.id, app.name, own.count, own.bytes FROM app LEFT JOIN (
          SELECT app, count(*) AS count, sum(length(content)) AS bytes FROM activity GROUP BY app
        ) own ON own.app = app.id
        """)
    for row in rows {
      guard let number = row.integer(0), let name = row.bytes(1) else { continue }
      apps[name] = App(
        number: number, count: Int(row.integer(2) ?? 0), bytes: Int(row.integer(3) ?? 0))
    }
    return apps
  }

  private static func earliest(in database: Database) throws -> Int64? {
    try Int64.fetchOne(database, sql: "SELECT min(expires) FROM activity")
  }

  private func indexAnew(in database: Database) throws {
    try database.execute(sql: "INSERT INTO words (words) VALUES ('delete-all')")
    let rows = try Row.fetchCursor(database, sql: ActivityRow.all)
    while let row = try rows.next() {
      let entry = try ActivityRow.entry(row)
      try put(IndexedWords(entry.snapshot), as: entry.number, in: database)
    }
    try database.execute(sql: "UPDATE mark SET tokens = ?", arguments: [SearchText.version])
  }

  /// What is read of the activity once it was stored, for its words go as they came; nil for one that could
  /// not be read again.
  static func stored(_ snapshot: ActivitySnapshot) -> ActivitySnapshot? {
    try? ActivitySnapshot(cbor: CBOR(decoding: snapshot.cbor.encoded, limits: StoredForm.limits))
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
        entries += try Self.entries(
          "activity.app = ? AND instr(activity.content, ?)", [app.number, Data(domain.utf8)], in: database
        ).filter { $0.snapshot.isIn(domain) }
      }
      if identifiers == nil, domains == nil {
        entries = try Self.entries("activity.app = ?", [app.number], in: database)
      }
      // One may be named twice.
      let numbered = Dictionary(entries.map { ($0.number, $0) }) { first, _ in first }
      for entry in numbered.values { try remove(entry, in: database) }
    }
  }

  /// Removes what is kept because it was handed over.
  func deleteHandedOver() throws {
    try change { database in
      // An app may call its own so.
      for entry in try Self.entries("activity.key < 0", in: database) where entry.saved.isHandedOver {
        try remove(entry, in: database)
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
    guard let earliest, earliest <= wall.signedMilliseconds else { return }
    try change { database in
      let expired = try Self.entries("activity.expires <= ?", [wall.signedMilliseconds], in: database)
      for entry in expired { try remove(entry, in: database) }
      self.earliest = try Self.earliest(in: database)
    }
  }

  /// Those of which the condition holds.
  static func entries(
    _ condition: String, _ arguments: StatementArguments = [], in database: Database
  ) throws -> [Entry] {
    let statement = try database.cachedStatement(sql: "\(ActivityRow.all) WHERE \(condition)")
    return try Row.fetchAll(statement, arguments: arguments).map(ActivityRow.entry)
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
    let former = (apps, hasRemains, earliest)
    do {
      return try queue.write(body)
    } catch {
      (apps, hasRemains, earliest) = former
      throw error
    }
  }

  func put(_ snapshot: ActivitySnapshot, of named: IndexedApp, in database: Database) throws {
    let identifier = snapshot.persistentIdentifier ?? ""
    if let former = try entry(identifier, of: named, in: database) { try remove(former, in: database) }
    let app = try apps[named.bytes] ?? add(named, in: database)
    let expiry = limits.expiry(of: snapshot)
    let size = try ActivityRow.insert(
      snapshot, of: (named, app.number), until: expiry, as: named.isOther ? numberOfOther(in: database) : nil,
      in: database)
    try put(IndexedWords(snapshot), as: database.lastInsertedRowID, in: database)
    apps[named.bytes] = App(number: app.number, count: app.count + 1, bytes: app.bytes + size)
    earliest = min(earliest ?? .max, expiry.signedMilliseconds)
  }

  private func add(_ app: IndexedApp, in database: Database) throws -> App {
    try database.execute(sql: "INSERT INTO app (name) VALUES (?)", arguments: [Data(app.bytes)])
    return App(number: database.lastInsertedRowID, count: 0, bytes: 0)
  }

  private func put(_ words: IndexedWords, as number: Int64, in database: Database) throws {
    try database.cachedStatement(
      sql: "INSERT INTO words (rowid, tokens) VALUES (?, ?)"
    ).execute(arguments: [number, try IndexedTokens(words, by: tokenizer).text])
  }

  func remove(_ entry: Entry, in database: Database) throws {
    let tokens = try IndexedTokens(IndexedWords(entry.snapshot), by: tokenizer)
    try database.cachedStatement(
      sql: "INSERT INTO words (words, rowid, tokens) VALUES ('delete', ?, ?)"
    ).execute(arguments: [entry.number, tokens.text])
    try database.cachedStatement(sql: "DELETE FROM activity WHERE id = ?").execute(arguments: [entry.number])
    if !hasRemains { try database.execute(sql: "UPDATE mark SET remains = 1") }
    hasRemains = true
    guard let app = apps[entry.app.bytes] else { return }
    apps[entry.app.bytes] = App(
      number: app.number, count: app.count - 1, bytes: app.bytes - entry.size)
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
    let oldest = try Self.entries(
      "activity.app = coalesce(?, activity.app) AND activity.id > 0 ORDER BY activity.id LIMIT 1", [app],
      in: database)
    guard let entry = oldest.first else { throw DatabaseFault.damaged("it counts more than it holds") }
    try remove(entry, in: database)
  }
}

extension ActivitySnapshot {
  /// Whether its app put it in this group or one below it, for deleting it with that.
  fileprivate func isIn(_ domain: String) -> Bool {
    guard case .text(let own)? = contentAttributes?[.text("domainIdentifier")], !own.isEmpty else {
      return false
    }
    // By bytes: Swift takes texts for the same that are not.
    return own.utf8.elementsEqual(domain.utf8) || own.utf8.starts(with: (domain + ".").utf8)
  }
}
