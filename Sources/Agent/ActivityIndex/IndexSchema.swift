// SPDX-License-Identifier: MIT

import GRDB
import StateDatabase

/// The tables. docs/decisions/0070-activities-that-can-be-found.md says why.
enum IndexSchema {
  /// "CntI": tells our file from another program's.
  private static let applicationID: Int64 = 0x436E_7449

  static let fileName = "activities.sqlite"

  static var setup: DatabaseSetup {
    DatabaseSetup(
      label: "saved activities", applicationID: applicationID,
      // What was deleted is overwritten, and what was saved is on the disk when it is answered.
      settings: ["secure_delete = ON", "synchronous = FULL", "temp_store = MEMORY"], migrator: migrator)
  }

  private static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    // A migration that was released is never changed: the next one gets a name of its own.
    migrator.registerMigration("saved activities") { database in
      try database.execute(
        sql: """
          CREATE TABLE app (id INTEGER PRIMARY KEY, name BLOB NOT NULL UNIQUE);
          CREATE TABLE activity (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            app INTEGER NOT NULL,
            identifier BLOB NOT NULL,
            domain BLOB,
            expires INTEGER NOT NULL,
            snapshot BLOB NOT NULL,
            checksum INTEGER NOT NULL);
          CREATE UNIQUE INDEX activityByIdentifier ON activity (app, identifier);
          CREATE INDEX activityByExpiry ON activity (expires);
          CREATE INDEX activityByDomain ON activity (app, domain) WHERE domain IS NOT NULL;
          CREATE TABLE mark (
            id INTEGER PRIMARY KEY CHECK (id = 1), tokens INTEGER NOT NULL, remains INTEGER NOT NULL);
          INSERT INTO mark VALUES (1, 0, 0);
          CREATE VIRTUAL TABLE words USING fts5 (
            title, keywords, description, place, content = '', columnsize = 0, prefix = '1 2',
            tokenize = "unicode61 remove_diacritics 2 categories 'L* N* Co M*'");
          """)
    }
    // docs/decisions/0076-a-small-index.md says why.
    migrator.registerMigration("stored forms, words once") { database in
      try database.execute(
        sql: """
          DROP INDEX activityByIdentifier;
          DROP INDEX activityByExpiry;
          DROP INDEX activityByDomain;
          ALTER TABLE activity RENAME TO former;
          CREATE TABLE activity (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            app INTEGER NOT NULL,
            key INTEGER NOT NULL,
            expires INTEGER NOT NULL,
            content BLOB NOT NULL,
            checksum INTEGER NOT NULL);
          CREATE INDEX activityByKey ON activity (key);
          """)
      let rows = try Row.fetchCursor(database, sql: FormerRow.all(in: "former"))
      while let row = try rows.next() { try FormerRow.takeOver(row, in: database) }
      try database.execute(
        sql: """
          UPDATE mark SET tokens = 0, remains = remains OR EXISTS (SELECT 1 FROM former);
          DROP TABLE former;
          DROP TABLE words;
          CREATE VIRTUAL TABLE words USING fts5 (
            tokens, content = '', columnsize = 0, detail = none, tokenize = "ascii");
          """)
    }
    return migrator
  }
}
