// SPDX-License-Identifier: MIT

import ActivityExchange
package import ActivityModel
import ActivityWire
import SyncedFolders

extension AgentCore {
  /// The watching says that something may have happened in a folder.
  package func receive(_ hint: FolderHint) {
    presence.during(hintOf: hint.root) {
      switch hint {
      case .watching(let root, _):
        presence.isWatched(root)
        look(root, at: [])
        presence.settled(root)
      case .changed(let root, let path, _): look(root, at: path)
      case .moved(let root, let from, let to, _):
        if let folder = folders.use(of: root), !folder.isRefused {
          opened.renamed(folder.canonical, from: from, to: to)
        }
        look(root, at: from)
        look(root, at: to)
      case .rescan(let root, let path): look(root, at: path)
      case .rootLost(let root, _): presence.lost(root)
      case .polling(let root, _, let reason): presence.isPolled(root, because: reason)
      case .synchronized(let root, let cookie): presence.answered(root, cookie)
      case .watchLimit: break
      }
    }
  }

  /// The folders of documents that are offered or open get a watch before any other, where watches are short.
  func tellWhatMatters() {
    let changes = NeededFolders.Changes(
      awaited: tracker.changes, opened: opened.changes, folders: folders.changes)
    let needed = neededFolders.all(as: changes) {
      let places = tracker.places + opened.places
      return folders.roots.map { root in
        let own = places.filter { folders.isSame($0.folder, root.canonical) }
        return (root.number, Set(own.map { $0.path.components.dropLast() }))
      }
    }
    for (root, paths) in needed { ports.watch.prefer(root, folders: paths) }
  }

  /// Documents whose histories stay, however little room there is.
  var placesInUse: Set<DocumentPlace> {
    Set(tracker.places + opened.places + ownVersions.map(\.place))
  }

  /// What this device's own activities name.
  var ownVersions: [(place: DocumentPlace, version: DocumentVersion)] {
    // What lies in a private copy is no version that the place had.
    let copied = copies.places
    return exchange.machine.ownDocuments.map { (folders.place(of: $0), $0.version) }
      .filter { !copied.contains($0.0) }
  }

  /// Whether an app here has text of the document that it did not save.
  func isBeingEdited(_ document: DocumentReference) -> Bool {
    exchange.machine.unsavedDocuments.contains {
      $0.path == document.path && folders.isSame($0.folder, document.folder)
    }
  }

  /// Something may have changed at a place, or below it.
  private func look(_ number: RootNumber, at path: [[UInt8]]) {
    guard let folder = folders.use(of: number) else { return }
    let isOfRecords = path.first.map(SyncNames.isRecordFolder) ?? false
    if path.isEmpty || isOfRecords {
      // What is refused or away may have been mended.
      if path.count <= 1 || !folder.isHere { presence.check() }
      collector.schedule(number)
    }
    // What happens in a folder that is refused concerns no document.
    guard !folder.isRefused else { return }
    // Nothing in the records' folder is a document that is awaited, or could be one under another name.
    if !isOfRecords || path.count == 1 { tracker.hint(folder.canonical, path: path) }
    opened.hint(folder.canonical, path: path)
    copies.hint(folder.canonical, path: path)
  }

  /// The folders whose documents apps offer.
  var rootsForApps: [SyncedRoot] { folders.syncedRoots + [copies.root].compactMap { $0 } }

  func tellRoots() { clients.sendToApps(.roots(rootsForApps)) }

  /// Tells everybody who needs to know which folders there are.
  func foldersChanged() {
    tellRoots()
    tracker.foldersChanged()
    hasher.keep(folders.roots.compactMap { $0.presence?.directory } + [copies.folder].compactMap { $0 })
    opened.foldersChanged()
    copies.lookAtAll()
  }

  /// Folders that came are read before anything is written there: they may know higher numbers than this
  /// device.
  func handle(_ changes: FolderRegistry.Changes) {
    guard changes.isAny else { return }
    rememberFolders()
    for number in changes.came {
      guard let root = folders.root(number) else { continue }
      collector.collect(number)
      records.publisher.supply(number)
      lists.look(into: root)
      presence.follow(root)
    }
    foldersChanged()
    // Nothing was written in this run yet, and what the folder holds may be older than the last word.
    if !changes.came.isEmpty, records.publisher.current == nil { exchange.feed(.audienceChanged) }
  }

  /// Under which IDs the folders are registered now.
  func rememberFolders() {
    let registered = folders.registered
    do throws(ContinuityError) {
      try store.change { $0.folders = registered }
    } catch {
      ports.log("the folders could not be written: code \(error.code)")
    }
  }
}
