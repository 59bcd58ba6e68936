// SPDX-License-Identifier: MIT

import ActivityModel
import FolderWatch
import LinuxSystem

// Following folders, and looking at those that no event tells of.
extension WatchLoop {
  /// Folders to follow, or to look at, before events are read again: keeps the kernel's queue from filling.
  private static let foldersPerRound = 64

  func followSome() {
    for _ in 0..<Self.foldersPerRound where hasWaiting {
      let folder = waiting[nextWaiting]
      nextWaiting += 1
      follow(folder)
    }
    if !hasWaiting {
      held.letGo()
      library.leaveFolder()
    }
    if !hasWaiting || nextWaiting > 4096 {
      waiting.removeFirst(nextWaiting)
      nextWaiting = 0
    }
  }

  var hasWaiting: Bool { nextWaiting < waiting.count }

  private func follow(_ number: FolderNumber) {
    let folder: Int32
    switch held.open(number, in: tree) {
    case .failure(let failure): return handle(.notFollowed(number, failure))
    case .success(let opened): folder = opened
    }
    let silent = fileSystems.silence(of: folder, held.root, held.names(of: number, in: tree))
    switch library.watch(folder) {
    case .success(let watch):
      guard let silent else {
        return handle(
          .followed(number, descriptor: watch, listing(folder, withFiles: tree.tellsFiles(of: number))))
      }
      let snapshot = FolderReader.snapshot(folder)
      handle(.polled(number, .silent(fileSystem: silent), snapshot))
      handle(.followed(number, descriptor: watch, snapshot.listing))
    case .failure(.noSpace):
      round.isLimitReached = true
      let (limit, setting) = InotifyLimit.watches
      handle(.polled(number, .limit(limit, setting: setting), FolderReader.snapshot(folder)))
    case .failure where !library.isReady:
      let (limit, setting) = InotifyLimit.instances
      handle(.polled(number, .instances(limit, setting: setting), FolderReader.snapshot(folder)))
    case .failure(let error):
      BorrowedDescriptor(folder).close()
      handle(.notFollowed(number, FolderReader.failure(error)))
    }
  }

  /// What a watched folder holds; takes over the descriptor. Where nobody asks for the files, most folders
  /// need not be read: a folder that comes after the look at the links has an event.
  private func listing(_ folder: Int32, withFiles: Bool) -> Listing {
    guard !withFiles, FolderReader.surelyHoldsNoFolder(folder) else {
      return FolderReader.list(folder, withFiles: withFiles)
    }
    BorrowedDescriptor(folder).close()
    return Listing()
  }

  /// Looks at some of the polled folders when it is time.
  func pollSome() throws(Failure) {
    if round.folders.isEmpty, try !beginRound() { return }
    let start = Self.now()
    isPolling = true
    for _ in 0..<Self.foldersPerRound {
      guard let folder = round.folders.popLast() else { break }
      look(folder)
    }
    isPolling = false
    round.cost += Self.now() - start
    guard round.folders.isEmpty else { return }
    let pause = pace.pause(afterRoundOf: round.cost, sawChange: round.sawChange)
    nextRound = Self.now() + pause
  }

  private func beginRound() throws(Failure) -> Bool {
    guard let due = nextRound ?? (tree.isPolling ? Self.now() + PollPace.shortest : nil) else { return false }
    nextRound = due
    guard due <= Self.now() else { return false }
    nextRound = nil
    if !library.isReady { try startLate() }
    guard tree.isPolling else { return false }
    round = PollRound(folders: tree.polledFolders)
    // Those that matter ask for their watches again: some may have been given back.
    for (root, paths) in preferred { handle(.prefer(root, paths)) }
    return true
  }

  /// An instance may have become free: then what is above the roots is watched at once, and the folders as
  /// they are looked at.
  private func startLate() throws(Failure) {
    try library.start()
    guard library.isReady else { return }
    for (root, path) in places.all {
      places.place(root, at: path, isAway: places.isAway(root), keeping: tree.isWatched)
    }
  }

  private func look(_ number: FolderNumber) {
    guard let cause = tree.pollingCause(of: number), let place = tree.place(of: number) else { return }
    switch cause {
    case .failed: return follow(number)
    case .limit where !round.isLimitReached: return follow(number)
    case .instances where library.isReady: return follow(number)
    case .limit, .instances, .silent: break
    }
    switch FolderReader.open(root: place.root, names: place.names) {
    case .failure(let failure): handle(.notFollowed(number, failure))
    case .success(let folder): handle(.polled(number, cause, FolderReader.snapshot(folder)))
    }
  }
}

/// One look at every polled folder.
struct PollRound {
  var folders: [FolderNumber] = []
  var cost = Duration.zero
  var sawChange = false
  /// The kernel gave no watch in this round: it is not asked again before the next one.
  var isLimitReached = false
}

/// Which parts of the roots lie on silent file systems.
struct RootFileSystems {
  private struct Root {
    /// The whole root.
    var silent: String?
    var type: String
    var below: [(names: [[UInt8]], fileSystem: String)]
  }

  /// What the mounts above, at and below each root were.
  private var mounts: [[UInt8]: [MountTable.Mount]] = [:]
  private var roots: [[UInt8]: Root] = [:]
  private var distrusted: Set<[UInt8]> = []
  private let table: Descriptor?

  init(table: Descriptor?) { self.table = table }

  /// The silent file system that `folder` lies on, if it does.
  mutating func silence(of folder: Int32, _ root: [UInt8], _ names: [[UInt8]]) -> String? {
    if names.isEmpty || roots[root] == nil { describe(root, isRoot: names.isEmpty ? folder : nil) }
    guard let known = roots[root] else { return nil }
    if let silent = known.silent { return silent }
    if distrusted.contains(root) { return known.type }
    return known.below.first { names.starts(with: $0.names) }?.fileSystem
  }

  private mutating func describe(_ root: [UInt8], isRoot folder: Int32?) {
    let mounts = MountTable(reading: table)
    let mount = mounts.mount(of: root)
    let silent = folder.flatMap { SilentFileSystem.name(of: $0, in: mount) }
    roots[root] = Root(silent: silent, type: mount?.type ?? "unknown", below: mounts.silentBelow(root))
    self.mounts[root] = mounts.around(root)
  }

  /// No event came from the root although something changed there.
  mutating func distrust(_ root: [UInt8]) { distrusted.insert(root) }

  /// After a change of the mounts: the paths of roots whose mounts are others now.
  mutating func changed(of paths: [[UInt8]]) -> Set<[UInt8]> {
    let now = MountTable(reading: table)
    return Set(
      paths.filter { path in
        let around = now.around(path)
        defer { mounts[path] = around }
        return mounts[path] != around
      })
  }
}
