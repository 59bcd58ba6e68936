// SPDX-License-Identifier: MIT

import ActivityModel
import CLinux
import Glibc

/// One replacement of a file of our own, step by step (records.md 4.7): whatever happens between any two
/// steps, the name leads to the old bytes or to the new, whole.
struct DurableFile {
  /// Where it is written.
  let directory: CInt
  /// The name that will lead to it.
  let name: [UInt8]
  /// What it is called until then.
  let temporary: [UInt8]

  /// The steps, in order.
  enum Step: Int, CaseIterable, Comparable {
    case create, write, synchronize, rename, synchronizeDirectory
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
    let number = withPath(temporary) { name in
      uninterrupted {
        openat(directory, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
      }
    }
    guard number >= 0 else { return .failure(Beneath.SystemNumber(number: errno)) }
    let file = Descriptor(owning: number)
    guard last > .create else { return .success(()) }
    let result = fill(file.number, bytes, mode, last)
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
    guard last > .synchronize else { return .success(()) }
    let renamed = withPath(temporary) { from in
      withPath(name) { name in
        uninterrupted { continuo_renameat2(directory, from, directory, name, 0) }
      }
    }
    return renamed == 0 ? .success(()) : .failure(Beneath.SystemNumber(number: errno))
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
