// SPDX-License-Identifier: MIT

import ActivityModel
import LinuxSystem

/// A database's file and its log, as files: made privately, and set aside or removed when they are damaged.
/// Any thread.
public struct DatabaseFile: Sendable {
  private let directory: String
  private let name: String

  /// The file of that name in a private directory that exists.
  public init(directory: String, name: String) { (self.directory, self.name) = (directory, name) }

  /// The file of that name and another ending.
  public func sibling(_ ending: String) -> DatabaseFile {
    DatabaseFile(directory: directory, name: "\(name).\(ending)")
  }

  /// Whether the file is there.
  public var exists: Bool { (try? FilePath(path).status(followingLinks: false)) != nil }

  /// The file itself; its log lies beside it.
  public var path: String { directory + "/" + name }
  /// Where a damaged file is kept; the next one takes its place.
  public var asidePath: String { sibling("damaged").path }

  private static let parts = ["", "-wal", "-shm", "-journal"]

  /// Makes an empty file that nobody else may read, for SQLite takes over its mode. True when it was not
  /// there. Throws what the disk refuses, and `damaged` for what is no file.
  public func create() throws(DatabaseFault) -> Bool {
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

  private static func refusal(_ reason: Errno) -> DatabaseFault {
    switch reason {
    case .noSpace, .quotaExceeded: .unavailable("the disk is full; free some space")
    case .readOnlyFileSystem: .unavailable("the file system is read-only; mount it writable")
    default: .unavailable("\(reason.text); give this user access")
    }
  }

  /// Makes what is in the file durable, without its log. Throws what the disk refuses.
  public func synchronize() throws(DatabaseFault) {
    do throws(Errno) { try FilePath(path).open([.readOnly, .noFollow]).synchronize() } catch {
      throw Self.refusal(error)
    }
  }

  /// Makes the directory's names durable.
  public func synchronizeDirectory() { FilePath(directory).synchronizeFolder() }

  /// Keeps what is there under another name. Throws what the disk refuses.
  public func setAside() throws(DatabaseFault) { try move(to: sibling("damaged")) }

  /// Gives what is there, which is closed, another name, in place of what had that. The file goes before its
  /// log: a log without its file is read by nothing, while a file without its log would pass for an older
  /// one. Throws what the disk refuses.
  public func move(to other: DatabaseFile) throws(DatabaseFault) {
    // A log beside a file that it does not belong to would be folded into that.
    try other.erase(Self.parts.dropFirst())
    for part in Self.parts {
      do throws(Errno) {
        try FilePath(path + part).rename(to: FilePath(other.path + part))
      } catch {
        guard error == .noSuchFile else {
          throw .unavailable("it cannot be moved aside (\(error.text)); move it away")
        }
      }
    }
    synchronizeDirectory()
  }

  /// Overwrites what is there, and removes it: nothing of it can be read afterwards, as far as the file
  /// system writes in place. Where the power failed while it got another name, which is that of `other`, it
  /// may have both: it loses this one, and is kept. Throws where a part cannot be removed.
  public func erase(unlessNamedAs other: DatabaseFile? = nil) throws(DatabaseFault) {
    try erase(Self.parts[...], unlessNamedAs: other)
  }

  private func erase(
    _ parts: ArraySlice<String>, unlessNamedAs other: DatabaseFile? = nil
  ) throws(DatabaseFault) {
    var isChanged = false
    for part in parts {
      let gone = FilePath(path + part)
      do throws(Errno) {
        let status = try gone.status(followingLinks: false)
        let kept = other.flatMap { try? FilePath($0.path + part).status(followingLinks: false).stamp }
        if status.kind == .regular, kept?.isSameFile(as: status.stamp) != true,
          let file = try? gone.open([.writeOnly, .noFollow])
        {
          let zeros = [UInt8](repeating: 0, count: 64 << 10)
          var rest = Int(status.size)
          while rest > 0, (try? file.writeAll(Array(zeros.prefix(rest)))) != nil { rest -= zeros.count }
          try? file.synchronize()
        }
        try gone.unlink()
        isChanged = true
      } catch {
        guard error == .noSuchFile else {
          throw .unavailable("it cannot be removed (\(error.text)); move it away")
        }
      }
    }
    if isChanged { synchronizeDirectory() }
  }
}
