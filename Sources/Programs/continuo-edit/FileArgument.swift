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
      let code = errno
      // Without that right nothing is told of what lies in a folder.
      guard code != EACCES else { throw Self.failure(path, because: Self.lockedFolder) }
      guard code == ENOENT else { throw Self.failure(path, because: Self.reason(code)) }
      guard lstat(path, &facts) != 0 else { throw Self.failure(path, because: Self.reason(ELOOP)) }
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
    guard stat(folder, &facts) == 0 else {
      throw failure(path, because: "cannot be made: there is no folder \(folder), so make that first")
    }
    guard facts.st_mode & S_IFMT == S_IFDIR else {
      throw failure(path, because: "would lie in \(folder), which is no folder: choose another place")
    }
    guard access(folder, W_OK | X_OK) == 0 else {
      throw failure(
        path,
        because: errno == EROFS
          ? "cannot be made: \(folder) is on a read-only disk, so choose another folder"
          : "cannot be made: you may not write in \(folder), so choose another folder")
    }
  }

  private static let lockedFolder =
    "lies in a folder that you may not enter: change the folder's permissions (chmod u+x)"

  // MARK: Home

  /// `path` with a home folder in the place of `~` or `~user`, as shells have it. Throws a sentence for a
  /// user that there is not.
  static func expanded(_ path: String) throws(ContinuityError) -> String {
    guard path.first == "~" else { return path }
    let end = path.firstIndex(of: "/") ?? path.endIndex
    let user = String(path[path.index(after: path.startIndex)..<end])
    guard let home = user.isEmpty ? ownHome : getpwnam(user).map({ String(cString: $0.pointee.pw_dir) })
    else {
      throw ContinuityError(
        .invalidRequest, subject: path,
        "There is no user \(user) here: write the folder's whole path, or ./\(path) for a file of that name."
      )
    }
    return home + path[end...]
  }

  /// `folder`, without a last slash, and with `~` for the person's own home folder.
  static func shortened(_ folder: String) -> String {
    let folder = folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder
    guard let home = ownHome, home.count > 1 else { return folder }
    if folder == home { return "~" }
    return folder.hasPrefix(home + "/") ? "~" + folder.dropFirst(home.count) : folder
  }

  private static var ownHome: String? {
    if let told = getenv("HOME").map({ String(cString: $0) }), !told.isEmpty { return told }
    return getpwuid(getuid()).map { String(cString: $0.pointee.pw_dir) }
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
