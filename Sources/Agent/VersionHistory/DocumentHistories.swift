// SPDX-License-Identifier: MIT

public import ActivityModel
import StateDatabase
public import SyncedFolders

/// The versions that each document has had here: which, when, and from whom. On the disk as they come, and
/// bounded; only those in use are in memory.
///
/// One thread at a time; calls block for what the disk needs. A history that is lost makes `ahead` look
/// `diverged`, never the reverse: nothing is remembered of a path that was not there.
public final class DocumentHistories {
  /// Which document.
  public typealias Place = DocumentPlace

  /// Why the last change could not be written, and what to do; nil when it was. It is kept, and tried again.
  public private(set) var problem: String?
  /// What damage took along, in sentences for people.
  public private(set) var losses: [String] = []
  /// Whose histories stay when room is needed: documents that are open, offered or waited for.
  public var placesInUse: () -> Set<Place> = { [] }
  /// What this device's own activities name now; a history that had to begin anew begins with it.
  public var ownVersions: () -> [(place: Place, version: DocumentVersion)] = { [] }

  private struct Entry {
    var past: DocumentPast
    /// What the database holds.
    var stored: DocumentPast
    /// False when the database could not be read: what it holds is taken in before it is written.
    var isRead = true
  }

  private let file: DatabaseFile
  private let byteLimit: Int
  private var database: HistoryDatabase?
  private var isClosed = false
  private var cache: [Place: Entry] = [:]
  /// Changed, and not in the database yet; the one that waits longest first.
  private var unwritten: [Place] = []

  /// The most bytes of pages in use; the file is at most 1 MiB longer, and its log 5 MiB.
  public static let byteLimit = 32 << 20
  /// Documents held in memory; those with changes that could not be written are above this number.
  private static let cacheLimit = 128
  /// Changes that wait for a disk that has room again.
  private static let unwrittenLimit = 2048
  /// While the disk refuses, and above so many waiting changes, only `save()` tries again.
  private static let retryLimit = 16

  /// Opens the histories in `directory`, which exists and is private; a damaged file is set aside.
  ///
  /// Throws `agentUnavailable` for one that a newer release wrote: it is left as it is. When the disk
  /// refuses, `problem` says so, and what happens meanwhile is kept in memory.
  public init(directory: String, byteLimit: Int = DocumentHistories.byteLimit) throws(ContinuityError) {
    file = DatabaseFile(directory: directory, name: HistorySchema.fileName)
    self.byteLimit = byteLimit
    do {
      database = try open()
    } catch {
      if case .newer = error {
        throw ContinuityError(.agentUnavailable, subject: file.path, description: newerSentence)
      }
      report(error)
    }
  }

  // MARK: Reading

  /// What the document had; empty when nothing is known, or it cannot be read now.
  public subscript(place: Place) -> DocumentHistory { entry(of: place).past.history }

  /// What is known of each version of the document, newest first.
  public func versions(of place: Place) -> [KnownVersion] { entry(of: place).past.rows.map(\.version) }

  private func entry(of place: Place) -> Entry {
    if let entry = cache[place] { return entry }
    let read = perform { database in try database.read(place) }
    // A history that began anew meanwhile may hold it.
    if let entry = cache[place] { return entry }
    let past = read.flatMap(\.self) ?? DocumentPast()
    let entry = Entry(past: past, stored: past, isRead: read != nil)
    // What could not be read is asked for again.
    if read != nil { remember(entry, of: place) }
    return entry
  }

  private func remember(_ entry: Entry, of place: Place) {
    if cache.count >= Self.cacheLimit, cache[place] == nil {
      let waiting = Set(unwritten)
      cache = cache.filter { waiting.contains($0.key) }
    }
    cache[place] = entry
  }

  // MARK: Changing

  /// Lets `change` happen to a document's history, because of `sighting`. What was changed outlives this
  /// process when this returns, unless `problem` says otherwise; a loss of power only after `save()`.
  public func change(
    _ place: Place, because sighting: VersionSighting, at wall: WallTime,
    by change: (inout DocumentHistory) -> Void
  ) {
    var past = entry(of: place).past
    past.change(sighting, at: wall, change)
    put(past, at: place)
    if problem == nil || unwritten.count <= Self.retryLimit { write(durably: false) }
  }

  private func put(_ past: DocumentPast, at place: Place) {
    var entry = entry(of: place)
    guard entry.past != past else { return }
    entry.past = past
    remember(entry, of: place)
    guard !unwritten.contains(place) else { return }
    unwritten.append(place)
    if unwritten.count > Self.unwrittenLimit { cache[unwritten.removeFirst()] = nil }
  }

  /// Makes everything that was changed outlive a loss of power. Blocks for one `fdatasync`, three after
  /// each 64 changes, or none when nothing was changed. Throws `folderUnavailable` with what to do when the
  /// disk refuses.
  public func save() throws(ContinuityError) {
    write(durably: true)
    guard let problem else { return }
    throw ContinuityError(.folderUnavailable, subject: HistorySchema.fileName, description: problem)
  }

  private func write(durably: Bool) {
    let forgotten = perform { database in
      try takeInUnread(from: database)
      let changes = unwritten.compactMap { place in
        cache[place].map { HistoryDatabase.Change(place: place, stored: $0.stored, now: $0.past) }
      }
      return try database.write(changes, durably: durably) { placesInUse().union(unwritten) }
    }
    guard let forgotten else { return }
    for place in unwritten {
      guard let past = cache[place]?.past else { continue }
      cache[place]?.stored = past
    }
    unwritten = []
    problem = nil
    for place in forgotten { cache[place] = nil }
  }

  private func takeInUnread(from database: HistoryDatabase) throws {
    for place in unwritten {
      guard var entry = cache[place], !entry.isRead else { continue }
      entry.stored = try database.read(place) ?? DocumentPast()
      entry.past.merge(entry.stored)
      entry.isRead = true
      cache[place] = entry
    }
  }

  /// The folder was given another ID elsewhere, and has that one from now on; its documents keep their past.
  public func move(from old: FolderID, to new: FolderID) {
    guard old != new else { return }
    write(durably: false)
    guard unwritten.isEmpty, perform({ database in try database.move(from: old, to: new) }) != nil else {
      return
    }
    cache = cache.filter { $0.key.folder != old && $0.key.folder != new }
  }

  // MARK: Bringing back

  /// Takes in a history of which nothing but its versions is known: an older release stored it. What is
  /// known already stays. Written with the next `save()`.
  public func adopt(_ history: DocumentHistory, of place: Place) {
    guard entry(of: place).past.history.versions.isEmpty else { return }
    put(DocumentPast(history), at: place)
    if unwritten.count >= Self.cacheLimit { write(durably: false) }
  }

  /// Takes in a version that this device's own record names, with its lineage, unless it is known: after a
  /// loss that is what is left. Never for another device's record: what never was here would pass for old.
  public func recall(_ version: DocumentVersion, of place: Place, at wall: WallTime) {
    guard !entry(of: place).past.history.contains(version.digest) else { return }
    change(place, because: VersionSighting(version.digest, size: version.size, source: .recalled), at: wall) {
      $0.adopt(version)
    }
  }

  /// Something was lost before it could be taken in; the sentence is for people.
  public func noteLoss(_ sentence: String) { losses.append(sentence) }

  /// Whether all of the file is what was written: reads every page, every index and every checksum.
  public func isSound() -> Bool { perform { database in try database.isSound() } ?? false }

  /// Lets go of the file, for another to open it. Nothing is read or written from then on.
  public func close() {
    database?.close()
    database = nil
    isClosed = true
  }

  // MARK: The database

  private func open() throws(DatabaseFault) -> HistoryDatabase {
    do {
      return try HistoryDatabase(file, byteLimit: byteLimit)
    } catch {
      guard case .damaged(let reason) = DatabaseFault(error) else { throw DatabaseFault(error) }
      try setAside(reason)
    }
    do {
      return try HistoryDatabase(file, byteLimit: byteLimit)
    } catch {
      throw DatabaseFault(error)
    }
  }

  /// Nil when the database cannot be used now. Damage that comes to light is set aside, and another is begun
  /// with what is in memory and in this device's own activities.
  private func perform<Result>(_ work: (HistoryDatabase) throws -> Result) -> Result? {
    do throws(DatabaseFault) {
      let database = try opened()
      do {
        let result = try work(database)
        if unwritten.isEmpty { problem = nil }
        return result
      } catch {
        guard case .damaged(let reason) = DatabaseFault(error) else { throw DatabaseFault(error) }
        try beginAnew(reason)
      }
      let result: Result
      do { result = try work(try opened()) } catch { throw DatabaseFault(error) }
      return result
    } catch {
      report(error)
      return nil
    }
  }

  private func opened() throws(DatabaseFault) -> HistoryDatabase {
    if isClosed { throw .unavailable("it was closed; open it again") }
    if let database { return database }
    let opened = try open()
    database = opened
    return opened
  }

  private func beginAnew(_ reason: String) throws(DatabaseFault) {
    database?.closeForEver()
    database = nil
    try setAside(reason)
    _ = try opened()
    for place in cache.keys {
      cache[place]?.stored = DocumentPast()
      cache[place]?.isRead = true
    }
    for (place, version) in ownVersions() where cache[place] == nil {
      var past = DocumentPast()
      let sighting = VersionSighting(version.digest, size: version.size, source: .recalled)
      past.change(sighting, at: WallTime(milliseconds: 0)) { $0.adopt(version) }
      cache[place] = Entry(past: past, stored: DocumentPast())
    }
    unwritten = cache.filter { !$0.value.past.rows.isEmpty }.map(\.key)
  }

  private func setAside(_ reason: String) throws(DatabaseFault) {
    try file.setAside()
    losses.append(
      "The documents' histories were damaged (\(reason)) and start again; the damaged file is kept as "
        + "\(file.asidePath). A document that is newer here may be told as diverged for a while.")
  }

  private func report(_ fault: DatabaseFault) {
    switch fault {
    case .damaged(let reason), .unavailable(let reason):
      problem = "The documents' histories in \(file.path) cannot be written: \(reason)."
    case .newer: problem = newerSentence
    }
  }

  private var newerSentence: String {
    "\(file.path) was written by a newer release: run that one, or move the file away to begin without the "
      + "documents' histories."
  }
}
