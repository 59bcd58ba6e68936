// SPDX-License-Identifier: MIT

import ActivityModel
import CLinux
import Glibc

/// A path as the bytes that the kernel knows; names need not be UTF-8, and nothing is normalised.
public struct FilePath: Hashable, Sendable {
  /// Without a NUL at the end.
  public let bytes: [UInt8]

  /// The path of those bytes, which hold no NUL.
  public init(bytes: [UInt8]) { self.bytes = bytes }

  /// The path that is written so.
  public init(_ text: String) { bytes = Array(text.utf8) }

  /// The last name; empty for the root.
  public var name: [UInt8] { bytes.split(separator: UInt8(ascii: "/")).last.map { Array($0) } ?? [] }

  /// For people, as `DisplayText` shows it.
  public var shown: String { DisplayText.shown(bytes) }

  /// The folder it lies in, of an absolute path.
  public var parent: FilePath {
    let cut = bytes.lastIndex(of: UInt8(ascii: "/")) ?? 0
    return FilePath(bytes: cut == 0 ? [UInt8(ascii: "/")] : Array(bytes[..<cut]))
  }

  /// The path of `name` in this folder.
  public func appending(_ name: [UInt8]) -> FilePath {
    FilePath(bytes: (bytes == [UInt8(ascii: "/")] ? [] : bytes) + [UInt8(ascii: "/")] + name)
  }

  /// Opens what is there. `mode` holds for a file that is made, less the umask. Throws what open(2) fails
  /// with.
  public func open(_ flags: OpenFlags, mode: UInt32 = 0) throws(Errno) -> Descriptor {
    try openFile(bytes, at: AT_FDCWD, flags, mode)
  }

  /// What stands there: at the end of links, or a link itself. Throws what stat(2) fails with.
  public func status(followingLinks: Bool = true) throws(Errno) -> FileStatus {
    try fileStatus(bytes, at: AT_FDCWD, followingLinks: followingLinks)
  }

  /// Has the file system answer, also for what the kernel remembers; waits as long as that takes. Throws what
  /// statfs(2) fails with.
  public func askFileSystem() throws(Errno) {
    try calling { withCString(bytes) { continuo_ask_file_system($0) } }
  }

  /// Whether a folder is there; links are followed.
  public var isFolder: Bool { (try? status())?.kind == .folder }

  /// Throws unless this user may do all of that with what is there; with none, unless it is there.
  public func check(_ access: FileAccess = []) throws(Errno) {
    try calling { withCString(bytes) { Glibc.access($0, access.rawValue) } }
  }

  /// Whether this user may do all of that with what is there; with none, whether it is there.
  public func allows(_ access: FileAccess = []) -> Bool { (try? check(access)) != nil }

  /// Makes a folder; `mode` less the umask. Throws what mkdir(2) fails with.
  public func makeFolder(mode: UInt32) throws(Errno) {
    try calling { withCString(bytes) { mkdir($0, mode) } }
  }

  /// Makes a new folder for this user alone, with this path and six letters behind it; what it is called.
  /// Throws what mkdtemp(3) fails with.
  public func makeUniqueFolder() throws(Errno) -> FilePath {
    var template = (bytes + Array(repeating: UInt8(ascii: "X"), count: 6)).map { CChar(bitPattern: $0) } + [0]
    guard mkdtemp(&template) != nil else { throw .current }
    return FilePath(bytes: template.dropLast().map { UInt8(bitPattern: $0) })
  }

  /// Makes the folder and those that it lies in, as far as they are not there. Failures are left for the
  /// first use to show.
  public func makeFolders(mode: UInt32) {
    for end in bytes.indices.dropFirst() where bytes[end] == UInt8(ascii: "/") {
      try? FilePath(bytes: Array(bytes[..<end])).makeFolder(mode: mode)
    }
    try? makeFolder(mode: mode)
  }

  /// Makes a named pipe; `mode` less the umask. Throws what mkfifo(3) fails with.
  public func makePipe(mode: UInt32) throws(Errno) {
    try calling { withCString(bytes) { mkfifo($0, mode) } }
  }

  /// Removes an empty folder. Throws what rmdir(2) fails with.
  public func removeFolder() throws(Errno) { try calling { withCString(bytes) { rmdir($0) } } }

  /// Takes this name from its file, which goes with the last one. Throws what unlink(2) fails with.
  public func unlink() throws(Errno) { try calling { withCString(bytes) { Glibc.unlink($0) } } }

  /// Gives the file another name. Throws what renameat2(2) fails with.
  public func rename(to other: FilePath, mode: RenameMode = .replacing) throws(Errno) {
    try renameFile(bytes, at: AT_FDCWD, to: other.bytes, at: AT_FDCWD, mode)
  }

  /// Gives the file another name as well. Throws what link(2) fails with.
  public func link(to other: FilePath) throws(Errno) {
    try calling { withCString(bytes) { name in withCString(other.bytes) { Glibc.link(name, $0) } } }
  }

  /// Sets the permissions; `mode` as chmod(2) has it. Throws what chmod(2) fails with.
  public func setPermissions(_ mode: UInt32) throws(Errno) {
    try calling { withCString(bytes) { chmod($0, mode) } }
  }

  /// Sets when it was read and written last, in nanoseconds since 1970; a link is a link. Throws what
  /// utimensat(2) fails with.
  public func setTimes(nanoseconds: Int64) throws(Errno) {
    let time = timespec(nanoseconds: nanoseconds)
    try calling { withCString(bytes) { utimensat(AT_FDCWD, $0, [time, time], AT_SYMLINK_NOFOLLOW) } }
  }

  /// Makes a symbolic link that says `target`. Throws what symlink(2) fails with.
  public func makeSymbolicLink(to target: FilePath) throws(Errno) {
    try calling { withCString(bytes) { path in withCString(target.bytes) { symlink($0, path) } } }
  }

  /// What the symbolic link says.
  public var linkTarget: FilePath? {
    var room = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = withCString(bytes) { readlink($0, &room, room.count) }
    return count > 0 ? FilePath(bytes: room.prefix(count).map { UInt8(bitPattern: $0) }) : nil
  }

  /// With every symbolic link followed, as realpath(3) does. Throws what it fails with.
  public func realPath() throws(Errno) -> FilePath {
    let found = withCString(bytes) { realpath($0, nil) }
    guard let found else { throw .current }
    defer { free(found) }
    return FilePath(bytes: LinuxSystem.bytes(of: found))
  }

  /// With every symbolic link followed; a file that does not exist yet keeps its name in its resolved folder.
  /// Nil when the folder is not there, or when the path is a link to nothing.
  public var resolved: FilePath? {
    if let whole = try? realPath() { return whole }
    guard (try? status(followingLinks: false)) == nil, !name.isEmpty else { return nil }
    return (try? parent.realPath())?.appending(name)
  }

  /// The names in the folder, but for itself and its parent. Throws what opendir(3) fails with.
  public func names() throws(Errno) -> [[UInt8]] {
    var found: [[UInt8]] = []
    try open([.readOnly, .folder]).forEachName { name, _ in
      found.append(name)
      return true
    }
    return found
  }

  /// Makes the folder's names durable. One that cannot be read, or synchronized, is left to the system.
  public func synchronizeFolder() { try? open([.readOnly, .folder]).synchronize() }

  /// The same of this folder and of each one that it lies in: whoever made one of them, its name lasts.
  public func synchronizeFolders() {
    synchronizeFolder()
    for end in bytes.indices.reversed() where bytes[end] == UInt8(ascii: "/") {
      FilePath(bytes: Array(bytes[..<max(end, 1)])).synchronizeFolder()
    }
  }

  /// Where this process is. Throws what getcwd(3) fails with: `noSuchFile` in a folder that is gone.
  public static func workingFolder() throws(Errno) -> FilePath {
    guard let current = getcwd(nil, 0) else { throw .current }
    defer { free(current) }
    return FilePath(bytes: LinuxSystem.bytes(of: current))
  }
}
