// SPDX-License-Identifier: MIT

import ActivityModel
import LinuxSystem

/// The database's file and its log, as files: made privately, and set aside when they are damaged.
struct HistoryFile {
  let directory: String

  static let name = "history.sqlite"

  var path: String { directory + "/" + Self.name }
  /// Where a damaged file is kept; the next one takes its place.
  var asidePath: String { path + ".damaged" }

  private static let parts = ["", "-wal", "-shm", "-journal"]

  /// Makes an empty file that nobody else may read, for SQLite takes over its mode. True when it was not
  /// there.
  func create() throws(HistoryFault) -> Bool {
    let file = FilePath(path)
    do throws(Errno) {
      guard let kind = try prepare(file) else { return true }
      if kind == .regular { return false }
    } catch {
      throw Self.refusal(error)
    }
    throw .damaged("it is no regular file")
  }

  /// What was there; nil for nothing, and there is an empty file now.
  private func prepare(_ file: FilePath) throws(Errno) -> FileKind? {
    let status: FileStatus
    do throws(Errno) { status = try file.status(followingLinks: false) } catch {
      guard error == .noSuchFile else { throw error }
      // A log without its file belongs to nothing any more.
      for part in Self.parts.dropFirst() { try? FilePath(path + part).unlink() }
      _ = try file.open([.writeOnly, .create, .exclusive, .noFollow], mode: 0o600)
      return nil
    }
    guard status.kind == .regular else { return status.kind }
    if !status.isPrivate { try? file.setPermissions(0o600) }
    // SQLite would take it for a database that is only read.
    try file.check(.write)
    try FilePath(directory).check(.write)
    return .regular
  }

  private static func refusal(_ reason: Errno) -> HistoryFault {
    switch reason {
    case .noSpace, .quotaExceeded: .unavailable("the disk is full; free some space")
    case .readOnlyFileSystem: .unavailable("the file system is read-only; mount it writable")
    default: .unavailable("\(reason.text); give this user access")
    }
  }

  /// Makes the directory's names durable.
  func synchronizeDirectory() { FilePath(directory).synchronizeFolder() }

  /// Keeps what is there under another name. The file goes before its log: a log without its file is read by
  /// nothing, while a file without its log would pass for an older one.
  func setAside() throws(HistoryFault) {
    for part in Self.parts {
      let aside = FilePath(asidePath + part)
      try? aside.unlink()
      do throws(Errno) {
        try FilePath(path + part).rename(to: aside)
      } catch {
        guard error == .noSuchFile else {
          throw .unavailable("it cannot be moved aside (\(error.text)); move it away")
        }
      }
    }
    synchronizeDirectory()
  }
}
