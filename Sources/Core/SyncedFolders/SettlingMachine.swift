// SPDX-License-Identifier: MIT

public import ActivityModel

/// Turns the many hints of one update into one look (R3): a place is looked at once it was quiet for a
/// moment, and at the latest after `longest` of steady noise. Many names below one folder become one look at
/// that folder.
public struct SettlingMachine: Sendable {
  /// A name in a synced folder, or a whole folder below it; no components mean the root.
  public struct Place: Hashable, Sendable {
    /// The folder.
    public var root: RootNumber
    /// The raw names from the root down.
    public var path: [[UInt8]]

    /// The place at `path` in `root`.
    public init(root: RootNumber, path: [[UInt8]]) {
      self.root = root
      self.path = path
    }
  }

  /// What the machine is told.
  public enum Event: Hashable, Sendable {
    /// This name may have changed; if it is a folder, only the name itself.
    case changed(Place)
    /// Anything at or below this place may have changed.
    case changedBelow(Place)
    /// The moment of the last `wake` has come.
    case timer
  }

  /// What the shell is to do.
  public enum Action: Hashable, Sendable {
    /// Look at this name.
    case look(Place)
    /// Look at everything at and below this place.
    case lookBelow(Place)
    /// Send `timer` then; replaces every earlier wake.
    case wake(at: Instant)
  }

  /// How long things take.
  public struct Timing: Hashable, Sendable {
    /// Quiet that lets a place settle; longer than the gap between an engine's `unlink` and `rename`.
    public var quiet: Duration = .milliseconds(20)
    /// The longest a place is held back.
    public var longest: Duration = .milliseconds(200)
    /// More names than this in one folder are looked at together.
    public var namesPerFolder = 64

    /// The times that an agent keeps.
    public init() {}
  }

  private struct Pending: Hashable {
    var first: Instant
    var last: Instant
  }

  private let timing: Timing
  private var names: [Place: [[UInt8]: Pending]] = [:]
  private var folders: [Place: Pending] = [:]
  private var wake: Instant?

  /// A machine with nothing pending.
  public init(timing: Timing = Timing()) { self.timing = timing }

  /// Whether nothing is held back.
  public var isIdle: Bool { names.isEmpty && folders.isEmpty }

  /// What a hint of the watch process means here; hints about the watch itself mean nothing.
  public static func events(for hint: FolderHint) -> [Event] {
    switch hint {
    case .changed(let root, let path, _): [.changed(Place(root: root, path: path))]
    case .moved(let root, let from, let to, let isFolder):
      [from, to].map { path in
        let place = Place(root: root, path: path)
        return isFolder ? .changedBelow(place) : .changed(place)
      }
    case .rescan(let root, let path): [.changedBelow(Place(root: root, path: path))]
    case .watching(let root, _): [.changedBelow(Place(root: root, path: []))]
    case .rootLost, .watchLimit, .synchronized, .polling: []
    }
  }

  /// Takes one event in and says what to do, in order.
  public mutating func handle(_ event: Event, at now: Instant) -> [Action] {
    switch event {
    case .changed(let place) where !place.path.isEmpty: hold(place, at: now)
    case .changed(let place), .changedBelow(let place): holdBelow(place, first: now, at: now)
    case .timer:
      wake = nil
      return settle(at: now)
    }
    guard wake == nil else { return [] }
    let next = now + timing.quiet
    wake = next
    return [.wake(at: next)]
  }

  private mutating func hold(_ place: Place, at now: Instant) {
    if let covering = covering(place) {
      folders[covering]?.last = now
      return
    }
    let parent = Place(root: place.root, path: Array(place.path.dropLast()))
    let name = place.path[place.path.count - 1]
    names[parent, default: [:]][name, default: Pending(first: now, last: now)].last = now
    guard let pending = names[parent], pending.count > timing.namesPerFolder else { return }
    holdBelow(parent, first: pending.values.map(\.first).min() ?? now, at: now)
  }

  private mutating func holdBelow(_ place: Place, first: Instant, at now: Instant) {
    if let covering = covering(place) {
      folders[covering]?.last = now
      return
    }
    var pending = Pending(first: first, last: now)
    for (folder, held) in names where Self.covers(place, folder) {
      pending.first = held.values.reduce(pending.first) { min($0, $1.first) }
      names[folder] = nil
    }
    for (folder, held) in folders where Self.covers(place, folder) {
      pending.first = min(pending.first, held.first)
      folders[folder] = nil
    }
    if !place.path.isEmpty {
      let parent = Place(root: place.root, path: Array(place.path.dropLast()))
      names[parent]?[place.path[place.path.count - 1]] = nil
    }
    folders[place] = pending
  }

  /// The held-back folder that holds `place`, if any.
  private func covering(_ place: Place) -> Place? {
    guard !folders.isEmpty else { return nil }
    for count in 0...place.path.count {
      let candidate = Place(root: place.root, path: Array(place.path.prefix(count)))
      if folders[candidate] != nil { return candidate }
    }
    return nil
  }

  private static func covers(_ outer: Place, _ inner: Place) -> Bool {
    outer.root == inner.root && inner.path.starts(with: outer.path)
  }

  private func due(_ pending: Pending) -> Instant {
    min(pending.last + timing.quiet, pending.first + timing.longest)
  }

  private mutating func settle(at now: Instant) -> [Action] {
    var looks: [Place] = []
    var next: Instant?
    for (folder, held) in names {
      for (name, pending) in held {
        let due = due(pending)
        guard due <= now else {
          next = min(next ?? due, due)
          continue
        }
        looks.append(Place(root: folder.root, path: folder.path + [name]))
        names[folder]?[name] = nil
      }
      if names[folder]?.isEmpty == true { names[folder] = nil }
    }
    var below: [Place] = []
    for (folder, pending) in folders {
      let due = due(pending)
      if due <= now { below.append(folder) } else { next = min(next ?? due, due) }
    }
    for folder in below { folders[folder] = nil }
    wake = next
    return below.sorted().map(Action.lookBelow) + looks.sorted().map(Action.look)
      + (next.map { [.wake(at: $0)] } ?? [])
  }
}

extension SettlingMachine.Place: Comparable {
  /// By root, then component by component, bytewise.
  public static func < (left: Self, right: Self) -> Bool {
    if left.root != right.root { return left.root < right.root }
    return left.path.lexicographicallyPrecedes(right.path) { $0.lexicographicallyPrecedes($1) }
  }
}
