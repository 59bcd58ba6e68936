// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import CLinux
import FolderWatch
import Glibc
import LinuxSystem
import SyncedFolders

/// The one thread: polls the library's descriptor, the input, the mount table and the clock, without a
/// timeout unless a folder must be looked at, and performs what the tree says.
final class WatchLoop {
  let library: InotifyLibrary
  private let output: HintOutput
  private let readsCommands: Bool
  private let mountTable: Descriptor?
  private let clockChanges: Int32
  private var commands = FrameBuffer()
  private var emptyReads = 0
  private var sleptBefore = Duration.zero
  /// When a root that was lost is tried again although nothing happened, and the pause before that.
  private var retries: [RootNumber: (at: Instant, pause: Duration)] = [:]

  var tree = WatchTree()
  let places: RootPlaces
  var fileSystems: RootFileSystems
  var waiting: [FolderNumber] = []
  var nextWaiting = 0
  var held = HeldFolder()
  var preferred: [RootNumber: Set<[[UInt8]]>] = [:]
  var pace = PollPace()
  var round = PollRound()
  var nextRound: Instant?
  /// Hints come from a look, not from an event.
  var isPolling = false

  init(library: InotifyLibrary, output: HintOutput, readsCommands: Bool) {
    self.library = library
    self.output = output
    self.readsCommands = readsCommands
    places = RootPlaces(library: library)
    mountTable = try? FilePath("/proc/self/mountinfo").open(.readOnly)
    fileSystems = RootFileSystems(table: mountTable)
    clockChanges = continuo_clock_changes()
    if clockChanges >= 0 { _ = continuo_clock_changes_taken(clockChanges) }
    sleptBefore = Self.slept()
  }

  func add(_ root: RootNumber, path: [UInt8]) {
    places.place(root, at: path, isAway: false, keeping: tree.isWatched)
    handle(.add(root, path: path))
    if let paths = preferred[root] { handle(.prefer(root, paths)) }
  }

  private func remove(_ root: RootNumber) {
    handle(.remove(root))
    places.forget(root, keeping: tree.isWatched)
    preferred[root] = nil
    retries[root] = nil
  }

  /// Returns when the input or the reader is gone, or, without commands, when no root is left.
  func run() throws(Failure) {
    while true {
      followSome()
      try pollSome()
      retryLostRoots()
      output.settle(at: Self.now()) { [places] in Look(at: $0, below: places.path(of: $0.root)) }
      if !hasWaiting {
        guard try output.flushWhatIsDue(at: Self.now()) else { return }
        if !readsCommands, output.liveRoots <= 0 { throw .runtime("No folder is left to watch.") }
        if readsCommands, library.dead > Self.mostDead { return }
      }
      let ready = wait()
      if ready.isAny { held.letGo() }
      if ready.outputGone { return }
      if ready.mounts { mountsChanged() }
      if ready.clock { _ = continuo_clock_changes_taken(clockChanges) }
      noticeSleep()
      if ready.input, try !readCommands() {
        _ = try output.flush()
        return
      }
      let count = try drain()
      emptyReads = ready.events && count == 0 ? emptyReads + 1 : 0
      if emptyReads > 3 { throw library.failure }
    }
  }

  /// After so many dead watches the agent starts this program anew, for the library never frees them: some 40
  /// MB.
  private static let mostDead = 200_000

  func handle(_ event: WatchTree.Event) {
    for action in tree.handle(event, at: Self.now()) {
      switch action {
      case .follow(let folder): waiting.append(folder)
      case .unwatch(let descriptor): if !places.needs(descriptor) { library.unwatch(descriptor) }
      case .tell(let hint):
        PausePoint.reach(7)
        if isPolling { round.sawChange = true }
        output.append(hint, at: Self.now())
        if case .rootLost(let root, _) = hint { lost(root) }
        if case .watching(let root, _) = hint {
          retries[root] = nil
          // Reading a whole folder needs more than watching it.
          CurrentProcess.returnFreeMemory()
        }
      }
    }
  }

  private func drain() throws(Failure) -> Int {
    var count = 0
    while let event = library.next() {
      count += 1
      if !tellsAlone(event) { handle(event.copy) }
      if output.isLarge, try !output.flush() { exit(0) }
    }
    handle(.drained)
    return count
  }

  /// Whether an event of a file led to its hint and to nothing else; nearly all do.
  private func tellsAlone(_ event: QueuedEvent) -> Bool {
    guard !places.needs(event.descriptor), output.append(event, of: tree, at: Self.now) else { return false }
    PausePoint.reach(7)
    return true
  }

  private func handle(_ event: KernelEvent) {
    let (isOurs, suspects) = places.handle(event, isTreeWatch: tree.isWatched(event.descriptor))
    if output.isRaw { output.append(event) }
    if !isOurs { handle(.kernel(event)) }
    for root in suspects { suspect(root) }
  }

  // MARK: Roots whose path may mean another folder

  private func suspect(_ root: RootNumber) {
    guard let path = places.path(of: root) else { return }
    if places.isAway(root) { return retry(root) }
    places.place(root, at: path, isAway: false, keeping: tree.isWatched)
    handle(.suspect(root))
  }

  private func lost(_ root: RootNumber) {
    guard readsCommands, let path = places.path(of: root) else { return }
    places.place(root, at: path, isAway: true, keeping: tree.isWatched)
    let pause = retries[root].map { min($0.pause * 2, .seconds(600)) } ?? .zero
    retries[root] = (Self.now() + pause, max(pause, .milliseconds(500)))
  }

  // It may have come back before what is above it was watched, or be refused for another reason than its
  // path.
  private func retryLostRoots() {
    guard !retries.isEmpty else { return }
    let now = Self.now()
    for (root, retry) in retries where retry.at <= now {
      // From here on events tell, if there are any.
      let pause = library.isReady ? .seconds(86400) : min(retry.pause, PollPace.longest)
      retries[root] = (now + pause, min(retry.pause * 2, .seconds(600)))
      self.retry(root)
    }
  }

  private func retry(_ root: RootNumber) {
    guard places.isAway(root), let path = places.path(of: root) else { return }
    if isThere(path) { return add(root, path: path) }
    // A folder nearer to it may be there by now, and the root itself may come before that one is watched.
    places.place(root, at: path, isAway: true, keeping: tree.isWatched)
    if isThere(path) { add(root, path: path) }
  }

  private func isThere(_ path: [UInt8]) -> Bool {
    guard case .success(let folder) = FolderReader.open(root: path, names: []) else { return false }
    BorrowedDescriptor(folder).close()
    return true
  }

  private func mountsChanged() {
    let changed = fileSystems.changed(of: places.all.map(\.path))
    guard !changed.isEmpty else { return }
    places.forgetPaths()
    for (root, path) in places.all where changed.contains(path) { suspect(root) }
  }

  /// Servers may have forgotten this computer while it slept, and told nothing since.
  private func noticeSleep() {
    let slept = Self.slept()
    guard slept - sleptBefore > .seconds(1) else { return }
    sleptBefore = slept
    for (root, _) in places.all { suspect(root) }
    if nextRound != nil { nextRound = Self.now() }
  }

  // MARK: Waiting

  private struct Ready {
    var isAny: Bool { events || input || outputGone || mounts || clock }
    var events = false
    var input = false
    var outputGone = false
    var mounts = false
    var clock = false
  }

  private func wait() -> Ready {
    var polled = [
      pollfd(fd: library.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: STDOUT_FILENO, events: 0, revents: 0),
      pollfd(fd: readsCommands ? STDIN_FILENO : -1, events: Int16(POLLIN), revents: 0),
      pollfd(fd: mountTable?.number ?? -1, events: Int16(POLLPRI), revents: 0),
      pollfd(fd: clockChanges, events: Int16(POLLIN), revents: 0),
    ]
    guard poll(&polled, nfds_t(polled.count), timeout) > 0 else { return Ready() }
    return Ready(
      events: polled[0].revents != 0, input: polled[2].revents != 0,
      outputGone: polled[1].revents & Int16(POLLERR | POLLNVAL) != 0, mounts: polled[3].revents != 0,
      clock: polled[4].revents != 0)
  }

  private var timeout: Int32 {
    if hasWaiting || !round.folders.isEmpty { return 0 }
    let moments =
      [tree.deadline, nextRound, output.wake, output.due].compactMap { $0 } + retries.values.map(\.at)
    guard let next = moments.min() else { return -1 }
    let left = (next - Self.now()).nanoseconds
    return Int32(clamping: max(0, (left + 999_999) / 1_000_000))
  }

  /// False at the end of the input.
  private func readCommands() throws(Failure) -> Bool {
    var bytes = [UInt8](repeating: 0, count: 65536)
    do throws(Errno) {
      let count = try BorrowedDescriptor.standardInput.read(into: &bytes)
      guard count > 0 else { return false }
      commands.append(bytes[..<count])
    } catch {
      return error == .wouldBlock
    }
    do throws(ContinuityError) {
      while let content = try commands.next() { perform(try WatchCommand(content: content)) }
    } catch {
      throw .runtime("The agent sent something else than a command. \(error.description)")
    }
    return true
  }

  private func perform(_ command: WatchCommand) {
    switch command {
    case .watch(let root, let path):
      retries[root] = nil
      add(root, path: path)
    case .unwatch(let root): remove(root)
    case .prefer(let root, let paths):
      preferred[root] = Set(paths)
      handle(.prefer(root, Set(paths)))
    case .poll(let root):
      guard let path = places.path(of: root) else { return }
      fileSystems.distrust(path)
      suspect(root)
    }
  }

  static func now() -> Instant { .now }

  /// How long the machine has slept since it was started.
  private static func slept() -> Duration {
    .nanoseconds(nanoseconds(CLOCK_BOOTTIME) - nanoseconds(CLOCK_MONOTONIC))
  }

  private static func nanoseconds(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
