// SPDX-License-Identifier: MIT

public import ActivityModel
import Glibc
public import SyncedFolders

/// The hands in one synced folder: looks, opens and hashes below its root, and cannot be led out of it.
///
/// Holds a descriptor of the root, so all paths mean the folder that was opened, also after it was moved.
/// Every path is followed without symbolic links (threats T05, T06). Names are compared bytewise, as Linux
/// does. May be used on any thread.
public final class SyncedDirectory: Sendable {
  /// The root's absolute path, as opened.
  public let path: [UInt8]
  let root: Descriptor
  private let identity: FileStamp
  private let way: Beneath.Way?

  /// Opens the root. Throws `folderUnavailable` when it is not there, no folder, or may not be listed.
  public convenience init(path: [UInt8]) throws(ContinuityError) { try self.init(path: path, way: nil) }

  /// For tests: forces one way of opening.
  init(path: [UInt8], way: Beneath.Way?) throws(ContinuityError) {
    let shown = String(decoding: path, as: UTF8.self)
    let number = path.contains(0) ? -1 : withPath(path) { Glibc.open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard number >= 0 else {
      throw SystemError.error(
        path.contains(0) ? ENOENT : errno, .folderUnavailable, subject: shown,
        "The folder \(shown) could not be opened")
    }
    root = Descriptor(owning: number)
    guard let status = FileStatus.of(number) else {
      throw SystemError.error(
        errno, .folderUnavailable, subject: shown, "The folder \(shown) could not be looked at")
    }
    self.path = path
    self.way = way
    identity = status.stamp
  }

  /// Whether the path still leads to this folder: false after a move, removal, mount or unmount.
  public var isInPlace: Bool {
    var status = stat()
    return withPath(path) { stat($0, &status) } == 0 && status.stamp.isSameFile(as: identity)
  }

  /// Looks at a path. Never follows its last name, never blocks on what is there.
  public func observe(_ path: RelativePath) -> FileObservation {
    let holder: Descriptor
    switch openFolder(path.components.dropLast()) {
    case .success(let opened): holder = opened
    case .failure(let failure): return Self.observation(of: failure.number)
    }
    guard let status = FileStatus.of(path.name, in: holder.number) else {
      return Self.observation(of: errno)
    }
    if status.kind != .regular { return .other(status.kind) }
    return status.refusal.map { .unreadable($0) } ?? .file(status.stamp)
  }

  private static func observation(of number: CInt) -> FileObservation {
    switch number {
    case ENOENT, ENOTDIR: .absent
    default: .unreadable(SystemError.clause(number))
    }
  }

  /// Opens a document for reading: a regular file, of this user, with no symbolic link on the way. A pipe or
  /// a device in its place is refused without waiting for it (T08).
  ///
  /// Throws `documentMissing` or `documentUnreadable`.
  public func open(_ path: RelativePath) throws(ContinuityError) -> OpenDocument {
    switch opened(path) {
    case .success(let document): return document
    case .failure(let refusal):
      throw ContinuityError(
        refusal.isMissing ? .documentMissing : .documentUnreadable, subject: path.description,
        "\(path.displayName) could not be opened: \(refusal.clause).")
    }
  }

  private struct Refusal: Error {
    var clause: String
    var isMissing = false
  }

  private func opened(_ path: RelativePath) -> Result<OpenDocument, Refusal> {
    let flags = O_RDONLY | O_NONBLOCK | O_NOCTTY
    let descriptor: Descriptor
    switch Beneath.open(path.components, below: root.number, flags: flags, way: way) {
    case .success(let opened): descriptor = opened
    case .failure(let failure):
      let isMissing = failure.number == ENOENT || failure.number == ENOTDIR
      return .failure(Refusal(clause: SystemError.clause(failure.number), isMissing: isMissing))
    }
    guard let status = FileStatus.of(descriptor.number) else {
      return .failure(Refusal(clause: SystemError.clause(errno)))
    }
    if let refusal = status.refusal { return .failure(Refusal(clause: refusal)) }
    return .success(OpenDocument(path: path, descriptor: descriptor, stamp: status.stamp))
  }

  /// Hashes an open document, and says `unstable` unless its path names that very file, unchanged, at the
  /// end.
  public func hash(
    _ document: OpenDocument, isCancelled: () -> Bool = { false }, progress: (UInt64) -> Void = { _ in }
  ) -> HashOutcome {
    hash(document.descriptor, at: document.path, isCancelled: isCancelled, progress: progress)
  }

  /// Hashes what a descriptor from elsewhere leads to (an app's, of the document it just saved), and says
  /// `unstable` unless `path` names that very file, unchanged, at the end.
  public func hash(
    _ descriptor: Descriptor, at path: RelativePath, isCancelled: () -> Bool = { false },
    progress: (UInt64) -> Void = { _ in }
  ) -> HashOutcome {
    let outcome = ContentHasher.hash(descriptor, isCancelled: isCancelled, progress: progress)
    guard case .stable(_, let stamp, _) = outcome else { return outcome }
    return observe(path) == .file(stamp) ? outcome : .unstable
  }

  /// Opens and hashes in one go, as `ArrivalMachine` asks for it. A file that is gone by now is `unstable`.
  public func hash(
    _ path: RelativePath, isCancelled: () -> Bool = { false }, progress: (UInt64) -> Void = { _ in }
  ) -> HashOutcome {
    switch opened(path) {
    case .success(let document): hash(document, isCancelled: isCancelled, progress: progress)
    case .failure(let refusal): refusal.isMissing ? .unstable : .failed(refusal.clause)
    }
  }

  func openFolder(_ components: some Collection<[UInt8]>) -> Result<Descriptor, Beneath.SystemNumber> {
    guard !components.isEmpty else { return .success(root) }
    return Beneath.open(
      Array(components), below: root.number, flags: Beneath.openPathOnly | O_DIRECTORY, way: way)
  }
}
