// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import SyncedFolders

/// The documents that apps have open, and what the disk does to them behind their backs. Loop thread only.
///
/// A save of one's own is recognised by its version: only other bytes are reported.
final class OpenDocuments {
  /// What a client opened in no folder that is there.
  private struct Unfollowed {
    let file: FileMark
    /// Whether a way led to it, so that it surely lay outside the folders.
    let isReached: Bool
  }

  private let ports: AgentPorts
  private let documents: LocalDocuments
  private let folders: FolderRegistry
  private let hasher: HashQueue
  private let onChange: (UInt64, [UInt8], DocumentChange) -> Void
  private var followed: [DocumentPlace: FollowedDocument] = [:] {
    didSet {
      sorted = nil
      changes += 1
    }
  }
  /// How often it may have changed which documents are open.
  private(set) var changes: UInt64 = 0
  /// The same in an order that is the same in each run; nil until it is asked for.
  private var sorted: [(key: DocumentPlace, value: FollowedDocument)]?
  /// What clients opened in no folder that is there, by client.
  private var elsewhere: [UInt64: [[UInt8]: Unfollowed]] = [:]
  /// How much was heard from clients and told them.
  private var words: UInt64 = 0

  init(
    ports: AgentPorts, documents: LocalDocuments, folders: FolderRegistry, hasher: HashQueue,
    onChange: @escaping (UInt64, [UInt8], DocumentChange) -> Void
  ) {
    self.ports = ports
    self.documents = documents
    self.folders = folders
    self.hasher = hasher
    self.onChange = onChange
  }

  /// Numbers what is heard from a client, or told to one, right now.
  func nextWord() -> UInt64 {
    words += 1
    return words
  }

  /// In an order that is the same in each run.
  private var documentsInOrder: [(key: DocumentPlace, value: FollowedDocument)] {
    if let sorted { return sorted }
    let sorted = followed.sorted { $0.key < $1.key }
    self.sorted = sorted
    return sorted
  }

  /// The documents that are open.
  var places: [DocumentPlace] { Array(followed.keys) }

  /// The documents that each app has open, in order; a path is one of this device.
  var all: [(client: UInt64, path: [UInt8], place: DocumentPlace?)] {
    let inFolders = documentsInOrder.flatMap { place, document in
      document.readers.map { (client: $0.key, path: $0.value.path, place: Optional(place)) }
    }
    let others = elsewhere.sorted { $0.key < $1.key }.flatMap { client, files in
      files.keys.sorted { $0.lexicographicallyPrecedes($1) }
        .map { (client: client, path: $0, place: DocumentPlace?.none) }
    }
    return inFolders + others
  }

  /// Whether an app has the document open.
  func isOpen(_ place: DocumentPlace) -> Bool { followed[place] != nil }

  /// What the client has is the version there, where that is the file that it read; otherwise it is told
  /// what lies there.
  func open(_ path: [UInt8], _ file: FileMark?, by client: UInt64) {
    guard let place = documents.place(of: path) else {
      let unfollowed = Unfollowed(file: file ?? .ofNoFile, isReached: documents.reaches(path))
      return elsewhere[client, default: [:]][path] = unfollowed
    }
    elsewhere[client]?[path] = nil
    let document = followed[place] ?? FollowedDocument(place)
    followed[place] = document
    let word = nextWord()
    let former = document.clients[client]
    former?.opening.cancel()
    var opened = FollowedDocument.Reader(given: path, path: path, shown: former?.shown ?? ShownVersion())
    opened.shown.opens(said: word)
    document.clients[client] = opened
    let opening = opened.opening
    documents.version(at: place, opening, as: .opened) { [weak self, weak document] version in
      guard let self, let document else { return }
      // It may be gone since the client had it.
      if let version, file == nil || file == opening.file {
        document.clients[client]?.shown.shows(version.digest, said: word)
      }
      // Whoever opens what is gone already has to hear of it, too.
      if version == nil, document.machine.isDeleted {
        self.report(.deleted, document) { $0.mustHearOfEnd(telling: $1) }
      }
      self.feed(document, .hint)
      self.feed(document, .hintBeside)
    }
  }

  /// Folders came or went: what was opened while its folder was away is followed from now on.
  func foldersChanged() { openAgain { _ in true } }

  /// What was opened while no way led to it may have one now. No folder has to have come for that: one that
  /// was away for a moment was perhaps missed by nobody else.
  func foldersLookedAt() { openAgain { !$0.isReached } }

  private func openAgain(_ isDue: (Unfollowed) -> Bool) {
    for (client, files) in elsewhere.sorted(by: { $0.key < $1.key }) {
      for (path, unfollowed) in files.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) })
      where isDue(unfollowed) {
        open(path, unfollowed.file, by: client)
      }
    }
  }

  /// Whether an app has that path open, as it gave it.
  func isOpen(path: [UInt8]) -> Bool {
    elsewhere.values.contains { $0[path] != nil }
      || followed.values.contains { $0.clients.values.contains { $0.given == path } }
  }

  /// What apps opened at that path, in no folder, lies at `place` now, in this version; who was told.
  func moved(_ path: [UInt8], to place: DocumentPlace, as version: DocumentVersion) -> Set<UInt64> {
    guard let target = folders.absolutePath(of: place) else { return [] }
    let clients = elsewhere.keys.filter { elsewhere[$0]?[path] != nil }.sorted()
    for client in clients {
      elsewhere[client]?[path] = nil
      let document = followed[place] ?? FollowedDocument(place)
      followed[place] = document
      if document.clients[client] == nil {
        var reader = FollowedDocument.Reader(given: path, path: target)
        reader.shown.shows(version.digest, said: nextWord())
        document.clients[client] = reader
      }
      onChange(client, path, .moved(to: target))
      feed(document, .holds(OpenDocumentMachine.Holding(version.digest, size: version.size)))
      feed(document, .hint)
      feed(document, .hintBeside)
    }
    return Set(clients)
  }

  func close(_ path: [UInt8], by client: UInt64) {
    elsewhere[client]?[path] = nil
    if let place = documents.place(of: path) { forget(client, at: place) }
    // It may have another place by now.
    for place in followed.keys.sorted() where followed[place]?.clients[client]?.given == path {
      forget(client, at: place)
    }
  }

  func clientEnded(_ client: UInt64) {
    elsewhere[client] = nil
    for place in followed.keys.sorted() { forget(client, at: place) }
  }

  private func forget(_ client: UInt64, at place: DocumentPlace) {
    guard let document = followed[place] else { return }
    document.clients.removeValue(forKey: client)?.opening.cancel()
    guard document.clients.isEmpty else { return }
    followed[place] = nil
    stop(document)
  }

  private func stop(_ document: FollowedDocument) {
    ports.scheduler.cancel(document.timer)
    document.hashing?.cancel()
    document.listing?.cancel()
  }

  /// The folder turned out to have been given another ID elsewhere.
  func folderMoved(from old: FolderID, to new: FolderID) {
    for (place, document) in documentsInOrder where place.folder == old {
      followed[place] = nil
      let target = DocumentPlace(folder: new, path: place.path)
      if let known = followed[target] {
        known.clients.merge(document.clients) { first, _ in first }
        stop(document)
      } else {
        document.place = target
        followed[target] = document
      }
    }
  }

  /// The client said with number `word` that it saved the document at `place`.
  func noteSave(at place: DocumentPlace, by client: UInt64, word: UInt64) {
    followed[place]?.clients[client]?.shown.saves(said: word)
  }

  /// This is what it saved.
  func noteSaved(
    _ version: DocumentVersion, at place: DocumentPlace, by client: UInt64, word: UInt64
  ) {
    guard let document = followed[place], document.clients[client] != nil else { return }
    document.clients[client]?.shown.shows(version.digest, said: word)
    feed(document, .holds(OpenDocumentMachine.Holding(version.digest, size: version.size)))
  }

  /// The client opened what was handed to it when `handed` was the last word.
  func noteTaken(
    _ version: DocumentVersion, at place: DocumentPlace, by client: UInt64, handed: UInt64
  ) {
    guard let document = followed[place], document.clients[client] != nil else { return }
    document.clients[client]?.shown.took(version.digest, handed: handed, said: nextWord())
    feed(document, .holds(OpenDocumentMachine.Holding(version.digest, size: version.size)))
    feed(document, .hint)
  }

  /// What the client shows since it said `word` is not known: it is told what lies there.
  func doubt(_ place: DocumentPlace, of client: UInt64, word: UInt64) {
    guard let document = followed[place] else { return }
    document.clients[client]?.shown.shows(nil, said: word)
    feed(document, .hint)
  }

  func hint(_ folder: FolderID, path: [[UInt8]]) {
    for (place, document) in documentsInOrder {
      if folders.isSame(place.folder, folder) {
        for event in document.events(forHintAt: path) { feed(document, event) }
      } else if document.machine.isSought {
        feed(document, .hintElsewhere)
      }
    }
  }

  /// The watcher saw a file or folder get another name in its synced folder.
  func renamed(_ folder: FolderID, from: [[UInt8]], to: [[UInt8]]) {
    for (place, document) in documentsInOrder where folders.isSame(place.folder, folder) {
      feed(document, .renamed(from: from, to: to))
    }
  }

  // MARK: - What the machine asks for

  private func feed(_ document: FollowedDocument, _ event: OpenDocumentMachine.Event) {
    document.events.feed(event) { event in
      let actions = document.machine.handle(event, at: ports.now)
      for action in actions where followed[document.place] === document { perform(action, document) }
    }
  }

  private func perform(_ action: OpenDocumentMachine.Action, _ document: FollowedDocument) {
    let place = document.place
    switch action {
    case .observe(let path):
      let directory = folders.directory(of: place.folder)
      feed(document, .observed(directory?.observe(path) ?? .unreadable("the folder is away")))
    case .hash(let stamp):
      guard let directory = folders.directory(of: place.folder) else {
        return feed(document, .hashed(.cancelled))
      }
      let file = HashQueue.Document(path: place.path, folder: directory, stamp: stamp)
      document.hashing = hasher.hash(file) { [weak self, weak document] outcome in
        guard let self, let document else { return }
        document.hashing = nil
        self.feed(document, .hashed(outcome))
      }
    case .search(let search):
      let others = folders.roots.filter { !folders.isSame($0.registered.id, place.folder) }
      find(search, document, in: [place.folder] + others.map(\.registered.id))
    case .listCopies(let path): list(path, document)
    case .moved(let found): noteMoved(found, document)
    case .conflict(let names): noteCopies(names, document)
    case .held(let digest, let size):
      documents.noteHeld(VersionSighting(digest, size: size, source: .onDisk), at: place)
    case .saved(let digest, let size):
      let sighting = VersionSighting(digest, size: size, source: .onDisk)
      let version = documents.record(sighting, at: place)
      report(.changed(version), document) { $0.mustHear(of: version.digest, telling: $1) }
    case .deleted: report(.deleted, document) { $0.mustHearOfEnd(telling: $1) }
    case .wake(let moment):
      ports.scheduler.cancel(document.timer)
      document.timer = moment.map {
        ports.scheduler.schedule(at: $0) { [weak self, weak document] in
          if let document { self?.feed(document, .timer) }
        }
      }
    }
  }

  private func report(
    _ change: DocumentChange, _ document: FollowedDocument, if mustHear: (inout ShownVersion, UInt64) -> Bool
  ) {
    for (client, var opened) in document.readers where mustHear(&opened.shown, nextWord()) {
      document.clients[client] = opened
      onChange(client, opened.path, change)
    }
  }

  // MARK: - Elsewhere

  /// In one folder after the other; the first is the document's own.
  private func find(
    _ search: DocumentSearch, _ document: FollowedDocument, in candidates: [FolderID]
  ) {
    guard let folder = candidates.first else { return feed(document, .found(nil)) }
    let isOwn = folders.isSame(folder, document.place.folder)
    guard let directory = folders.directory(of: folder) else {
      return find(search, document, in: Array(candidates.dropFirst()))
    }
    document.hashing = hasher.find(isOwn ? search : search.inOtherFolder, in: directory) {
      [weak self, weak document] path in
      guard let self, let document else { return }
      document.hashing = nil
      guard let path else { return self.find(search, document, in: Array(candidates.dropFirst())) }
      self.feed(document, .found(.init(folder: isOwn ? nil : folder, path: path)))
    }
  }

  private func noteMoved(_ found: OpenDocumentMachine.Place, _ document: FollowedDocument) {
    followed[document.place] = nil
    document.place = DocumentPlace(
      folder: found.folder ?? document.place.folder, path: found.path)
    guard let path = folders.absolutePath(of: document.place) else {
      return stop(document)
    }
    for (client, opened) in document.readers {
      document.clients[client]?.path = path
      document.clients[client]?.shown.moved()
      onChange(client, opened.path, .moved(to: path))
    }
    if let known = followed[document.place] {
      known.clients.merge(document.clients) { first, _ in first }
      stop(document)
      feed(known, .hint)
      feed(known, .hintBeside)
    } else {
      followed[document.place] = document
    }
  }

  private func list(_ path: RelativePath, _ document: FollowedDocument) {
    document.listing?.cancel()
    guard let directory = folders.directory(of: document.place.folder) else {
      return feed(document, .copies([]))
    }
    document.listing = hasher.conflictCopies(of: path, in: directory, awaitedSize: .max) {
      [weak self, weak document] copies in
      guard let self, let document else { return }
      document.listing = nil
      self.feed(document, .copies(copies.map(\.name)))
    }
  }

  private func noteCopies(_ names: [[UInt8]], _ document: FollowedDocument) {
    let path = document.place.path
    guard let root = folders.root(of: document.place.folder) else { return }
    // A folder that cannot be read says nothing of what was resolved there.
    if names.isEmpty, document.clients.values.contains(where: { !$0.copies.isEmpty }),
      folders.directory(of: document.place.folder)?.entries(of: path.parent) == nil
    {
      return
    }
    let copies = names.compactMap { RelativePath(components: path.components.dropLast() + [$0]) }
      .map { root.absolutePath(of: $0) }
    for (client, opened) in document.readers where opened.copies != copies {
      document.clients[client]?.copies = copies
      onChange(client, opened.path, .conflict(copies: copies))
    }
  }
}
