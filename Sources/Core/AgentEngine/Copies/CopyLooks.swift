// SPDX-License-Identifier: MIT

import ActivityModel
import SyncedFolders

/// What a private copy holds, and what its folder has in its place. Loop thread only.
final class CopyLooks {
  typealias Content = PrivateCopyMachine.Content

  private enum Found {
    case absent
    case unknown
    case stable(ContentDigest, FileStamp, Duration)
  }

  private let ports: AgentPorts
  private let folders: FolderRegistry
  private let hasher: HashQueue
  private let store: StateStore

  init(ports: AgentPorts, folders: FolderRegistry, hasher: HashQueue, store: StateStore) {
    (self.ports, self.folders, self.hasher, self.store) = (ports, folders, hasher, store)
  }

  /// Calls `done` once, perhaps before this returns, and `again` before that where a file is just written.
  func look(
    at kept: KeptCopy, done: @escaping (_ copy: Content, _ folder: Content) -> Void,
    again: @escaping () -> Void
  ) {
    read(kept.copy.path, in: try? ports.copies.folder(), again: again) { [self, weak kept] found in
      guard let kept else { return }
      var copy = Content.unknown
      switch found {
      case .absent: copy = .absent
      case .unknown: break
      case .stable(let digest, let stamp, let quiet):
        (kept.digest, kept.stamp) = (digest, stamp)
        copy = .version(digest, .current, quiet: quiet)
      }
      let place = kept.copy.place
      read(place.path, in: folders.directory(of: place.folder), again: again) { [self, weak kept] found in
        if let kept { done(copy, content(found, kept.copy)) }
      }
    }
  }

  private func content(_ found: Found, _ copy: PrivateCopy) -> Content {
    switch found {
    case .absent: return .absent
    case .unknown: return .unknown
    case .stable(let digest, let stamp, let quiet):
      if digest == copy.base.digest, !store.histories[copy.place].contains(digest) {
        // The engine has brought what was opened: the next version descends from it here as well.
        let sighting = VersionSighting(digest, size: stamp.size, source: .received)
        store.changeHistory(of: copy.place, because: sighting) { $0.adopt(copy.base) }
      }
      let history = store.histories[copy.place]
      return .version(
        digest, VersionOrder.standing(of: digest, to: copy.base, history: history), quiet: quiet)
    }
  }

  private func read(
    _ path: RelativePath?, in folder: (any SyncedFolder)?, again: @escaping () -> Void,
    done: @escaping (Found) -> Void
  ) {
    guard let path, let folder else { return done(.unknown) }
    switch folder.observe(path) {
    case .absent: done(.absent)
    case .unreadable, .other: done(.unknown)
    case .file(let stamp):
      _ = hasher.hash(HashQueue.Document(path: path, folder: folder, stamp: stamp)) { outcome in
        if case .stable(let digest, let stamp, let quiet) = outcome {
          return done(.stable(digest, stamp, quiet))
        }
        again()
        done(.unknown)
      }
    }
  }
}
