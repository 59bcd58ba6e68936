// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import CLinux
import FolderWatch
import Glibc

/// The one thread: polls the library's descriptor and the input without a timeout, and performs what the tree
/// says.
final class WatchLoop {
  /// Folders to follow before events are read again: keeps the kernel's queue from filling in a long walk.
  private static let followsPerRound = 64

  private let library: InotifyLibrary
  private let output: HintOutput
  private let readsCommands: Bool
  private var tree = WatchTree()
  private var commands = FrameBuffer()
  private var waiting: [FolderNumber] = []
  private var nextWaiting = 0
  private var emptyReads = 0

  init(library: InotifyLibrary, output: HintOutput, readsCommands: Bool) {
    self.library = library
    self.output = output
    self.readsCommands = readsCommands
  }

  func add(_ number: UInt64, path: [UInt8]) { handle(.add(RootNumber(rawValue: number), path: path)) }

  /// Returns when the input or the reader is gone, or, without commands, when no root is left.
  func run() throws(Failure) {
    while true {
      followSome()
      if !hasWaiting {
        guard try output.flush() else { return }
        if !readsCommands, output.liveRoots <= 0 { throw .runtime("No folder is left to watch.") }
      }
      let ready = wait()
      if ready.outputGone { return }
      if ready.input, try !readCommands() { return }
      let count = try drain()
      emptyReads = ready.events && count == 0 ? emptyReads + 1 : 0
      if emptyReads > 3 { throw library.failure }
    }
  }

  private var hasWaiting: Bool { nextWaiting < waiting.count }

  private func handle(_ event: WatchTree.Event) {
    for action in tree.handle(event, at: Self.now()) {
      switch action {
      case .follow(let folder): waiting.append(folder)
      case .unwatch(let descriptor): library.unwatch(descriptor)
      case .tell(let hint):
        continuo_pause_point(7)
        output.append(hint)
      }
    }
  }

  private func followSome() {
    for _ in 0..<Self.followsPerRound where hasWaiting {
      let folder = waiting[nextWaiting]
      nextWaiting += 1
      handle(follow(folder))
    }
    if !hasWaiting || nextWaiting > 4096 {
      waiting.removeFirst(nextWaiting)
      nextWaiting = 0
    }
  }

  private func follow(_ folder: FolderNumber) -> WatchTree.Event {
    guard let place = tree.place(of: folder) else { return .notFollowed(folder, .gone) }
    switch FolderReader.open(root: place.root, names: place.names) {
    case .failure(let failure): return .notFollowed(folder, failure)
    case .success(let opened):
      switch library.watch(opened) {
      case .success(let descriptor):
        return .followed(folder, descriptor: descriptor, FolderReader.list(opened))
      case .failure(let error):
        close(opened)
        return .notFollowed(folder, FolderReader.failure(error.number))
      }
    }
  }

  private func drain() throws(Failure) -> Int {
    var count = 0
    while let event = library.next() {
      handle(.kernel(event))
      count += 1
      if output.isLarge, try !output.flush() { exit(0) }
    }
    handle(.drained)
    return count
  }

  private func wait() -> (events: Bool, input: Bool, outputGone: Bool) {
    var polled = [
      pollfd(fd: library.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: STDOUT_FILENO, events: 0, revents: 0),
      pollfd(fd: readsCommands ? STDIN_FILENO : -1, events: Int16(POLLIN), revents: 0),
    ]
    guard poll(&polled, nfds_t(polled.count), timeout) > 0 else { return (false, false, false) }
    let outputGone = polled[1].revents & Int16(POLLERR | POLLNVAL) != 0
    return (polled[0].revents != 0, polled[2].revents != 0, outputGone)
  }

  private var timeout: Int32 {
    if hasWaiting { return 0 }
    guard let deadline = tree.deadline else { return -1 }
    let left = (deadline - Self.now()).nanoseconds
    return Int32(clamping: max(0, (left + 999_999) / 1_000_000))
  }

  /// False at the end of the input.
  private func readCommands() throws(Failure) -> Bool {
    var bytes = [UInt8](repeating: 0, count: 65536)
    let count = read(STDIN_FILENO, &bytes, bytes.count)
    if count < 0, errno == EINTR || errno == EAGAIN { return true }
    guard count > 0 else { return false }
    commands.append(bytes[..<count])
    do throws(ContinuityError) {
      while let content = try commands.next() {
        switch try WatchCommand(content: content) {
        case .watch(let root, let path): handle(.add(root, path: path))
        case .unwatch(let root): handle(.remove(root))
        }
      }
    } catch {
      throw .runtime("The agent sent something else than a command. \(error.description)")
    }
    return true
  }

  private static func now() -> Instant {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Instant(nanoseconds: UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec))
  }
}
