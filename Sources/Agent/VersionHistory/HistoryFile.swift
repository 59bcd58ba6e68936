// SPDX-License-Identifier: MIT

import Glibc

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
    var status = stat()
    if lstat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFREG else { throw .damaged("it is no regular file") }
      if status.st_mode & 0o077 != 0 { chmod(path, 0o600) }
      // SQLite would take it for a database that is only read.
      guard access(path, W_OK) == 0, access(directory, W_OK) == 0 else { throw Self.refusal(errno) }
      return false
    }
    guard errno == ENOENT else { throw Self.refusal(errno) }
    // A log without its file belongs to nothing any more.
    for part in Self.parts.dropFirst() { unlink(path + part) }
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { throw Self.refusal(errno) }
    close(file)
    return true
  }

  private static func refusal(_ number: CInt) -> HistoryFault {
    switch number {
    case ENOSPC, EDQUOT: .unavailable("the disk is full; free some space")
    case EROFS: .unavailable("the file system is read-only; mount it writable")
    default: .unavailable("\(String(cString: strerror(number))); give this user access")
    }
  }

  /// Makes the directory's names durable.
  func synchronizeDirectory() {
    let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  /// Keeps what is there under another name. The file goes before its log: a log without its file is read by
  /// nothing, while a file without its log would pass for an older one.
  func setAside() throws(HistoryFault) {
    for part in Self.parts {
      unlink(asidePath + part)
      guard rename(path + part, asidePath + part) == 0 || errno == ENOENT else {
        throw .unavailable("it cannot be moved aside (\(String(cString: strerror(errno)))); move it away")
      }
    }
    synchronizeDirectory()
  }
}
