// SPDX-License-Identifier: MIT

import ActivityModel
import FolderWatch

/// Performs what a `WatchTree` says on a `MemoryKernel`, one step at a time, as the shell does on the real
/// one.
struct TreeDriver {
  var kernel = MemoryKernel()
  var tree = WatchTree()
  var hints: [FolderHint] = []
  var now = Instant(nanoseconds: 0)
  private(set) var waiting: [FolderNumber] = []
  /// What happened, for people who read a failure.
  var log: [String] = []

  mutating func handle(_ event: WatchTree.Event) {
    for action in tree.handle(event, at: now) {
      switch action {
      case .follow(let folder): waiting.append(folder)
      case .unwatch(let descriptor): kernel.unwatch(descriptor)
      case .tell(let hint): hints.append(hint)
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
    switch kernel.follow(root + below, isRoot: below.isEmpty) {
    case .success(let (descriptor, listing)):
      log.append("follow \((root + below).joined(separator: "/")) -> \(descriptor)")
      handle(.followed(folder, descriptor: descriptor, listing))
    case .failure(let failure): handle(.notFollowed(folder, failure))
    }
    return true
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
    handle(.kernel(event))
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
