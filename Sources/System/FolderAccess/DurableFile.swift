// SPDX-License-Identifier: MIT

import ActivityModel
import CLinux
import Glibc

/// One replacement of a file of our own, step by step (records.md 8): whatever happens between any two
/// steps, the name leads to the old bytes or to the new, whole.
///
/// Where the file system can, the file has no name while it is written: sync engines that list the folder
/// meanwhile do not meet a file that is gone a moment later. It has one only between two calls, for no call
/// puts a nameless file in another's place.
struct DurableFile {
  /// Where it is written.
  let directory: CInt
  /// The name that will lead to it.
  let name: [UInt8]
  /// What it is called until then.
  let temporary: [UInt8]
  /// For tests: whether it may be written without a name.
  var mayBeNameless = true

  /// The steps, in order.
  enum Step: Int, CaseIterable, Comparable {
    case create, write, synchronize, link, rename, synchronizeDirectory
    static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  /// 24 hexadecimal digits of 96 random bits, and `~`, which engines leave alone or take for a backup.
  static func temporaryName() -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    let random = (0..<12).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    return Array((random.hexadecimal + "~").utf8)
  }

  /// Whether `temporaryName` may have made this.
  static func isTemporaryName(_ name: [UInt8]) -> Bool {
    name.count == 25 && name.last == UInt8(ascii: "~")
      && [UInt8](hexadecimal: String(decoding: name.dropLast(), as: UTF8.self))?.hexadecimal.utf8
        .elementsEqual(name.dropLast()) == true
  }

  /// Writes and renames. On failure the temporary file is removed and the old file is untouched.
  /// - Parameter last: for tests: the process "dies" after this step, so nothing more is done and nothing
  /// undone.
  func replace(
    with bytes: [UInt8], mode: mode_t, dyingAfter last: Step = .synchronizeDirectory
  ) -> Result<Void, Beneath.SystemNumber> {
    let file: Descriptor
    let isNamed: Bool
    if mayBeNameless, let nameless = createNameless() {
      (file, isNamed) = (nameless, false)
    } else {
      switch createNamed() {
      case .success(let named): (file, isNamed) = (named, true)
      case .failure(let failure): return .failure(failure)
      }
    }
    guard last > .create else { return .success(()) }
    let result = fill(file.number, bytes, mode, last).flatMap { place(file.number, isNamed: isNamed, last) }
    if case .failure = result { withPath(temporary) { _ = unlinkat(directory, $0, 0) } }
    guard case .success = result, last >= .synchronizeDirectory else { return result }
    // EINVAL: a file system that cannot do this; the name is right, it is only not certain to outlive a
    // crash.
    if fsync(directory) != 0, errno != EINVAL { return .failure(Beneath.SystemNumber(number: errno)) }
    return .success(())
  }

  private func fill(
    _ file: CInt, _ bytes: [UInt8], _ mode: mode_t, _ last: Step
  ) -> Result<Void, Beneath.SystemNumber> {
    guard writeAll(bytes, to: file) else { return .failure(Beneath.SystemNumber(number: errno)) }
    guard last > .write else { return .success(()) }
    guard fchmod(file, mode) == 0 || errno == EPERM || errno == ENOTSUP, fsync(file) == 0 else {
      return .failure(Beneath.SystemNumber(number: errno))
    }
    return .success(())
  }

  private func place(_ file: CInt, isNamed: Bool, _ last: Step) -> Result<Void, Beneath.SystemNumber> {
    guard last > .synchronize else { return .success(()) }
    guard isNamed || giveName(to: file) else { return .failure(Beneath.SystemNumber(number: errno)) }
    guard last > .link else { return .success(()) }
    let renamed = withPath(temporary) { from in
      withPath(name) { name in
        uninterrupted { continuo_renameat2(directory, from, directory, name, 0) }
      }
    }
    return renamed == 0 ? .success(()) : .failure(Beneath.SystemNumber(number: errno))
  }

  private func createNamed() -> Result<Descriptor, Beneath.SystemNumber> {
    let number = withPath(temporary) { name in
      uninterrupted {
        openat(directory, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
      }
    }
    return number >= 0
      ? .success(Descriptor(owning: number)) : .failure(Beneath.SystemNumber(number: errno))
  }

  /// `O_TMPFILE`, which glibc hides from Swift.
  private static let withoutName: CInt = 0o20_000_000 | O_DIRECTORY

  /// Nil where the file system, or a system without /proc, cannot: FUSE, NFS and others.
  private func createNameless() -> Descriptor? {
    let number = uninterrupted { openat(directory, ".", O_WRONLY | Self.withoutName | O_CLOEXEC, 0o600) }
    guard number >= 0 else { return nil }
    let file = Descriptor(owning: number)
    return access("/proc/self/fd/\(number)", F_OK) == 0 ? file : nil
  }

  private func giveName(to file: CInt) -> Bool {
    withPath(temporary) { linkat(AT_FDCWD, "/proc/self/fd/\(file)", directory, $0, AT_SYMLINK_FOLLOW) } == 0
  }

  /// A full disk writes a part and says so only at the next call.
  private func writeAll(_ bytes: [UInt8], to file: CInt) -> Bool {
    bytes.withUnsafeBytes { buffer in
      var rest = buffer[...]
      while !rest.isEmpty {
        let piece = UnsafeRawBufferPointer(rebasing: rest)
        let count = uninterrupted { write(file, piece.baseAddress, piece.count) }
        guard count > 0 else {
          if count == 0 { errno = ENOSPC }
          return false
        }
        rest = rest.dropFirst(count)
      }
      return true
    }
  }
}
