// SPDX-License-Identifier: MIT

public import ActivityModel
import CLinux
import Glibc

// What can be done below an open folder, by name. Names are bytes without a NUL; nothing here changes them.

extension OpenDescriptor {
  /// Opens what `name` leads to. `mode` holds for a file that is made, less the umask. Throws what openat(2)
  /// fails with.
  public func open(_ name: [UInt8], flags: OpenFlags, mode: UInt32 = 0) throws(Errno) -> Descriptor {
    try openFile(name, at: number, flags, mode)
  }

  /// A new file for this user alone in the folder, without a name from the beginning, or, where the file
  /// system knows no such files, a moment later; it is gone with its last descriptor. Throws what making it
  /// fails with.
  public func makeNameless() throws(Errno) -> Descriptor {
    if let file = try? openNameless() { return file }
    let name = DurableFile.temporaryName()
    let file = try open(name, flags: [.readWrite, .create, .exclusive, .noFollow], mode: 0o600)
    try unlink(name)
    return file
  }

  /// The same where the file system knows such files. Throws what openat(2) fails with, for others.
  public func openNameless() throws(Errno) -> Descriptor {
    try open(Array(".".utf8), flags: [.readWrite, .nameless], mode: 0o600)
  }

  /// What stands under `name`; a link is a link. Throws what fstatat(2) fails with.
  public func status(of name: [UInt8]) throws(Errno) -> FileStatus {
    try fileStatus(name, at: number, followingLinks: false)
  }

  /// Makes a folder; `mode` less the umask. Throws what mkdirat(2) fails with.
  public func makeFolder(_ name: [UInt8], mode: UInt32) throws(Errno) {
    try calling { withCString(name) { mkdirat(number, $0, mode) } }
  }

  /// Takes `name` from its file, which goes with the last one. Throws what unlinkat(2) fails with.
  public func unlink(_ name: [UInt8]) throws(Errno) {
    try calling { withCString(name) { unlinkat(number, $0, 0) } }
  }

  /// Gives the file called `name` the name `newName` in this folder. Throws what renameat2(2) fails with.
  public func rename(_ name: [UInt8], to newName: [UInt8], mode: RenameMode) throws(Errno) {
    try rename(name, to: newName, in: self, mode: mode)
  }

  /// Gives the file called `name` the name `newName` in another folder of the same file system. Throws what
  /// renameat2(2) fails with.
  public func rename(
    _ name: [UInt8], to newName: [UInt8], in folder: some OpenDescriptor, mode: RenameMode
  ) throws(Errno) {
    try renameFile(name, at: number, to: newName, at: folder.number, mode)
  }

  /// Gives the file called `name` the name `newName` as well. Throws what linkat(2) fails with.
  public func link(_ name: [UInt8], to newName: [UInt8]) throws(Errno) {
    try link(name, to: newName, in: self)
  }

  /// Gives the file called `name` a second name in another folder of the same file system. Throws what
  /// linkat(2) fails with.
  public func link(_ name: [UInt8], to newName: [UInt8], in folder: some OpenDescriptor) throws(Errno) {
    try calling {
      withCString(name) { name in withCString(newName) { linkat(number, name, folder.number, $0, 0) } }
    }
  }

  /// The names in the folder but for `.` and `..`, from its start and in no order, one after the other, until
  /// `body` returns false. What a name stands for is looked up only where it is asked for. Throws what
  /// readdir(3) fails with.
  public func forEachName(_ body: (_ name: [UInt8], _ kind: () -> FileKind) -> Bool) throws(Errno) {
    let folder = try open(Array(".".utf8), flags: [.readOnly, .folder]).release()
    guard let stream = fdopendir(folder) else {
      let failure = Errno.current
      close(folder)
      throw failure
    }
    defer { closedir(stream) }
    errno = 0
    while let entry = readdir(stream) {
      let name = name(of: entry)
      if name == Array(".".utf8) || name == Array("..".utf8) { continue }
      guard body(name, { kind(of: entry, name, in: folder) }) else { return }
      errno = 0
    }
    if errno != 0 { throw .current }
  }

  /// By address: `d_name` is declared longer than the record that `readdir` returns.
  private func name(of entry: UnsafeMutablePointer<dirent>) -> [UInt8] {
    let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? MemoryLayout<dirent>.size
    return bytes(
      of: UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self))
  }

  private func kind(
    of entry: UnsafeMutablePointer<dirent>, _ name: [UInt8], in folder: CInt
  ) -> FileKind {
    switch Int(entry.pointee.d_type) {
    case DT_REG: .regular
    case DT_DIR: .folder
    case DT_LNK: .symbolicLink
    case DT_FIFO: .pipe
    case DT_SOCK: .socket
    case DT_BLK, DT_CHR: .device
    default: (try? fileStatus(name, at: folder, followingLinks: false))?.kind ?? .unknown
    }
  }

  /// A path that leads to the open file itself, whatever happened to its name, where /proc is mounted.
  public var magicLink: FilePath { FilePath("/proc/self/fd/\(number)") }

  /// The magic number of its file system, as statfs(2) gives it; -1 when it cannot be looked at.
  public var fileSystem: Int64 { continuo_file_system(number) }

  /// How many bytes may still be written on its file system, as fstatfs(2) gives it; nil when it cannot be
  /// looked at.
  public var freeSpace: UInt64? { UInt64(exactly: continuo_free_space(number)) }
}

func openFile(_ path: [UInt8], at folder: CInt, _ flags: OpenFlags, _ mode: UInt32) throws(Errno)
  -> Descriptor
{
  Descriptor(
    owning: try calling { withCString(path) { openat(folder, $0, flags.rawValue | O_CLOEXEC, mode) } })
}

func fileStatus(_ path: [UInt8], at folder: CInt, followingLinks: Bool) throws(Errno) -> FileStatus {
  var status = stat()
  try calling {
    withCString(path) { fstatat(folder, $0, &status, followingLinks ? 0 : AT_SYMLINK_NOFOLLOW) }
  }
  return FileStatus(status)
}

func renameFile(
  _ name: [UInt8], at folder: CInt, to newName: [UInt8], at newFolder: CInt, _ mode: RenameMode
) throws(Errno) {
  try calling {
    withCString(name) { name in
      withCString(newName) { continuo_renameat2(folder, name, newFolder, $0, mode.rawValue) }
    }
  }
}

/// `bytes` as the C string of a system call. A NUL inside would cut it: callers pass names that have none.
func withCString<Result>(_ bytes: [UInt8], _ body: (UnsafePointer<CChar>) -> Result) -> Result {
  body(bytes.map { CChar(bitPattern: $0) } + [0])
}

/// The bytes before the NUL.
func bytes(of text: UnsafePointer<CChar>) -> [UInt8] {
  Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
}
