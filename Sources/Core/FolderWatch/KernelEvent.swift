// SPDX-License-Identifier: MIT

/// One inotify event, copied out of the library's buffer.
public struct KernelEvent: Hashable, Sendable {
  /// The watch descriptor; -1 for a queue overflow.
  public var descriptor: Int32
  /// What happened.
  public var mask: Mask
  /// The same number in both halves of a rename; else 0.
  public var cookie: UInt32
  /// The raw name inside the watched folder; empty when the event is about the folder itself.
  public var name: [UInt8]

  /// An event about `name` in the folder that `descriptor` watches.
  public init(descriptor: Int32, mask: Mask, cookie: UInt32 = 0, name: [UInt8] = []) {
    self.descriptor = descriptor
    self.mask = mask
    self.cookie = cookie
    self.name = name
  }

  /// The bits of inotify(7); numbers of the kernel's interface, which never change.
  public struct Mask: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt32
    /// From bits; unknown ones are kept.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Owner, mode, times or link count changed.
    public static let attributes = Self(rawValue: 0x4)
    /// A writer closed the file.
    public static let closeWrite = Self(rawValue: 0x8)
    /// The name left the folder.
    public static let movedFrom = Self(rawValue: 0x40)
    /// The name came into the folder.
    public static let movedTo = Self(rawValue: 0x80)
    /// The name appeared.
    public static let create = Self(rawValue: 0x100)
    /// The name went away.
    public static let delete = Self(rawValue: 0x200)
    /// The watched folder itself was deleted.
    public static let deleteSelf = Self(rawValue: 0x400)
    /// The watched folder itself was renamed.
    public static let moveSelf = Self(rawValue: 0x800)
    /// The file system was unmounted.
    public static let unmount = Self(rawValue: 0x2000)
    /// Events were lost.
    public static let overflow = Self(rawValue: 0x4000)
    /// The watch is gone; the last event of its descriptor.
    public static let ignored = Self(rawValue: 0x8000)
    /// The name is a folder's.
    public static let isFolder = Self(rawValue: 0x4000_0000)

    /// What to subscribe to (rule W8): everything that a hint needs, and not MODIFY, which is thousands of
    /// events for one large file. Only for folders, never through a symbolic link, no events of unlinked
    /// files.
    public static let subscription: Self = [
      .attributes, .closeWrite, .movedFrom, .movedTo, .create, .delete, .deleteSelf, .moveSelf,
      Self(rawValue: 0x0100_0000), Self(rawValue: 0x0200_0000), Self(rawValue: 0x0400_0000),
    ]
  }
}
