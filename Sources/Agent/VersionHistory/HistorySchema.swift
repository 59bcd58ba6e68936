// SPDX-License-Identifier: MIT

import GRDB

/// The tables, and how a connection is set up. docs/decisions/0013-history-in-sqlite.md says why.
enum HistorySchema {
  /// "CntH": tells our file from another program's.
  static let applicationID: Int64 = 0x436E_7448

  /// Pages after which any commit folds the log into the file; `save()` does it much sooner.
  private static let checkpointPages = 1024
  /// The log shrinks to so many bytes once it is folded in.
  private static let logSize = 1 << 20

  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    // A migration that was released is never changed: the next one gets a name of its own.
    migrator.registerMigration("versions of documents") { database in
      try database.execute(
        sql: """
          CREATE TABLE device (id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, name TEXT NOT NULL);
          CREATE TABLE document (
            id INTEGER PRIMARY KEY,
            folder BLOB NOT NULL,
            path BLOB NOT NULL,
            generation INTEGER NOT NULL,
            touched INTEGER NOT NULL,
            checksum INTEGER NOT NULL,
            UNIQUE (folder, path));
          CREATE INDEX documentByTouch ON document (touched);
          CREATE TABLE version (
            document INTEGER NOT NULL,
            position INTEGER NOT NULL,
            digest BLOB NOT NULL,
            size INTEGER,
            generation INTEGER NOT NULL,
            seen INTEGER,
            changed INTEGER,
            sources INTEGER NOT NULL,
            device INTEGER,
            PRIMARY KEY (document, position)) WITHOUT ROWID;
          CREATE TABLE mark (id INTEGER PRIMARY KEY CHECK (id = 1), saves INTEGER NOT NULL);
          INSERT INTO mark VALUES (1, 0);
          """)
    }
    return migrator
  }

  static var configuration: Configuration {
    var configuration = Configuration()
    configuration.label = "document histories"
    configuration.foreignKeysEnabled = false
    // An agent that was killed may not have ended quite.
    configuration.busyMode = .timeout(5)
    configuration.prepareDatabase { database in
      // Alone with the file: no shared memory beside it, and no second agent.
      try database.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
      // Before anything is changed: it may be another program's.
      if try checkIsOurs(database) {
        try database.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
        try database.execute(sql: "PRAGMA application_id = \(applicationID)")
      }
      for setting in [
        "journal_mode = WAL", "synchronous = NORMAL",
        "wal_autocheckpoint = \(checkpointPages)", "journal_size_limit = \(logSize)",
        "cache_size = -1024", "cell_size_check = ON", "trusted_schema = OFF",
      ] {
        try database.execute(sql: "PRAGMA \(setting)")
      }
    }
    return configuration
  }

  /// True when nobody wrote anything yet.
  private static func checkIsOurs(_ database: Database) throws -> Bool {
    guard try Int64.fetchOne(database, sql: "PRAGMA application_id") != applicationID else { return false }
    guard try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") == 0 else {
      throw HistoryFault.damaged("it is another program's database")
    }
    return true
  }

  /// Makes the tables, or brings those of an older release up to date.
  static func prepare(_ queue: DatabaseQueue) throws {
    let migrator = Self.migrator
    if try queue.read({ try migrator.hasBeenSuperseded($0) }) { throw HistoryFault.newer }
    try migrator.migrate(queue)
    let found = try queue.read { try String.fetchOne($0, sql: "PRAGMA quick_check(1)") }
    guard found == "ok" else { throw HistoryFault.damaged(found ?? "it holds nothing") }
  }
}
