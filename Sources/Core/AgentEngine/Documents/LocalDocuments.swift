// SPDX-License-Identifier: MIT

import ActivityModel
import SyncedFolders

/// File URLs of apps ⇄ document references: hashes what an app saved and says which version of which document
/// it is. Loop thread only.
final class LocalDocuments {
  private let ports: AgentPorts
  private let folders: FolderRegistry
  private let hasher: HashQueue
  private let store: StateStore
  /// The last update of each activity, while it is being hashed; an earlier one is void.
  private var latest: [ActivityID: (query: VersionQuery, client: UInt64)] = [:]
  /// Documents that are open before their folders have them.
  weak var copies: PrivateCopies?

  /// A file that holds a version of a document.
  struct VersionFile {
    /// The folder that has it now; nil while that is away.
    var folder: () -> (any SyncedFolder)?
    /// Where it lies there.
    var path: RelativePath
    /// What a version is that was found in it.
    var version: (VersionSighting) -> DocumentVersion
  }

  /// More file URLs than this in one activity stay as they are and do not travel.
  private static let documentLimit = ActivitySnapshot.openDocumentLimit + 1

  init(ports: AgentPorts, folders: FolderRegistry, hasher: HashQueue, store: StateStore) {
    self.ports = ports
    self.folders = folders
    self.hasher = hasher
    self.store = store
  }

  /// The folder and path of a local file; nil outside every registered folder that is there.
  func place(of path: [UInt8]) -> DocumentPlace? {
    guard let (root, relative) = resolve(path), root.isPresent else { return nil }
    return DocumentPlace(folder: root.id, path: relative)
  }

  /// Whether a way leads to where a local file lies, or lay.
  func reaches(_ path: [UInt8]) -> Bool {
    guard ports.disks.answers(path), let slash = path.lastIndex(of: UInt8(ascii: "/")) else { return false }
    return ports.disks.realPath(Array(path[..<max(slash, 1)])) != nil
  }

  /// Whether no registered folder lies on the way to a local file, wherever that leads: another device may
  /// have made a link of a folder in it (threat T05).
  func liesInNoFolder(_ path: [UInt8]) -> Bool {
    guard ports.disks.answers(path) else { return false }
    let slash = UInt8(ascii: "/")
    let roots = folders.syncedRoots.map(\.path)
    func isInFolder(_ path: [UInt8]) -> Bool {
      roots.contains { $0 == path || path.starts(with: $0 + [slash]) }
    }
    let ends = path.indices.dropFirst().filter { path[$0] == slash } + [path.count]
    return ends.map { Array(path[..<$0]) }.allSatisfy { way in
      !isInFolder(way) && !(ports.disks.realPath(way).map(isInFolder) ?? false)
    }
  }

  /// Whether it is being found out in which version the document of an activity is.
  func isBeingTranslated(_ activity: ActivityID) -> Bool { latest[activity] != nil }

  /// Why the folder around a local file is not used; nil where it is, or none is.
  func refusal(of path: [UInt8]) -> Reason? { resolve(path)?.root.refused }

  /// What lies in a folder that is refused is not taken for a document of the folder around that.
  private func resolve(_ path: [UInt8]) -> (root: SyncedRoot, path: RelativePath)? {
    guard ports.disks.answers(path), let real = ports.disks.realPath(ofFile: path) else { return nil }
    return try? DocumentResolver.resolve(
      real, in: folders.syncedRoots.filter { $0.isPresent || $0.refused != nil })
  }

  /// Replaces the file URLs in `snapshot` by references and calls `done` with it, and with a sentence for
  /// what was left out, unless a later update overtakes it; with nil when what was `saved` at `savedPlace`,
  /// to where `file` leads, is not what its path holds any more.
  func translate(
    _ snapshot: ActivitySnapshot, saved: FileMark?, at savedPlace: DocumentPlace?,
    file: (any OpenFile)?, client: UInt64,
    done: @escaping ((snapshot: ActivitySnapshot, remarks: [Reason])?) -> Void
  ) {
    let query = VersionQuery(isAwaited: true)
    (query.saved, query.savedPlace) = (saved, savedPlace)
    let overtaken = latest.updateValue((query, client), forKey: snapshot.id)
    // Only after the new one has asked: what both ask about is read on.
    defer { overtaken?.query.cancel() }
    ports.observer.reached(.translating)
    let main = documentURL(of: snapshot)
    let urls = ([main].compactMap { $0 } + snapshot.userInfo.fileURLs.filter { $0 != main })
    let document = Saved(url: main, file: file)
    resolve(urls[...].prefix(Self.documentLimit), document, query, found: [:]) {
      [weak self] references in
      guard let self, self.latest[snapshot.id]?.query === query else { return }
      self.latest[snapshot.id] = nil
      done(references.map { snapshot.translated($0, main: main) })
    }
  }

  /// Where the document of an activity lies; nil outside every registered folder that is there.
  func place(of snapshot: ActivitySnapshot) -> DocumentPlace? {
    snapshot.documentPath.flatMap { place(of: $0) }
  }

  /// Where the document of an activity lies whose app saved it, while it is being found out what.
  func unansweredSave(of activity: ActivityID) -> DocumentPlace? {
    latest[activity]?.query.savedPlace
  }

  func forget(_ activity: ActivityID) { latest.removeValue(forKey: activity)?.query.cancel() }

  /// Updates of an app that went away are not published.
  func clientEnded(_ client: UInt64) {
    for activity in latest.keys.sorted() where latest[activity]?.client == client { forget(activity) }
  }

  /// The version of the document at `place` now; nil when it cannot be read, or is not what `file`
  /// leads to. What cannot be read just now is read again as `pacing` says: an engine may only have set its
  /// times, or be replacing it. `done` is not called once `query` was cancelled.
  func version(
    at place: DocumentPlace, in copy: VersionFile? = nil, file: (any OpenFile)? = nil, _ query: VersionQuery,
    as source: VersionSources = .onDisk, pacing: RereadPacing = RereadPacing(isLasting: false),
    done: @escaping (DocumentVersion?) -> Void
  ) {
    let found =
      copy
      ?? VersionFile(
        folder: { [folders] in folders.directory(of: place.folder) }, path: place.path,
        version: { [self] in record($0, at: place) })
    version(in: found, file: file, query, as: source, pacing: pacing, done: done)
  }

  private func version(
    in place: VersionFile, file: (any OpenFile)?, _ query: VersionQuery, as source: VersionSources,
    pacing: RereadPacing, done: @escaping (DocumentVersion?) -> Void
  ) {
    let again = { [weak self, query] (obstacle: RereadPacing.Obstacle) in
      var pacing = pacing
      guard let self, let pause = pacing.pause(after: obstacle) else { return done(nil) }
      self.ports.scheduler.schedule(at: ports.now + pause) { [weak self] in
        guard let self, !query.isCancelled else { return }
        self.version(in: place, file: file, query, as: source, pacing: pacing, done: done)
      }
    }
    guard let folder = place.folder(),
      case .file(let stamp) = folder.observe(place.path)
    else { return again(.unreadable) }
    let document = HashQueue.Document(
      path: place.path, folder: folder, stamp: stamp, file: file, mustBeRead: false,
      isAwaited: query.isAwaited)
    let asked = query.asked ?? stamp
    query.asked = asked
    query.ticket = hasher.hash(document) { [query] outcome in
      guard !query.isCancelled else { return }
      query.ticket = nil
      switch outcome {
      case .stable(_, let stamp, _) where query.saved.map { !stamp.mark.isSameContent(as: $0) } ?? false:
        again(.replaced)
      case .stable(let digest, let stamp, _):
        query.file = stamp == asked ? stamp.mark : nil
        done(place.version(VersionSighting(digest, size: stamp.size, source: source)))
      case .unstable: again(file?.isOther(than: stamp) ?? false ? .replaced : .changing)
      case .failed, .cancelled: again(.unreadable)
      }
    }
  }

  /// The document at `place` held this for a moment.
  func noteHeld(_ sighting: VersionSighting, at place: DocumentPlace) {
    ports.observer.noted(sighting, at: place)
    store.changeHistory(of: place, because: sighting) { $0.record(sighting.digest) }
  }

  /// The document at `place` holds this; it is part of its history from now on.
  func record(_ sighting: VersionSighting, at place: DocumentPlace) -> DocumentVersion {
    noteHeld(sighting, at: place)
    return store.histories[place].version(sighting.digest, size: sighting.size)
  }

  /// The activity as this device's apps know it: references become URLs of local files. File URLs that the
  /// other device chose, and documents that are not here, are left out, and `leftOut` counts the latter. What
  /// was `opened` beneath its folder is here, and so is what is opened as a private `copy`.
  func localised(
    _ snapshot: ActivitySnapshot, opened: RelativePath? = nil, copy: [UInt8]? = nil
  ) -> (activity: ActivitySnapshot, leftOut: Int) {
    let urls = snapshot.translatedDocuments.map { reference -> String? in
      if let copy, reference == snapshot.document { return FileURL.text(of: copy) }
      let isOpened = reference == snapshot.document && reference.path == opened
      return localPath(of: reference, at: reference.path, isOpened: isOpened).map(FileURL.text)
    }
    var local = snapshot
    local.userInfo = snapshot.userInfo.localised(urls)
    local.contentAttributes = snapshot.contentAttributes?.localised(urls)
    return (local, urls.count { $0 == nil })
  }

  /// Where the document lies here; nil unless a file is there that is reached from the folder's root without
  /// a link, and that is none of Continuo's own (threats T05, T54). `isOpened`: that was found out before.
  func localPath(
    of reference: DocumentReference, at path: RelativePath, isOpened: Bool = false
  ) -> [UInt8]? {
    guard !DocumentResolver.isRecord(path), let root = folders.root(of: reference.folder) else { return nil }
    if isOpened { return root.absolutePath(of: path) }
    guard case .file? = folders.directory(of: reference.folder)?.observe(path) else { return nil }
    return root.absolutePath(of: path)
  }

  /// Where the document of a reference lies here or would lie, whether or not a file is there; nil without
  /// its folder.
  func expectedPath(of reference: DocumentReference, at path: RelativePath) -> [UInt8]? {
    folders.absolutePath(of: DocumentPlace(folder: reference.folder, path: path))
  }

  private func documentURL(of snapshot: ActivitySnapshot) -> String? {
    guard case .url(let url) = snapshot.userInfo[.text(NSUserActivityDocumentURLKey)],
      FileURL.path(of: url) != nil
    else { return nil }
    return url
  }

  /// The document of an activity, and what leads to it when it was just saved.
  private struct Saved {
    var url: String?
    var file: (any OpenFile)?
  }

  /// One after the other; nil when the saved document is not what its path names.
  private func resolve(
    _ urls: ArraySlice<String>, _ saved: Saved, _ query: VersionQuery,
    found: [String: DocumentReference], done: @escaping ([String: DocumentReference]?) -> Void
  ) {
    guard let url = urls.first else { return done(found) }
    let rest = urls.dropFirst()
    guard let path = FileURL.path(of: url) else {
      return resolve(rest, saved, query, found: found, done: done)
    }
    let isSaved = url == saved.url
    let file = isSaved ? saved.file : nil
    let source: VersionSources = isSaved ? .published : .onDisk
    let pacing = RereadPacing(isLasting: isSaved)
    func goOn(at place: DocumentPlace, _ version: DocumentVersion?) {
      if version == nil, isSaved { return done(nil) }
      var found = found
      found[url] = version.map { DocumentReference(folder: place.folder, path: place.path, version: $0) }
      resolve(rest, saved, query, found: found, done: done)
    }
    if let place = place(of: path) {
      version(at: place, file: file, query, as: source, pacing: pacing) { goOn(at: place, $0) }
    } else if let (place, copy) = copies?.file(at: path) {
      version(in: copy, file: file, query, as: source, pacing: pacing) { goOn(at: place, $0) }
    } else {
      resolve(rest, saved, query, found: found, done: done)
    }
  }
}

/// A version that is being found out; cancelled, it is not told. Loop thread only.
final class VersionQuery {
  /// Whether a person, who may walk away at any moment, waits for it.
  let isAwaited: Bool
  /// The saved file as it was right after its app had saved it.
  fileprivate var saved: FileMark?
  fileprivate var savedPlace: DocumentPlace?
  /// The file as it was found first.
  fileprivate var asked: FileStamp?
  /// The file that was read for the answer, unless something was done to it after the question: engines set
  /// its time as it was, so that what was written into it meanwhile may have the mark that it had.
  fileprivate(set) var file: FileMark?
  fileprivate(set) var isCancelled = false
  fileprivate var ticket: HashTicket?

  init(isAwaited: Bool = false) { self.isAwaited = isAwaited }

  func cancel() {
    isCancelled = true
    ticket?.cancel()
    ticket = nil
  }
}
