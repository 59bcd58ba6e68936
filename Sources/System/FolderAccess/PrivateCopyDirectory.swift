// SPDX-License-Identifier: MIT

public import ActivityModel
import LinuxSystem
public import SyncedFolders

/// A private directory in which each private copy has a folder of its own, called by the copy's ID. Made when
/// the first copy is. One thread.
public final class PrivateCopyDirectory {
  private let path: String
  private var opened: SyncedDirectory?

  /// At an absolute path.
  public init(_ path: String) { self.path = path }

  /// The directory, with a place for files that are being written. Throws `folderUnavailable` and
  /// `agentUnavailable` where it cannot be made, or is not private.
  public func folder() throws(ContinuityError) -> SyncedDirectory {
    if let opened, opened.isInPlace { return opened }
    _ = try OwnDirectory.privateDirectory(path)
    let folder = try SyncedDirectory(path: Array(path.utf8))
    _ = try OwnDirectory.records(in: folder, creating: true)
    opened = folder
    return folder
  }

  /// Makes the empty folder of a copy. Throws `folderUnavailable`.
  public func make(_ copy: PrivateCopy.ID) throws(ContinuityError) {
    let folder = try folder()
    do throws(Errno) {
      let root = try folder.openRoot()
      try root.makeFolder(Self.name(of: copy), mode: 0o700)
      try? root.synchronize()
    } catch {
      throw error.error(.folderUnavailable, subject: path, "A folder in \(path) could not be made")
    }
  }

  /// Gives a file in a copy's folder another name, in the place of what has that only where it `replaces`.
  /// False where that is not possible.
  public func rename(_ name: [UInt8], to other: [UInt8], of copy: PrivateCopy.ID, replaces: Bool) -> Bool {
    guard let place = place(of: copy) else { return false }
    guard (try? place.rename(name, to: other, mode: replaces ? .replacing : .keeping)) != nil else {
      return false
    }
    try? place.synchronize()
    return true
  }

  /// Removes a file of a copy, if it is there.
  public func remove(_ name: [UInt8], of copy: PrivateCopy.ID) { try? place(of: copy)?.unlink(name) }

  /// Removes a copy's folder unless something was saved there: that stays, and so does the folder.
  public func removeFolder(of copy: PrivateCopy.ID) {
    let folder = FilePath(path).appending(Self.name(of: copy))
    if (try? folder.removeFolder()) != nil { FilePath(path).synchronizeFolder() }
  }

  /// Removes the folders in which nothing lies: of an agent that ended before it had a copy.
  public func removeEmptyFolders() {
    let folder = FilePath(path)
    for name in (try? folder.names()) ?? [] where name != SyncNames.recordFolder {
      try? folder.appending(name).removeFolder()
    }
  }

  private func place(of copy: PrivateCopy.ID) -> Descriptor? {
    try? folder().openBelow([Self.name(of: copy)], [.readOnly, .folder])
  }

  private static func name(of copy: PrivateCopy.ID) -> [UInt8] { Array(copy.description.utf8) }
}
