// SPDX-License-Identifier: MIT

import ActivityModel
import SyncedFolders

/// The registered folders as they are on this device now. Loop thread only.
final class FolderRegistry {
  struct Root {
    let number: RootNumber
    var registered: AgentState.RegisteredFolder
    /// The IDs whose documents are this folder's; no other root has one of them. Empty where the registered
    /// ID itself is another root's.
    var ids: Set<FolderID>
    /// The one of `ids` under which all devices know its documents: of those that its files hold, the
    /// smallest (two devices may begin one folder offline).
    var canonical: FolderID
    /// What its files hold, as they were last read.
    var found: Set<FolderID> = []
    /// What lies at its path; nil while nothing of it is there.
    var place: Presence?
    /// Whether what lies there was another folder when it was found.
    var isStranger = false
    /// Why what lies there is not used.
    var refusal: Refusal?

    /// Nil while the folder is away, or refused: nothing in it is anybody's document then.
    var presence: Presence? { refusal == nil ? place : nil }

    /// Every ID that is said of it: no root registered later may have one of these.
    var claims: Set<FolderID> { isStranger ? known : known.union(found) }

    /// What the folder was called while it was used.
    var known: Set<FolderID> { aliases.union([registered.id]) }
    /// Whether it was called by one of these while it was used.
    func isKnown(by ids: Set<FolderID>) -> Bool {
      ids.contains(registered.id) || !aliases.isDisjoint(with: ids)
    }
    /// IDs that other devices gave it.
    var aliases: Set<FolderID> = []
    /// What apps are told where its own ID is another root's: nobody's.
    let shadow: FolderID

    init(number: RootNumber, registered: AgentState.RegisteredFolder, shadow: FolderID) {
      self.shadow = shadow
      self.number = number
      self.registered = registered
      (ids, canonical) = ([registered.id], registered.id)
    }
  }

  /// Why a folder that is there is not used.
  enum Refusal: Hashable {
    /// It has an identity of another root.
    case shared(with: RootNumber)
    /// It has an identity that this device never knew it by.
    case stranger
  }

  /// What a look at the folders changed.
  struct Changes {
    /// Those that are used from now on, or lie in another `.continuo`.
    var came: [RootNumber] = []
    /// Those that are used no more.
    var went: [RootNumber] = []
    /// Whether some folder's identity or standing is another.
    var isAny = false
  }

  /// What is known of a folder that is there; nothing of it is held open. An object, for a root is copied
  /// where it is looked at.
  final class Presence {
    let directory: any SyncedFolder
    let records: any OwnFiles
    let transport: FolderTransport
    let identities: IdentityFiles

    init(directory: any SyncedFolder, records: any OwnFiles) {
      self.directory = directory
      self.records = records
      transport = FolderTransport(folder: directory, records: records)
      identities = IdentityFiles(records)
    }

    /// How many files in `.continuo` are no device's of the circle.
    var junkCount: Int { transport.junkCount + identities.junkCount }

    /// Whether the paths still lead to what was opened: an engine may have made `.continuo` anew meanwhile.
    var isInPlace: Bool { records.isInPlace }
  }

  let ports: AgentPorts
  var roots: [Root] = [] {
    didSet {
      isSettled = false
      changes += 1
    }
  }
  /// How often something of the roots may have changed.
  private(set) var changes: UInt64 = 0
  /// Whether `settle` found nothing to say anew of the roots as they are. Whoever changes one unsettles them.
  var isSettled = false
  private var nextNumber: UInt64 = 0
  let stateDirectory: [UInt8]
  /// The name of this device's folder identity file; changes with the circle.
  var identityFileName: () -> String = { "" }
  /// Whether a folder holds what this device last said there.
  var holdsOwnRecord: (Presence) -> Bool = { _ in false }
  /// Told when documents under the first ID are documents of the second from now on.
  var canonicalIDDidChange: (FolderID, FolderID) -> Void = { _, _ in }

  init(_ ports: AgentPorts) {
    self.ports = ports
    let path = Array(ports.state.displayPath.utf8)
    stateDirectory = ports.disks.realPath(path) ?? path
  }

  var registered: [AgentState.RegisteredFolder] { roots.map(\.registered) }

  /// As apps are told them: under the canonical ID.
  var syncedRoots: [SyncedRoot] { roots.map(synced) }

  private func synced(_ root: Root) -> SyncedRoot {
    var synced = SyncedRoot(
      id: root.canonical, name: root.registered.name, path: root.registered.path,
      isPresent: root.presence != nil, refused: reason(onRefused: root))
    synced.documentsOverLan = root.registered.documentsOverLan
    synced.sharesPresence = root.registered.sharesPresence
    return synced
  }

  /// What a person set for the folder; nil where this device has none of that ID.
  func documentsOverLan(in folder: FolderID) -> DocumentsOverLan? {
    owner(of: folder).map { roots[$0].registered.documentsOverLan }
  }

  /// A person sets something of the folder.
  func change(_ number: RootNumber, _ body: (inout AgentState.RegisteredFolder) -> Void) {
    guard let index = roots.firstIndex(where: { $0.number == number }) else { return }
    body(&roots[index].registered)
  }

  /// Whether a person wants devices to tell each other which document of the folder is open.
  func sharesPresence(in folder: FolderID) -> Bool {
    owner(of: folder).map { roots[$0].registered.sharesPresence } ?? false
  }

  /// Whether there is any such folder.
  var shareAnyPresence: Bool { roots.contains { $0.registered.sharesPresence } }

  func root(of folder: FolderID) -> SyncedRoot? { owner(of: folder).map { synced(roots[$0]) } }

  /// Where a document lies here or would lie, as an absolute path; nil where this device has no such folder.
  func absolutePath(of place: DocumentPlace) -> [UInt8]? {
    root(of: place.folder)?.absolutePath(of: place.path)
  }

  /// What this device calls the folder; nil where it has none of that ID.
  func name(of folder: FolderID) -> String? { owner(of: folder).map { roots[$0].registered.name } }

  /// How a folder stands, for what is asked of it at each hint: a root has many parts to copy.
  func use(of number: RootNumber) -> (canonical: FolderID, isRefused: Bool, isHere: Bool)? {
    guard let index = roots.firstIndex(where: { $0.number == number }) else { return nil }
    let isRefused = roots[index].refusal != nil
    return (roots[index].canonical, isRefused, !isRefused && roots[index].place != nil)
  }

  /// What is known of a folder that is there and used.
  func presence(of number: RootNumber) -> Presence? {
    roots.firstIndex { $0.number == number }.flatMap { roots[$0].presence }
  }

  func root(_ number: RootNumber) -> Root? { roots.first { $0.number == number } }

  /// The place of the one root that has the ID. By place, because a root has many parts to copy, and this is
  /// asked for each document at each hint.
  private func owner(of folder: FolderID) -> Int? {
    for index in roots.indices where roots[index].ids.contains(folder) { return index }
    return nil
  }

  func directory(of folder: FolderID) -> (any SyncedFolder)? {
    guard let index = owner(of: folder), roots[index].refusal == nil else { return nil }
    return roots[index].place?.directory
  }

  /// Whether the device has the folder as well: its record lies there.
  func isShared(_ folder: FolderID, with device: DeviceID) -> Bool {
    owner(of: folder).flatMap { roots[$0].presence }?.transport.heard.contains(device) ?? false
  }

  /// The one of the IDs that stand for the same folder by which it is known here.
  func canonical(_ folder: FolderID) -> FolderID { owner(of: folder).map { roots[$0].canonical } ?? folder }

  /// Where this device keeps what it knows of the document: under its folder's canonical ID, at `path` where
  /// it was found under another name.
  func place(of document: DocumentReference, at path: RelativePath? = nil) -> DocumentPlace {
    DocumentPlace(folder: canonical(document.folder), path: path ?? document.path)
  }

  func isSame(_ left: FolderID, _ right: FolderID) -> Bool {
    left == right || canonical(left) == canonical(right)
  }

  /// At start: registered folders, whether or not they are there.
  func restore(_ folders: [AgentState.RegisteredFolder]) {
    for folder in folders { append(folder) }
    _ = checkPresence()
  }

  /// Registers the folder at `path`. One that is registered is returned as it is, after its `.continuo`,
  /// which somebody deleted, or its identity was made anew: asking for it says that this is the folder and no
  /// empty mount point.
  ///
  /// With `newIdentity` a folder that has an identity of another one, because it is a copy, gets its own.
  /// Throws `folderUnavailable` or `invalidRequest`; nothing is registered then.
  func add(path: [UInt8], name: String?, newIdentity: Bool = false) throws(ContinuityError) -> Root {
    guard ports.disks.answers(path) else {
      let shown = DisplayText.shown(path)
      throw ContinuityError(
        .folderUnavailable, subject: shown,
        description:
          "\(shown) does not answer: check the connection to the computer it lies on, and try again.")
    }
    let real = try realPath(path)
    if let index = roots.firstIndex(where: { $0.registered.path == real }) {
      if newIdentity || roots[index].presence == nil { try renew(at: index, newIdentity: newIdentity) }
      return roots[index]
    }
    let folderName = try unusedName(name, of: real)
    try checkMayBeSynced(real)
    let presence = try opened(real)
    let id = try identify(presence, name: folderName, newIdentity: newIdentity)
    append(AgentState.RegisteredFolder(id: id, name: folderName, path: real))
    roots[roots.count - 1].place = presence
    _ = refresh(reading: roots[roots.count - 1].number)
    return roots[roots.count - 1]
  }

  private func unusedName(_ name: String?, of real: [UInt8]) throws(ContinuityError) -> String {
    let shown = DisplayText.shown(real)
    let lastName = shown.split(separator: "/").last.map(String.init) ?? "folder"
    let folderName = DisplayText.shown(name.flatMap { $0.isEmpty ? nil : $0 } ?? lastName)
    guard !roots.contains(where: { $0.registered.name == folderName }) else {
      throw ContinuityError(
        .invalidRequest, subject: folderName,
        description: "A folder named \(folderName) is registered already: give this one another with --name.")
    }
    return folderName
  }

  /// The folder with its `.continuo`, which is made where it is missing.
  func opened(_ path: [UInt8]) throws(ContinuityError) -> Presence {
    let directory = try ports.disks.open(folder: path)
    guard let records = try directory.ownFiles(creating: true) else {
      let shown = DisplayText.shown(path)
      throw ContinuityError(
        .folderUnavailable, subject: shown, description: "\(shown) is not there any more.")
    }
    return Presence(directory: directory, records: records)
  }

  /// The root that has this path or name. Throws `invalidRequest` when there is none.
  func find(_ pathOrName: String) throws(ContinuityError) -> Root {
    // A folder that is gone is found by its name, or by the path as it was registered.
    let path = Array(pathOrName.utf8)
    let real = ports.disks.answers(path) ? (try? realPath(path)) ?? path : path
    guard let root = roots.first(where: { $0.registered.name == pathOrName || $0.registered.path == real })
    else {
      throw ContinuityError(
        .invalidRequest, subject: pathOrName,
        description: "No folder \(pathOrName) is registered: `continuo folder list` shows those that are.")
    }
    return root
  }

  /// Forgets a folder; its files stay. One that was refused because of it may be used now.
  func remove(_ number: RootNumber) -> Changes {
    let before = standing
    roots.removeAll { $0.number == number }
    settle()
    return changes(since: before)
  }

  /// Looks whether each folder is there. A folder without `.continuo` is away: an empty mount point stays
  /// empty.
  func checkPresence() -> Changes {
    let (before, wasSettled) = (roots, isSettled)
    var anew: Set<RootNumber> = []
    for index in roots.indices {
      let answers = ports.disks.answers(roots[index].registered.path)
      if let place = roots[index].place, answers, place.isInPlace {
        if roots[index].refusal != nil { read(at: index) }
        continue
      }
      roots[index].place = answers ? open(roots[index].registered.path) : nil
      guard roots[index].place != nil else { continue }
      anew.insert(roots[index].number)
      roots[index].isStranger = false
      read(at: index, isAnew: true)
    }
    if wasSettled, isSettled { return Changes() }
    settle()
    return changes(since: standing(of: before), anew: anew)
  }

  /// Another device's identity of the folder may have come, or its own may have been overwritten.
  func refreshIdentities(_ number: RootNumber) -> Changes { refresh(reading: number) }

  private func refresh(reading number: RootNumber) -> Changes {
    let (before, wasSettled) = (roots, isSettled)
    for index in roots.indices where roots[index].number == number { read(at: index) }
    if wasSettled, isSettled { return Changes() }
    settle()
    return changes(since: standing(of: before))
  }

  private func append(_ folder: AgentState.RegisteredFolder) {
    nextNumber += 1
    roots.append(
      Root(number: RootNumber(rawValue: nextNumber), registered: folder, shadow: ports.identifier()))
  }

  private func open(_ path: [UInt8]) -> Presence? {
    // A folder that cannot be opened is away; it is tried again at each hint and check.
    guard let directory = try? ports.disks.open(folder: path),
      let records = try? directory.ownFiles(creating: false)
    else { return nil }
    return Presence(directory: directory, records: records)
  }
}
