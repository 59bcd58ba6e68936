// SPDX-License-Identifier: MIT

import CLinux
import FolderWatch
import Glibc
import LinuxSystem

/// Opens the folders that the tree asks for, never through a symbolic link below the root, and reads their
/// names.
enum FolderReader {
  /// The open folder, close-on-exec and owned by the caller, or why not.
  static func open(root: [UInt8], names: [[UInt8]]) -> Result<Int32, FollowFailure> {
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK
    let path = String(decoding: root, as: UTF8.self)
    var folder = root.withTerminator { Glibc.open($0, flags) }
    guard folder >= 0 else {
      let isGone = errno == ENOENT || errno == ENOTDIR || errno == ELOOP
      let remedy = isGone ? "register the folder where it is now" : "make it readable"
      return .failure(.rootGone(reason: "\(path): \(Errno.current.text); \(remedy)."))
    }
    for part in parts(names) {
      let next = openBeneath(folder, part, flags)
      let reason = Errno.current
      close(folder)
      guard next >= 0 else { return .failure(failure(reason)) }
      folder = next
    }
    return .success(folder)
  }

  /// The folder of this name in an open one, close-on-exec and owned by the caller, or why not.
  static func open(_ name: [UInt8], in folder: Int32) -> Result<Int32, FollowFailure> {
    let opened = openBeneath(folder, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK)
    return opened >= 0 ? .success(opened) : .failure(failure(.current))
  }

  /// What `folder` holds, now; without files, where nobody asks for them. Takes over the descriptor and
  /// closes it.
  static func list(_ folder: Int32, withFiles: Bool = true) -> Listing {
    defer { close(folder) }
    var listing = Listing()
    listing.isComplete = FolderEntries.read(folder) { name, type in
      var isFolder = type == DT_DIR
      if type == DT_UNKNOWN { isFolder = Self.isFolder(Array(name), in: folder) }
      if isFolder {
        listing.folders.append(Array(name))
      } else if !withFiles {
        return
      } else if listing.files?.count == Listing.fileLimit {
        listing.files = nil
      } else {
        listing.files?.append(Array(name))
      }
    }
    return listing
  }

  /// ext2 to ext4, XFS and tmpfs: each folder in a folder is one more link to it there, by its `..`. Others
  /// may say one or two whatever they hold.
  private static let countingLinks: Set<Int64> = [0xef53, 0x5846_5342, 0x0102_1994]

  /// Whether the open `folder` surely holds no other one now, without reading it: its links are its name and
  /// its own `.`. The file system is asked each time, for a device's number may become another's.
  static func surelyHoldsNoFolder(_ folder: Int32) -> Bool {
    var status = stat()
    guard fstat(folder, &status) == 0, status.st_nlink == 2 else { return false }
    return countingLinks.contains(continuo_file_system(folder))
  }

  /// What `folder` holds, with what stat(2) says of each file. Takes over the descriptor and closes it.
  static func snapshot(_ folder: Int32) -> FolderSnapshot {
    guard let directory = fdopendir(folder) else {
      close(folder)
      return FolderSnapshot(isComplete: false)
    }
    defer { closedir(directory) }
    var snapshot = FolderSnapshot()
    let recent = wallSeconds() - 3
    errno = 0
    while let entry = readdir(directory) {
      let name = entryName(entry)
      var status = stat()
      if !isDots(name), name.withTerminator({ fstatat(folder, $0, &status, AT_SYMLINK_NOFOLLOW) }) == 0 {
        add(name, status, changedSince: recent, to: &snapshot)
      }
      errno = 0
    }
    snapshot.isComplete = errno == 0
    return snapshot
  }

  private static func add(
    _ name: [UInt8], _ status: stat, changedSince recent: Int, to snapshot: inout FolderSnapshot
  ) {
    if status.st_mode & S_IFMT == S_IFDIR { return snapshot.folders[name] = UInt64(status.st_ino) }
    let file = FolderSnapshot.File(
      inode: UInt64(status.st_ino), size: Int64(status.st_size), modified: nanoseconds(status.st_mtim),
      changed: nanoseconds(status.st_ctim), isRecent: status.st_ctim.tv_sec >= recent)
    var sum: UInt64 = 0xcbf2_9ce4_8422_2325
    func mix(_ value: UInt64) { sum = (sum ^ value) &* 0x0000_0100_0000_01b3 }
    for byte in name { mix(UInt64(byte)) }
    for value in [file.size, file.modified, file.changed] { mix(UInt64(bitPattern: value)) }
    mix(file.inode)
    snapshot.fingerprint &+= sum
    if snapshot.files?.count == Listing.fileLimit {
      snapshot.files = nil
    } else {
      snapshot.files?[name] = file
    }
  }

  private static func nanoseconds(_ time: timespec) -> Int64 {
    Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }

  private static func wallSeconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return time.tv_sec
  }

  /// Why a folder is not watched, from what `open` or inotify_add_watch(2) fails with.
  static func failure(_ error: Errno) -> FollowFailure {
    switch error {
    case .noSuchFile, .notFolder, .symbolicLink, .crossDevice: .gone
    case .noSpace: .limit(InotifyLimit.watches.limit)
    case .permissionDenied, .notPermitted: .refused(reason: "The folder cannot be read: \(error.text).")
    default: .later(reason: "The folder cannot be followed now: \(error.text).")
    }
  }

  // No system call takes a path over 4,095 bytes; a deeper place is reached in steps.
  private static func parts(_ names: [[UInt8]]) -> [[UInt8]] {
    var parts: [[UInt8]] = []
    for name in names {
      if let last = parts.last, last.count + name.count < 4000 {
        parts[parts.count - 1] += [UInt8(ascii: "/")] + name
      } else {
        parts.append(name)
      }
    }
    return parts
  }

  private static func openBeneath(_ folder: Int32, _ path: [UInt8], _ flags: Int32) -> Int32 {
    let opened = path.withTerminator { continuo_open_beneath(folder, $0, flags, 0) }
    guard opened < 0, errno == ENOSYS || errno == EPERM else { return opened }
    // Refused by an old kernel or a sandbox: name by name.
    var each = fcntl(folder, F_DUPFD_CLOEXEC, 3)
    for name in path.split(separator: UInt8(ascii: "/")) where each >= 0 {
      let next = Array(name).withTerminator { openat(each, $0, flags | O_NOFOLLOW) }
      let number = errno
      close(each)
      errno = number
      each = next
    }
    return each
  }

  private static func isFolder(_ name: [UInt8], in folder: Int32) -> Bool {
    var status = stat()
    let result = name.withTerminator { fstatat(folder, $0, &status, AT_SYMLINK_NOFOLLOW) }
    return result == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  private static func isDots(_ name: [UInt8]) -> Bool {
    name.count <= 2 && name.allSatisfy { $0 == UInt8(ascii: ".") }
  }
}

/// The raw name of a directory entry.
private func entryName(_ entry: UnsafeMutablePointer<dirent>) -> [UInt8] {
  // The entry is shorter than the type says: only the bytes up to the terminator are there.
  let start = UnsafeRawPointer(entry) + (MemoryLayout<dirent>.offset(of: \.d_name) ?? 19)
  return Array(UnsafeRawBufferPointer(start: start, count: strlen(start.assumingMemoryBound(to: CChar.self))))
}

extension [UInt8] {
  /// Calls `body` with the bytes as a C string; they hold no NUL.
  fileprivate func withTerminator<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    (self.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { buffer in
      // A buffer with at least the terminator has an address.
      body(buffer.baseAddress!)
    }
  }
}
