// SPDX-License-Identifier: MIT

import ActivityModel
import Glibc
import SyncedFolders

/// The file that a person named to be published or awaited, or why it is no document.
struct NamedFile {
  /// Absolute, as the agent knows it.
  let path: [UInt8]

  /// Looks at what was typed. A link is followed: the file that it leads to is what can be handed over.
  /// Throws a sentence for what is no regular file.
  init(typed: String) throws(ContinuityError) {
    let path = try DocumentPath.resolve(typed)
    guard let status = Self.look(path), status.st_mode & S_IFMT == S_IFLNK else {
      try self.init(path: path)
      return
    }
    guard let target = DocumentPath.real(path) else {
      throw Self.refused(path, "is a link that leads to nothing: name the document itself.")
    }
    try self.init(path: target)
  }

  /// Looks at an absolute path whose folders are resolved.
  init(path: [UInt8]) throws(ContinuityError) {
    guard let status = Self.look(path) else {
      throw Self.refused(path, "is not there (\(String(cString: strerror(errno)))): check its name.")
    }
    let kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: ""
      case S_IFDIR: "is a folder: name a document in it."
      case S_IFLNK: "is a link: name the document itself."
      case S_IFIFO: "is a pipe, not a document: name a regular file."
      case S_IFSOCK: "is a socket, not a document: name a regular file."
      default: "is a device, not a document: name a regular file."
      }
    guard kind.isEmpty else { throw Self.refused(path, kind) }
    self.path = path
  }

  /// Open for reading; the caller closes it. Throws a sentence when that is not possible.
  func open() throws(ContinuityError) -> Int32 {
    let descriptor = DocumentPath.withCString(path) {
      Glibc.open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
    }
    guard descriptor >= 0 else {
      throw Self.refused(
        path, "cannot be opened (\(String(cString: strerror(errno)))): check its name and permissions.")
    }
    return descriptor
  }

  /// Throws a sentence when it lies where nothing is handed over from.
  func checkPlace(among roots: [SyncedRoot]) throws(ContinuityError) {
    let (_, relative) = try DocumentPath.root(of: path, among: roots)
    guard DocumentResolver.isKeptBack(relative) else { return }
    throw Self.refused(
      path, "belongs to the sync engine or to continuo itself and is not handed over: name a document.")
  }

  private static func look(_ path: [UInt8]) -> stat? {
    var status = stat()
    return DocumentPath.withCString(path) { lstat($0, &status) } == 0 ? status : nil
  }

  private static func refused(_ path: [UInt8], _ why: String) -> ContinuityError {
    let shown = Terminal.shown(path)
    return ContinuityError(.invalidRequest, subject: shown, "\(shown) \(why)")
  }
}
