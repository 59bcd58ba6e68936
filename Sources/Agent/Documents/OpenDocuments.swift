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
  }

  private let loop: EventLoop
  private let documents: LocalDocuments
  private let folders: FolderRegistry
  private let onChange: (UInt64, [UInt8], DocumentChange) -> Void
  private var opened: [DocumentHistories.Place: [UInt64: Opened]] = [:]
  /// Documents that are being hashed, and whether they changed again meanwhile.
  private var checking: [DocumentHistories.Place: Bool] = [:]

  /// How long a file may be gone within an engine's update before it counts as deleted.
  private static let grace = Duration.seconds(1)

  init(
    loop: EventLoop, documents: LocalDocuments, folders: FolderRegistry,
    onChange: @escaping (UInt64, [UInt8], DocumentChange) -> Void
  ) {
    self.loop = loop
    self.documents = documents
    self.folders = folders
    self.onChange = onChange
  }

  /// The documents that are open.
  var places: [DocumentHistories.Place] { Array(opened.keys) }

  func open(_ path: [UInt8], by client: UInt64) {
    guard let place = documents.place(of: path) else { return }
    opened[place, default: [:]][client] = Opened(path: path)
    documents.version(at: place, as: .opened) { [weak self] version in
      if let version { self?.opened[place]?[client]?.digest = version.digest }
    }
  }

  func close(_ path: [UInt8], by client: UInt64) {
    guard let place = documents.place(of: path) else { return }
    opened[place]?[client] = nil
  }

  /// The folder turned out to have been given another ID elsewhere.
  func folderMoved(from old: FolderID, to new: FolderID) {
    for (place, clients) in opened where place.folder == old {
      opened[place] = nil
      opened[DocumentHistories.Place(folder: new, path: place.path), default: [:]]
        .merge(clients) { first, _ in first }
    }
  }

  func clientEnded(_ client: UInt64) {
    for place in opened.keys { opened[place]?[client] = nil }
    opened = opened.filter { !$0.value.isEmpty }
  }

  /// The client itself saved or continued this version.
  func noteOwn(_ version: DocumentVersion, at place: DocumentHistories.Place, by client: UInt64) {
    opened[place]?[client]?.digest = version.digest
    opened[place]?[client]?.isGone = false
  }

  func hint(_ folder: FolderID, path: [[UInt8]]) {
    for place in opened.keys
    where folders.isSame(place.folder, folder) && place.path.components.starts(with: path) { check(place) }
  }

  private func check(_ place: DocumentHistories.Place) {
    guard let directory = folders.directory(of: place.folder) else { return }
    if directory.observe(place.path) == .absent {
      loop.schedule(at: .now + Self.grace) { [weak self] in self?.checkGone(place) }
      return
    }
    guard checking[place] == nil else {
      checking[place] = true
      return
    }
    checking[place] = false
    documents.version(at: place, settling: true) { [weak self] version in
      guard let self else { return }
      let changedAgain = self.checking.removeValue(forKey: place) ?? false
      defer { if changedAgain { self.check(place) } }
      guard let version else { return }
      for (client, document) in self.opened[place] ?? [:] where document.digest != version.digest {
        self.opened[place]?[client]?.digest = version.digest
        self.opened[place]?[client]?.isGone = false
        self.onChange(client, document.path, .changed(version))
      }
    }
  }

  private func checkGone(_ place: DocumentHistories.Place) {
    guard let directory = folders.directory(of: place.folder), directory.observe(place.path) == .absent else {
      return
    }
    for (client, document) in opened[place] ?? [:] where !document.isGone {
      opened[place]?[client]?.isGone = true
      opened[place]?[client]?.digest = nil
      onChange(client, document.path, .deleted)
    }
  }
}
