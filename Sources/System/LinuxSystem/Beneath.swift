// SPDX-License-Identifier: MIT

import ActivityModel
import CLinux
import Glibc
import Synchronization

/// Opens paths that cannot leave a folder: no symbolic link anywhere on the way, nothing above, no magic
/// link.
public enum Beneath {
  /// How it is done.
  public enum Way: Hashable, Sendable {
    /// `openat2`, in one system call.
    case kernel
    /// `openat` per component with `O_NOFOLLOW`, where a kernel before 5.6 or a sandbox refuses `openat2`.
    case walk
  }

  private static let isKernelWilling = Atomic(true)

  /// What `components` lead to below `folder`; the folder itself, opened anew, for none. The kernel's way is
  /// tried first unless `way` names one. Throws what openat2(2) fails with, `symbolicLink` for any link on
  /// the way.
  public static func open(
    _ components: [[UInt8]], below folder: some OpenDescriptor, flags: OpenFlags, way: Way? = nil
  ) throws(Errno) -> Descriptor {
    let names = components.isEmpty ? [[UInt8(ascii: ".")]] : components
    if way == .walk || way == nil && !isKernelWilling.load(ordering: .relaxed) {
      return try walk(names, folder.number, flags)
    }
    do throws(Errno) {
      return try ask(names, folder.number, flags)
    } catch {
      guard error == .noSuchCall || error == .notPermitted else { throw error }
      // EPERM may also be about this one file, so a sandbox is asked again the next time.
      if error == .noSuchCall { isKernelWilling.store(false, ordering: .relaxed) }
    }
    return try walk(names, folder.number, flags)
  }

  private static func ask(_ names: [[UInt8]], _ folder: CInt, _ flags: OpenFlags) throws(Errno) -> Descriptor
  {
    let path = Array(names.joined(separator: [UInt8(ascii: "/")]))
    var failure = Errno.wouldBlock
    // EAGAIN: the kernel saw a rename beside it and could not be sure; rare, and soon over.
    for _ in 0..<64 where failure == .wouldBlock {
      do throws(Errno) {
        // No O_NOFOLLOW: RESOLVE_NO_SYMLINKS refuses a link as such, while with O_PATH that flag would
        // open it.
        return Descriptor(
          owning: try calling { withCString(path) { continuo_open_beneath(folder, $0, flags.rawValue, 0) } })
      } catch {
        failure = error
      }
    }
    throw failure
  }

  private static func walk(_ names: [[UInt8]], _ folder: CInt, _ flags: OpenFlags) throws(Errno) -> Descriptor
  {
    var holder: Descriptor?
    for (index, name) in names.enumerated() {
      let folder = holder?.number ?? folder
      let flags: OpenFlags = index == names.count - 1 ? flags : [.placeOnly, .folder]
      do throws(Errno) {
        holder = try openFile(name, at: folder, flags.union(.noFollow), 0)
      } catch {
        throw reason(error, name, folder)
      }
    }
    guard let holder else { throw .noSuchFile }
    return holder
  }

  /// A link where a folder is wanted shows as ENOTDIR here; `openat2` calls it ELOOP, and so do the
  /// sentences.
  private static func reason(_ failure: Errno, _ name: [UInt8], _ folder: CInt) -> Errno {
    let status = failure == .notFolder ? try? fileStatus(name, at: folder, followingLinks: false) : nil
    return status?.kind == .symbolicLink ? .symbolicLink : failure
  }
}
