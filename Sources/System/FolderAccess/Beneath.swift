// SPDX-License-Identifier: MIT

import CLinux
import Glibc
import SyncedFolders
import Synchronization

/// Opens paths that cannot leave a folder: no symbolic link anywhere on the way, nothing above, no magic
/// link.
enum Beneath {
  /// How it is done.
  enum Way: Hashable, Sendable {
    /// `openat2`, in one system call.
    case kernel
    /// `openat` per component with `O_NOFOLLOW`, where a kernel before 5.6 or a sandbox refuses `openat2`.
    case walk
  }

  /// `O_PATH`, which glibc hides from Swift; the same number on x86-64 and arm64.
  static let openPathOnly: CInt = 0o10_000_000

  private static let isKernelWilling = Atomic(true)

  /// The descriptor, close-on-exec, or the `errno`. `components` empty opens the folder itself anew.
  static func open(
    _ components: [[UInt8]], below directory: CInt, flags: CInt, way: Way? = nil
  ) -> Result<Descriptor, SystemNumber> {
    let names = components.isEmpty ? [[UInt8(ascii: ".")]] : components
    switch way ?? (isKernelWilling.load(ordering: .relaxed) ? .kernel : .walk) {
    case .walk: return walk(names, directory, flags)
    case .kernel:
      let result = ask(names, directory, flags)
      guard case .failure(let failure) = result, failure.number == ENOSYS || failure.number == EPERM else {
        return result
      }
      // EPERM may also be about this one file, so a sandbox is asked again the next time.
      if failure.number == ENOSYS { isKernelWilling.store(false, ordering: .relaxed) }
      return walk(names, directory, flags)
    }
  }

  /// An `errno`.
  struct SystemNumber: Error {
    var number: CInt
  }

  private static func ask(
    _ names: [[UInt8]], _ directory: CInt, _ flags: CInt
  ) -> Result<Descriptor, SystemNumber> {
    let path = Array(names.joined(separator: [UInt8(ascii: "/")]))
    // EAGAIN: the kernel saw a rename beside it and could not be sure; rare, and soon over.
    for _ in 0..<64 {
      // No O_NOFOLLOW: RESOLVE_NO_SYMLINKS refuses a link as such, while with O_PATH that flag would open it.
      let number = withPath(path) { path in
        uninterrupted { continuo_open_beneath(directory, path, flags, 0) }
      }
      if number >= 0 { return .success(Descriptor(owning: number)) }
      guard errno == EAGAIN else { break }
    }
    return .failure(SystemNumber(number: errno))
  }

  private static func walk(
    _ names: [[UInt8]], _ directory: CInt, _ flags: CInt
  ) -> Result<Descriptor, SystemNumber> {
    var holder: Descriptor?
    for (index, name) in names.enumerated() {
      let flags = index == names.count - 1 ? flags : openPathOnly | O_DIRECTORY
      let folder = holder?.number ?? directory
      let number = step(name, folder, flags | O_NOFOLLOW | O_CLOEXEC)
      guard number >= 0 else { return .failure(SystemNumber(number: reason(errno, name, folder))) }
      holder = Descriptor(owning: number)
    }
    return holder.map { .success($0) } ?? .failure(SystemNumber(number: ENOENT))
  }

  private static func step(_ name: [UInt8], _ directory: CInt, _ flags: CInt) -> CInt {
    withPath(name) { name in uninterrupted { openat(directory, name, flags) } }
  }

  /// A link where a folder is wanted shows as ENOTDIR here; `openat2` calls it ELOOP, and so do the
  /// sentences.
  private static func reason(_ number: CInt, _ name: [UInt8], _ directory: CInt) -> CInt {
    guard number == ENOTDIR, FileStatus.of(name, in: directory)?.kind == .symbolicLink else { return number }
    return ELOOP
  }
}
