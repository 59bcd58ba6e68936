// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import FolderWatch
import Testing

/// Performs what a `WatchTree` says on a `MemoryKernel`, one step at a time, as the shell does on the real
/// one.
struct TreeDriver {
  var kernel = MemoryKernel()
  var tree = WatchTree()
  var hints: [FolderHint] = []
  var now = Instant(nanoseconds: 0)
  /// The file system that tells nothing, if all are such.
  var silent: String?
  private(set) var waiting: [FolderNumber] = []
  /// What happened, for people who read a failure.
  var log: [String] = []

  mutating func handle(_ event: WatchTree.Event) {
    for action in tree.handle(event, at: now) {
      switch action {
      case .follow(let folder): waiting.append(folder)
      case .unwatch(let descriptor): kernel.unwatch(descriptor)
      case .tell(let hint):
        log.append("tell \(hint)")
        hints.append(hint)
      }
    }
  }

  mutating func add(_ root: UInt64, _ path: MemoryKernel.Path) {
    handle(.add(RootNumber(rawValue: root), path: Array(("/" + path.joined(separator: "/")).utf8)))
  }

  /// False when nothing is to be followed.
  mutating func followOne() -> Bool {
    guard !waiting.isEmpty else { return false }
    let folder = waiting.removeFirst()
    guard let place = tree.place(of: folder) else {
      handle(.notFollowed(folder, .gone))
      return true
    }
    let root = place.root.split(separator: UInt8(ascii: "/")).map { String(decoding: $0, as: UTF8.self) }
    let below = place.names.map { String(decoding: $0, as: UTF8.self) }
    follow(folder, root + below, isRoot: below.isEmpty)
    return true
  }

  private mutating func follow(_ folder: FolderNumber, _ path: MemoryKernel.Path, isRoot: Bool) {
    let snapshot = kernel.snapshot(path)
    switch (kernel.follow(path, isRoot: isRoot), snapshot) {
    case (.success(let (descriptor, listing)), let snapshot):
      log.append("follow \(path.joined(separator: "/")) -> \(descriptor)")
      if let silent, let snapshot { handle(.polled(folder, .silent(fileSystem: silent), snapshot)) }
      handle(.followed(folder, descriptor: descriptor, listing))
    case (.failure(.limit(let limit)), .some(let snapshot)):
      log.append("poll \(path.joined(separator: "/"))")
      handle(.polled(folder, .limit(limit, setting: "max_user_watches"), snapshot))
    case (.failure(let failure), _): handle(.notFollowed(folder, failure))
    }
  }

  /// Looks at every polled folder once, as the shell does every few seconds.
  mutating func poll() {
    log.append("look at \(tree.polledFolders.count) folders")
    var places: [(FolderNumber, MemoryKernel.Path)] = []
    for folder in tree.polledFolders {
      guard let place = tree.place(of: folder) else { continue }
      let root = place.root.split(separator: UInt8(ascii: "/")).map { String(decoding: $0, as: UTF8.self) }
      places.append((folder, root + place.names.map { String(decoding: $0, as: UTF8.self) }))
    }
    for (folder, path) in places.sorted(by: { $0.1.lexicographicallyPrecedes($1.1) }) {
      guard let cause = tree.pollingCause(of: folder) else { continue }
      if case .silent = cause {
        guard let snapshot = kernel.snapshot(path) else {
          handle(.notFollowed(folder, .gone))
          continue
        }
        handle(.polled(folder, cause, snapshot))
      } else {
        follow(folder, path, isRoot: path.count == 1)
      }
    }
  }

  /// False when the queue is empty, which the tree is then told.
  mutating func readOne() -> Bool {
    guard !kernel.queue.isEmpty else {
      handle(.drained)
      log.append("drained")
      return false
    }
    let event = kernel.queue.removeFirst()
    log.append(
      "event \(event.descriptor) \(String(event.mask.rawValue, radix: 16)) "
        + "\(String(decoding: event.name, as: UTF8.self)) \(event.cookie)")
    if !tellsAlone(event) { handle(.kernel(event)) }
    return true
  }

  /// What appends its frame is not handled, as in the shell; it has to be what `handle` would have told.
  private mutating func tellsAlone(_ event: KernelEvent) -> Bool {
    var frame: [UInt8] = [7]
    let isAlone = event.name.withUnsafeBytes {
      tree.appendFrame(of: event.mask, in: event.descriptor, name: $0, to: &frame)
    }
    guard isAlone else {
      #expect(frame == [7], "something was appended")
      return false
    }
    var handled = tree
    let actions = handled.handle(.kernel(event), at: now)
    guard case .tell(let hint)? = actions.first, actions.count == 1 else {
      Issue.record("\(event) means \(actions)")
      return true
    }
    #expect(frame == [7] + hint.frame)
    log.append("tell \(hint)")
    hints.append(hint)
    return true
  }

  /// Until nothing is left to do at this moment.
  mutating func deliver() {
    repeat { while readOne() {} } while followOne()
  }

  /// Until no half of a rename waits either.
  mutating func settle() {
    deliver()
    now = now + .milliseconds(10)
    deliver()
  }
}
