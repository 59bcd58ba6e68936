// SPDX-License-Identifier: MIT

import ActivityModel
import FoundationEssentials
import GRDB
import StateDatabase
import SyncedFolders

/// The histories in SQLite: reads one, writes changed ones in one transaction, and keeps the file within its
/// bound. Throws `DatabaseFault`. One thread at a time.
final class HistoryDatabase {
  /// What a document's rows have to become.
  struct Change {
    var place: DocumentHistories.Place
    var stored: DocumentPast
    var now: DocumentPast
  }

  private let queue: DatabaseQueue
  private let byteLimit: Int
  private var devices: [Int64: KnownVersion.Device] = [:]
  private var deviceNumbers: [DeviceID: Int64] = [:]
  /// Those that the transaction under way writes: they count when it does.
  private var newDevices: [(number: Int64, device: KnownVersion.Device)] = []
  private var touches: Int64 = 0
  private var pageSize = 4096
  private var isSynchronized = true
  /// Documents written since the log was last folded in.
  private var logged = 0

  /// Documents that are forgotten at once when room is needed.
  private static let batch = 16
  /// Documents after whose writing the next durable write folds the log in: the others never wait for that.
  private static let logLimit = 64
  /// Free pages are given back to the disk above this many, so many at once.
  private static let spare = (limit: 128, step: 64)

  /// Opens the file, or makes it. `byteLimit` holds for the pages in use.
  init(_ file: DatabaseFile, byteLimit: Int) throws {
    self.byteLimit = byteLimit
    queue = try HistorySchema.setup.open(file)
    do {
      try load()
    } catch {
      close()
      throw error
    }
    // The look whether the file is sound has read all of its pages.
    queue.releaseMemory()
  }

  /// Lets go of the file: a connection that ends later would take the next file's log away, for it goes by
  /// the name.
  func close() { try? queue.close() }

  /// Lets go of a file that is set aside, in a process that goes on.
  func closeForEver() { queue.closeForEver() }

  private func load() throws {
    try queue.read { database in
      pageSize = try Int.fetchOne(database, sql: "PRAGMA page_size") ?? pageSize
      touches = try Int64.fetchOne(database, sql: "SELECT max(touched) FROM document") ?? 0
      for row in try Row.fetchAll(database, sql: "SELECT id, key, name FROM device") {
        guard let number = row.integer(0), let id = row.bytes(1).flatMap({ DeviceID(bytes: $0) }) else {
          continue
        }
        settle(KnownVersion.Device(id: id, name: row.text(2) ?? ""), as: number)
      }
    }
  }

  // MARK: Reading

  /// What is known of a document; nil when that is nothing.
  func read(_ place: DocumentHistories.Place) throws -> DocumentPast? {
    try queue.read { try past(of: place, in: $0) }
  }

  /// Whether SQLite finds nothing wrong, and each document's rows match their checksum.
  func isSound() throws -> Bool {
    try queue.read { database in
      guard try String.fetchAll(database, sql: "PRAGMA integrity_check") == ["ok"] else { return false }
      let documents = try Row.fetchCursor(database, sql: "SELECT id, folder, path FROM document")
      while let row = try documents.next() {
        guard let place = DocumentHistories.Place(row), try past(of: place, in: database) != nil else {
          return false
        }
      }
      return true
    }
  }

  private func past(of place: DocumentHistories.Place, in database: Database) throws -> DocumentPast? {
    let document = try Row.fetchOne(
      database.cachedStatement(
        sql: "SELECT id, generation, checksum FROM document WHERE folder = ? AND path = ?"),
      arguments: [Data(place.folder.bytes), Data(place.path.bytes)])
    guard let document, let id = document.integer(0) else { return nil }
    let rows = try Row.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT position, digest, size, generation, seen, changed, sources, device FROM version
          WHERE document = ? ORDER BY position DESC
          """), arguments: [id])
    let generation = UInt64(bitPattern: document.integer(1) ?? 0)
    guard let past = DocumentPast(rows: try rows.map(version), generation: generation),
      past.checksum(at: place) == document.integer(2)
    else { throw DatabaseFault.damaged("the history of one document does not match its checksum") }
    return past
  }

  private func version(_ row: Row) throws -> DocumentPast.Row {
    let bytes = row.bytes(1) ?? []
    let digest = ContentDigest(bytes: bytes)
    guard let position = row.integer(0), let prefix = digest?.prefix ?? DigestPrefix(bytes: bytes),
      let sources = row.integer(6).flatMap({ UInt8(exactly: $0) })
    else { throw DatabaseFault.damaged("a version has no digest") }
    var version = KnownVersion(prefix)
    version.digest = digest
    version.size = row.integer(2).map { UInt64(bitPattern: $0) }
    version.generation = UInt64(bitPattern: row.integer(3) ?? 0)
    version.seen = row.integer(4).map { WallTime(milliseconds: UInt64(bitPattern: $0)) }
    version.changed = row.integer(5).map { WallTime(milliseconds: UInt64(bitPattern: $0)) }
    version.sources = VersionSources(rawValue: sources)
    version.device = row.integer(7).flatMap { devices[$0] }
    return DocumentPast.Row(position: position, version: version)
  }

  // MARK: Writing

  /// Writes all of `changes` or nothing. What was written outlives this process when this returns, and a loss
  /// of power, too, when `durably`.
  ///
  /// Gives the documents that were forgotten to stay within the bound, none of `keeping` among them.
  func write(
    _ changes: [Change], durably: Bool, keeping: () -> Set<DocumentHistories.Place>
  ) throws -> [DocumentHistories.Place] {
    guard !(changes.isEmpty && (isSynchronized || !durably)) else { return [] }
    var forgotten: [DocumentHistories.Place] = []
    newDevices = []
    try queue.writeWithoutTransaction { database in
      if durably { try database.execute(sql: "PRAGMA synchronous = FULL") }
      defer { if durably { try? database.execute(sql: "PRAGMA synchronous = NORMAL") } }
      try database.inTransaction {
        for change in changes { try write(change, to: database) }
        // A commit that changes nothing would not reach the disk, and with it those before it.
        if durably { try database.execute(sql: "UPDATE mark SET saves = saves + 1") }
        forgotten = try makeRoom(in: database, keeping: keeping)
        return .commit
      }
      for (number, device) in newDevices { settle(device, as: number) }
      isSynchronized = durably
      logged += changes.count
      if durably, logged >= Self.logLimit {
        logged = 0
        try database.execute(sql: "PRAGMA wal_checkpoint(PASSIVE)")
      }
      if try Int.fetchOne(database, sql: "PRAGMA freelist_count") ?? 0 > Self.spare.limit {
        try database.execute(sql: "PRAGMA incremental_vacuum(\(Self.spare.step))")
      }
    }
    return forgotten
  }

  private func write(_ change: Change, to database: Database) throws {
    let id = try document(change, in: database)
    let stored = Dictionary(change.stored.rows.map { ($0.position, $0.version) }) { first, _ in first }
    let now = Set(change.now.rows.map(\.position))
    for position in stored.keys where !now.contains(position) {
      try database.cachedStatement(sql: "DELETE FROM version WHERE document = ? AND position = ?")
        .execute(arguments: [id, position])
    }
    for row in change.now.rows where stored[row.position] != row.version {
      let version = row.version
      try database.cachedStatement(sql: "INSERT OR REPLACE INTO version VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")
        .execute(arguments: [
          id, row.position, Data(version.digest?.bytes ?? version.prefix.bytes),
          version.size.map { Int64(bitPattern: $0) }, Int64(bitPattern: version.generation),
          version.seen.map { Int64(bitPattern: $0.milliseconds) },
          version.changed.map { Int64(bitPattern: $0.milliseconds) }, Int64(version.sources.rawValue),
          try version.device.map { try number(of: $0, in: database) },
        ])
    }
  }

  private func document(_ change: Change, in database: Database) throws -> Int64 {
    touches += 1
    let id = try Int64.fetchOne(
      database.cachedStatement(
        sql: """
          INSERT INTO document (folder, path, generation, touched, checksum) VALUES (?, ?, ?, ?, ?)
          ON CONFLICT (folder, path) DO UPDATE SET
            generation = excluded.generation, touched = excluded.touched, checksum = excluded.checksum
          RETURNING id
          """),
      arguments: [
        Data(change.place.folder.bytes), Data(change.place.path.bytes),
        Int64(bitPattern: change.now.history.generation), touches, change.now.checksum(at: change.place),
      ])
    guard let id else { throw DatabaseFault.damaged("a document has no number") }
    return id
  }

  private func number(of device: KnownVersion.Device, in database: Database) throws -> Int64? {
    if let number = deviceNumbers[device.id], devices[number]?.name == device.name { return number }
    let number = try Int64.fetchOne(
      database,
      sql: """
        INSERT INTO device (key, name) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET name = excluded.name
        RETURNING id
        """, arguments: [Data(device.id.bytes), device.name])
    guard let number else { return nil }
    newDevices.append((number, device))
    return number
  }

  private func settle(_ device: KnownVersion.Device, as number: Int64) {
    devices[number] = device
    deviceNumbers[device.id] = number
  }

  // MARK: The bound

  /// Forgets the documents that were untouched longest until the pages in use are few enough.
  private func makeRoom(
    in database: Database, keeping: () -> Set<DocumentHistories.Place>
  ) throws -> [DocumentHistories.Place] {
    var forgotten: [DocumentHistories.Place] = []
    var kept: Set<DocumentHistories.Place>?
    while try usedBytes(in: database) > byteLimit {
      let keep = kept ?? keeping()
      kept = keep
      let oldest = try Row.fetchAll(
        database, sql: "SELECT id, folder, path FROM document ORDER BY touched LIMIT ?",
        arguments: [Self.batch + keep.count])
      let going = oldest.compactMap { row -> (Int64, DocumentHistories.Place?)? in
        guard let id = row.integer(0) else { return nil }
        let place = DocumentHistories.Place(row)
        return place.map(keep.contains) ?? false ? nil : (id, place)
      }
      guard !going.isEmpty else { break }
      for (id, place) in going.prefix(Self.batch) {
        try forget(id, in: database)
        if let place { forgotten.append(place) }
      }
    }
    return forgotten
  }

  private func forget(_ id: Int64, in database: Database) throws {
    try database.cachedStatement(sql: "DELETE FROM version WHERE document = ?").execute(arguments: [id])
    try database.cachedStatement(sql: "DELETE FROM document WHERE id = ?").execute(arguments: [id])
  }

  private func usedBytes(in database: Database) throws -> Int {
    let pages = try Int.fetchOne(database.cachedStatement(sql: "PRAGMA page_count")) ?? 0
    let free = try Int.fetchOne(database.cachedStatement(sql: "PRAGMA freelist_count")) ?? 0
    return (pages - free) * pageSize
  }

  // MARK: Another folder ID

  /// Documents of `old` are documents of `new` from now on; where both are known, the history under `new`
  /// stays the newer one and takes the other in.
  func move(from old: FolderID, to new: FolderID) throws {
    try queue.write { database in
      let (former, latter) = (Data(old.bytes), Data(new.bytes))
      let twice = try Row.fetchAll(
        database,
        sql: """
          SELECT a.id, a.folder, a.path FROM document a JOIN document b
          ON b.folder = ? AND b.path = a.path WHERE a.folder = ?
          """, arguments: [latter, former])
      for row in twice {
        guard let id = row.integer(0), let place = DocumentHistories.Place(row) else { continue }
        let target = DocumentHistories.Place(folder: new, path: place.path)
        guard let newer = try past(of: target, in: database), let older = try past(of: place, in: database)
        else { continue }
        var merged = newer
        merged.merge(older)
        try forget(id, in: database)
        try write(Change(place: target, stored: newer, now: merged), to: database)
      }
      // The folder's part of the checksum is taken out and the other's put in: a | b less a & b is a ^ b.
      let difference = DocumentPast.checksum(of: old) ^ DocumentPast.checksum(of: new)
      try database.execute(
        sql: """
          UPDATE document SET folder = ?, checksum = (checksum | ?) - (checksum & ?) WHERE folder = ?
          """, arguments: [latter, difference, difference, former])
    }
    isSynchronized = false
  }
}
