// SPDX-License-Identifier: MIT

import ActivityModel
import SyncedFolders

/// Finds out what a saved activity stands for now, before it is continued: which version its document has
/// here (semantics 11f). Loop thread only.
final class SavedRestorations {
  private let ports: AgentPorts
  private let documents: LocalDocuments
  private let folders: FolderRegistry
  /// Under which number each is continued, so that one that is asked for twice is opened once. An app's
  /// activity may have been saved under several identifiers: its own number would not do.
  private var numbers: [SavedActivity.Key: ActivityID] = [:]
  /// What is being found out.
  private var looking: Set<SavedActivity.Key> = []

  init(ports: AgentPorts, documents: LocalDocuments, folders: FolderRegistry) {
    self.ports = ports
    self.documents = documents
    self.folders = folders
  }

  /// The activity to continue, with its document in the newest version that is here, and what is to be said
  /// of that; nil and why not, where there is nothing to open.
  func find(
    _ saved: ActivitySnapshot, _ key: SavedActivity.Key, isStanding: (ActivityID) -> Bool,
    done: @escaping (Result<(ActivitySnapshot, remark: Reason?), ContinuityError>) -> Void
  ) {
    numbers = numbers.filter { $0.key == key || looking.contains($0.key) || isStanding($0.value) }
    let number = numbers[key] ?? ports.identifier()
    numbers[key] = number
    var wanted = saved.forRestoring
    wanted.id = number
    wanted.document = nil
    let path = saved.documentPath
    guard path != nil || saved.document != nil else { return done(.success((wanted, nil))) }
    let moved = saved.document.map { DocumentPlace(folder: $0.folder, path: $0.path) }
    let known = moved.flatMap { folders.root(of: $0.folder) == nil ? nil : $0 }
    guard let place = path.flatMap({ documents.place(of: $0) }) ?? known else {
      guard let path else { return done(.failure(Self.withoutFolder(saved.document))) }
      // Outside every folder it is opened as it is.
      let isHere = documents.liesInNoFolder(path) && ports.disks.realPath(path) != nil
      return done(isHere ? .success((wanted, nil)) : .failure(Self.missing(path)))
    }
    looking.insert(key)
    documents.version(at: place, VersionQuery(isAwaited: true)) { [weak self] version in
      self?.looking.remove(key)
      guard let version else {
        guard let known = saved.document else { return done(.failure(Self.missing(path ?? []))) }
        // Looked for by what it was: under another name, and for as long as an offer's document is.
        wanted.document = known
        return done(.success((wanted, nil)))
      }
      wanted.document = DocumentReference(folder: place.folder, path: place.path, version: version)
      let isChanged = saved.document.map { $0.version.digest != version.digest } ?? false
      done(
        .success((wanted, isChanged ? .changedSinceKept(document: place.path.displayName) : nil)))
    }
  }

  /// Another device has it, in a folder that this one does not have.
  private static func withoutFolder(_ document: DocumentReference?) -> ContinuityError {
    let shown = document?.path.displayName ?? ""
    return ContinuityError(
      .folderUnavailable, subject: shown,
      description: "\(shown) lies in a folder that this device does not have, or that is not there now: "
        + "`continuo folder add` registers one.")
  }

  /// Nothing is where the activity's document was.
  static func missing(_ path: [UInt8]) -> ContinuityError {
    let shown = DisplayText.shown(path)
    return ContinuityError(
      .documentMissing, subject: shown,
      description: "\(shown) is not there any more: it was moved, renamed or deleted.")
  }
}

extension ActivitySnapshot {
  /// What an app is handed of a saved activity: nothing that only held while it was current, and no keywords,
  /// which the app makes anew.
  fileprivate var forRestoring: ActivitySnapshot {
    var restored = self
    restored.flags = flags.intersection([.search, .publicIndexing, .prediction, .handoff])
    restored.keywords = []
    restored.draft = nil
    return restored
  }

  /// With its document where that lies now.
  func restored(at path: [UInt8]?) -> ActivitySnapshot {
    guard let path else { return self }
    var restored = self
    restored.userInfo[.text(NSUserActivityDocumentURLKey)] = .url(FileURL.text(of: path))
    return restored
  }
}
