// SPDX-License-Identifier: MIT

import ActivityModel
import FolderAccess
import SyncedFolders
import VersionHistory

/// The documents that apps have open, and what the disk does to them behind their backs. Loop thread only.
///
/// A save of one's own is recognised by its version: only other bytes are reported.
final class OpenDocuments {
  private struct Opened {
    /// The path as the app gave it, which is what it is told.
    var path: [UInt8]
    var digest: ContentDigest?
    var isGone = false
    /// The version at the moment of opening.
    let opening = VersionQuery()
  }

  /// One document, for all apps that have it open.
  private final class Followed {
    var place: DocumentHistories.Place
    var clients: [UInt64: Opened] = [:]
    var machine = OpenDocumentMachine()
    var timer: EventLoop.TimerNumber?
    var hashing: HashTicket?
    /// What the machine is still to hear.
    var events: [OpenDocumentMachine.Event] = []
    var isFeeding = false

    init(_ place: DocumentHistories.Place) { self.place = place }
  }

  private let loop: EventLoop
  private let documents: LocalDocuments
  private let folders: FolderRegistry
  private let hasher: HashQueue
  private let onChange: (UInt64, [UInt8], DocumentChange) -> Void
  private var followed: [DocumentHistories.Place: Followed] = [:]

  init(
    loop: EventLoop, documents: LocalDocuments, folders: FolderRegistry, hasher: HashQueue,
    onChange: @escaping (UInt64, [UInt8], DocumentChange) -> Void
  ) {
    self.loop = loop
    self.documents = documents
    self.folders = folders
    self.hasher = hasher
    self.onChange = onChange
  }

  /// The documents that are open.
  var places: [DocumentHistories.Place] { Array(followed.keys) }

  /// What the client has is the version there, where that is the file that it read; otherwise it is told what
  /// lies there.
  func open(_ path: [UInt8], _ file: FileMark?, by client: UInt64) {
    guard let place = documents.place(of: path) else { return }
    let document = followed[place] ?? Followed(place)
    followed[place] = document
    document.clients[client]?.opening.cancel()
    let opened = Opened(path: path)
    document.clients[client] = opened
    documents.version(at: place, opened.opening, as: .opened) { [weak self, weak document] version in
      // What it saved or continued meanwhile is newer.
      guard let self, let document, document.clients[client]?.digest == nil else { return }
      // It may be gone since the client had it.
      guard let version, file == nil || file == opened.opening.file else {
        return self.feed(document, .hint)
      }
      document.clients[client]?.digest = version.digest
    }
  }

  func close(_ path: [UInt8], by client: UInt64) {
    guard let place = documents.place(of: path) else { return }
    forget(client, at: place)
  }

  func clientEnded(_ client: UInt64) {
    for place in followed.keys { forget(client, at: place) }
  }

  private func forget(_ client: UInt64, at place: DocumentHistories.Place) {
    guard let document = followed[place] else { return }
    document.clients.removeValue(forKey: client)?.opening.cancel()
    guard document.clients.isEmpty else { return }
    followed[place] = nil
    end(document)
  }

  private func end(_ document: Followed) {
    loop.cancel(document.timer)
    document.hashing?.cancel()
  }

  /// The folder turned out to have been given another ID elsewhere.
  func folderMoved(from old: FolderID, to new: FolderID) {
    for (place, document) in followed where place.folder == old {
      followed[place] = nil
      let target = DocumentHistories.Place(folder: new, path: place.path)
      if let known = followed[target] {
        known.clients.merge(document.clients) { first, _ in first }
        end(document)
      } else {
        document.place = target
        followed[target] = document
      }
    }
  }

  /// The client itself saved or continued this version.
  func noteOwn(_ version: DocumentVersion, at place: DocumentHistories.Place, by client: UInt64) {
    followed[place]?.clients[client]?.digest = version.digest
    followed[place]?.clients[client]?.isGone = false
  }

  /// What the client shows is not known any more: it is told what lies there.
  func doubt(_ place: DocumentHistories.Place, of client: UInt64) {
    guard let document = followed[place] else { return }
    document.clients[client]?.digest = nil
    feed(document, .hint)
  }

  func hint(_ folder: FolderID, path: [[UInt8]]) {
    for (place, document) in followed
    where folders.isSame(place.folder, folder) && place.path.components.starts(with: path) {
      feed(document, .hint)
    }
  }

  // MARK: - What the machine asks for

  private func feed(_ document: Followed, _ event: OpenDocumentMachine.Event) {
    document.events.append(event)
    guard !document.isFeeding else { return }
    document.isFeeding = true
    defer { document.isFeeding = false }
    while !document.events.isEmpty {
      let actions = document.machine.handle(document.events.removeFirst(), at: .now)
      for action in actions where followed[document.place] === document { perform(action, document) }
    }
  }

  private func perform(_ action: OpenDocumentMachine.Action, _ document: Followed) {
    let place = document.place
    switch action {
    case .observe:
      let directory = folders.directory(of: place.folder)
      feed(document, .observed(directory?.observe(place.path) ?? .unreadable("the folder is away")))
    case .hash(let stamp):
      guard let directory = folders.directory(of: place.folder) else {
        return feed(document, .hashed(.cancelled))
      }
      let file = HashQueue.Document(path: place.path, directory: directory, stamp: stamp)
      document.hashing = hasher.hash(file) { [weak self, weak document] outcome in
        guard let self, let document else { return }
        document.hashing = nil
        self.feed(document, .hashed(outcome))
      }
    case .held(let digest, let size):
      documents.noteHeld(VersionSighting(digest, size: size, .onDisk), at: place)
    case .saved(let digest, let size):
      let sighting = VersionSighting(digest, size: size, .onDisk)
      noteSaved(documents.note(sighting, at: place), document)
    case .deleted: noteDeleted(document)
    case .wake(let moment):
      loop.cancel(document.timer)
      document.timer = moment.map {
        loop.schedule(at: $0) { [weak self, weak document] in
          if let document { self?.feed(document, .timer) }
        }
      }
    }
  }

  private func noteSaved(_ version: DocumentVersion, _ document: Followed) {
    for (client, opened) in document.clients where opened.digest != version.digest {
      document.clients[client]?.digest = version.digest
      document.clients[client]?.isGone = false
      onChange(client, opened.path, .changed(version))
    }
  }

  private func noteDeleted(_ document: Followed) {
    for (client, opened) in document.clients where !opened.isGone {
      document.clients[client]?.isGone = true
      document.clients[client]?.digest = nil
      onChange(client, opened.path, .deleted)
    }
  }
}
