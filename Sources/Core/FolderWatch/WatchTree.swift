// SPDX-License-Identifier: MIT

public import ActivityModel

/// Which folders are watched, what their events mean, and what to do next: a value without clock or system
/// calls.
///
/// **Promises.** After `watching`, every change below the root leads to a hint, or to a `rescan` of a folder
/// above it. A `synchronized` hint comes after the hints of everything that happened before its cookie was
/// made.
/// **How.** Each folder is watched first and listed afterwards; what the listing finds counts as created.
/// Folders that cannot be watched, or whose file system is silent, are polled. A folder that was renamed
/// keeps its watch, unless folders were followed since the queue was last empty: their paths may have meant
/// another folder by then, and the renamed folder is followed afresh.
/// **Limits.** A hint tells where to look, not what is there; the same change may be told twice.
///
/// The shell performs `unwatch` and `tell` at once and in order; `follow` may wait while further events are
/// handled, and is answered by `followed` or `notFollowed`. `drained` follows whenever the queue was read
/// empty.
public struct WatchTree: Sendable {
  /// What happened.
  public enum Event: Hashable, Sendable {
    /// Follow the folder at an absolute path; a number in use is removed first.
    case add(RootNumber, path: [UInt8])
    /// Follow it no longer.
    case remove(RootNumber)
    /// The kernel reported.
    case kernel(KernelEvent)
    /// The folder is watched under this descriptor, and was listed after that.
    case followed(FolderNumber, descriptor: Int32, Listing)
    /// The folder is not watched.
    case notFollowed(FolderNumber, FollowFailure)
    /// The folder was looked at by stat(2): the answer to `follow` when no watch can be had, what comes
    /// before `followed` when its file system is silent, and what each later look found.
    case polled(FolderNumber, PollingCause, FolderSnapshot)
    /// These folders of the root matter, with all above them: they are watched before any other.
    case prefer(RootNumber, Set<[[UInt8]]>)
    /// Something happened to the root that no event tells, such as a mount: walk it again.
    case suspect(RootNumber)
    /// The queue was read until it was empty.
    case drained
  }

  /// What to do.
  public enum Action: Hashable, Sendable {
    /// Watch the folder at `place(of:)`, then list it.
    case follow(FolderNumber)
    /// Take this watch from the kernel; before any `follow` that waits.
    case unwatch(Int32)
    /// Pass the hint on.
    case tell(FolderHint)
  }

  struct Root: Sendable {
    var path: [UInt8]
    var top: Int32
    var phase = Phase.starting
    /// `follow` actions without an answer.
    var asked = 0
    /// Events were lost while a walk was under way: walk again.
    var again = false
    /// The drain in which a folder was last asked for or followed.
    var lastFollow: UInt64 = 0
    var followed: UInt64 = 0
    /// Folders that were followed afresh: what vanished from them meanwhile was not told.
    var rescans: [Int32] = []
    var cookies: [[UInt8]] = []
    /// Folders that matter, and those above them.
    var needed = WatchTree.alwaysNeeded
    var polling = PollingCount()
    /// As it was when its reason was told, or was the same.
    var toldPolling = PollingCount()
    var toldLimit = false
  }

  /// More folders than this to be looked at in one root are told as the root.
  static let rescanLimit = 1000

  enum Phase: Sendable { case starting, live, rewalking }

  var table = FolderTable()
  var roots: [RootNumber: Root] = [:]
  var moves = RenamePairing()
  /// Descriptors given back to the kernel, whose last events may still be queued.
  var retired: Set<Int32> = []
  /// Counts the times that the queue was empty.
  var drains: UInt64 = 1
  var mayBeSettled = false
  /// Folders that are looked at again and again.
  var polled: [Int32: Polled] = [:]
  private var actions: [Action] = []

  /// A tree without roots.
  public init() {}

  /// When `drained` is due even if the kernel reports nothing: the end of the wait for the other half of a
  /// rename.
  public var deadline: Instant? { moves.deadline }

  /// How many folders are followed, over all roots.
  public var folderCount: UInt64 { roots.values.reduce(0) { $0 + $1.followed } }

  /// Where the folder of a `follow` action is now: its root's absolute path, and the names below it. Nil when
  /// it was dropped or is being renamed; answer `notFollowed(_, .gone)` then.
  public func place(of number: FolderNumber) -> (root: [UInt8], names: [[UInt8]])? {
    let folder = table[number.index]
    guard folder.state == .asked || folder.state == .followed, let root = roots[folder.root] else {
      return nil
    }
    let (top, names) = table.path(number.index)
    return top == root.top ? (root.path, names) : nil
  }

  /// The folder that holds this one, and its name there; nil for a root, and where `place(of:)` is nil.
  public func step(to number: FolderNumber) -> (parent: FolderNumber, name: [UInt8])? {
    let folder = table[number.index]
    guard folder.parent >= 0, folder.state == .asked || folder.state == .followed else { return nil }
    let top = table.top(number.index)
    return top == roots[folder.root]?.top ? (FolderNumber(folder.parent), folder.name) : nil
  }

  /// Whether the files of a listing are told, when the folder is followed now.
  public func tellsFiles(of number: FolderNumber) -> Bool {
    roots[table[number.index].root]?.phase == .live
  }

  /// Takes one event; the actions are to be performed in order.
  public mutating func handle(_ event: Event, at now: Instant) -> [Action] {
    switch event {
    case .add(let root, let path): add(root, path)
    case .remove(let root): remove(root)
    case .kernel(let event): kernel(event, at: now)
    case .followed(let number, let descriptor, let listing): followed(number.index, descriptor, listing)
    case .notFollowed(let number, let failure): notFollowed(number.index, failure)
    case .polled(let number, let cause, let snapshot): polled(number.index, cause, snapshot)
    case .prefer(let root, let paths): prefer(root, paths)
    case .suspect(let root): walkAgain(root)
    case .drained:
      drains += 1
      for half in moves.expired(at: now) { release(half) }
    }
    if mayBeSettled { settle() }
    var done: [Action] = []
    swap(&done, &actions)
    return done
  }

  /// Changes what is known of a root where it is kept: it has many parts to copy.
  mutating func change(_ number: RootNumber, _ change: (inout Root) -> Void) {
    if let place = roots.index(forKey: number) { change(&roots.values[place]) }
  }

  mutating func report(_ hint: FolderHint) { actions.append(.tell(hint)) }

  mutating func unwatch(_ descriptor: Int32) {
    retired.insert(descriptor)
    actions.append(.unwatch(descriptor))
  }

  mutating func ask(_ number: Int32) {
    let wasFollowed = table[number].state == .followed
    table.setState(number, .asked)
    change(table[number].root) { [drains] root in
      if wasFollowed { root.followed -= 1 }
      root.asked += 1
      root.lastFollow = drains
    }
    actions.append(.follow(FolderNumber(number)))
  }

  @discardableResult
  mutating func askNew(_ name: [UInt8], in parent: Int32) -> Int32 {
    let number = table.add(name, root: table[parent].root, parent: parent)
    ask(number)
    return number
  }

  /// Tells `rescan` of the folder, wherever it is then, when all below it is followed.
  mutating func rescanWhenSettled(_ number: Int32) {
    let root = table[number].root
    guard let known = roots[root] else { return }
    roots[root]?.rescans = known.rescans.count < Self.rescanLimit ? known.rescans + [number] : [known.top]
    mayBeSettled = true
  }

  /// Forgets the folder and all below it, and gives their watches back.
  mutating func drop(_ number: Int32) {
    let doomed = table.subtree(number)
    for each in doomed.reversed() {
      table.detach(each)
      setPolled(each, nil)
      if let descriptor = table.clearDescriptor(each) { unwatch(descriptor) }
      let root = table[each].root
      if table[each].state == .asked {
        table.setState(each, .dropped)
        roots[root]?.asked -= 1
      } else {
        roots[root]?.followed -= 1
        table.release(each)
      }
    }
    mayBeSettled = true
  }

  mutating func lose(_ root: RootNumber, _ reason: String) {
    remove(root)
    report(.rootLost(root, reason: reason))
  }

  private mutating func add(_ root: RootNumber, _ path: [UInt8]) {
    remove(root)
    roots[root] = Root(path: path, top: table.add([], root: root, parent: -1))
    if let top = roots[root]?.top { ask(top) }
  }

  private mutating func remove(_ root: RootNumber) {
    guard let top = roots[root]?.top else { return }
    for half in moves.remove(of: root) { if let folder = half.folder { drop(folder) } }
    drop(top)
    roots[root] = nil
  }

  /// Tells what was waiting for the last `follow` of a root.
  private mutating func settle() {
    mayBeSettled = false
    for number in roots.keys.sorted() {
      guard let root = roots[number], root.asked == 0 else { continue }
      if root.phase == .starting, !root.again { report(.watching(number, folders: root.followed)) }
      if root.phase == .rewalking { report(.rescan(number, path: [])) }
      if root.again {
        roots[number]?.again = false
        ask(root.top)
        continue
      }
      if root.phase != .live || !root.rescans.isEmpty || !root.cookies.isEmpty {
        roots[number]?.phase = .live
        roots[number]?.rescans = []
        roots[number]?.cookies = []
      }
      if root.phase == .live, !root.rescans.isEmpty {
        for folder in Set(root.rescans).sorted() { tellRescan(folder, in: number) }
      }
      tellPolling(number)
      for cookie in root.cookies { report(.synchronized(number, cookie: cookie)) }
    }
  }

  private mutating func tellRescan(_ folder: Int32, in root: RootNumber) {
    let state = table[folder].state
    // A folder that was dropped since then was told as gone, or followed afresh again.
    guard state == .asked || state == .followed, table[folder].root == root else { return }
    let (top, path) = table.path(folder)
    if top == roots[root]?.top { report(.rescan(root, path: path)) } else { moves.markStale(top) }
  }
}
