// SPDX-License-Identifier: MIT

public import Continuo
public import Foundation
import LinuxSystem

/// A file that a person named, looked at before it is opened.
public struct FileArgument {
  /// Where it lies.
  public let url: URL
  /// Nothing is there yet: the first save creates it.
  public let isNew: Bool
  /// How many bytes it has; 0 for one that is not there.
  public let size: Int

  /// Throws a sentence for what cannot be edited.
  public init(_ path: String) throws(ContinuityError) {
    url = URL(filePath: path).absoluteURL.standardizedFileURL
    let status: FileStatus
    do throws(Errno) {
      status = try FilePath(path).status()
    } catch {
      // Without that right nothing is told of what lies in a folder.
      guard error != .permissionDenied else { throw Self.failure(path, because: Self.lockedFolder) }
      guard error == .noSuchFile else { throw Self.failure(path, because: Self.reason(error)) }
      guard (try? FilePath(path).status(followingLinks: false)) == nil else {
        throw Self.failure(path, because: Self.reason(.symbolicLink))
      }
      (isNew, size) = (true, 0)
      try Self.checkFolder(of: path)
      return
    }
    (isNew, size) = (false, status.size)
    switch status.kind {
    case .regular: break
    case .folder: throw Self.failure(path, because: "is a folder: name a file in it")
    default: throw Self.failure(path, because: "is not a regular file: it cannot be edited")
    }
    guard status.size <= TextBuffer.sizeLimit else { throw TextBuffer.tooLarge(path) }
    do throws(Errno) {
      try FilePath(path).check(.read)
    } catch {
      throw Self.failure(path, because: Self.reason(error))
    }
  }

  private static func checkFolder(of path: String) throws(ContinuityError) {
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { path[..<$0].isEmpty ? "/" : String(path[..<$0]) } ?? "."
    guard let status = try? FilePath(folder).status() else {
      throw failure(path, because: "cannot be made: there is no folder \(folder), so make that first")
    }
    guard status.kind == .folder else {
      throw failure(path, because: "would lie in \(folder), which is no folder: choose another place")
    }
    do throws(Errno) {
      try FilePath(folder).check([.write, .execute])
    } catch {
      throw failure(
        path,
        because: error == .readOnlyFileSystem
          ? "cannot be made: \(folder) is on a read-only disk, so choose another folder"
          : "cannot be made: you may not write in \(folder), so choose another folder")
    }
  }

  private static let lockedFolder =
    "lies in a folder that you may not enter: change the folder's permissions (chmod u+x)"

  // MARK: Home

  /// `path` with a home folder in the place of `~` or `~user`, as shells have it. Throws a sentence for a
  /// user that there is not.
  public static func expanded(_ path: String) throws(ContinuityError) -> String {
    guard path.first == "~" else { return path }
    let end = path.firstIndex(of: "/") ?? path.endIndex
    let user = String(path[path.index(after: path.startIndex)..<end])
    guard let home = user.isEmpty ? UserAccount.home() : UserAccount(named: user)?.home else {
      throw ContinuityError(
        .invalidRequest, subject: path,
        description:
          "There is no user \(user) here: write the folder's whole path, or ./\(path) for a file of "
          + "that name."
      )
    }
    return home + path[end...]
  }

  /// `folder`, without a last slash, and with `~` for the person's own home folder.
  public static func shortened(_ folder: String) -> String {
    let folder = folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder
    guard let home = UserAccount.home(), home.count > 1 else { return folder }
    if folder == home { return "~" }
    return folder.hasPrefix(home + "/") ? "~" + folder.dropFirst(home.count) : folder
  }

  private static func reason(_ failure: Errno) -> String {
    switch failure {
    case .permissionDenied: "may not be read by you: change its permissions (chmod u+r)"
    case .symbolicLink: "is a symbolic link that leads nowhere"
    case .notFolder: "lies below something that is no folder"
    default: "cannot be opened: \(failure.text)"
    }
  }

  private static func failure(_ path: String, because reason: String) -> ContinuityError {
    ContinuityError(.documentUnreadable, subject: path, description: "\(path) \(reason).")
  }
}
