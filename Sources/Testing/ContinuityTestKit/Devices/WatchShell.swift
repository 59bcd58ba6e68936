// SPDX-License-Identifier: MIT

import ActivityModel
import FolderWatch

/// The watch process: performs what `WatchTree` says on the kernel of the memory folder.
final class WatchShell {
  static let root = RootNumber(rawValue: 1)

  private unowned let device: Device
  private unowned let world: World
  private let folder: MemoryFolder
  private let clocks: DeviceClocks
  private var tree = WatchTree()
  private var waiting: [FolderNumber] = []
  private var readIsDue = false
  private var pollIsDue = false
  private var deadlineIsDue = false
  /// The events that are being read, and else the room for them.
  private var events: [KernelEvent] = []
  private var hints: [FolderHint] = []
  /// Hints arrive in order.
  private var lastArrival: UInt64 = 0
  var isDead = false

  init(_ device: Device) {
    self.device = device
    world = device.world
    folder = device.folder
    clocks = device.clocks
  }

  func begin() {
    folder.events.wake = { [weak self] in self?.wake() }
    add()
  }

  /// Watches the root, for the first time or anew after it was lost.
  func add() {
    handle(.add(Self.root, path: EditorApp.root))
    settle()
  }

  func prefer(_ paths: Set<[[UInt8]]>) {
    handle(.prefer(Self.root, paths))
    settle()
  }

  private func wake() {
    guard !readIsDue, !isDead else { return }
    readIsDue = true
    // Also after all faults ended: what was lost then has to be found by the walk that follows.
    let slow = world.simulation.faults.contains(.overflow) && world.random.chance(40)
    let delay =
      slow
      ? world.random.between(.milliseconds(100), .seconds(3))
      : world.random.between(.microseconds(200), .milliseconds(20))
    world.schedule(.watch, device.number, after: delay) { [self] in
      guard !isDead else { return }
      readIsDue = false
      settle()
    }
  }

  /// By reference: a tree that an object holds would be copied for each question.
  private func ask<Answer>(_ question: (inout WatchTree) -> Answer) -> Answer { question(&tree) }

  private func handle(_ event: WatchTree.Event) {
    for action in tree.handle(event, at: clocks.now) {
      switch action {
      case .follow(let folder): waiting.append(folder)
      case .unwatch(let descriptor): folder.removeWatch(descriptor)
      case .tell(let hint): hints.append(hint)
      }
    }
  }

  /// Reads the queue until it is empty, follows what is to be followed, and tells what came of it.
  private func settle() {
    repeat {
      while !folder.events.queue.isEmpty {
        swap(&events, &folder.events.queue)
        for event in events {
          if event.mask == .overflow { world.count(.overflows) }
          handle(.kernel(event))
        }
        events.removeAll(keepingCapacity: true)
      }
      handle(.drained)
    } while followOne()
    sendHints()
    if let deadline = ask({ $0.deadline }), !deadlineIsDue {
      deadlineIsDue = true
      device.schedule(.watch, at: deadline) { [self] in
        deadlineIsDue = false
        if !isDead { settle() }
      }
    }
    guard !pollIsDue, ask({ $0.isPolling }) else { return }
    pollIsDue = true
    world.schedule(.watch, device.number, after: 3_000_000_000) { [self] in
      pollIsDue = false
      if !isDead { poll() }
    }
  }

  private func followOne() -> Bool {
    guard !waiting.isEmpty else { return false }
    let number = waiting.removeFirst()
    guard let place = ask({ $0.place(of: number) }) else {
      handle(.notFollowed(number, .gone))
      return true
    }
    follow(number, place.names)
    return true
  }

  private func follow(_ number: FolderNumber, _ names: [[UInt8]]) {
    switch folder.follow(names) {
    case .success(let (descriptor, listing)):
      if folder.events.isSilent, let snapshot = folder.snapshot(names) {
        handle(.polled(number, .silent(fileSystem: "nfs4"), snapshot))
      }
      handle(.followed(number, descriptor: descriptor, listing))
    case .failure(let failure):
      if case .limit(let limit) = failure, let snapshot = folder.snapshot(names) {
        handle(.polled(number, .limit(limit, setting: "fs.inotify.max_user_watches"), snapshot))
      } else {
        handle(.notFollowed(number, failure))
      }
    }
  }

  /// Looks at every polled folder once, as the process does every few seconds.
  private func poll() {
    let places = ask { tree in
      tree.polledFolders.compactMap { number in
        tree.place(of: number).map { (number: number, names: $0.names) }
      }
    }
    for (number, names) in places.sorted(by: { FilePath.order(FilePath($0.names), FilePath($1.names)) < 0 }) {
      guard let cause = ask({ $0.pollingCause(of: number) }) else { continue }
      if case .silent = cause {
        guard let snapshot = folder.snapshot(names) else {
          handle(.notFollowed(number, .gone))
          continue
        }
        handle(.polled(number, cause, snapshot))
      } else {
        follow(number, names)
      }
    }
    settle()
  }

  private func sendHints() {
    guard !hints.isEmpty, let agent = device.agent else { return }
    let told = hints
    hints = []
    let delay = world.random.between(.microseconds(100), .milliseconds(3))
    lastArrival = max(lastArrival, world.time + delay)
    world.schedule(.hint, device.number, after: lastArrival - world.time) { [self] in
      guard !isDead, agent.process.isAlive else { return }
      for hint in told { try agent.receive(hint) }
    }
  }
}
