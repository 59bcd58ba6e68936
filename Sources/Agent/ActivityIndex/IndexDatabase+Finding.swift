// SPDX-License-Identifier: MIT

import ActivityModel
import FoundationEssentials
import GRDB
import StateDatabase

extension IndexDatabase {
  /// Among so many activities, the newest, that have all of its words a phrase is looked for.
  static let candidateLimit = 20_000

  /// Those that are found: with all words in the title, then in what else names it, then anywhere; in each
  /// the newest first. FTS5's own order by relevance looks at all that have one of the words, which is
  /// seconds for one letter.
  func search(
    _ parts: [SearchText.Part], of appID: String?, atMost limit: Int, at wall: WallTime
  ) throws -> [Entry] {
    try queue.read { database in
      let query = try IndexQuery(parts, by: tokenizer)
      guard !query.isEmpty else { return [] }
      var found: [Entry] = []
      var numbers: Set<Int64> = []
      for place in WordPlace.allCases where found.count < limit {
        var source = Source(
          sql: "words JOIN activity ON activity.id = words.rowid JOIN app ON app.id = activity.app "
            + "WHERE words MATCH ?", number: "words.rowid", arguments: [query.match(upTo: place)])
        if query.hasPhrases {
          source.isFound = { try query.holdsPhrases(IndexedWords($0.snapshot), upTo: place) }
        }
        let more = try entries(source, of: appID, atMost: limit, at: wall, in: database)
        found += more.filter { numbers.insert($0.number).inserted }.prefix(limit - found.count)
      }
      return found
    }
  }

  /// Those that were saved last, newest first.
  func recent(of appID: String?, atMost limit: Int, at wall: WallTime) throws -> [Entry] {
    try queue.read { try entries(Self.all, of: appID, atMost: limit, at: wall, in: $0) }
  }

  /// Those of this device, the one that was saved last first.
  func own(atMost limit: Int, at wall: WallTime) throws -> [Entry] {
    try queue.read { try rows(Self.all, "> 0", "DESC", of: nil, atMost: limit, at: wall, in: $0) }
  }

  private static var all: Source {
    Source(sql: "activity JOIN app ON app.id = activity.app WHERE true", number: "activity.id", arguments: [])
  }

  /// From what is selected, and which of it is the activity's number.
  private struct Source {
    let sql: String
    let number: String
    let arguments: StatementArguments
    /// What is said of one that is selected; nil where each is found.
    var isFound: ((Entry) throws -> Bool)?
  }

  /// Those of this device; with those of others among them by when they changed, where no app is named.
  private func entries(
    _ source: Source, of appID: String?, atMost limit: Int, at wall: WallTime, in database: Database
  ) throws -> [Entry] {
    let own = try rows(source, "> 0", "DESC", of: appID, atMost: limit, at: wall, in: database)
    guard appID == nil, hasOthers else { return own }
    let others = try rows(
      source, "< 0", "ASC", of: nil, atMost: Self.othersLimit, at: wall, in: database)
    return Self.merged(own, others, atMost: limit)
  }

  private func rows(
    _ source: Source, _ sign: String, _ order: String, of appID: String?, atMost limit: Int,
    at wall: WallTime, in database: Database
  ) throws -> [Entry] {
    var sql =
      "\(ActivityRow.columns) \(source.sql) AND \(source.number) \(sign) AND activity.expires > ?"
    var arguments = source.arguments + [wall.signedMilliseconds]
    if let appID {
      sql += " AND app.name = ?"
      arguments += [Data(appID.utf8)]
    }
    // A number is never used twice, and each save takes a new one.
    let statement = try database.cachedStatement(sql: sql + " ORDER BY \(source.number) \(order) LIMIT ?")
    arguments += [source.isFound == nil ? limit : Self.candidateLimit]
    let rows = try Row.fetchCursor(statement, arguments: arguments)
    var found: [Entry] = []
    while found.count < limit, let row = try rows.next() {
      let entry = try ActivityRow.entry(row)
      if try source.isFound?(entry) ?? true { found.append(entry) }
    }
    return found
  }

  /// The activity of an app under an identifier, unless it has expired.
  func activity(_ identifier: String, of app: IndexedApp, at wall: WallTime) throws -> Entry? {
    try queue.read { try entry(identifier, of: app, after: wall.signedMilliseconds, in: $0) }
  }

  func entry(
    _ identifier: String, of app: IndexedApp, after expiry: Int64 = -1, in database: Database
  ) throws -> Entry? {
    guard let number = apps[app.bytes]?.number else { return nil }
    // By bytes: Swift takes texts for the same that are not.
    return try Self.entries(
      "activity.key = ? AND activity.app = ? AND activity.expires > ?",
      [ActivityRow.key(identifier, of: app), number, expiry], in: database
    ).first { $0.snapshot.persistentIdentifier?.utf8.elementsEqual(identifier.utf8) == true }
  }

  /// All that can be read of a file that is damaged, in order: from both ends, for what lies on a damaged
  /// page ends a walk.
  static func readable(in file: DatabaseFile) -> [Entry] {
    var found: [Int64: Entry] = [:]
    _ = try? IndexSchema.setup.salvage(file) { database in
      func read(_ sql: String, by entry: (Row) throws -> Entry) {
        for order in ["", " DESC"] {
          guard let rows = try? Row.fetchCursor(database, sql: "\(sql) ORDER BY 1\(order)") else { continue }
          while let row = try? rows.next() {
            if let entry = try? entry(row) { found[entry.number] = entry }
          }
        }
      }
      read(ActivityRow.all, by: ActivityRow.entry)
      read(FormerRow.all(in: "activity"), by: FormerRow.entry)
    }
    return found.sorted { $0.key < $1.key }.map(\.value)
  }

  /// Before nothing expires; nil for nothing that does.
  func nextExpiry() -> WallTime? { earliest.map { WallTime($0) } }
}
