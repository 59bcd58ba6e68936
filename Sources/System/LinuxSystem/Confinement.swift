// SPDX-License-Identifier: MIT

import CLinux
import Glibc

/// What a process that speaks with strangers takes from itself, for good. Each holds for threads that it
/// starts later, and for no others.
public enum Confinement {
  /// Gains no rights by any program. Throws what prctl(2) fails with.
  public static func gainNoPrivileges() throws(Errno) { try calling { continuo_no_new_privileges() } }

  /// Reaches nothing of the file system any more, and traces no process; whether this kernel knows how
  /// (Landlock, from 5.13 on, where it is switched on). After `gainNoPrivileges()`. Throws what the kernel
  /// refuses though it knows how.
  public static func forsakePaths() throws(Errno) -> Bool {
    do throws(Errno) { try calling { continuo_without_paths() } } catch {
      guard error.rawValue == ENOSYS || error.rawValue == EOPNOTSUPP else { throw error }
      return false
    }
    return true
  }

  /// Has its descriptors from now on, those that others pass to it, connections that it accepts, and memory;
  /// any other call fails. After `gainNoPrivileges()`. Throws what seccomp(2) fails with.
  public static func keepDescriptorsOnly() throws(Errno) { try calling { continuo_only_descriptors() } }

  /// In a build for tests, and where a test wants it, tries what is forbidden by now and prints how that
  /// ended.
  public static func tryWhatIsForbidden(_ label: String) { continuo_try_what_is_forbidden(label) }
}
