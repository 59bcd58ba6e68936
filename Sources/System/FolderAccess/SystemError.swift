// SPDX-License-Identifier: MIT

import ActivityModel
import Glibc

/// An `errno` as a sentence that says what to do.
enum SystemError {
  /// - Parameters:
  ///   - number: the `errno`, read right after the call.
  ///   - failed: what could not be done, as a clause: "plan.md could not be read".
  static func error(
    _ number: CInt, _ code: ContinuityError.Code, subject: String, _ failed: String
  ) -> ContinuityError {
    ContinuityError(code, subject: subject, "\(failed): \(clause(number)).")
  }

  /// Why and what to do, to follow a colon.
  static func clause(_ number: CInt) -> String {
    switch number {
    case ENOENT: "it is not there (any more)"
    case ENOSPC: "the disk is full; free some space"
    case EDQUOT: "the disk quota is used up; free some space"
    case EROFS: "the file system is read-only; mount it writable"
    case EACCES, EPERM: "permission is denied; give this user access"
    case ELOOP: "a symbolic link is on the way, and links are not followed; put the file itself there"
    case EXDEV: "it leads out of the folder; put the file itself there"
    case ENOTDIR: "a part of the path is no folder"
    case EISDIR: "a folder has that name; move it away"
    case ENAMETOOLONG: "the name is too long; shorten it"
    case EMFILE, ENFILE: "too many files are open; raise the limit (`ulimit -n`)"
    case EIO: "the disk reports an error; check it"
    case ESTALE: "its folder is not where it was; bring it back, or mount it again"
    case EHOSTDOWN: "the file system does not answer; check the connection to the computer it lies on"
    default: String(cString: strerror(number))
    }
  }
}
