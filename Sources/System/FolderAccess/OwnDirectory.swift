// SPDX-License-Identifier: MIT

public import ActivityModel
import CLinux
import Glibc
public import SyncedFolders

/// A directory of files of our own: the state directory, or `.continuo` in a synced folder. Files are
/// replaced whole and durably, read with a limit, and never written through a link.
///
/// The state directory is held open; `.continuo` is opened anew by each call, so that its disk can be
/// unmounted, and is left alone when it is another one by then. Either way, a directory that is swapped for a
/// link meanwhile changes nothing. May be used on any thread; two replacements of one name at once leave one
/// of the two.
public final class OwnDirectory: Sendable {
  /// For people: where it was opened.
  public let displayPath: String
  private let place: Place

  private enum Place: Sendable {
    case held(Descriptor)
    case records(SyncedDirectory, InodeIdentity)
  }

  private init(_ place: Place, _ displayPath: String) {
    self.place = place
    self.displayPath = displayPath
  }

  /// The directory, for one call; `ESTALE` when another one has its name.
  func open() -> Result<Descriptor, Beneath.SystemNumber> {
    switch place {
    case .held(let descriptor): return .success(descriptor)
    case .records(let folder, let identity):
      return folder.openBelow([SyncNames.recordFolder], flags: O_RDONLY | O_DIRECTORY).flatMap { found in
        InodeIdentity(of: found.number) == identity
          ? .success(found) : .failure(Beneath.SystemNumber(number: ESTALE))
      }
    }
  }

  /// Whether its name still leads to this directory: an engine may have made `.continuo` anew.
  public var isInPlace: Bool { if case .success = open() { true } else { false } }

  /// The magic number of its file system, as statfs(2) gives it; -1 when it cannot be looked at.
  public var fileSystem: Int64 {
    if case .success(let directory) = open() { continuo_file_system(directory.number) } else { -1 }
  }

  private func opened(for name: [UInt8], _ failed: String) throws(ContinuityError) -> Descriptor {
    switch open() {
    case .success(let directory): return directory
    case .failure(let failure): throw error(failure.number, name, failed)
    }
  }

  /// Opens a private directory by absolute path, creating it and missing parents with mode 0700.
  ///
  /// Throws `agentUnavailable` unless it belongs to this user and nobody else may enter (T21).
  public static func privateDirectory(_ path: String) throws(ContinuityError) -> OwnDirectory {
    func failure(_ sentence: String) -> ContinuityError {
      ContinuityError(.agentUnavailable, subject: path, sentence)
    }
    guard path.hasPrefix("/"), !path.utf8.contains(0) else {
      throw failure("The directory \(path) cannot be used: give an absolute path.")
    }
    let names = path.utf8.split(separator: UInt8(ascii: "/"))
    for count in 0..<names.count {
      let part = "/" + names[...count].map { String($0) ?? "" }.joined(separator: "/")
      guard mkdir(part, 0o700) != 0 else {
        synchronizeDirectory(names[..<count].map { String($0) ?? "" }.joined(separator: "/"))
        continue
      }
      guard errno == EEXIST || access(part, F_OK) == 0 else {
        throw failure("The directory \(part) could not be created: \(SystemError.clause(errno)).")
      }
    }
    let number = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard number >= 0 else {
      throw failure("The directory \(path) could not be opened: \(SystemError.clause(errno)).")
    }
    let descriptor = Descriptor(owning: number)
    guard let status = FileStatus.of(number), status.st_uid == geteuid() else {
      throw failure("The directory \(path) belongs to another user: remove it, or choose another place.")
    }
    guard status.st_mode & 0o077 == 0 else {
      throw failure("Others may enter \(path), which holds keys: run `chmod 700 \(path)`.")
    }
    return OwnDirectory(.held(descriptor), path)
  }

  /// Keeps a new directory, with all that will be in it, from being lost with the power. One that cannot be
  /// read, or synchronized, is left to the system.
  private static func synchronizeDirectory(_ path: String) {
    let number = Glibc.open("/" + path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard number >= 0 else { return }
    fsync(number)
    close(number)
  }

  /// Opens `.continuo` in a synced folder. Nil when it is not there and not to be created: the folder is
  /// away, or is none of ours, and an empty mount point must stay empty (T36).
  ///
  /// It is created as any folder of the user is (0777 less the umask), because an engine may run as another
  /// user of the person's choice; what is inside is sealed. Throws `folderUnavailable`.
  public static func records(
    in folder: SyncedDirectory, creating: Bool
  ) throws(ContinuityError) -> OwnDirectory? {
    let name = SyncNames.recordFolder
    let shown = DisplayText.shown(folder.path + [UInt8(ascii: "/")] + name)
    func failure(_ number: CInt, _ what: String) -> ContinuityError {
      SystemError.error(
        number, .folderUnavailable, subject: shown, "The directory \(shown) could not be \(what)")
    }
    let root: Descriptor
    switch folder.openRoot() {
    case .success(let opened): root = opened
    case .failure(let reason): throw failure(reason.number, "opened")
    }
    if creating {
      if withPath(name, { mkdirat(root.number, $0, 0o777) }) == 0 {
        // Else a loss of power could take it with the first records. Best effort: those are written again.
        if case .success(let opened) = Beneath.open([], below: root.number, flags: O_RDONLY | O_DIRECTORY) {
          fsync(opened.number)
        }
      } else if errno != EEXIST {
        throw failure(errno, "created")
      }
    }
    switch Beneath.open([name], below: root.number, flags: O_RDONLY | O_DIRECTORY) {
    case .success(let found):
      guard let identity = InodeIdentity(of: found.number) else { throw failure(errno, "looked at") }
      return OwnDirectory(.records(folder, identity), shown)
    case .failure(let reason):
      if reason.number == ENOENT, !creating { return nil }
      throw failure(reason.number == ENOTDIR ? ELOOP : reason.number, "opened")
    }
  }

  /// Makes an empty file, which must not be there; false when that is not possible.
  public func makeEmpty(_ name: [UInt8]) -> Bool {
    guard case .success(let directory) = open() else { return false }
    let flags = O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC | O_NOFOLLOW
    let file = withPath(name) { name in uninterrupted { openat(directory.number, name, flags, 0o600) } }
    guard file >= 0 else { return false }
    close(file)
    return true
  }

  /// Makes `name` lead to `bytes`, whole and on the disk, or throws and leaves what was there.
  ///
  /// Blocks for two `fsync`. A link under that name is replaced, never followed. `mode` is set exactly.
  /// Throws `folderUnavailable` with what to do (full disk, read-only, no permission).
  public func replace(_ name: String, with bytes: [UInt8], mode: UInt32 = 0o600) throws(ContinuityError) {
    let name = try checked(name)
    let directory = try opened(for: name, "could not be written")
    let file = DurableFile(
      directory: directory.number, name: name, temporary: DurableFile.temporaryName())
    if case .failure(let failure) = file.replace(with: bytes, mode: mode) {
      throw error(failure.number, name, "could not be written")
    }
  }

  /// The bytes under `name`; nil when there is no such file. Throws `invalidBytes` for a file longer than
  /// `limit` (nothing of it is read), `folderUnavailable` for a link, a folder, or another user's file.
  public func read(_ name: String, limit: Int) throws(ContinuityError) -> [UInt8]? {
    let name = try checked(name)
    let directory = try opened(for: name, "could not be read")
    let file: Descriptor
    switch Beneath.open([name], below: directory.number, flags: O_RDONLY | O_NONBLOCK | O_NOCTTY) {
    case .success(let opened): file = opened
    case .failure(let failure):
      if failure.number == ENOENT { return nil }
      throw error(failure.number, name, "could not be read")
    }
    guard let status = FileStatus.of(file.number) else { throw error(errno, name, "could not be read") }
    let shown = DisplayText.shown(name)
    if status.kind != .regular {
      throw ContinuityError(
        .folderUnavailable, subject: shown,
        "\(shown) in \(displayPath) could not be read: it is \(status.kind.description), not a file.")
    }
    guard status.st_size <= limit else {
      throw ContinuityError(
        .invalidBytes, subject: shown,
        "\(shown) in \(displayPath) is \(status.st_size) bytes long, more than \(limit): it is not ours.")
    }
    guard let bytes = Self.bytes(of: file.number, limit: limit) else {
      throw error(errno, name, "could not be read")
    }
    return bytes
  }

  /// Removes a file; nothing happens when it is not there. Throws `folderUnavailable` with what the file
  /// system said.
  public func remove(_ name: String) throws(ContinuityError) {
    let name = try checked(name)
    let directory = try opened(for: name, "could not be removed")
    let result = withPath(name) { unlinkat(directory.number, $0, 0) }
    if result != 0, errno != ENOENT { throw error(errno, name, "could not be removed") }
  }

  /// Looks at every name, however many there are, and keeps none: `found` is told each with what stands under
  /// it, in no order, `~` files left out: those are being written, or left over. Links are not followed.
  ///
  /// False when there are more than `limit` names; the rest was not looked at then. Throws
  /// `folderUnavailable`. Blocks as long as the disk takes.
  public func scan(
    limit: Int, _ found: ([UInt8], FileObservation) -> Void
  ) throws(ContinuityError) -> Bool {
    let failed = "The directory \(displayPath) could not be listed"
    let directory: Descriptor
    switch open() {
    case .success(let opened): directory = opened
    case .failure(let failure):
      throw SystemError.error(failure.number, .folderUnavailable, subject: displayPath, failed)
    }
    var count = 0
    let isRead = FolderListing.forEach(in: directory.number) { entry in
      guard count < limit else {
        count = .max
        return false
      }
      count += 1
      let entry = entry()
      guard entry.name.last != UInt8(ascii: "~") else { return true }
      guard entry.kind == .regular else {
        found(entry.name, .other(entry.kind))
        return true
      }
      // One that is gone by now is not there.
      guard let status = FileStatus.of(entry.name, in: directory.number) else { return true }
      found(entry.name, status.observation)
      return true
    }
    guard isRead else {
      throw SystemError.error(errno, .folderUnavailable, subject: displayPath, failed)
    }
    return count <= limit
  }

  /// Removes temporary files that a killed process left, and returns how many. In a directory that other
  /// devices write to give an age: theirs may still be on the way.
  @discardableResult
  public func removeLeftovers(olderThan age: Duration = .zero) -> Int {
    guard case .success(let directory) = open() else { return 0 }
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    var leftovers: [[UInt8]] = []
    // A directory that cannot be read to its end is cleaned as far as it was.
    _ = FolderListing.forEach(in: directory.number) { entry in
      let entry = entry()
      guard DurableFile.isTemporaryName(entry.name), entry.kind == .regular,
        let status = FileStatus.of(entry.name, in: directory.number),
        .nanoseconds(now.nanoseconds - status.st_mtim.nanoseconds) >= age
      else { return true }
      leftovers.append(entry.name)
      return true
    }
    return leftovers.count { withPath($0) { unlinkat(directory.number, $0, 0) } == 0 }
  }

  private static func bytes(of file: CInt, limit: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    while bytes.count <= limit {
      let count = uninterrupted { pread(file, &piece, piece.count, off_t(bytes.count)) }
      if count < 0 { return nil }
      if count == 0 { return bytes }
      bytes += piece[..<count]
    }
    errno = EFBIG
    return nil
  }

  private func checked(_ name: String) throws(ContinuityError) -> [UInt8] {
    let bytes = Array(name.utf8)
    guard RelativePath.isName(bytes) else {
      throw ContinuityError(
        .invalidRequest, subject: name, "“\(name)” is no file name: give one without “/”.")
    }
    return bytes
  }

  private func error(_ number: CInt, _ name: [UInt8], _ failed: String) -> ContinuityError {
    let shown = DisplayText.shown(name)
    return SystemError.error(
      number, .folderUnavailable, subject: shown, "\(shown) in \(displayPath) \(failed)")
  }
}
