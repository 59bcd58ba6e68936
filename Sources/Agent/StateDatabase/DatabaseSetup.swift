// SPDX-License-Identifier: MIT

import CSQLiteMemory
public import GRDB

/// How a database of the agent's state is opened: alone with its file, and brought up to date.
///
/// docs/decisions/0013-history-in-sqlite.md says why it is set up like that.
public struct DatabaseSetup {
  private let label: String
  private let applicationID: Int64
  private let settings: [String]
  private let migrator: DatabaseMigrator

  /// Pages after which any commit folds the log into the file.
  private static let checkpointPages = 1024
  /// The log shrinks to so many bytes once it is folded in.
  private static let logSize = 1 << 20

  /// `applicationID` tells our file from another program's; `settings` are pragmas beside those that all
  /// have. A migration that was released is never changed: the next one gets a name of its own.
  public init(label: String, applicationID: Int64, settings: [String] = [], migrator: DatabaseMigrator) {
    (self.label, self.applicationID) = (label, applicationID)
    (self.settings, self.migrator) = (settings, migrator)
  }

  /// Opens the file, or makes it. Throws what `DatabaseFault` tells apart, and leaves the file then.
  public func open(_ file: DatabaseFile) throws -> DatabaseQueue {
    let isNew = try file.create()
    let queue = try DatabaseQueue(path: file.path, configuration: configuration)
    do {
      try prepare(queue)
    } catch {
      try? queue.close()
      throw error
    }
    if isNew { file.synchronizeDirectory() }
    return queue
  }

  /// Reads what a damaged file still has, without looking whether it is sound; `body` may end early. Throws
  /// where it is no database of this kind.
  public func salvage<Result>(_ file: DatabaseFile, by body: (Database) throws -> Result) throws -> Result {
    let queue = try DatabaseQueue(path: file.path, configuration: configuration)
    defer { queue.closeForEver() }
    return try queue.writeWithoutTransaction(body)
  }

  /// The agent's databases lie still most of the time: they reserve no memory for what they may need.
  private static let reservesNothing: Void = continuo_sqlite_reserve_nothing()

  private var configuration: Configuration {
    Self.reservesNothing
    var configuration = Configuration()
    configuration.label = label
    configuration.foreignKeysEnabled = false
    // An agent that was killed may not have ended quite.
    configuration.busyMode = .timeout(5)
    configuration.prepareDatabase { [applicationID, settings] database in
      // Alone with the file: no shared memory beside it, and no second agent.
      try database.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
      // Before anything is changed: it may be another program's.
      if try Self.checkIsOurs(database, applicationID) {
        try database.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
        try database.execute(sql: "PRAGMA application_id = \(applicationID)")
      }
      let usual = [
        "journal_mode = WAL", "synchronous = NORMAL", "wal_autocheckpoint = \(Self.checkpointPages)",
        "journal_size_limit = \(Self.logSize)", "cache_size = -1024", "cell_size_check = ON",
        "trusted_schema = OFF",
      ]
      for setting in usual + settings { try database.execute(sql: "PRAGMA \(setting)") }
    }
    return configuration
  }

  /// True when nobody wrote anything yet.
  private static func checkIsOurs(_ database: Database, _ applicationID: Int64) throws -> Bool {
    guard try Int64.fetchOne(database, sql: "PRAGMA application_id") != applicationID else { return false }
    guard try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") == 0 else {
      throw DatabaseFault.damaged(DatabaseFault.foreign)
    }
    return true
  }

  /// Makes the tables, or brings those of an older release up to date.
  private func prepare(_ queue: DatabaseQueue) throws {
    if try queue.read({ try migrator.hasBeenSuperseded($0) }) { throw DatabaseFault.newer }
    try migrator.migrate(queue)
    let found = try queue.read { try String.fetchOne($0, sql: "PRAGMA quick_check(1)") }
    guard found == "ok" else { throw DatabaseFault.damaged(found ?? "it holds nothing") }
  }
}

extension DatabaseQueue {
  /// Lets go of a file that is set aside or removed, in a process that goes on.
  ///
  /// What GRDB keeps beside a queue is freed on a global queue of Dispatch, which looks after the threads of
  /// those each second from then on: the closed connection stays, for damage is rare.
  public func closeForEver() {
    try? close()
    _ = Unmanaged.passRetained(self)
  }
}
