// SPDX-License-Identifier: MIT

import Glibc

/// What the kernel tells of the entries of single folders; see inotify(7). One thread.
public final class FolderNotices {
  /// Kinds of change.
  public struct Kinds: OptionSet, Sendable {
    /// As the kernel numbers them.
    public let rawValue: UInt32
    /// Kinds with those bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// An entry is made.
    public static let create = Kinds(rawValue: UInt32(IN_CREATE))
    /// Bytes are written, or a file is cut.
    public static let modify = Kinds(rawValue: UInt32(IN_MODIFY))
    /// A file that was open for writing is closed.
    public static let closeAfterWriting = Kinds(rawValue: UInt32(IN_CLOSE_WRITE))
    /// Permissions, times, owners or the number of names change.
    public static let attributes = Kinds(rawValue: UInt32(IN_ATTRIB))
    /// An entry leaves by a rename.
    public static let movedFrom = Kinds(rawValue: UInt32(IN_MOVED_FROM))
    /// An entry comes by a rename.
    public static let movedTo = Kinds(rawValue: UInt32(IN_MOVED_TO))
    /// An entry is removed.
    public static let delete = Kinds(rawValue: UInt32(IN_DELETE))
    /// The folder itself is removed.
    public static let deleteSelf = Kinds(rawValue: UInt32(IN_DELETE_SELF))
    /// The folder itself is renamed.
    public static let moveSelf = Kinds(rawValue: UInt32(IN_MOVE_SELF))
    /// The file system of the folder is gone.
    public static let unmounted = Kinds(rawValue: UInt32(IN_UNMOUNT))
    /// Asked for: what is watched has to be a folder.
    public static let onlyFolders = Kinds(rawValue: UInt32(IN_ONLYDIR))
    /// Asked for: a symbolic link is not followed.
    public static let noFollow = Kinds(rawValue: UInt32(IN_DONT_FOLLOW))
    /// Asked for: what is watched already is told of as before, too.
    public static let adding = Kinds(rawValue: UInt32(IN_MASK_ADD))
    /// The entry is a folder.
    public static let isFolder = Kinds(rawValue: UInt32(IN_ISDIR))
    /// Some changes were not told, because nobody took what waited.
    public static let overflow = Kinds(rawValue: UInt32(IN_Q_OVERFLOW))
    /// The folder is watched no longer.
    public static let ignored = Kinds(rawValue: UInt32(IN_IGNORED))
  }

  /// One change.
  public struct Notice: Sendable {
    /// Which folder, as `watch` numbered it; -1 for an overflow.
    public let watch: CInt
    /// What happened.
    public let kinds: Kinds
    /// What the two halves of a rename share; else zero.
    public let cookie: UInt32
    /// The entry; empty for the folder itself.
    public let name: [UInt8]
  }

  private let events: Descriptor

  /// One that watches nothing yet. Throws what inotify_init1(2) fails with.
  public init() throws(Errno) {
    events = Descriptor(owning: try calling { inotify_init1(CInt(IN_CLOEXEC) | CInt(IN_NONBLOCK)) })
  }

  /// Readable when something is told.
  public var descriptor: CInt { events.number }

  /// Tells of those kinds of change in `folder` from now on; the number that its notices carry.
  /// Throws what inotify_add_watch(2) fails with.
  @discardableResult
  public func watch(_ folder: FilePath, for kinds: Kinds) throws(Errno) -> CInt {
    try calling { withCString(folder.bytes) { inotify_add_watch(events.number, $0, kinds.rawValue) } }
  }

  /// Tells no more of the folder with that number, but that it is `ignored`. A number that is none is left.
  public func unwatch(_ watch: CInt) { inotify_rm_watch(events.number, watch) }

  /// What was told since, oldest first. Does not wait.
  public func read() -> [Notice] {
    var taken: [Notice] = []
    var room = [UInt8](repeating: 0, count: 64 << 10)
    while let count = try? events.read(into: &room), count > 0 { taken += Self.notices(in: room[..<count]) }
    return taken
  }

  private static func notices(in bytes: ArraySlice<UInt8>) -> [Notice] {
    var found: [Notice] = []
    let header = MemoryLayout<inotify_event>.size
    bytes.withUnsafeBytes { room in
      var start = 0
      while start + header <= room.count {
        let event = room.loadUnaligned(fromByteOffset: start, as: inotify_event.self)
        let end = min(room.count, start + header + Int(event.len))
        found.append(
          Notice(
            watch: event.wd, kinds: Kinds(rawValue: event.mask), cookie: event.cookie,
            name: Array(room[(start + header)..<end].prefix { $0 != 0 })))
        start = end
      }
    }
    return found
  }
}
