// SPDX-License-Identifier: MIT

import Glibc

extension Errno {
  /// Why, and what a person can do, to follow a colon: for folders, and for files of continuo's own.
  public var clause: String {
    switch rawValue {
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
    default: text
    }
  }

  /// The same for a document that a person opens or saves, and may put somewhere else.
  public var documentClause: String {
    switch rawValue {
    case ENOSPC, EDQUOT: "the disk is full; free some space and try again"
    case EACCES, EPERM: "permission is missing; change the permissions, or use another place"
    case EROFS: "the file system is read-only; use another place"
    case ENOENT, ENOTDIR: "it, or its folder, is not there; bring it back, or use another place"
    case ELOOP: "its symbolic links lead nowhere; repair them, or use another place"
    case ENAMETOOLONG: "the name is too long; use a shorter one"
    default: text
    }
  }
}
