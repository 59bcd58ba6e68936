// SPDX-License-Identifier: MIT

import ActivityModel
import FolderAccess
import SyncedFolders
import Synchronization

/// What the agent's files were found to hold, shared by all who ask, and how much was read for it. Safe from
/// any thread.
final class KnownDigests: Sendable {
  private struct State {
    var cache = DigestCache()
    var files = 0
    var bytes: UInt64 = 0
  }

  private let state = Mutex(State())

  /// Files that were opened to be read, since the agent started.
  var filesRead: Int { state.withLock { $0.files } }
  /// Bytes that were read from them.
  var bytesRead: UInt64 { state.withLock { $0.bytes } }

  func removeAll() { state.withLock { $0.cache.removeAll() } }

  /// What the file at `path` holds, if it was read before and still has `stamp`.
  func outcome(of path: RelativePath, in directory: SyncedDirectory, _ stamp: FileStamp) -> HashOutcome? {
    guard let digest = state.withLock({ $0.cache.digest(of: stamp) }),
      directory.observe(path) == .file(stamp)
    else { return nil }
    return .stable(digest, stamp, quiet: ContentHasher.age(of: stamp))
  }

  /// Reads, and remembers the outcome where stamps are kept.
  func reading(
    in directory: SyncedDirectory, _ worker: HashWorker?,
    _ read: (_ isCancelled: () -> Bool, _ progress: (UInt64) -> Void) -> HashOutcome
  ) -> HashOutcome {
    var bytes: UInt64 = 0
    let outcome = read({ worker.map { !$0.mayGoOn() } ?? false }) {
      bytes = $0
      worker?.note($0)
    }
    let isKept = directory.stampsAreKept
    state.withLock {
      $0.files += 1
      $0.bytes += bytes
      if isKept { $0.cache.note(outcome) }
    }
    return outcome
  }
}

/// A folder as a search beside the loop sees it: looks until it is stopped, and reads nothing twice.
struct SearchedFolder: FolderContents {
  let directory: SyncedDirectory
  let worker: HashWorker
  let known: KnownDigests

  func entries(of folder: RelativePath?) -> [FolderEntry]? {
    worker.mayGoOn() ? directory.entries(of: folder) : nil
  }

  func observe(_ path: RelativePath) -> FileObservation {
    worker.mayGoOn() ? directory.observe(path) : .absent
  }

  func writtenSize(of path: RelativePath) -> UInt64? {
    worker.mayGoOn() ? directory.writtenSize(of: path) : nil
  }

  func digest(of path: RelativePath) -> HashOutcome {
    guard worker.mayGoOn() else { return .cancelled }
    if case .file(let stamp) = directory.observe(path),
      let outcome = known.outcome(of: path, in: directory, stamp)
    {
      return outcome
    }
    return known.reading(in: directory, worker) {
      directory.hash(path, isCancelled: $0, progress: $1)
    }
  }
}
