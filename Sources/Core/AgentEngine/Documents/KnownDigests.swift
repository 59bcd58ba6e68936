// SPDX-License-Identifier: MIT

import ActivityModel
import SyncedFolders
import Synchronization

/// What the agent's files were found to hold, shared by all who ask, and how much was read for it. Safe from
/// any thread.
package final class KnownDigests: Sendable {
  private struct State {
    var cache = DigestCache()
    var files = 0
    var bytes: UInt64 = 0
  }

  private let state = Mutex(State())

  /// Files that were opened to be read, since the agent started.
  package var filesRead: Int { state.withLock { $0.files } }
  /// Bytes that were read from them.
  package var bytesRead: UInt64 { state.withLock { $0.bytes } }

  func removeAll() { state.withLock { $0.cache.removeAll() } }

  /// What the file at `path` holds, if it was read before and still has `stamp`.
  func outcome(of path: RelativePath, in folder: any SyncedFolder, _ stamp: FileStamp) -> HashOutcome? {
    guard let digest = state.withLock({ $0.cache.digest(of: stamp) }),
      folder.observe(path) == .file(stamp)
    else { return nil }
    return .stable(digest, stamp, quiet: folder.age(of: stamp))
  }

  /// Reads, and remembers the outcome where stamps are kept. Nobody pauses it without `control`.
  func hash(
    _ path: RelativePath, _ file: (any OpenFile)?, in folder: any SyncedFolder,
    _ control: (any ReadingControl)?
  ) -> HashOutcome {
    var bytes: UInt64 = 0
    let outcome = folder.hash(
      path, file: file, isCancelled: { control.map { !$0.mayGoOn() } ?? false },
      progress: {
        bytes = $0
        control?.report($0)
      })
    let trust = folder.stampTrust
    state.withLock {
      $0.files += 1
      $0.bytes += bytes
      $0.cache.record(outcome, trust: trust)
    }
    return outcome
  }

  /// The file with this stamp was just made with what has this digest: it need not be read, where stamps are
  /// trusted from the first look on.
  func note(_ digest: ContentDigest, _ stamp: FileStamp, in folder: any SyncedFolder) {
    let trust = folder.stampTrust
    state.withLock { $0.cache.record(.stable(digest, stamp, quiet: .zero), trust: trust) }
  }
}

/// A folder as a search beside the loop sees it: looks until it is stopped, and reads nothing twice.
struct SearchedFolder: FolderContents {
  let folder: any SyncedFolder
  let control: any ReadingControl
  let known: KnownDigests

  func entries(of inner: RelativePath?) -> [FolderEntry]? {
    control.mayGoOn() ? folder.entries(of: inner) : nil
  }

  func observe(_ path: RelativePath) -> FileObservation {
    control.mayGoOn() ? folder.observe(path) : .absent
  }

  func writtenSize(of path: RelativePath) -> UInt64? {
    control.mayGoOn() ? folder.writtenSize(of: path) : nil
  }

  func digest(of path: RelativePath) -> HashOutcome {
    guard control.mayGoOn() else { return .cancelled }
    if case .file(let stamp) = folder.observe(path),
      let outcome = known.outcome(of: path, in: folder, stamp)
    {
      return outcome
    }
    return known.hash(path, nil, in: folder, control)
  }
}
