// SPDX-License-Identifier: MIT

import ActivityModel
import Glibc

/// One replacement of a file of our own, step by step (records.md 4.7): whatever happens between any two
/// steps, the name leads to the old bytes or to the new, whole.
///
/// Where the file system can, the file has no name while it is written: sync engines that list the folder
/// meanwhile do not meet a file that is gone a moment later. It has one only between two calls, for no call
/// puts a nameless file in another's place.
public struct DurableFile {
  /// Where it is written.
  let directory: Descriptor
  /// The name that will lead to it.
  let name: [UInt8]
  /// What it is called until then.
  let temporary: [UInt8]
  /// For tests: whether it may be written without a name.
  var mayBeNameless = true

  /// A replacement of what is called `name` in `directory`.
  public init(in directory: Descriptor, name: [UInt8], temporary: [UInt8] = Self.temporaryName()) {
    self.directory = directory
    self.name = name
    self.temporary = temporary
  }

  /// The steps, in order.
  enum Step: Int, CaseIterable, Comparable {
    case create, write, synchronize, link, rename, synchronizeDirectory
    static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  /// 24 hexadecimal digits of 96 random bits, and `~`, which engines leave alone or take for a backup.
  public static func temporaryName() -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    let random = (0..<12).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    return Array((random.hexadecimal + "~").utf8)
  }

  /// Whether `temporaryName` may have made this.
  public static func isTemporaryName(_ name: [UInt8]) -> Bool {
    name.count == 25 && name.last == UInt8(ascii: "~")
      && [UInt8](hexadecimal: String(decoding: name.dropLast(), as: UTF8.self))?.hexadecimal.utf8
        .elementsEqual(name.dropLast()) == true
  }

  /// Writes and renames; `mode` is set exactly. On failure the temporary file is removed and the old file is
  /// untouched. Blocks for two fsync(2). Throws what the step that failed ran into.
  public func replace(with bytes: [UInt8], mode: UInt32) throws(Errno) {
    try replace(with: bytes, mode: mode, dyingAfter: .synchronizeDirectory)
  }

  /// - Parameter last: for tests: the process "dies" after this step, so nothing more is done and nothing
  /// undone.
  func replace(with bytes: [UInt8], mode: UInt32, dyingAfter last: Step) throws(Errno) {
    let (file, isNamed) = try begin()
    guard last > .create else { return }
    do throws(Errno) {
      try fill(file, bytes, mode, last)
      try place(file, isNamed: isNamed, last)
    } catch {
      try? directory.unlink(temporary)
      throw error
    }
    guard last >= .synchronizeDirectory else { return }
    try synchronizeDirectory()
  }

  /// Makes the name outlive a crash, where the file system can do this. Blocks for one fsync(2). Throws what
  /// that runs into.
  public func synchronizeDirectory() throws(Errno) {
    do throws(Errno) { try directory.synchronize() } catch {
      // EINVAL: a file system that cannot do this; the name is right, it is only not certain to outlive a
      // crash.
      if error != .invalidArgument { throw error }
    }
  }

  /// Writes a new file, like another one in owner, mode and attributes where this user may. Throws
  /// `fileExists`, and leaves what is there, when the name is taken; on any failure nothing new is left.
  /// Blocks for two fsync(2).
  public func create(with bytes: [UInt8], like other: FilePath? = nil, mode: UInt32) throws(Errno) {
    let (file, isNamed) = try begin()
    do throws(Errno) {
      if let other {
        _ = ExtendedAttributes(of: other)?.give(to: file)
        if let status = try? other.status() { _ = file.adopt(status) }
      }
      try fill(file, bytes, mode, .synchronize)
      try give(name, in: directory, to: file, isNamed: isNamed)
    } catch {
      if isNamed { removeTemporary() }
      throw error
    }
    // A file system that cannot do this: the name is right, it is only not certain to outlive a crash.
    try? directory.synchronize()
  }

  // MARK: Step by step

  /// A new file for this user alone, to be read and written, that `name` does not lead to yet: without a name
  /// where the file system can, else under the temporary one. Throws what making it fails with.
  public func begin() throws(Errno) -> (file: Descriptor, isNamed: Bool) {
    if mayBeNameless, let file = createNameless() { return (file, false) }
    return (try createNamed(), true)
  }

  /// Gives a file without a name the temporary one. Throws what linkat(2) fails with.
  public func giveTemporaryName(to file: Descriptor) throws(Errno) {
    try giveName(temporary, in: directory, to: file)
  }

  /// Gives a file that was begun its name in `folder`, which no file may have. Throws `fileExists` where one
  /// has it, and what linkat(2) or renameat2(2) fails with.
  public func give(
    _ newName: [UInt8], in folder: Descriptor, to file: Descriptor, isNamed: Bool
  ) throws(Errno) {
    guard isNamed else { return try giveName(newName, in: folder, to: file) }
    do throws(Errno) { try directory.rename(temporary, to: newName, in: folder, mode: .keeping) } catch {
      guard error.isUnsupported else { throw error }
      // A second name fails when it is taken.
      try directory.link(temporary, to: newName, in: folder)
      removeTemporary()
    }
  }

  /// Lets the file that has the temporary name, and the one called `other` in `folder`, exchange their names.
  /// Throws what renameat2(2) fails with.
  public func exchange(with other: [UInt8], in folder: Descriptor) throws(Errno) {
    try directory.rename(temporary, to: other, in: folder, mode: .exchanging)
  }

  /// What has the temporary name. Throws what fstatat(2) fails with.
  public func temporaryStatus() throws(Errno) -> FileStatus { try directory.status(of: temporary) }

  /// Takes the temporary name from its file, if it has one.
  public func removeTemporary() { try? directory.unlink(temporary) }

  private func fill(_ file: Descriptor, _ bytes: [UInt8], _ mode: UInt32, _ last: Step) throws(Errno) {
    try file.writeAll(bytes)
    guard last > .write else { return }
    do throws(Errno) {
      try file.setPermissions(mode)
    } catch {
      // A file system that keeps no permissions, or not these.
      guard error == .notPermitted || error == .notSupported else { throw error }
    }
    try file.synchronize()
  }

  private func place(_ file: Descriptor, isNamed: Bool, _ last: Step) throws(Errno) {
    guard last > .synchronize else { return }
    if !isNamed { try giveTemporaryName(to: file) }
    guard last > .link else { return }
    try directory.rename(temporary, to: name, mode: .replacing)
  }

  private func createNamed() throws(Errno) -> Descriptor {
    try directory.open(temporary, flags: [.readWrite, .create, .exclusive, .noFollow], mode: 0o600)
  }

  /// Nil where the file system, or a system without /proc, cannot: FUSE, NFS and others.
  private func createNameless() -> Descriptor? {
    guard let file = try? directory.openNameless(), file.magicLink.allows() else { return nil }
    return file
  }

  private func giveName(_ name: [UInt8], in folder: Descriptor, to file: Descriptor) throws(Errno) {
    try calling {
      withCString(file.magicLink.bytes) { link in
        withCString(name) { linkat(AT_FDCWD, link, folder.number, $0, AT_SYMLINK_FOLLOW) }
      }
    }
  }
}
