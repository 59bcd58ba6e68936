// SPDX-License-Identifier: MIT

import ActivityExchange
package import ActivityModel
import ActivityWire
import SyncedFolders

extension AgentCore {
  /// The watching says that something may have happened in a folder.
  package func take(_ hint: FolderHint) {
    let root = hint.root
    hinted = root
    defer { hinted = nil }
    switch hint {
    case .watching:
      ports.watch.noteHealthy(root)
      pollingReasons[root] = nil
      unwatched.remove(root)
      look(root, at: [])
      if let path = folders.root(root)?.registered.path { ports.watch.settle(root, path: path) }
      probe(root)
    case .changed(_, let path, _): look(root, at: path)
    case .moved(_, let from, let to, _):
      if let folder = folders.root(root), folder.refusal == nil {
        opened.renamed(folder.canonical, from: from, to: to)
      }
      look(root, at: from)
      look(root, at: to)
    case .rescan(_, let path): look(root, at: path)
    case .rootLost:
      // It may be back already, as another folder or the same: the watch process follows it no longer.
      unwatched.insert(root)
      checkPresence()
      schedulePresenceCheck()
    case .polling(_, _, let reason): pollingReasons[root] = reason.isEmpty ? nil : reason
    case .synchronized(_, let cookie): probes.answered(root, cookie)
    case .watchLimit: break
    }
  }

  /// The folders of documents that are offered or open get a watch before any other, where watches are short.
  func tellWhatMatters() {
    let places = tracker.places + opened.places
    for root in folders.roots {
      let own = places.filter { folders.isSame($0.folder, root.canonical) }
      ports.watch.prefer(root.number, Set(own.map { Array($0.path.components.dropLast()) }))
    }
  }

  /// Documents whose histories stay, however little room there is.
  var placesInUse: Set<DocumentPlace> {
    Set(tracker.places + opened.places + ownVersions.map(\.place))
  }

  /// What this device's own activities name.
  var ownVersions: [(place: DocumentPlace, version: DocumentVersion)] {
    exchange.ownDocuments.map { document in
      let folder = folders.canonical(document.folder)
      return (DocumentPlace(folder: folder, path: document.path), document.version)
    }
  }

  /// Whether events come from a folder of a kind that is not known to give them.
  private func probe(_ number: RootNumber) {
    guard let records = folders.root(number)?.presence?.records else { return }
    probes.begin(number, in: records) { [weak self] in self?.ports.watch.poll(number) }
  }

  /// Something may have changed at a place, or below it.
  private func look(_ number: RootNumber, at path: [[UInt8]]) {
    guard let root = folders.root(number) else { return }
    if path.isEmpty || SyncNames.isRecordFolder(path[0]) {
      // What is refused or away may have been mended.
      if path.count <= 1 || root.presence == nil { checkPresence() }
      scheduleCollect(number)
    }
    // What happens in a folder that is refused concerns no document.
    guard root.refusal == nil else { return }
    tracker.hint(root.canonical, path: path)
    opened.hint(root.canonical, path: path)
  }

  /// Many hints of one moment lead to one reading.
  func scheduleCollect(_ root: RootNumber) {
    guard collecting.insert(root).inserted else { return }
    ports.scheduler.schedule(at: ports.now) { [weak self] in
      self?.collecting.remove(root)
      self?.collect(root)
    }
  }

  func collect(_ number: RootNumber) {
    take(folders.refreshIdentities(number))
    guard let transport = folders.root(number)?.presence?.transport else { return }
    take(records.collect(transport), of: transport, in: number)
  }

  /// Goes on with what was listed: a part at a time, with pauses, for junk may lie there by the thousand.
  private func collectRest(_ number: RootNumber) {
    guard let transport = folders.root(number)?.presence?.transport, transport.hasMore else { return }
    take(records.collect(transport, isRest: true), of: transport, in: number)
  }

  private func take(
    _ found: (news: [RecordDesk.News], isComplete: Bool), of transport: FolderTransport,
    in number: RootNumber
  ) {
    for each in found.news { take(each) }
    if transport.hasMore {
      collectMore(number)
    } else if !found.isComplete {
      collectAgain(number)
    }
    keepOwnRecord(in: number, .looked(isIntact: records.isIntact(in: number)))
    tryJoins()
  }

  private func collectMore(_ number: RootNumber) {
    guard continuing.insert(number).inserted else { return }
    ports.scheduler.schedule(at: ports.now + .milliseconds(100)) { [weak self] in
      self?.continuing.remove(number)
      self?.collectRest(number)
    }
  }

  private func collectAgain(_ number: RootNumber) {
    guard recollecting.insert(number).inserted else { return }
    ports.scheduler.schedule(at: ports.now + .seconds(30)) { [weak self] in
      self?.recollecting.remove(number)
      self?.scheduleCollect(number)
    }
  }

  /// Who may be believed has changed: records that were refused may count now.
  func readEverythingAgain() {
    for root in folders.roots {
      root.presence?.transport.forget()
      scheduleCollect(root.number)
    }
  }

  /// Tells everybody who needs to know which folders there are.
  func foldersChanged() {
    for (_, client) in clients.sorted(by: { $0.key < $1.key }) where client.manifest != nil {
      client.connection.send(.report(.roots(folders.syncedRoots)))
    }
    tracker.foldersChanged()
    hasher.keep(folders.roots.compactMap { $0.presence?.directory })
    opened.foldersChanged()
  }

  /// A client has a document in a folder that was away: that is back, and nobody has told of it yet.
  func noticeReturn(ofFolderAround path: [UInt8]) {
    let isInOneAway = folders.syncedRoots.contains { root in
      !root.isPresent && root.refused == nil && root.relativePath(of: path) != nil
    }
    if isInOneAway { checkPresence() }
  }

  func checkPresence() {
    take(folders.checkPresence())
  }

  /// Folders that came are read before anything is written there: they may know higher numbers than this
  /// device.
  func take(_ changes: FolderRegistry.Changes) {
    guard changes.isAny else { return }
    rememberFolders()
    for number in changes.came {
      guard let root = folders.root(number) else { continue }
      collect(number)
      records.supply(number)
      // The process that tells of it follows its path anyway, and walks it once.
      if number == hinted {
        ports.watch.settle(number, path: root.registered.path)
      } else {
        ports.watch.watch(number, path: root.registered.path)
      }
    }
    foldersChanged()
    // Nothing was written in this run yet, and what the folder holds may be older than the last word.
    if !changes.came.isEmpty, records.current == nil { feed(.audienceChanged) }
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

  /// Each minute, because an unmount makes no event; sooner while something is missing.
  func schedulePresenceCheck() {
    ports.scheduler.cancel(presenceTimer)
    let next = presenceInterval.map { ports.now + $0 } ?? ports.now.nextMinute
    presenceTimer = ports.scheduler.schedule(at: next) { [weak self] in self?.makeRounds() }
  }

  /// Nil: once a minute.
  private var presenceInterval: Duration? {
    guard folders.roots.contains(where: { $0.presence == nil }) || !unwatched.isEmpty else {
      missingSince = nil
      return records.hasUnsupplied ? .seconds(30) : nil
    }
    let since = missingSince ?? ports.now
    missingSince = since
    // The watch process tells when it is back; looking is for what it cannot see.
    return ports.now - since < .seconds(10) ? .seconds(5) : nil
  }

  private func makeRounds() {
    checkPresence()
    for number in unwatched.sorted() {
      guard let root = folders.root(number), root.presence != nil else { continue }
      ports.watch.watch(number, path: root.registered.path)
    }
    unwatched.formIntersection(folders.roots.map(\.number))
    if records.hasUnsupplied, ports.now - suppliedAt >= .seconds(29) {
      suppliedAt = ports.now
      records.supplyAgain()
    }
    rememberExchange()
    expirePairing()
    schedulePresenceCheck()
  }
}
