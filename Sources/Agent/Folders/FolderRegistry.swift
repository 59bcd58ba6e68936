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
    /// Every ID that the folder was given; the smallest is canonical (two devices may begin one folder offline).
    var ids: Set<FolderID>
    /// Nil while the folder is away.
    var presence: Presence?
  }

  /// What is held open of a folder that is there.
  struct Presence {
    let directory: SyncedDirectory
    let records: OwnDirectory
    let transport: FolderTransport
  }

  private(set) var roots: [Root] = []
  private var nextNumber: UInt64 = 0
  private let stateDirectory: String
  /// The name of this device's folder identity file; changes with the circle.
  var identityFileName: () -> String = { "" }

  init(stateDirectory: String) { self.stateDirectory = stateDirectory }

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
  }

  /// Registers the folder at `path`. An existing one is returned as it is.
  ///
  /// Throws `folderUnavailable` or `invalidRequest`; nothing is registered then.
  func add(path: [UInt8], name: String?) throws(ContinuityError) -> Root {
    let real = try realPath(path)
    if let known = roots.first(where: { $0.registered.path == real }) { return known }
    let shown = String(decoding: real, as: UTF8.self)
    let folderName = name ?? shown.split(separator: "/").last.map(String.init) ?? "folder"
    guard !roots.contains(where: { $0.registered.name == folderName }) else {
      throw ContinuityError(
        .invalidRequest, subject: folderName,
        "A folder named \(folderName) is registered already: give this one another with --name.")
    }
    guard !(stateDirectory + "/").hasPrefix(shown + "/") else {
      throw ContinuityError(
        .invalidRequest, subject: shown,
        "\(shown) holds continuo's own keys, which must not be synced: choose a folder below it.")
    }
    let directory = try SyncedDirectory(path: real)
    guard let records = try OwnDirectory.records(in: directory, creating: true) else {
      throw ContinuityError(.folderUnavailable, subject: shown, "\(shown) is not there any more.")
    }
    let ids = try identities(in: records, creating: true)
    guard let id = ids.min(), !roots.contains(where: { !$0.ids.isDisjoint(with: ids) }) else {
      throw ContinuityError(
        .invalidRequest, subject: shown,
        "\(shown) is a copy of a folder that is registered already: remove one of the two first.")
    }
    append(AgentState.RegisteredFolder(id: id, name: folderName, path: real))
    _ = checkPresence()
    return roots[roots.count - 1]
  }

  /// Forgets a folder by path or name; its files stay. Throws `invalidRequest` when there is none.
  func remove(_ pathOrName: String) throws(ContinuityError) -> Root {
    let real = (try? realPath(Array(pathOrName.utf8))) ?? Array(pathOrName.utf8)  // gone folders by their name
    guard
      let index = roots.firstIndex(where: {
        $0.registered.name == pathOrName || $0.registered.path == real
      })
    else {
      throw ContinuityError(
        .invalidRequest, subject: pathOrName,
        "No folder \(pathOrName) is registered: `continuo folder list` shows those that are.")
    }
    return roots.remove(at: index)
  }

  /// Looks whether each folder is there, and says whether anything changed. A folder without `.continuo` is away:
  /// an empty mount point stays empty.
  func checkPresence() -> Bool {
    var changed = false
    for index in roots.indices {
      let root = roots[index]
      if let presence = root.presence {
        if presence.directory.isInPlace, isRecordsThere(presence) { continue }
        roots[index].presence = nil
        changed = true
      } else if let presence = open(root.registered) {
        roots[index].presence = presence
        refreshIdentities(at: index)
        changed = true
      }
    }
    return changed
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
    let found = (try? identities(in: records, creating: false)) ?? []
    let ids = found.union([roots[index].registered.id])
    guard ids != roots[index].ids else { return false }
    roots[index].ids = ids
    return true
  }

  private func append(_ folder: AgentState.RegisteredFolder) {
    nextNumber += 1
    roots.append(
      Root(number: RootNumber(rawValue: nextNumber), registered: folder, ids: [folder.id], presence: nil))
  }

  private func open(_ folder: AgentState.RegisteredFolder) -> Presence? {
    // A folder that cannot be opened is away; it is tried again at each hint and check.
    guard let directory = try? SyncedDirectory(path: folder.path),
      let records = try? OwnDirectory.records(in: directory, creating: false)
    else { return nil }
    return Presence(
      directory: directory, records: records,
      transport: FolderTransport(folder: directory, records: records))
  }

  private func isRecordsThere(_ presence: Presence) -> Bool {
    guard let path = RelativePath(components: [SyncNames.recordFolder]) else { return false }
    return presence.directory.observe(path) == .other(.folder)
  }
}
