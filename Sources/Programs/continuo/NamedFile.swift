// SPDX-License-Identifier: MIT

import ActivityModel
import LinuxSystem
import SyncedFolders

/// The file that a person named to be published or awaited, or why it is no document.
struct NamedFile {
  /// Absolute, as the agent knows it.
  let path: [UInt8]

  /// Looks at what was typed. A link is followed: the file that it leads to is what can be handed over.
  /// Throws a sentence for what is no regular file.
  init(typed: String) throws(ContinuityError) {
    let path = try DocumentPath.resolve(typed)
    guard (try? Self.look(path))?.kind == .symbolicLink else {
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
    let status: FileStatus
    do throws(Errno) { status = try Self.look(path) } catch {
      throw Self.refused(path, "is not there (\(error.text)): check its name.")
    }
    let kind =
      switch status.kind {
      case .regular: ""
      case .folder: "is a folder: name a document in it."
      case .symbolicLink: "is a link: name the document itself."
      case .pipe: "is a pipe, not a document: name a regular file."
      case .socket: "is a socket, not a document: name a regular file."
      case .device, .unknown: "is a device, not a document: name a regular file."
      }
    guard kind.isEmpty else { throw Self.refused(path, kind) }
    self.path = path
  }

  /// Open for reading. Throws a sentence when that is not possible.
  func open() throws(ContinuityError) -> Descriptor {
    do throws(Errno) {
      return try FilePath(bytes: path).open([.readOnly, .nonBlocking, .noFollow])
    } catch {
      throw Self.refused(path, "cannot be opened (\(error.text)): check its name and permissions.")
    }
  }

  /// Throws a sentence when it lies where nothing is handed over from.
  func checkPlace(among roots: [SyncedRoot]) throws(ContinuityError) {
    let (_, relative) = try DocumentPath.root(of: path, among: roots)
    guard DocumentResolver.isKeptBack(relative) else { return }
    throw Self.refused(
      path, "belongs to the sync engine or to continuo itself and is not handed over: name a document.")
  }

  private static func look(_ path: [UInt8]) throws(Errno) -> FileStatus {
    try FilePath(bytes: path).status(followingLinks: false)
  }

  private static func refused(_ path: [UInt8], _ why: String) -> ContinuityError {
    let shown = Terminal.shown(path)
    return ContinuityError(.invalidRequest, subject: shown, description: "\(shown) \(why)")
  }
}
