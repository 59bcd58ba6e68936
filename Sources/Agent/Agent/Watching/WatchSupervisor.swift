// SPDX-License-Identifier: MIT

import ActivityModel
import AgentEngine
import ActivityWire
import FolderWatch

/// Has the registered folders watched: those of this computer by one watch process, and those of each file
/// system that may hang by a process of its own, so that a server that is gone makes nobody else wait. Loop
/// thread only.
final class WatchSupervisor: FolderWatching {
  /// Who is watched together.
  private enum Group: Hashable {
    case local
    /// By the number of the mount, which is another one when it comes back.
    case mount([UInt8])
    /// File systems that may hang lie below the root.
    case root(RootNumber)
  }

  private let loop: EventLoop
  /// Told what the processes saw.
  var onHint: (FolderHint) -> Void = { _ in }
  private let mountTable: () -> MountTable
  private var keepers: [Group: WatchKeeper] = [:]
  private var groups: [RootNumber: Group] = [:]
  private var preferred: [RootNumber: Set<[[UInt8]]>] = [:]

  init(
    loop: EventLoop, mountTable: @escaping () -> MountTable = MountTable.current
  ) {
    self.loop = loop
    self.mountTable = mountTable
  }

  /// The process that watches this computer's own folders, else any; zero while there is none.
  var process: UInt64 { keepers[.local]?.process ?? keepers.values.map(\.process).max() ?? 0 }

  /// The process that watches this root; zero while there is none.
  func process(of root: RootNumber) -> UInt64 { groups[root].flatMap { keepers[$0]?.process } ?? 0 }

  /// What keeps folders from being watched, if anything does.
  var problem: String? { keepers[.local]?.problem ?? keepers.values.lazy.compactMap(\.problem).first }

  /// Follows the root; again, when it is another folder now or lies elsewhere.
  func watch(_ root: RootNumber, path: [UInt8]) {
    let group = group(of: root, path)
    if groups[root] != group { leaveGroup(root) }
    groups[root] = group
    let keeper = keeper(of: group)
    keeper.watch(root, path: path)
    if let folders = preferred[root] { keeper.prefer(root, folders: folders) }
  }

  /// After a word of the process that follows the root: has it followed by another one if it lies elsewhere
  /// now.
  func settle(_ root: RootNumber, path: [UInt8]) {
    if groups[root] != group(of: root, path) { watch(root, path: path) }
  }

  func unwatch(_ root: RootNumber) {
    leaveGroup(root)
    preferred[root] = nil
  }

  /// Says which folders of the root matter, when that changed.
  func prefer(_ root: RootNumber, folders: Set<[[UInt8]]>) {
    preferred[root] = folders
    groups[root].flatMap { keepers[$0] }?.prefer(root, folders: folders)
  }

  /// No event comes from the root although something was changed there.
  func poll(_ root: RootNumber) { groups[root].flatMap { keepers[$0] }?.poll(root) }

  /// Called when a root is watched in full: its process runs well.
  func noteHealthy(_ root: RootNumber) { groups[root].flatMap { keepers[$0] }?.noteHealthy() }

  func stop() {
    for keeper in keepers.values { keeper.stop() }
  }

  private func group(of root: RootNumber, _ path: [UInt8]) -> Group {
    let table = mountTable()
    if let mount = table.mount(of: path), mount.isSilent { return .mount(mount.number) }
    return table.silentBelow(path).isEmpty ? .local : .root(root)
  }

  private func keeper(of group: Group) -> WatchKeeper {
    if let known = keepers[group] { return known }
    let fresh = WatchKeeper(loop: loop) { [weak self] hint in
      // What another process still says of a root that moved on is old.
      guard let self, self.groups[hint.root] == group else { return }
      self.onHint(hint)
    }
    keepers[group] = fresh
    return fresh
  }

  private func leaveGroup(_ root: RootNumber) {
    guard let old = groups.removeValue(forKey: root), let keeper = keepers[old] else { return }
    keeper.unwatch(root)
    guard old != .local, keeper.isIdle else { return }
    keeper.stop()
    keepers[old] = nil
  }
}
