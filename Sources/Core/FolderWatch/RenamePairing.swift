// SPDX-License-Identifier: MIT

import ActivityModel

/// Keeps the first half of a rename until the second comes, or for ten milliseconds: the kernel queues both
/// in one go, so a longer wait means that the name left the watched folders.
struct RenamePairing: Sendable {
  struct Half: Sendable {
    var root: RootNumber
    var path: [[UInt8]]
    /// The watched folder that moves, taken out of the tree meanwhile.
    var folder: Int32?
    var isFolder: Bool
    var at: Instant
    /// Something happened inside the folder while it had no path.
    var isStale = false
  }

  private struct Key: Hashable, Sendable {
    var cookie: UInt32
    var root: RootNumber
  }

  static let patience = Duration.milliseconds(10)

  private var waiting: [Key: Half] = [:]
  private var order: [Key] = []

  var deadline: Instant? { order.first.flatMap { waiting[$0] }.map { $0.at + Self.patience } }

  /// Returns a half that already waited under the same cookie: its own partner will not come.
  mutating func wait(_ half: Half, cookie: UInt32) -> Half? {
    let key = Key(cookie: cookie, root: half.root)
    let replaced = waiting.updateValue(half, forKey: key)
    if replaced == nil { order.append(key) }
    return replaced
  }

  mutating func partner(_ cookie: UInt32, in root: RootNumber) -> Half? {
    let key = Key(cookie: cookie, root: root)
    guard let half = waiting.removeValue(forKey: key) else { return nil }
    order.removeAll { $0 == key }
    return half
  }

  mutating func markStale(_ folder: Int32) {
    for (key, half) in waiting where half.folder == folder { waiting[key]?.isStale = true }
  }

  mutating func expired(at now: Instant) -> [Half] {
    guard !order.isEmpty else { return [] }
    return remove { $0.at + Self.patience <= now }
  }

  mutating func all() -> [Half] { remove { _ in true } }

  mutating func remove(of root: RootNumber) -> [Half] { remove { $0.root == root } }

  private mutating func remove(where matches: (Half) -> Bool) -> [Half] {
    var taken: [Half] = []
    for key in order {
      if let half = waiting[key], matches(half) {
        taken.append(half)
        waiting[key] = nil
      }
    }
    order.removeAll { waiting[$0] == nil }
    return taken
  }
}
