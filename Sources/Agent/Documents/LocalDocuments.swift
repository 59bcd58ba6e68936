// SPDX-License-Identifier: MIT

import ActivityModel
import CLinux
import FolderAccess
import SyncedFolders
import VersionHistory

/// File URLs of apps ⇄ document references: hashes what an app saved and says which version of which document
/// it is. Loop thread only.
final class LocalDocuments {
  private let loop: EventLoop
  private let folders: FolderRegistry
  private let hasher: HashQueue
  private let store: StateStore
  /// The number of the last update of each activity: an earlier one that is still being hashed is void.
  private var latest: [ActivityID: UInt64] = [:]
  private var updates: UInt64 = 0
  /// Told of each version that this device's apps saved or opened.
  var onVersion: (DocumentHistories.Place, DocumentVersion) -> Void = { _, _ in }

  /// More file URLs than this in one activity stay as they are and do not travel.
  private static let documentLimit = 16

  /// How often a file that changes while it is read is read again.
  private static let attempts = 5

  /// How long a file that another program saves must lie still before it counts as saved (R13): editors make
  /// it anew, and it is empty until they write.
  private static let settled = Duration.milliseconds(100)

  init(loop: EventLoop, folders: FolderRegistry, hasher: HashQueue, store: StateStore) {
    self.loop = loop
    self.folders = folders
    self.hasher = hasher
    self.store = store
  }

  /// The folder and path of a local file; nil outside every registered folder that is there.
  func place(of path: [UInt8]) -> DocumentHistories.Place? {
    guard let real = RealPath.ofFile(path),
      let (root, relative) = try? DocumentResolver.resolve(real, in: folders.syncedRoots.filter(\.isPresent))
    else { return nil }
    return DocumentHistories.Place(folder: root.id, path: relative)
  }

  /// Replaces the file URLs in `snapshot` by references and calls `done`, unless a later update overtakes it
  /// or the saved file is not the one at its path any more.
  func translate(
    _ snapshot: ActivitySnapshot, descriptor: Descriptor?, done: @escaping (ActivitySnapshot) -> Void
  ) {
    updates += 1
    let number = updates
    latest[snapshot.id] = number
    continuo_pause_point(5)
    let main = documentURL(of: snapshot)
    let urls = ([main].compactMap { $0 } + snapshot.userInfo.fileURLs.filter { $0 != main })
    resolve(urls[...].prefix(Self.documentLimit), main: main, descriptor: descriptor, found: [:]) {
      [weak self] references in
      guard let self, self.latest[snapshot.id] == number else { return }
      self.latest[snapshot.id] = nil
      guard let references else { return }
      done(snapshot.translated(references, main: main))
    }
  }

  func forget(_ activity: ActivityID) { latest[activity] = nil }

  /// The version of the document at `place` now; nil when it cannot be read, or is not what `descriptor`
  /// leads to. A file that changes while it is read is read again a few times: an engine may only have set
  /// its times. While `settling`, somebody may still be saving it: then it is looked at again until it lies
  /// still.
  func version(
    at place: DocumentHistories.Place, descriptor: Descriptor? = nil, settling: Bool = false,
    as source: VersionSources = .onDisk, attempt: Int = 1, done: @escaping (DocumentVersion?) -> Void
  ) {
    guard let directory = folders.directory(of: place.folder),
      case .file(let stamp) = directory.observe(place.path)
    else { return done(nil) }
    let finish: (HashOutcome) -> Void = { [weak self] outcome in
      guard let self else { return done(nil) }
      switch outcome {
      case .stable(let digest, let stamp, let quiet) where settling && quiet < Self.settled:
        // An engine may have picked it up: then it is an older version elsewhere, and no foreign one.
        let sighting = VersionSighting(digest, size: stamp.size, source)
        self.store.changeHistory(of: place, because: sighting) { $0.record(digest) }
        self.loop.schedule(at: .now + (Self.settled - quiet)) { [weak self] in
          guard let self else { return done(nil) }
          self.version(
            at: place, descriptor: descriptor, settling: true, as: source, attempt: attempt, done: done)
        }
      case .stable(let digest, let stamp, _):
        done(self.note(VersionSighting(digest, size: stamp.size, source), at: place))
      case .unstable where attempt < Self.attempts:
        self.loop.schedule(at: .now + .milliseconds(25 << attempt)) { [weak self] in
          guard let self else { return done(nil) }
          self.version(
            at: place, descriptor: descriptor, settling: settling, as: source, attempt: attempt + 1,
            done: done)
        }
      default: done(nil)
      }
    }
    if let descriptor {
      _ = hasher.hash(descriptor, at: place.path, in: directory, size: stamp.size, done: finish)
    } else {
      _ = hasher.hash(place.path, in: directory, size: stamp.size, done: finish)
    }
  }

  private func note(_ sighting: VersionSighting, at place: DocumentHistories.Place) -> DocumentVersion {
    store.changeHistory(of: place, because: sighting) { $0.record(sighting.digest) }
    let version = store.histories[place].version(sighting.digest, size: sighting.size)
    onVersion(place, version)
    return version
  }

  /// The activity as this device's apps know it: references become URLs of local files. File URLs that the
  /// other device chose, and documents that are not here, are left out.
  func localised(_ snapshot: ActivitySnapshot) -> ActivitySnapshot {
    let urls = snapshot.translatedDocuments.map { reference in
      folders.root(of: reference.folder).map { FileURL.text(of: $0.absolutePath(of: reference.path)) }
    }
    var local = snapshot
    local.userInfo = snapshot.userInfo.localised(urls)
    local.contentAttributes = snapshot.contentAttributes?.localised(urls)
    return local
  }

  private func documentURL(of snapshot: ActivitySnapshot) -> String? {
    guard case .url(let url) = snapshot.userInfo[.text(NSUserActivityDocumentURLKey)],
      FileURL.path(of: url) != nil
    else { return nil }
    return url
  }

  /// One after the other; nil when the saved document is not what its path names.
  private func resolve(
    _ urls: ArraySlice<String>, main: String?, descriptor: Descriptor?,
    found: [String: DocumentReference], done: @escaping ([String: DocumentReference]?) -> Void
  ) {
    guard let url = urls.first else { return done(found) }
    let rest = urls.dropFirst()
    guard let path = FileURL.path(of: url), let place = place(of: path) else {
      return resolve(rest, main: main, descriptor: descriptor, found: found, done: done)
    }
    version(
      at: place, descriptor: url == main ? descriptor : nil, as: url == main ? .published : .onDisk
    ) { [weak self] version in
      if version == nil, url == main { return done(nil) }
      var found = found
      found[url] = version.map { DocumentReference(folder: place.folder, path: place.path, version: $0) }
      self?.resolve(rest, main: main, descriptor: descriptor, found: found, done: done)
    }
  }
}
