// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import ActivityWire
import SyncedFolders
import Trust

/// What the devices of a circle tell each other of the activities that their apps had kept for search
/// (semantics 11i to 11k): tells this device's, keeps the others', and asks for deletions. Loop thread only.
final class SavedLists {
  /// What of the agent is asked.
  struct Agent {
    let records: DeviceRecords
    /// In which version an app offers the document of that state; nil where that is not known.
    let offeredDocument: (ActivitySnapshot) -> DocumentReference?
    /// Deletes these of this device's, as another device asks, and erases them.
    let delete: ([SavedActivityList.Deletion]) -> Void
    /// Something may have been removed, which is to be erased, or expires: both in time.
    let changed: () -> Void
  }

  /// A part of a device's list.
  private struct Place: Hashable {
    let device: DeviceID
    let part: Int
  }

  private struct News {
    let sequence: UInt64
    let list: SavedActivityList
  }

  private let ports: AgentPorts
  private let store: StateStore
  private let agent: Agent
  /// When this device's is told.
  private(set) var machine: SavedListMachine
  private var timer: TimerNumber?
  /// What each part is to say, once that was found out.
  private var prepared: [(payload: [UInt8], digest: [UInt8])] = []
  /// What was left out because it is not known yet in which version its document is.
  private var waiting: Set<ActivityID> = []
  /// The number of the newest record of each part that was taken in, in this run.
  private var taken: [Place: UInt64] = [:]
  /// What this device's own disk did not take.
  private var refused: [Place: News] = [:]
  private var others: Set<DeviceID>?

  /// More are not looked at: so many small ones fit into four records.
  private static let mostTold = 2048
  private static let retry = Duration.seconds(30)
  private static let thumbnail = UserInfoValue.text("thumbnailData")

  private var index: any ActivityIndexing { store.savedActivities }

  init(_ ports: AgentPorts, store: StateStore, timing: SavedListMachine.Timing, agent: Agent) {
    (self.ports, self.store, self.agent) = (ports, store, agent)
    machine = SavedListMachine(said: store.state.saidLists, timing: timing)
  }

  // MARK: This device's

  /// Goes on where the last run ended: in folders that lost what was said, and with what was not said.
  func begin(_ roots: [FolderRegistry.Root]) {
    circleChanged()
    for root in roots { look(into: root) }
    changed()
  }

  func stop() { ports.scheduler.cancel(timer) }

  /// Whether something is still to be told, or looked at for that.
  var isTelling: Bool { timer != nil }

  /// What this device keeps has changed, or what it asks others for.
  func changed() {
    guard !store.identity.isAlone, hasSomething else { return }
    feed(.changed)
  }

  private var hasSomething: Bool {
    if !machine.said.isEmpty || !store.state.deletions.isEmpty { return true }
    return (try? index.own(atMost: 1, at: ports.wall).isEmpty) == false
  }

  /// Documents are offered in these versions now.
  func offered(_ activities: [ActivitySnapshot]) {
    if !waiting.isEmpty, activities.contains(where: { waiting.contains($0.id) }) { changed() }
  }

  /// The folder came back, or is new: it may not have what was said in an earlier run.
  func look(into root: FolderRegistry.Root) {
    guard let presence = root.presence, !machine.said.isEmpty, maySay else { return }
    for part in machine.said.keys.sorted() where !agent.records.publisher.hasSaidList(part) {
      if !holds(part, presence) { feed(.missing(part: part)) }
    }
  }

  private func holds(_ part: Int, _ presence: FolderRegistry.Presence) -> Bool {
    guard let bytes = try? presence.records.record(store.fileName(.saved(part))),
      let opened = try? store.identity.open(bytes)
    else { return false }
    return digest(of: opened.payload) == machine.said[part]
  }

  private var maySay: Bool { !store.isRemoved && !agent.records.isCopied }

  private func digest(of payload: [UInt8]) -> [UInt8] {
    ports.ciphers.hash(store.identity.circle.currentEpoch.circleTag + payload)
  }

  private func feed(_ event: SavedListMachine.Event) {
    for action in machine.handle(event, at: ports.now) {
      switch action {
      case .prepare: prepare()
      case .say(let part): say(part)
      case .wake(let moment):
        ports.scheduler.cancel(timer)
        timer = ports.scheduler.schedule(at: moment) { [weak self] in
          self?.timer = nil
          self?.feed(.timer)
        }
      }
    }
  }

  private func prepare() {
    guard maySay, !store.identity.isAlone else { return }
    do throws(ContinuityError) {
      var lists = (0..<SavedActivityList.partCount).map {
        SavedActivityList(deletions: store.state.deletions.deletions(in: $0))
      }
      waiting = []
      for saved in try index.own(atMost: Self.mostTold, at: ports.wall) where saved.isToBeTold {
        guard let key = saved.key, let record = try told(saved) else { continue }
        lists[SavedActivityList.part(of: key)].activities.append(record)
      }
      let payloads = lists.map(\.recordPayload)
      prepared = payloads.map { ($0, digest(of: $0)) }
      feed(
        .prepared(
          zip(lists, prepared).map { SavedListMachine.Part(digest: $1.digest, isEmpty: $0.isEmpty) }))
    } catch {
      ports.log("saved activities could not be told: code \(error.code)")
      feed(.failed)
    }
  }

  private func say(_ part: Int) {
    let (payload, digest) = prepared[part]
    do throws(ContinuityError) {
      try agent.records.publisher.sayList(payload, part: part)
      try store.change { $0.saidLists[part] = digest }
      feed(.said(part: part, digest))
    } catch {
      ports.log("saved activities could not be told: code \(error.code)")
      feed(.failed)
    }
  }

  /// The activity as records have it; nil where its document lies in no synced folder, or it is not known in
  /// which version.
  private func told(_ saved: SavedActivity) throws(ContinuityError) -> ActivitySnapshot? {
    var snapshot = saved.snapshot
    snapshot.contentAttributes?[Self.thumbnail] = nil
    if snapshot.contentAttributes?.isEmpty == true { snapshot.contentAttributes = nil }
    snapshot.draft = nil
    guard snapshot.documentPath != nil else { return snapshot.told(with: snapshot.document) }
    if snapshot.document == nil, let offered = agent.offeredDocument(snapshot) {
      snapshot.document = offered
      // Also for a time when no app offers it any more.
      var kept = saved
      kept.snapshot.document = offered
      try index.save([kept], at: ports.wall)
    }
    guard snapshot.document != nil else {
      waiting.insert(snapshot.id)
      return nil
    }
    return snapshot.told(with: snapshot.document)
  }

  // MARK: Those of others

  /// Another device says this; each record again with each look at a folder.
  func take(_ list: SavedActivityList, _ part: Int, of device: DeviceID, sequence: UInt64) {
    let place = Place(device: device, part: part)
    guard taken[place].map({ $0 < sequence }) ?? true else { return }
    do throws(ContinuityError) {
      try keep(list, at: place)
      taken[place] = sequence
      refused[place] = nil
    } catch {
      ports.log("what another device keeps could not be taken in: code \(error.code)")
      if refused.isEmpty {
        ports.scheduler.schedule(at: ports.now + Self.retry) { [weak self] in self?.takeAgain() }
      }
      refused[place] = News(sequence: sequence, list: list)
    }
  }

  private func takeAgain() {
    let again = refused
    refused = [:]
    for (place, news) in again where others?.contains(place.device) ?? false {
      take(news.list, place.part, of: place.device, sequence: news.sequence)
    }
  }

  private func keep(_ list: SavedActivityList, at place: Place) throws(ContinuityError) {
    var states: [SavedActivity.Key: WallTime] = [:]
    var kept: [SavedActivity] = []
    for snapshot in list.activities {
      let activity = SavedActivity(
        appID: snapshot.appID, snapshot: snapshot.ofAnotherDevice, device: place.device)
      // Nor is a record's own folder ever a document, whoever refers to it.
      guard let key = activity.key, SavedActivityList.part(of: key) == place.part, states[key] == nil,
        !(snapshot.document.map { DocumentResolver.isRecord($0.path) } ?? false)
      else { continue }
      states[key] = snapshot.changedAt
      if !store.state.deletions.hides(key, changedAt: snapshot.changedAt) { kept.append(activity) }
    }
    try index.take(kept, of: place.device, part: place.part, at: ports.wall)
    var deletions = store.state.deletions
    deletions.listed(states, by: place.device, in: place.part, at: ports.wall)
    if deletions != store.state.deletions {
      try store.change { $0.deletions = deletions }
      changed()
    }
    let own = store.id
    let asked = list.deletions.filter { $0.key.device == own }
    if !asked.isEmpty { agent.delete(asked) }
    agent.changed()
  }

  /// An app of this device deletes its activities of these identifiers, nil for all: also those that other
  /// devices have, which are asked for it. Throws what the disk refuses.
  func delete(_ identifiers: [String]?, of appID: String) throws(ContinuityError) {
    let found = try index.ofOthers().filter {
      $0.appID == appID && identifiers?.contains($0.snapshot.persistentIdentifier ?? "") ?? true
    }
    guard !found.isEmpty else { return }
    let now = ports.wall
    try store.change { $0.deletions.ask(for: found, at: now) }
    try index.forget(found.compactMap(\.key))
    changed()
  }

  /// Who belongs to the circle may have changed, or its key: nothing is kept of who is out.
  func circleChanged() {
    let others = Set(store.identity.otherDevices.map(\.id))
    guard others != self.others else { return changed() }
    self.others = others
    taken = taken.filter { others.contains($0.key.device) }
    do throws(ContinuityError) {
      var deletions = store.state.deletions
      let strange = try index.ofOthers().filter { activity in
        guard let key = activity.key, let device = key.device else { return false }
        // The last run may have ended between the two steps of a deletion.
        return !others.contains(device) || deletions.hides(key, changedAt: activity.snapshot.changedAt)
      }
      try index.forget(strange.compactMap(\.key))
      if !strange.isEmpty { try index.erase() }
      deletions.keep(of: others)
      if deletions != store.state.deletions { try store.change { $0.deletions = deletions } }
    } catch {
      // With the next change, or the next start.
      self.others = nil
      ports.log("what devices keep that left could not be removed: code \(error.code)")
    }
    changed()
  }
}

extension ActivitySnapshot {
  /// What is kept of it: no file or program of this device that the sender chose (threat T54).
  fileprivate var ofAnotherDevice: ActivitySnapshot {
    var kept = withWebAddressesOnly
    kept.userInfo = userInfo.withoutFileURLs(except: nil).info
    kept.contentAttributes = contentAttributes?.withoutFileURLs(except: nil).info
    return kept
  }

  /// As records have it: its document by reference, and no other file of this device.
  fileprivate func told(with reference: DocumentReference?) -> ActivitySnapshot {
    guard case .url(let url)? = userInfo[.text(NSUserActivityDocumentURLKey)], let reference else {
      var told = translated([:], main: nil).snapshot
      told.document = reference
      return told.withWebAddressesOnly
    }
    return translated([url: reference], main: url).snapshot.withWebAddressesOnly
  }
}
