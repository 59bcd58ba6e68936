// SPDX-License-Identifier: MIT

public import ActivityModel
import LinuxSystem
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
  func open() throws(Errno) -> Descriptor {
    switch place {
    case .held(let descriptor): return descriptor
    case .records(let folder, let identity):
      let found = try folder.openBelow([SyncNames.recordFolder], [.readOnly, .folder])
      guard (try? InodeIdentity(of: found)) == identity else { throw .stale }
      return found
    }
  }

  /// Whether its name still leads to this directory: an engine may have made `.continuo` anew.
  public var isInPlace: Bool { (try? open()) != nil }

  /// The magic number of its file system, as statfs(2) gives it; -1 when it cannot be looked at.
  public var fileSystem: Int64 { (try? open())?.fileSystem ?? -1 }

  /// So many bytes stay free on the disk whatever is received: the agent's own files need some.
  private static let reserve: UInt64 = 16 << 20

  /// Whether a few files of so many bytes may be written there.
  static func hasRoom(for count: UInt64, of size: UInt64, in folder: Descriptor) -> Bool {
    folder.freeSpace.map { $0 >= reserve && ($0 - reserve) / count >= size } ?? true
  }

  /// A place for a document of so many bytes that another process receives. Throws `folderUnavailable`, also
  /// where there is no room for it and the copy of it.
  public func receive(_ size: UInt64) throws(ContinuityError) -> ReceivedFile {
    let folder = try opened(for: [], "used")
    guard Self.hasRoom(for: 2, of: size, in: folder) else {
      throw ContinuityError(
        .folderUnavailable, subject: displayPath,
        description: "There is no room for two copies of \(size) bytes in \(displayPath).")
    }
    do throws(Errno) { return try ReceivedFile(in: folder, size: size) } catch {
      throw self.error(error, [], "written to")
    }
  }

  private func opened(for name: [UInt8], _ failed: String) throws(ContinuityError) -> Descriptor {
    do throws(Errno) { return try open() } catch { throw self.error(error, name, failed) }
  }

  /// Opens a private directory by absolute path, creating it and missing parents with mode 0700.
  ///
  /// Throws `agentUnavailable` unless it belongs to this user and nobody else may enter (T21).
  public static func privateDirectory(_ path: String) throws(ContinuityError) -> OwnDirectory {
    func failure(_ sentence: String) -> ContinuityError {
      ContinuityError(.agentUnavailable, subject: path, description: sentence)
    }
    guard path.hasPrefix("/"), !path.utf8.contains(0) else {
      throw failure("The directory \(path) cannot be used: give an absolute path.")
    }
    let names = path.utf8.split(separator: UInt8(ascii: "/"))
    for count in 0..<names.count {
      let part = "/" + names[...count].map { String($0) ?? "" }.joined(separator: "/")
      do throws(Errno) {
        try FilePath(part).makeFolder(mode: 0o700)
        // Keeps a new directory, with all that will be in it, from being lost with the power.
        FilePath(part).parent.synchronizeFolder()
      } catch {
        guard error == .fileExists || FilePath(part).allows() else {
          throw failure("The directory \(part) could not be created: \(error.clause).")
        }
      }
    }
    let descriptor: Descriptor
    do throws(Errno) {
      descriptor = try FilePath(path).open([.readOnly, .folder])
    } catch {
      throw failure("The directory \(path) could not be opened: \(error.clause).")
    }
    guard let status = try? descriptor.status(), status.isOwn else {
      throw failure("The directory \(path) belongs to another user: remove it, or choose another place.")
    }
    guard status.isPrivate else {
      throw failure("Others may enter \(path), which holds keys: run `chmod 700 \(path)`.")
    }
    return OwnDirectory(.held(descriptor), path)
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
    func failure(_ reason: Errno, _ what: String) -> ContinuityError {
      reason.error(.folderUnavailable, subject: shown, "The directory \(shown) could not be \(what)")
    }
    let root: Descriptor
    do throws(Errno) { root = try folder.openRoot() } catch { throw failure(error, "opened") }
    if creating {
      do throws(Errno) { try make(name, in: root) } catch { throw failure(error, "created") }
    }
    let found: Descriptor
    do throws(Errno) {
      found = try Beneath.open([name], below: root, flags: [.readOnly, .folder])
    } catch {
      if error == .noSuchFile, !creating { return nil }
      throw failure(error == .notFolder ? .symbolicLink : error, "opened")
    }
    do throws(Errno) {
      return OwnDirectory(.records(folder, try InodeIdentity(of: found)), shown)
    } catch {
      throw failure(error, "looked at")
    }
  }

  private static func make(_ name: [UInt8], in root: Descriptor) throws(Errno) {
    do throws(Errno) {
      try root.makeFolder(name, mode: 0o777)
    } catch {
      if error == .fileExists { return }
      throw error
    }
    // Else a loss of power could take it with the first records. Best effort: those are written again.
    try? Beneath.open([], below: root, flags: [.readOnly, .folder]).synchronize()
  }

  /// Makes an empty file, which must not be there; false when that is not possible.
  public func makeEmpty(_ name: [UInt8]) -> Bool {
    (try? open().open(name, flags: [.create, .exclusive, .writeOnly, .noFollow], mode: 0o600)) != nil
  }

  /// Makes `name` lead to `bytes`, whole and on the disk, or throws and leaves what was there.
  ///
  /// Blocks for two `fsync`. A link under that name is replaced, never followed. `mode` is set exactly.
  /// Throws `folderUnavailable` with what to do (full disk, read-only, no permission).
  public func replace(_ name: String, with bytes: [UInt8], mode: UInt32 = 0o600) throws(ContinuityError) {
    let name = try checked(name)
    let file = DurableFile(in: try opened(for: name, "could not be written"), name: name)
    do throws(Errno) {
      try file.replace(with: bytes, mode: mode)
    } catch {
      throw self.error(error, name, "could not be written")
    }
  }

  /// The bytes under `name`; nil when there is no such file. Throws `invalidBytes` for a file longer than
  /// `limit` (nothing of it is read), `folderUnavailable` for a link, a folder, or another user's file.
  public func read(_ name: String, limit: Int) throws(ContinuityError) -> [UInt8]? {
    let name = try checked(name)
    let directory = try opened(for: name, "could not be read")
    let file: Descriptor
    let status: FileStatus
    do throws(Errno) {
      file = try Beneath.open([name], below: directory, flags: [.readOnly, .nonBlocking, .noTerminal])
    } catch {
      if error == .noSuchFile { return nil }
      throw self.error(error, name, "could not be read")
    }
    do throws(Errno) { status = try file.status() } catch {
      throw self.error(error, name, "could not be read")
    }
    let shown = DisplayText.shown(name)
    if status.kind != .regular {
      throw ContinuityError(
        .folderUnavailable, subject: shown,
        description:
          "\(shown) in \(displayPath) could not be read: it is \(status.kind.description), not a file.")
    }
    guard status.size <= limit else {
      throw ContinuityError(
        .invalidBytes, subject: shown,
        description:
          "\(shown) in \(displayPath) is \(status.size) bytes long, more than \(limit): it is not ours.")
    }
    do throws(Errno) {
      let bytes = try file.readToEnd(limit: limit)
      guard bytes.count <= limit else { throw .fileTooLarge }
      return bytes
    } catch {
      throw self.error(error, name, "could not be read")
    }
  }

  /// Removes a file; nothing happens when it is not there. Throws `folderUnavailable` with what the file
  /// system said.
  public func remove(_ name: String) throws(ContinuityError) {
    let name = try checked(name)
    let directory = try opened(for: name, "could not be removed")
    do throws(Errno) {
      try directory.unlink(name)
    } catch {
      if error != .noSuchFile { throw self.error(error, name, "could not be removed") }
    }
  }

  /// Looks at every name, however many there are, and keeps none: `found` is told each with what stands under
  /// it, in no order, `~` files left out: those are being written, or left over. Links are not followed.
  ///
  /// False when there are more than `limit` names; the rest was not looked at then. Throws
  /// `folderUnavailable`. Blocks as long as the disk takes.
  public func scan(
    limit: Int, found: ([UInt8], FileObservation) -> Void
  ) throws(ContinuityError) -> Bool {
    var count = 0
    do throws(Errno) {
      let directory = try open()
      try directory.forEachName { name, kind in
        guard count < limit else {
          count = .max
          return false
        }
        count += 1
        guard name.last != UInt8(ascii: "~") else { return true }
        let kind = kind()
        guard kind == .regular else {
          found(name, .other(kind))
          return true
        }
        // One that is gone by now is not there.
        if let status = try? directory.status(of: name) { found(name, status.observation) }
        return true
      }
    } catch {
      throw error.error(
        .folderUnavailable, subject: displayPath, "The directory \(displayPath) could not be listed")
    }
    return count <= limit
  }

  /// Removes temporary files that a killed process left, and returns how many. In a directory that other
  /// devices write to give an age: theirs may still be on the way.
  @discardableResult
  public func removeLeftovers(olderThan age: Duration = .zero) -> Int {
    guard let directory = try? open() else { return 0 }
    var leftovers: [[UInt8]] = []
    // A directory that cannot be read to its end is cleaned as far as it was.
    try? directory.forEachName { name, kind in
      guard DurableFile.isTemporaryName(name), kind() == .regular,
        let status = try? directory.status(of: name), status.stamp.ageOfContent >= age
      else { return true }
      leftovers.append(name)
      return true
    }
    return leftovers.count { (try? directory.unlink($0)) != nil }
  }

  private func checked(_ name: String) throws(ContinuityError) -> [UInt8] {
    let bytes = Array(name.utf8)
    guard RelativePath.isName(bytes) else {
      throw ContinuityError(
        .invalidRequest, subject: name, description: "“\(name)” is no file name: give one without “/”.")
    }
    return bytes
  }

  private func error(_ reason: Errno, _ name: [UInt8], _ failed: String) -> ContinuityError {
    let shown = DisplayText.shown(name)
    return reason.error(.folderUnavailable, subject: shown, "\(shown) in \(displayPath) \(failed)")
  }
}
