// SPDX-License-Identifier: MIT

public import ActivityModel

/// Decides what linked devices are told of documents that are open here, and remembers what they tell. No
/// clock, no I/O: the shell feeds events with the time, and calls again at `nextMoment`.
///
/// A device is told at most ten times a second, and of each document only how it is by then. What comes is
/// taken as often as it comes, and shown at most twenty times a second.
public struct PresenceMachine: Sendable {
  /// Between two words to a device.
  public static let pause = Duration.milliseconds(100)
  /// Between two changes that are shown.
  public static let showingPause = Duration.milliseconds(50)
  /// So many documents of one device are remembered.
  public static let limit = 64

  /// Where a person is in a document.
  public struct Place: Hashable, Sendable {
    /// From 0; nil where nobody says.
    public var line: UInt32?

    /// A place in that line.
    public init(line: UInt32?) { self.line = line }
  }

  /// A document that is open here, and which devices may hear of it.
  public struct Told: Hashable, Sendable {
    /// Where the person is in it.
    public var place: Place
    /// Who may hear of it.
    public var devices: Set<DeviceID>

    /// A document that is told to `devices`.
    public init(_ place: Place, to devices: Set<DeviceID>) { (self.place, self.devices) = (place, devices) }
  }

  /// What happened.
  public enum Event: Hashable, Sendable {
    /// These documents are open here, and no others.
    case tells([ActivityID: Told])
    /// These links there are now.
    case linked([LinkNumber: DeviceID])
    /// A device said something over its link.
    case said(PresenceWord, DeviceID, LinkNumber)
    /// `nextMoment` has come.
    case time
  }

  /// What the shell is to do, in order.
  public enum Action: Hashable, Sendable {
    /// Say it.
    case say(PresenceWord, LinkNumber)
    /// `places` is to be shown anew.
    case show
  }

  /// What is said to one device.
  private struct Listener: Sendable {
    let link: LinkNumber
    /// As it was told last.
    var told: [ActivityID: Place] = [:]
    /// Of what it is to hear, the longest wait first.
    var waiting: [ActivityID] = []
    /// Nothing is said before that.
    var mayHear: Instant?
  }

  private var wanted: [ActivityID: Told] = [:]
  private var listeners: [DeviceID: Listener] = [:]
  private var links: [LinkNumber: DeviceID] = [:]
  /// In which order links were first heard of.
  private var order: [LinkNumber: UInt64] = [:]
  private var lastOrder: UInt64 = 0
  private var seen: [DeviceID: [ActivityID: (place: Place, link: LinkNumber)]] = [:]
  /// Whether something changed that was not shown yet; nothing is shown before the moment.
  private var isUnshown = false
  private var mayShow: Instant?

  /// Nobody is there yet.
  public init() {}

  /// Who is where, as they told.
  public var places: [DeviceID: [ActivityID: Place]] {
    seen.mapValues { $0.mapValues(\.place) }.filter { !$0.value.isEmpty }
  }

  /// When `time` is wanted next; nil while nothing waits for it.
  public var nextMoment: Instant? {
    let words = listeners.values.compactMap { $0.waiting.isEmpty ? nil : $0.mayHear }
    return (words + (isUnshown ? [mayShow].compactMap(\.self) : [])).min()
  }

  /// Takes one event; the actions are to be performed in order.
  public mutating func handle(_ event: Event, at now: Instant) -> [Action] {
    switch event {
    case .tells(let documents):
      wanted = documents
      for device in listeners.keys { note(device) }
    case .linked(let now): use(now)
    case .said(let word, let device, let link):
      // A new link may carry a word before it is told.
      if links[link] ?? device == device { hear(word, from: device, over: link) }
    case .time: break
    }
    return say(at: now) + show(at: now)
  }

  // MARK: What is told

  /// Of several links to a device the oldest one is used, as long as it is there.
  private mutating func use(_ present: [LinkNumber: DeviceID]) {
    links = present
    order = order.filter { present[$0.key] != nil }
    for link in present.keys.sorted() { note(link) }
    listeners = listeners.filter { present[$0.value.link] == $0.key }
    for (link, device) in present.sorted(by: { $0.key < $1.key }) where listeners[device] == nil {
      listeners[device] = Listener(link: link)
      note(device)
    }
    for (device, documents) in seen {
      let left = documents.filter { present[$0.value.link] == device }
      guard left.count != documents.count else { continue }
      seen[device] = left.isEmpty ? nil : left
      isUnshown = true
    }
  }

  private func place(of activity: ActivityID, for device: DeviceID) -> Place? {
    wanted[activity].flatMap { $0.devices.contains(device) ? $0.place : nil }
  }

  /// Whatever the device was told otherwise waits to be said.
  private mutating func note(_ device: DeviceID) {
    guard var listener = listeners[device] else { return }
    let known = Set(listener.told.keys).union(wanted.keys)
    let changed = known.filter { listener.told[$0] != place(of: $0, for: device) }
    let waiting = Set(listener.waiting)
    listener.waiting.removeAll { !changed.contains($0) }
    listener.waiting += changed.subtracting(waiting).sorted()
    listeners[device] = listener
  }

  private mutating func say(at now: Instant) -> [Action] {
    var actions: [Action] = []
    for device in listeners.keys.sorted() {
      guard var listener = listeners[device], let activity = listener.waiting.first,
        listener.mayHear.map({ $0 <= now }) ?? true
      else { continue }
      listener.waiting.removeFirst()
      let place = place(of: activity, for: device)
      listener.told[activity] = place
      listener.mayHear = now + Self.pause
      listeners[device] = listener
      actions.append(.say(place.map { .here(activity, line: $0.line) } ?? .left(activity), listener.link))
    }
    return actions
  }

  // MARK: What comes

  private mutating func note(_ link: LinkNumber) {
    guard order[link] == nil else { return }
    lastOrder += 1
    order[link] = lastOrder
  }

  /// Whether another link than this one has told of it since this one came.
  private func isOvertaken(_ link: LinkNumber, by other: LinkNumber?) -> Bool {
    guard let other, other != link, let newer = order[other], let own = order[link] else { return false }
    return newer > own
  }

  private mutating func hear(_ word: PresenceWord, from device: DeviceID, over link: LinkNumber) {
    var documents = seen[device] ?? [:]
    note(link)
    switch word {
    case .here(let activity, _) where isOvertaken(link, by: documents[activity]?.link),
      .left(let activity) where isOvertaken(link, by: documents[activity]?.link):
      return
    case .here(let activity, let line):
      guard documents[activity] != nil || documents.count < Self.limit else { return }
      let former = documents.updateValue((Place(line: line), link), forKey: activity)
      if former?.place != Place(line: line) { isUnshown = true }
    case .left(let activity):
      if documents.removeValue(forKey: activity) != nil { isUnshown = true }
    }
    seen[device] = documents.isEmpty ? nil : documents
  }

  private mutating func show(at now: Instant) -> [Action] {
    guard isUnshown, mayShow.map({ $0 <= now }) ?? true else { return [] }
    isUnshown = false
    mayShow = now + Self.showingPause
    return [.show]
  }
}
