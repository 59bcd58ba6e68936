// SPDX-License-Identifier: MIT

public import ActivityModel
import StateDatabase

/// The activities that apps had kept for search, by their words: durable, bounded, and forgotten for good
/// when they are deleted (semantics 11).
///
/// One thread at a time; calls block for what the disk needs.
public final class ActivityIndex {
  /// What damage took along, in sentences for people.
  public private(set) var losses: [String] = []
  private let file: DatabaseFile
  private var limits: SavedActivityLimits
  private var database: IndexDatabase?

  /// Opens the index in `directory`, which exists and is private. What is damaged is begun anew, with all
  /// that can still be read.
  ///
  /// Throws `agentUnavailable` for one that a newer release wrote: it is left as it is. When the disk
  /// refuses, each call tries again.
  public init(
    directory: String, limits: SavedActivityLimits = SavedActivityLimits()
  ) throws(ContinuityError) {
    file = DatabaseFile(directory: directory, name: IndexSchema.fileName)
    self.limits = limits
    do throws(DatabaseFault) { _ = try opened() } catch {
      if case .newer = error { throw Self.sentence(error, file) }
    }
  }

  // MARK: Finding

  /// Those that have all of these words: first those with all in the title, then in what else names them,
  /// then anywhere, in each the newest first. See `SearchText.query`. `appID` keeps to one app's.
  ///
  /// Throws `invalidRequest` for too many words, `folderUnavailable` when the disk refuses.
  public func search(
    _ words: String, of appID: String?, atMost limit: Int, at wall: WallTime
  ) throws(ContinuityError) -> [SavedActivity] {
    let query = try SearchText.query(words)
    guard !query.isEmpty else { return [] }
    return try perform { try $0.search(query, of: appID, atMost: limit, at: wall) }.map(\.saved)
  }

  /// Those that were saved last, newest first. Throws `folderUnavailable` when the disk refuses.
  public func recent(
    of appID: String?, atMost limit: Int, at wall: WallTime
  ) throws(ContinuityError) -> [SavedActivity] {
    try perform { try $0.recent(of: appID, atMost: limit, at: wall) }.map(\.saved)
  }

  /// The one that an app saved under an identifier, here or on another device. Throws `folderUnavailable`
  /// when the disk refuses.
  public func activity(
    _ key: SavedActivity.Key, at wall: WallTime
  ) throws(ContinuityError) -> SavedActivity? {
    let app = IndexedApp(key.appID, on: key.device)
    return try perform { try $0.activity(key.identifier, of: app, at: wall) }?.saved
  }

  /// Those of this device, the one that was saved last first. Throws `folderUnavailable` when the disk
  /// refuses.
  public func own(atMost limit: Int, at wall: WallTime) throws(ContinuityError) -> [SavedActivity] {
    try perform { try $0.own(atMost: limit, at: wall) }.map(\.saved)
  }

  /// What is kept of other devices, expired or not. Throws `folderUnavailable` when the disk refuses.
  public func ofOthers() throws(ContinuityError) -> [SavedActivity] {
    try perform { try $0.others() }.map(\.saved)
  }

  /// Before nothing expires, which is often when the next one does; nil where none is kept. Throws
  /// `folderUnavailable` when the disk refuses.
  public func nextExpiry() throws(ContinuityError) -> WallTime? { try perform { $0.nextExpiry() } }

  // MARK: Changing

  /// Keeps what a stored record holds of these, as far as they are to be kept, all or none. They outlive a
  /// loss of power when this returns. Throws `folderUnavailable` when the disk refuses, `userInfoTooLarge`
  /// for one that could not be read again.
  public func save(_ activities: [SavedActivity], at wall: WallTime) throws(ContinuityError) {
    let wanted = activities.filter { $0.snapshot.isToBeKept && limits.expiry(of: $0.snapshot) > wall }
    guard !wanted.isEmpty else { return }
    var kept: [(app: IndexedApp, snapshot: ActivitySnapshot)] = []
    for activity in wanted {
      guard let snapshot = IndexDatabase.stored(activity.snapshot.forKeeping) else {
        throw ContinuityError(
          .userInfoTooLarge, subject: activity.snapshot.persistentIdentifier ?? "",
          description: "The activity is too large to be kept for search: put less into it.")
      }
      kept.append((IndexedApp(activity.appID), snapshot))
    }
    try perform { try $0.save(kept) }
  }

  /// Keeps these of another device, newest first, as far as they are to be kept, and none besides in that
  /// part of its list. Throws as `delete`.
  public func take(
    _ activities: [SavedActivity], of device: DeviceID, part: Int, at wall: WallTime
  ) throws(ContinuityError) {
    let kept = activities.compactMap { activity -> (app: IndexedApp, snapshot: ActivitySnapshot)? in
      guard activity.snapshot.isToBeKept, limits.expiry(of: activity.snapshot) > wall else { return nil }
      let app = IndexedApp(activity.appID, on: device)
      return IndexDatabase.stored(activity.snapshot.forKeeping).map { (app, $0) }
    }
    try perform { try $0.take(kept, of: device, part: part) }
  }

  /// Removes these of other devices. Throws as `delete`.
  public func forget(_ keys: [SavedActivity.Key]) throws(ContinuityError) {
    guard !keys.isEmpty else { return }
    try perform { try $0.forget(keys) }
  }

  /// Removes an app's activities with one of these identifiers, or in one of these domains or below; all of
  /// them where both are nil. They are found no more; `erase()` makes them unreadable. Throws
  /// `folderUnavailable` when the disk refuses; then they are as they were.
  public func delete(
    _ identifiers: [String]?, domains: [String]? = nil, of appID: String
  ) throws(ContinuityError) {
    try perform { try $0.delete(identifiers, domains: domains, of: appID) }
  }

  /// Removes what is kept for nothing else than that it was handed over. Throws as `delete`.
  public func deleteHandedOver() throws(ContinuityError) { try perform { try $0.deleteHandedOver() } }

  /// So much is kept from now on: what is too much is removed, as `delete` does, and until when something is
  /// kept is decided when it is saved. Throws as `delete`.
  public func use(_ limits: SavedActivityLimits) throws(ContinuityError) {
    guard limits != self.limits else { return }
    self.limits = limits
    try perform { try $0.use(limits) }
  }

  /// Removes what has expired. Throws as `delete`.
  public func removeExpired(at wall: WallTime) throws(ContinuityError) {
    try perform { try $0.removeExpired(at: wall) }
  }

  /// Whether something that was removed or replaced may be readable; also while the disk refuses to tell.
  public var hasRemains: Bool { (try? perform { $0.hasRemains }) ?? true }

  /// Makes all that was removed or replaced unreadable in the files, as far as the file system writes in
  /// place. Takes as long as it takes to write the whole index. Throws `folderUnavailable` when the disk
  /// refuses.
  public func erase() throws(ContinuityError) {
    try perform { if $0.hasRemains { try $0.erase() } }
  }

  /// Something was lost before it could be taken in; the sentence is for people.
  public func noteLoss(_ sentence: String) { losses.append(sentence) }

  /// Lets go of the file, for another to open it.
  public func close() {
    database?.close()
    database = nil
  }

  // MARK: The database

  /// Damage that comes to light is mended once, and the work done again.
  private func perform<Result>(
    _ work: (IndexDatabase) throws -> Result
  ) throws(ContinuityError) -> Result {
    do throws(DatabaseFault) {
      let database = try opened()
      do { return try work(database) } catch {
        try beginAnew(Self.damage(error, atOpening: false))
      }
      do { return try work(try opened()) } catch { throw DatabaseFault(error) }
    } catch {
      throw Self.sentence(error, file)
    }
  }

  private func opened() throws(DatabaseFault) -> IndexDatabase {
    if let database { return database }
    try finishRebuilding()
    do {
      database = try IndexDatabase(file, limits: limits)
    } catch {
      try beginAnew(Self.damage(error, atOpening: true))
    }
    guard let database else { throw .unavailable("it was closed") }
    return database
  }

  /// What is deleted later would stay readable in a file that is set aside: only what can be read is taken
  /// over, into a new file that is whole before the damaged one goes.
  private func beginAnew(_ reason: String) throws(DatabaseFault) {
    database?.closeForEver()
    database = nil
    let readable = IndexDatabase.readable(in: file)
    losses.append(
      "The saved activities were damaged (\(reason)); \(readable.count) of them could be read and are kept.")
    do {
      try made.erase()
      let rebuilt = try IndexDatabase(made, limits: limits)
      try rebuilt.save(readable.map { ($0.app, $0.snapshot) })
      // Alone in its file, without a log beside it.
      try rebuilt.erase()
      rebuilt.closeForEver()
      // What SQLite writes when it lets go of a file is not on the disk yet.
      try made.synchronize()
      // Not erased in its place: of one that is erased by half nothing could be read any more.
      try file.move(to: former)
      try finishRebuilding()
      database = try IndexDatabase(file, limits: limits)
    } catch { throw DatabaseFault(error) }
  }

  /// The new one while it is made, and the damaged one once that is whole.
  private var made: DatabaseFile { file.sibling("rebuilt") }
  private var former: DatabaseFile { file.sibling("former") }

  /// From wherever the power failed: without the damaged file the new one is whole; beside it, it may not be.
  private func finishRebuilding() throws(DatabaseFault) {
    // A file system without a journal may have lost both names of what was renamed.
    if !file.exists, let left = [made, former].first(where: \.exists) { try left.move(to: file) }
    for left in [made, former] { try left.erase(unlessNamedAs: file) }
  }

  /// What is damaged; throws what is no damage, for mending removes the file.
  private static func damage(
    _ error: any Error, atOpening isOpening: Bool
  ) throws(DatabaseFault) -> String {
    switch DatabaseFault(error) {
    case .damaged(let reason) where DatabaseFault.isDamage(error, atOpening: isOpening): return reason
    case .damaged(let reason): throw .unavailable(reason)
    case let fault: throw fault
    }
  }

  private static func sentence(_ fault: DatabaseFault, _ file: DatabaseFile) -> ContinuityError {
    switch fault {
    case .damaged(let reason), .unavailable(let reason):
      ContinuityError(
        .folderUnavailable, subject: IndexSchema.fileName,
        description: "The saved activities in \(file.path) cannot be used: \(reason).")
    case .newer:
      ContinuityError(
        .agentUnavailable, subject: file.path,
        description:
          "\(file.path) was written by a newer release: run that one, or move the file away to begin without "
          + "the saved activities.")
    }
  }
}
