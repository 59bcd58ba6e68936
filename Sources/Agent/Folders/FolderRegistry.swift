// SPDX-License-Identifier: MIT

import ActivityModel
import FolderAccess
import FolderTransport
import Glibc
import SyncedFolders

/// The registered folders as they are on this device now. Loop thread only.
final class FolderRegistry {
  struct Root {
    let number: RootNumber
    var registered: AgentState.RegisteredFolder
    /// Every ID that the folder was given; the smallest is canonical (two devices may begin one folder
    /// offline).
    var ids: Set<FolderID>
    /// Nil while the folder is away.
    var presence: Presence?
  }

  /// What is known of a folder that is there; nothing of it is held open.
  struct Presence {
    let directory: SyncedDirectory
    let records: OwnDirectory
    let transport: FolderTransport

    init(directory: SyncedDirectory, records: OwnDirectory) {
      self.directory = directory
      self.records = records
      transport = FolderTransport(folder: directory, records: records)
    }

    /// Whether the paths still lead to what was opened: an engine may have made `.continuo` anew meanwhile.
    var isInPlace: Bool { records.isInPlace }
  }

  let mounts = MountGuard()
  private(set) var roots: [Root] = []
  private var nextNumber: UInt64 = 0
  let stateDirectory: [UInt8]
  /// The name of this device's folder identity file; changes with the circle.
  var identityFileName: () -> String = { "" }
  /// Told when documents under the first ID are documents of the second from now on.
  var canonicalIDDidChange: (FolderID, FolderID) -> Void = { _, _ in }

  init(stateDirectory: String) {
    self.stateDirectory = RealPath.of(Array(stateDirectory.utf8)) ?? Array(stateDirectory.utf8)
  }

  var registered: [AgentState.RegisteredFolder] { roots.map(\.registered) }

  /// As apps are told them: under the canonical ID.
  var syncedRoots: [SyncedRoot] {
    roots.map { root in
      SyncedRoot(
        id: canonical(root.registered.id), name: root.registered.name, path: root.registered.path,
        isPresent: root.presence != nil)
    }
  }

  func root(of folder: FolderID) -> SyncedRoot? {
    syncedRoots.first { isSame($0.id, folder) }
  }

  func root(_ number: RootNumber) -> Root? { roots.first { $0.number == number } }

  func directory(of folder: FolderID) -> SyncedDirectory? {
    roots.first { isSame($0.registered.id, folder) }?.presence?.directory
  }

  /// The smallest of the IDs that stand for the same folder.
  func canonical(_ folder: FolderID) -> FolderID {
    roots.first { $0.ids.contains(folder) }?.ids.min() ?? folder
  }

  func isSame(_ left: FolderID, _ right: FolderID) -> Bool { canonical(left) == canonical(right) }

  /// At start: registered folders, whether or not they are there.
  func restore(_ folders: [AgentState.RegisteredFolder]) {
    for folder in folders { append(folder) }
    _ = checkPresence()
    for index in roots.indices { refreshIdentities(at: index) }
  }

  /// Registers the folder at `path`. One that is registered is returned as it is, after its `.continuo`,
  /// which somebody deleted, was made anew: asking for it says that this is the folder and no empty mount
  /// point.
  ///
  /// Throws `folderUnavailable` or `invalidRequest`; nothing is registered then.
  func add(path: [UInt8], name: String?) throws(ContinuityError) -> Root {
    guard mounts.answers(path) else {
      let shown = DisplayText.shown(path)
      throw ContinuityError(
        .folderUnavailable, subject: shown,
        "\(shown) does not answer: check the connection to the computer it lies on, and try again.")
    }
    let real = try realPath(path)
    if let index = roots.firstIndex(where: { $0.registered.path == real }) {
      if roots[index].presence == nil {
        roots[index].presence = try created(real, id: roots[index].registered.id).presence
        refreshIdentities(at: index)
      }
      return roots[index]
    }
    let shown = DisplayText.shown(real)
    let lastName = shown.split(separator: "/").last.map(String.init) ?? "folder"
    let folderName = DisplayText.shown(name.flatMap { $0.isEmpty ? nil : $0 } ?? lastName)
    guard !roots.contains(where: { $0.registered.name == folderName }) else {
      throw ContinuityError(
        .invalidRequest, subject: folderName,
        "A folder named \(folderName) is registered already: give this one another with --name.")
    }
    try checkMayBeSynced(real)
    let (presence, ids) = try created(real, id: .random())
    guard let id = ids.min(), !roots.contains(where: { !$0.ids.isDisjoint(with: ids) }) else {
      throw ContinuityError(
        .invalidRequest, subject: shown,
        "\(shown) is a copy of a folder that is registered already: remove one of the two first.")
    }
    append(AgentState.RegisteredFolder(id: id, name: folderName, path: real))
    roots[roots.count - 1].presence = presence
    refreshIdentities(at: roots.count - 1)
    return roots[roots.count - 1]
  }

  private func created(
    _ path: [UInt8], id: FolderID
  ) throws(ContinuityError) -> (presence: Presence, ids: Set<FolderID>) {
    let directory = try SyncedDirectory(path: path, mayTouch: mounts.question(for: path))
    guard let records = try OwnDirectory.records(in: directory, creating: true) else {
      let shown = DisplayText.shown(path)
      throw ContinuityError(.folderUnavailable, subject: shown, "\(shown) is not there any more.")
    }
    let ids = try identities(in: records, creating: id)
    return (Presence(directory: directory, records: records), ids)
  }

  /// The root that has this path or name. Throws `invalidRequest` when there is none.
  func find(_ pathOrName: String) throws(ContinuityError) -> Root {
    // A folder that is gone is found by its name, or by the path as it was registered.
    let path = Array(pathOrName.utf8)
    let real = mounts.answers(path) ? (try? realPath(path)) ?? path : path
    guard let root = roots.first(where: { $0.registered.name == pathOrName || $0.registered.path == real })
    else {
      throw ContinuityError(
        .invalidRequest, subject: pathOrName,
        "No folder \(pathOrName) is registered: `continuo folder list` shows those that are.")
    }
    return root
  }

  /// Forgets a folder; its files stay.
  func remove(_ number: RootNumber) { roots.removeAll { $0.number == number } }

  /// Looks whether each folder is there; the roots that changed, those first that came back or are another
  /// folder now. A folder without `.continuo` is away: an empty mount point stays empty.
  func checkPresence() -> (came: [RootNumber], went: [RootNumber]) {
    var came: [RootNumber] = []
    var went: [RootNumber] = []
    for index in roots.indices {
      let before = roots[index].presence
      let answers = mounts.answers(roots[index].registered.path)
      if let before, answers, before.isInPlace { continue }
      roots[index].presence = answers ? open(roots[index].registered, knownAs: roots[index].ids) : nil
      if roots[index].presence != nil {
        came.append(roots[index].number)
      } else if before != nil {
        went.append(roots[index].number)
      }
    }
    return (came, went)
  }

  /// Another device's identity of the folder may have come; true when the IDs changed.
  @discardableResult
  func refreshIdentities(_ number: RootNumber) -> Bool {
    guard let index = roots.firstIndex(where: { $0.number == number }) else { return false }
    return refreshIdentities(at: index)
  }

  @discardableResult
  private func refreshIdentities(at index: Int) -> Bool {
    guard let records = roots[index].presence?.records else { return false }
    // Identities that cannot be read now are read again at the next hint; the registered one holds meanwhile.
    let found = (try? identities(in: records)) ?? []
    let ids = found.union([roots[index].registered.id])
    guard ids != roots[index].ids else { return false }
    roots[index].ids = ids
    for id in ids.sorted().dropFirst() { canonicalIDDidChange(id, canonical(id)) }
    return true
  }

  private func append(_ folder: AgentState.RegisteredFolder) {
    nextNumber += 1
    roots.append(
      Root(number: RootNumber(rawValue: nextNumber), registered: folder, ids: [folder.id], presence: nil))
  }

  private func open(_ folder: AgentState.RegisteredFolder, knownAs known: Set<FolderID>) -> Presence? {
    // A folder that cannot be opened is away; it is tried again at each hint and check.
    let question = mounts.question(for: folder.path)
    guard let directory = try? SyncedDirectory(path: folder.path, mayTouch: question),
      let records = try? OwnDirectory.records(in: directory, creating: false)
    else { return nil }
    // Another folder that took the path is not this one, however it got there. One without an identity may be
    // waiting for it: the engine brings files in any order.
    let ids = (try? identities(in: records)) ?? []
    guard ids.isEmpty || !ids.isDisjoint(with: known) else { return nil }
    return Presence(directory: directory, records: records)
  }
}
