// SPDX-License-Identifier: MIT

import Continuo
import Foundation
import Glibc
import TextEditing

/// The FILE of the command line, looked at before the screen starts.
struct FileArgument {
  /// Where it lies.
  let url: URL
  /// Nothing is there yet: the first save creates it.
  let isNew: Bool

  /// Throws a sentence for what cannot be edited.
  init(_ path: String) throws(ContinuityError) {
    url = URL(filePath: path).absoluteURL.standardizedFileURL
    var facts = stat()
    guard stat(path, &facts) == 0 else {
      guard errno == ENOENT else { throw Self.failure(path, because: Self.reason(errno)) }
      isNew = true
      try Self.checkFolder(of: path)
      return
    }
    isNew = false
    switch facts.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw Self.failure(path, because: "is a folder: name a file in it")
    default: throw Self.failure(path, because: "is not a regular file: it cannot be edited")
    }
    guard facts.st_size <= TextBuffer.sizeLimit else { throw TextBuffer.tooLarge(path) }
    guard access(path, R_OK) == 0 else { throw Self.failure(path, because: Self.reason(errno)) }
  }

  private static func checkFolder(of path: String) throws(ContinuityError) {
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { path[..<$0].isEmpty ? "/" : String(path[..<$0]) } ?? "."
    var facts = stat()
    guard stat(folder, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR else {
      throw failure(path, because: "would lie in \(folder), which is no folder: make it first")
    }
  }

  private static func reason(_ code: Int32) -> String {
    switch code {
    case EACCES: "may not be read by you: change its permissions (chmod u+r)"
    case ELOOP: "is a symbolic link that leads nowhere"
    case ENOTDIR: "lies below something that is no folder"
    default: "cannot be opened: \(String(cString: strerror(code)))"
    }
  }

  private static func failure(_ path: String, because reason: String) -> ContinuityError {
    ContinuityError(.documentUnreadable, subject: path, "\(path) \(reason).")
  }
}
