// SPDX-License-Identifier: MIT

public import ActivityModel
public import LinuxSystem
public import SyncedFolders

/// Looks at a document and the copies beside it: what each is, and a fingerprint of all its bytes.
///
/// Any thread; every call blocks as long as the disk takes. Links, folders and pipes under a copy's name are
/// no copies, and nothing is followed or waited for.
public enum VersionLook {
  /// How much is read at once, and fed to the hasher: the same for every file, for the pieces count.
  private static let pieceSize = 64 << 10

  /// What lies at `path`, which is not followed; nil when that is no regular file. One that may not be read,
  /// or that changes while it is, has no fingerprint.
  public static func version(at path: FilePath, isDocument: Bool) -> ConflictVersion? {
    guard let status = try? path.status(followingLinks: false), status.kind == .regular else { return nil }
    guard let read = try? fingerprint(of: path) else {
      return ConflictVersion(
        name: path.name, isDocument: isDocument, stamp: status.stamp, fingerprint: nil)
    }
    return ConflictVersion(
      name: path.name, isDocument: isDocument, stamp: read.stamp, fingerprint: read.fingerprint)
  }

  /// The document at `path`, which is resolved, with the copies beside it. Throws when its folder cannot be
  /// listed.
  public static func versions(of path: FilePath) throws(ContinuityError) -> ConflictResolution {
    let names = try DocumentFault.unless(path.parent, action: "listed") { () throws(Errno) in
      try path.parent.names()
    }
    let copies = names.filter { SyncNames.isConflictCopy($0, of: path.name) }
      .compactMap { version(at: path.parent.appending($0), isDocument: false) }
    let document = version(at: path, isDocument: true)
    return ConflictResolution(of: path.name, found: copies + [document].compactMap { $0 })
  }

  /// As a look at a file that holds `data` would give it. Good in this process only, where nobody outside
  /// knows the hasher's seed.
  public static func fingerprint(of data: UnsafeRawBufferPointer) -> Int {
    var hasher = Hasher()
    var offset = 0
    while offset < data.count {
      let end = min(offset + pieceSize, data.count)
      hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: data[offset..<end]))
      offset = end
    }
    return hasher.finalize()
  }

  /// Nil when the path does not name the file that was read, or when that changed meanwhile.
  private static func fingerprint(of path: FilePath) throws(Errno) -> (stamp: FileStamp, fingerprint: Int)? {
    let file = try path.open([.readOnly, .noFollow, .nonBlocking, .noTerminal])
    let status = try file.status()
    guard status.kind == .regular else { return nil }
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceSize, alignment: 16)
    defer { room.deallocate() }
    var hasher = Hasher()
    var offset = 0
    while true {
      let count = try file.fill(room, from: offset)
      guard count > 0 else { break }
      hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: room[..<count]))
      offset += count
    }
    guard status.stamp.covers(offset, until: try file.status().stamp),
      try path.status(followingLinks: false).stamp == status.stamp
    else { return nil }
    return (status.stamp, hasher.finalize())
  }
}
