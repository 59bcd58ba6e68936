// SPDX-License-Identifier: MIT

import GRDB
import StateDatabase

/// The tables, and how a connection is set up. docs/decisions/0013-history-in-sqlite.md says why.
enum HistorySchema {
  /// "CntH": tells our file from another program's.
  private static let applicationID: Int64 = 0x436E_7448

  static let fileName = "history.sqlite"

  static var setup: DatabaseSetup {
    DatabaseSetup(label: "document histories", applicationID: applicationID, migrator: migrator)
  }

  private static var migrator: DatabaseMigrator {
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
}
