// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import SyncedFolders

/// Documents that apps opened before their folders had them, each in a private copy: keeps the copies over
/// restarts, and writes back what is saved into them, as `PrivateCopyMachine` decides. Loop thread only.
final class PrivateCopies {
  /// What it works with.
  struct Agent {
    var folders: FolderRegistry
    var hasher: HashQueue
    var store: StateStore
    /// Whether an app has that path open.
    var isOpen: ([UInt8]) -> Bool
    /// What lay at that path lies at the place now, in this version: tells the apps, and says which.
    var moved: ([UInt8], DocumentPlace, DocumentVersion) -> Set<UInt64>
    /// The place holds that version, which an app here saved.
    var wrote: (DocumentVersion, DocumentPlace) -> Void
    /// `root` is there now, or is there no more.
    var rootChanged: () -> Void
  }

  /// An app that was handed a copy may take so long to say that it has it open.
  static let grace = Duration.seconds(10)
  /// An app that has one open may take so long to come back.
  static let returning = Duration.seconds(60)
  /// The most copies there are at once.
  static let limit = 64

  private let ports: AgentPorts
  private let agent: Agent
  private let looks: CopyLooks
  private var kept: [PrivateCopy.ID: KeptCopy] = [:] {
    didSet { if kept.isEmpty != oldValue.isEmpty { agent.rootChanged() } }
  }

  init(ports: AgentPorts, agent: Agent) {
    (self.ports, self.agent) = (ports, agent)
    looks = CopyLooks(ports: ports, folders: agent.folders, hasher: agent.hasher, store: agent.store)
  }

  /// Takes up what an earlier agent kept. An app that has one open is given time to come back.
  func restore() {
    for copy in agent.store.state.copies {
      // An agent that ended in the middle has not looked at it there.
      putBack(copy)
      var copy = copy
      if let path = copy.path, (try? ports.copies.folder())?.observe(path) == .absent { copy.isMoved = true }
      let known = KeptCopy(copy, until: ports.now + Self.returning)
      known.isReady = true
      kept[copy.id] = known
    }
    ports.copies.removeEmptyFolders()
    lookAtAll()
  }

  /// Where they lie; nil where there are none.
  var folder: (any SyncedFolder)? { kept.isEmpty ? nil : try? ports.copies.folder() }

  /// For apps, which offer what lies in synced folders: one more of these. Nil where there are no copies.
  var root: SyncedRoot? {
    guard let folder, let id = kept.keys.min().flatMap({ FolderID(bytes: $0.bytes) }) else { return nil }
    let path = ports.disks.realPath(folder.path) ?? folder.path
    return SyncedRoot(id: id, name: "Private copies", path: path, isPresent: true)
  }

  /// The places of the documents that are open before their folders have them.
  var places: Set<DocumentPlace> { Set(kept.values.lazy.filter { !$0.machine.isMoved }.map(\.copy.place)) }

  var inOrder: [KeptCopy] { kept.values.sorted { $0.copy.id < $1.copy.id } }

  /// The names of copies whose files are there, as they were written down.
  var leftNames: [[UInt8]] {
    let copies = agent.store.state.copies
    guard !copies.isEmpty, let folder = try? ports.copies.folder() else { return [] }
    return copies.filter { copy in
      guard let path = copy.path, case .file = folder.observe(path) else { return false }
      return true
    }.map(\.name)
  }

  // MARK: Making and finding

  /// Makes a copy of a version that came over a link; `done` is called once, with nil where that failed.
  func make(
    _ document: DocumentReference, from came: LinkedDocuments.Came, done: @escaping (PrivateCopy.ID?) -> Void
  ) {
    let place = agent.folders.place(of: document)
    let copy = PrivateCopy(id: ports.identifier(), place: place, base: document.version)
    guard kept.count < Self.limit, let path = copy.path, (try? ports.copies.make(copy.id)) != nil,
      let folder = try? ports.copies.folder()
    else { return done(nil) }
    let laid = LaidDocument(
      path: path, version: document.version, history: DocumentHistory(), modified: came.modified)
    // It is one of the folders in which something is read from now on.
    kept[copy.id] = KeptCopy(copy, until: ports.now + Self.grace)
    agent.hasher.lay(laid, from: came.file, in: folder, keeping: NoReplacedFiles()) { [weak self] outcome in
      guard let self else { return }
      kept[copy.id]?.isReady = true
      guard outcome == .laid, remember(copy) else {
        forget(copy)
        ports.copies.remove(copy.name, of: copy.id)
        ports.copies.removeFolder(of: copy.id)
        return done(nil)
      }
      done(copy.id)
    }
  }

  private func remember(_ copy: PrivateCopy) -> Bool {
    do throws(ContinuityError) {
      try agent.store.change { state in
        state.copies.removeAll { $0.id == copy.id }
        state.copies.append(copy)
      }
      return true
    } catch {
      ports.log("a private copy could not be written down: code \(error.code)")
      return false
    }
  }

  private func forget(_ copy: PrivateCopy) {
    ports.scheduler.cancel(kept.removeValue(forKey: copy.id)?.timer)
    guard agent.store.state.copies.contains(where: { $0.id == copy.id }) else { return }
    // Without it the next agent would look for a copy that is gone, and forget it then.
    try? agent.store.change { $0.copies.removeAll { $0.id == copy.id } }
  }

  /// The copy that an app opened in that version, and may have gone on with.
  func copy(of document: DocumentReference) -> PrivateCopy.ID? {
    let place = agent.folders.place(of: document)
    return inOrder.last {
      $0.isReady && $0.copy.place == place && $0.copy.base.digest == document.version.digest
        && !$0.machine.isMoved
    }?.copy.id
  }

  /// A copy as it is opened.
  struct Opening {
    let id: PrivateCopy.ID
    let folder: any SyncedFolder
    /// Where it lies there.
    let path: RelativePath
    /// The absolute path.
    let absolutePath: [UInt8]
    /// What it is and was.
    let history: DocumentHistory
    /// Whether an app saved something into it.
    let isChanged: Bool
  }

  /// The copy as it is opened; nil once it is gone.
  func opening(_ id: PrivateCopy.ID) -> Opening? {
    guard let kept = kept[id], let folder, let root, let path = kept.copy.path else { return nil }
    return Opening(
      id: id, folder: folder, path: path, absolutePath: root.absolutePath(of: path),
      history: kept.copy.history, isChanged: kept.machine.isChanged)
  }

  /// The document in that version, for another device that asks for it.
  func open(_ document: DocumentReference) -> OpenedDocument? {
    guard !kept.isEmpty else { return nil }
    let place = agent.folders.place(of: document)
    let holder = inOrder.last { $0.copy.place == place && $0.digest == document.version.digest }
    guard let holder, let opening = opening(holder.copy.id) else { return nil }
    return try? opening.folder.open(document: opening.path)
  }

  /// The document whose copy lies at that path, and what its versions are.
  func file(at path: [UInt8]) -> (place: DocumentPlace, file: LocalDocuments.VersionFile)? {
    guard let found = holder(of: path), let place = found.copy.path else { return nil }
    let file = LocalDocuments.VersionFile(
      folder: { [ports] in try? ports.copies.folder() }, path: place,
      version: { [weak self, weak found] sighting in
        guard let found else { return DocumentVersion(digest: sighting.digest, size: sighting.size) }
        found.digest = sighting.digest
        self?.hold(found, sighting.digest, size: sighting.size)
        let past = self?.agent.store.histories[found.copy.place] ?? DocumentHistory()
        return found.copy.version(sighting.digest, size: sighting.size, after: past)
      })
    return (found.copy.place, file)
  }

  /// The document at a place, where it lies in a copy, and what its versions are.
  func file(of place: DocumentPlace) -> LocalDocuments.VersionFile? {
    let holder = inOrder.last { $0.isReady && !$0.machine.isMoved && $0.copy.place == place }
    return holder.flatMap { opening($0.copy.id) }.flatMap { file(at: $0.absolutePath)?.file }
  }

  /// It holds this: what is saved next descends from it.
  private func hold(_ kept: KeptCopy, _ digest: ContentDigest, size: UInt64) {
    if kept.copy.hold(digest, size: size) { _ = remember(kept.copy) }
  }

  private func holder(of path: [UInt8]) -> KeptCopy? {
    guard let root, let place = ports.disks.realPath(ofFile: path).flatMap(root.relativePath) else {
      return nil
    }
    return kept.values.first { $0.copy.path == place }
  }

  // MARK: What happens

  /// An app is handed the copy, and will answer under that request.
  func handed(_ id: PrivateCopy.ID, as request: RequestID, to client: UInt64) {
    kept[id]?.handed[request] = client
  }

  /// It answered.
  func answered(_ request: RequestID) { answered { $0.key == request } }

  /// The client is gone; the command line has none open.
  func clientEnded(_ client: UInt64, isApp: Bool) {
    answered { $0.value == client }
    guard isApp else { return }
    for kept in inOrder {
      kept.told.remove(client)
      // It may only have lost its connection, and show the copy still.
      kept.until = max(kept.until, ports.now + Self.returning)
      // What nobody changed may go then, and what was changed is where it was.
      look(kept, after: Self.returning)
    }
  }

  private func answered(_ isOver: ((key: RequestID, value: UInt64)) -> Bool) {
    for kept in inOrder where kept.handed.contains(where: isOver) {
      kept.handed = kept.handed.filter { !isOver($0) }
      kept.until = ports.now + Self.grace
      feed(kept, .due)
    }
  }

  /// An app saved, opened or closed that file.
  func used(_ path: [UInt8], by client: UInt64) {
    guard !kept.isEmpty, let found = holder(of: path) else { return }
    // It may not have heard yet where its document is.
    if isTaken(found), !found.told.contains(client) { tellMoved(found) }
    feed(found, .due)
  }

  /// A folder turned out to have another ID.
  func folderMoved(from old: FolderID, to new: FolderID) {
    for kept in inOrder where kept.copy.place.folder == old {
      kept.copy.place.folder = new
      _ = remember(kept.copy)
    }
  }

  /// Something may have changed at a name of a folder, or below it. An engine changes much at a time.
  func hint(_ folder: FolderID, path: [[UInt8]]) {
    guard !kept.isEmpty else { return }
    for kept in inOrder
    where agent.folders.isSame(kept.copy.place.folder, folder)
      && kept.copy.place.path.components.starts(with: path)
    {
      look(kept, after: .milliseconds(100))
    }
  }

  /// Time passed, or folders came or went.
  func lookAtAll() { for kept in inOrder { feed(kept, .due) } }

  private func look(_ kept: KeptCopy, after pause: Duration) {
    guard kept.timer == nil else { return }
    kept.timer = ports.scheduler.schedule(at: ports.now + pause) { [weak self, weak kept] in
      guard let self, let kept else { return }
      kept.timer = nil
      feed(kept, .due)
    }
  }

  // MARK: What the machine asks for

  func feed(_ kept: KeptCopy, _ event: PrivateCopyMachine.Event) {
    guard self.kept[kept.copy.id] === kept, kept.isReady else { return }
    kept.events.feed(event) { event in
      for action in kept.machine.handle(event) where self.kept[kept.copy.id] === kept {
        perform(action, kept)
      }
    }
    kept.answerIfIdle()
  }

  private func perform(_ action: PrivateCopyMachine.Action, _ kept: KeptCopy) {
    switch action {
    case .look: lookAt(kept)
    case .lay(let digest):
      let isNew = kept.folderContent == .absent
      lay(
        kept, digest, at: kept.copy.place,
        over: isNew ? DocumentHistory() : agent.store.histories[kept.copy.place])
    case .layBeside(let digest): layBeside(kept, digest)
    case .rebase(let digest): rebase(kept, digest)
    case .takeAway: takeAway(kept)
    case .putBack: putBack(kept.copy)
    case .tellMoved:
      kept.until = ports.now + Self.grace
      kept.copy.isMoved = true
      _ = remember(kept.copy)
      tellMoved(kept)
    case .remove: remove(kept)
    case .comeAgain: look(kept, after: .seconds(1))
    }
  }

  private func putBack(_ copy: PrivateCopy) {
    _ = ports.copies.rename(copy.takenName, to: copy.name, of: copy.id, replaces: false)
  }

  /// Whether its apps find the document in the folder, also those that an agent before this one told.
  private func isTaken(_ kept: KeptCopy) -> Bool {
    guard kept.machine.isMoved, let path = kept.copy.path else { return false }
    return folder?.observe(path) == .absent
  }

  private func tellMoved(_ kept: KeptCopy) {
    guard let opening = opening(kept.copy.id) else { return }
    kept.told.formUnion(agent.moved(opening.absolutePath, kept.copy.place, kept.copy.base))
  }

  /// An app has it open, or is about to.
  func isUsed(_ kept: KeptCopy) -> Bool {
    !kept.handed.isEmpty || ports.now < kept.until
      || (opening(kept.copy.id).map { agent.isOpen($0.absolutePath) } ?? false)
  }

  /// Where a document belongs, as an absolute path; nil while its folder is not registered.
  func path(of place: DocumentPlace) -> [UInt8]? { agent.folders.absolutePath(of: place) }

  /// What this device calls the folder.
  func folderName(of place: DocumentPlace) -> String { agent.folders.name(of: place.folder) ?? "" }

  private func lookAt(_ kept: KeptCopy) {
    looks.look(at: kept) { [weak self, weak kept] copy, folder in
      guard let self, let kept else { return }
      if let digest = kept.digest, let stamp = kept.stamp { hold(kept, digest, size: stamp.size) }
      kept.folderContent = folder
      // Looking may have taken a while.
      feed(kept, .found(copy: copy, folder: folder, isUsed: isUsed(kept)))
    } again: { [weak self, weak kept] in
      if let kept { self?.look(kept, after: .seconds(1)) }
    }
  }

  // MARK: Writing back

  private func lay(
    _ kept: KeptCopy, _ digest: ContentDigest, at place: DocumentPlace, over history: DocumentHistory
  ) {
    guard let opening = opening(kept.copy.id), let stamp = kept.stamp,
      let folder = agent.folders.directory(of: place.folder),
      let file = try? opening.folder.open(document: opening.path).file
    else { return feed(kept, .laid(.changed)) }
    let version = kept.copy.version(digest, size: stamp.size)
    let document = LaidDocument(
      path: place.path, version: version, history: history, modified: stamp.modified, comesItself: true)
    agent.hasher.lay(document, from: file, in: folder, keeping: ports.replaced) {
      [weak self, weak kept] outcome in
      guard let self, let kept else { return }
      if outcome == .laid { kept.laid = (version, place) }
      ports.log("a private copy: \(outcome.name)")
      feed(kept, .laid(outcome))
    }
  }

  /// As a conflict copy, under the first name that is free.
  private func layBeside(_ kept: KeptCopy, _ digest: ContentDigest, number: Int = 1) {
    let path = kept.copy.place.path
    let name = SyncNames.conflictCopyName(
      of: path.name, date: ports.wall.compactUTC, mark: number > 1 ? " \(number)" : "")
    guard number <= 100, let beside = RelativePath(components: path.components.dropLast() + [name]) else {
      return feed(kept, .laid(.failed("no name is free beside it")))
    }
    let place = DocumentPlace(folder: kept.copy.place.folder, path: beside)
    guard agent.folders.directory(of: place.folder)?.observe(beside) == .absent else {
      return layBeside(kept, digest, number: number + 1)
    }
    lay(kept, digest, at: place, over: DocumentHistory())
  }

  private func rebase(_ kept: KeptCopy, _ digest: ContentDigest) {
    let former = (kept.copy.base.digest, kept.copy.place)
    if let (version, place) = kept.laid, version.digest == digest {
      (kept.copy.base, kept.copy.place) = (version, place)
    } else {
      kept.copy.base = kept.copy.version(digest, size: kept.stamp?.size ?? 0)
    }
    kept.laid = nil
    // The engine brought it.
    guard former != (kept.copy.base.digest, kept.copy.place) else { return }
    // What is not written down is found out again, for the folder holds it.
    _ = remember(kept.copy)
    agent.wrote(kept.copy.base, kept.copy.place)
  }

  private func takeAway(_ kept: KeptCopy) {
    let id = kept.copy.id
    guard let digest = kept.digest, let stamp = kept.stamp,
      ports.copies.rename(kept.copy.name, to: kept.copy.takenName, of: id, replaces: true)
    else { return feed(kept, .tookAway(nil)) }
    let path = kept.copy.path(named: kept.copy.takenName)
    guard let path, let folder = try? ports.copies.folder(), case .file(let found) = folder.observe(path),
      found.isSameContent(as: stamp)
    else {
      // It was saved in the last moment: that text is looked at like any other.
      putBack(kept.copy)
      return feed(kept, .tookAway(nil))
    }
    // A file that came itself has a name in the folder.
    kept.taken = found.linkCount == 1 ? found : nil
    if found.linkCount > 1 { ports.copies.remove(kept.copy.takenName, of: id) }
    feed(kept, .tookAway(digest))
  }

  private func remove(_ kept: KeptCopy) {
    if let path = kept.copy.path, let folder, folder.observe(path) != .absent {
      // It was saved late.
      return look(kept, after: .seconds(1))
    }
    let path = kept.copy.path(named: kept.copy.takenName)
    if let taken = kept.taken, let path, case .file(let found)? = folder?.observe(path),
      !found.isSameContent(as: taken)
    {
      // Somebody wrote into the file that they had open all the time.
      kept.taken = nil
      putBack(kept.copy)
      return look(kept, after: .seconds(1))
    }
    forget(kept.copy)
    ports.copies.remove(kept.copy.takenName, of: kept.copy.id)
    ports.copies.removeFolder(of: kept.copy.id)
  }
}
