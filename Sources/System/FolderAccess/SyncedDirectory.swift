// SPDX-License-Identifier: MIT

public import ActivityModel
public import LinuxSystem
public import SyncedFolders

/// The hands in one synced folder: looks, opens and hashes below its root, and cannot be led out of it.
///
/// Holds no descriptor between two calls, so its disk can be unmounted at any time. Each call opens the root
/// anew and goes on only if it is the folder that was opened first: whatever takes the place of one that was
/// moved, replaced or unmounted is left alone. Every path is followed without symbolic links (threats T05,
/// T06). Names are compared bytewise, as Linux does. May be used on any thread.
public final class SyncedDirectory: Sendable {
  /// The root's absolute path, as opened.
  public let path: [UInt8]
  private let identity: InodeIdentity
  private let way: Beneath.Way?
  private let mayTouch: (@Sendable () -> Bool)?

  /// Opens the root. Throws `folderUnavailable` when it is not there, no folder, or may not be listed.
  ///
  /// - Parameter mayTouch: asked before each call, on its thread: false when the file system does not answer
  /// now, and touching it would wait without end.
  public convenience init(
    path: [UInt8], mayTouch: (@Sendable () -> Bool)? = nil
  ) throws(ContinuityError) {
    try self.init(path: path, way: nil, mayTouch: mayTouch)
  }

  /// For tests: forces one way of opening. Throws as the other one does.
  package init(
    path: [UInt8], way: Beneath.Way?, mayTouch: (@Sendable () -> Bool)? = nil
  ) throws(ContinuityError) {
    let shown = DisplayText.shown(path)
    let root: Descriptor
    do throws(Errno) {
      if path.contains(0) { throw .noSuchFile }
      root = try FilePath(bytes: path).open([.readOnly, .folder])
    } catch {
      throw error.error(.folderUnavailable, subject: shown, "The folder \(shown) could not be opened")
    }
    do throws(Errno) {
      identity = try InodeIdentity(of: root)
    } catch {
      throw error.error(.folderUnavailable, subject: shown, "The folder \(shown) could not be looked at")
    }
    self.path = path
    self.way = way
    self.mayTouch = mayTouch
  }

  /// Whether the path still leads to this folder: false after a move, removal, mount or unmount.
  public var isInPlace: Bool { (try? openRoot()) != nil }

  /// The root, for one call. `ESTALE` when the path leads to no folder or to another one, `EHOSTDOWN` when it
  /// may not be touched.
  func openRoot() throws(Errno) -> Descriptor {
    guard mayTouch?() != false else { throw .hostDown }
    let root: Descriptor
    do throws(Errno) {
      root = try FilePath(bytes: path).open([.placeOnly, .folder])
    } catch {
      throw [.noSuchFile, .notFolder, .symbolicLink].contains(error) ? .stale : error
    }
    guard (try? InodeIdentity(of: root)) == identity else { throw .stale }
    return root
  }

  /// Opens what lies below the root, for one call.
  func openBelow(_ components: [[UInt8]], _ flags: OpenFlags) throws(Errno) -> Descriptor {
    try Beneath.open(components, below: openRoot(), flags: flags, way: way)
  }

  /// Looks at a path. Never follows its last name, never blocks on what is there.
  public func observe(_ path: RelativePath) -> FileObservation {
    do throws(Errno) {
      return try openFolder(path.components.dropLast()).status(of: path.name).observation
    } catch {
      return error == .noSuchFile || error == .notFolder ? .absent : .unreadable(error.clause)
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
        because: .unopenable(document: path.displayName, why: refusal.clause))
    }
  }

  private struct Refusal: Error {
    var clause: String
    var isMissing = false
  }

  private func opened(_ path: RelativePath) -> Result<OpenDocument, Refusal> {
    let descriptor: Descriptor
    do throws(Errno) {
      descriptor = try openBelow(path.components, [.readOnly, .nonBlocking, .noTerminal])
    } catch {
      let isMissing = error == .noSuchFile || error == .notFolder
      return .failure(Refusal(clause: error.clause, isMissing: isMissing))
    }
    do throws(Errno) {
      let status = try descriptor.status()
      if let refusal = status.refusal { return .failure(Refusal(clause: refusal)) }
      return .success(OpenDocument(path: path, descriptor: descriptor, stamp: status.stamp))
    } catch {
      return .failure(Refusal(clause: error.clause))
    }
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

  func openFolder(_ components: some Collection<[UInt8]>) throws(Errno) -> Descriptor {
    guard !components.isEmpty else { return try openRoot() }
    return try openBelow(Array(components), [.placeOnly, .folder])
  }
}
