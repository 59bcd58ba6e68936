// SPDX-License-Identifier: MIT

import ActivityModel

/// Follows whether the folders are there, watched, and supplied with this device's record: when a hint says
/// so, and in rounds, for an unmount makes no event. Loop thread only.
final class PresenceMonitor {
  private let ports: AgentPorts
  private let folders: FolderRegistry
  private let records: DeviceRecords
  /// The folders were looked at: some may have come, gone, or be used otherwise than before.
  private let onLook: (FolderRegistry.Changes) -> Void
  /// A round was made.
  private let onRound: () -> Void
  private let probes: EventProbes
  /// Why folders are looked at again and again, in sentences; a root that raises events has none.
  private var pollingReasons: [RootNumber: String] = [:]
  /// Since when a folder is away, or not watched though it is there.
  private var missingSince: Instant?
  private var unwatched: Set<RootNumber> = []
  /// The root of the hint that is being taken.
  private var hinted: RootNumber?
  private var timer: TimerNumber?
  /// When folders that refused records were last supplied.
  private var suppliedAt: Instant

  init(
    ports: AgentPorts, folders: FolderRegistry, records: DeviceRecords,
    onLook: @escaping (FolderRegistry.Changes) -> Void, onRound: @escaping () -> Void
  ) {
    self.ports = ports
    self.folders = folders
    self.records = records
    self.onLook = onLook
    self.onRound = onRound
    probes = EventProbes(ports: ports)
    suppliedAt = ports.now
  }

  // MARK: What the watching says

  /// Takes a hint of `root`: what comes back meanwhile is followed by the process that tells of it.
  func during(hintOf root: RootNumber, _ take: () -> Void) {
    hinted = root
    defer { hinted = nil }
    take()
  }

  /// The folder is watched.
  func isWatched(_ root: RootNumber) {
    ports.watch.noteHealthy(root)
    pollingReasons[root] = nil
    unwatched.remove(root)
  }

  /// The folder that is watched was looked at as a whole; whether events come from it is found out.
  func settled(_ root: RootNumber) {
    if let path = folders.root(root)?.registered.path { ports.watch.settle(root, path: path) }
    // A folder of a kind that is not known to give events may give none.
    guard let records = folders.root(root)?.presence?.records else { return }
    probes.begin(root, in: records) { [ports] in ports.watch.poll(root) }
  }

  /// The watching lost the folder. It may be back already, as another folder or the same: the watch process
  /// follows it no longer.
  func lost(_ root: RootNumber) {
    unwatched.insert(root)
    check()
    schedule()
  }

  /// The folder is looked at again and again for this reason; empty when it is no longer.
  func isPolled(_ root: RootNumber, because reason: String) {
    pollingReasons[root] = reason.isEmpty ? nil : reason
  }

  /// Why the folder is looked at again and again, in one sentence; nil when events come from it.
  func pollingReason(of root: RootNumber) -> String? { pollingReasons[root] }

  /// An event that was asked for has come.
  func answered(_ root: RootNumber, _ cookie: [UInt8]) { probes.answered(root, cookie) }

  /// The folder is no longer registered.
  func forget(_ root: RootNumber) {
    pollingReasons[root] = nil
    probes.forget(root)
  }

  /// Has a folder watched that came back. The process that tells of it follows its path anyway, and walks it
  /// once.
  func follow(_ root: FolderRegistry.Root) {
    if root.number == hinted {
      ports.watch.settle(root.number, path: root.registered.path)
    } else {
      ports.watch.watch(root.number, path: root.registered.path)
    }
  }

  // MARK: Whether they are there

  /// Looks which folders are there.
  func check() { onLook(folders.checkPresence()) }

  /// A client has a document in a folder that was away: that is back, and nobody has told of it yet.
  func noticeReturn(ofFolderAround path: [UInt8]) {
    let isInOneAway = folders.syncedRoots.contains { root in
      !root.isPresent && root.refused == nil && root.relativePath(of: path) != nil
    }
    if isInOneAway { check() }
  }

  /// Each minute, because an unmount makes no event; sooner while something is missing.
  func schedule() {
    ports.scheduler.cancel(timer)
    let next = interval.map { ports.now + $0 } ?? ports.now.nextMinute
    timer = ports.scheduler.schedule(at: next) { [weak self] in self?.makeRounds() }
  }

  /// Ends the rounds.
  func stop() { ports.scheduler.cancel(timer) }

  /// Nil: once a minute.
  private var interval: Duration? {
    guard folders.roots.contains(where: { $0.presence == nil }) || !unwatched.isEmpty else {
      missingSince = nil
      return records.publisher.hasUnsupplied ? .seconds(30) : nil
    }
    let since = missingSince ?? ports.now
    missingSince = since
    // The watch process tells when it is back; looking is for what it cannot see.
    return ports.now - since < .seconds(10) ? .seconds(5) : nil
  }

  private func makeRounds() {
    check()
    for number in unwatched.sorted() {
      guard let root = folders.root(number), root.presence != nil else { continue }
      ports.watch.watch(number, path: root.registered.path)
    }
    unwatched.formIntersection(folders.roots.map(\.number))
    if records.publisher.hasUnsupplied, ports.now - suppliedAt >= .seconds(29) {
      suppliedAt = ports.now
      records.publisher.supplyAgain()
    }
    onRound()
    schedule()
  }
}
