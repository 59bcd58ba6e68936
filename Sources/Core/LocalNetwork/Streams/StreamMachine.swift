// SPDX-License-Identifier: MIT

public import ActivityModel

/// Who may have streams with whom, and what becomes of those that are asked for: between an app here that an
/// activity was delivered to, and the app of another device that it came from. Without sockets, links and a
/// clock.
///
/// A pair of streams belongs to one link and ends with it. Whoever asks has its end carried before the other
/// device hears of it, so that whatever comes finds its stream.
public struct StreamMachine: Sendable {
  /// So many pairs one device and one activity may have at a time.
  public static let limit = 4
  /// So many pairs are open on a link; the network process takes no more, either.
  public static let linkLimit = 64
  /// So long the other device may say nothing: one of an earlier release passes over what it is asked.
  public static let patience = Duration.seconds(10)

  /// A pair of streams on a link.
  public struct Place: Hashable, Sendable, Comparable {
    /// The link.
    public var link: LinkNumber
    /// The number there.
    public var stream: StreamNumber

    /// The pair of that number on a link.
    public init(on link: LinkNumber, as stream: StreamNumber) { (self.link, self.stream) = (link, stream) }

    /// By link, then as they were counted.
    public static func < (left: Place, right: Place) -> Bool {
      (left.link, left.stream) < (right.link, right.stream)
    }
  }

  /// What happened.
  public enum Event: Sendable {
    /// These links there are, and no others any more.
    case linked([LinkNumber: DeviceID])
    /// An app here, which has this delivery, wants streams.
    case asked(RequestID, OfferID)
    /// Another device said a word over its link.
    case said(StreamWord, DeviceID, LinkNumber)
    /// The app here has its end, under that request; or it gets none, and why.
    case connected(Place, RequestID, StreamRefusal?)
    /// Nothing of it goes or comes any more.
    case ended(Place, StreamEnd)
    /// The app of a pair has ended before it had its end, or cannot be given it.
    case abandoned(RequestID)
    /// Time has passed.
    case time
  }

  /// What is to be done.
  public enum Action: Hashable, Sendable {
    /// Make the app's two ends, and have one of them carried there.
    case open(RequestID, Place)
    /// A word goes to the other device.
    case say(StreamWord, LinkNumber)
    /// Give the app that asked its end.
    case give(RequestID)
    /// Give the app that has the activity its end, if that device may have streams to it; then tell
    /// `connected`.
    case connect(Place, ActivityID, DeviceID)
    /// Nothing more goes or comes there; the other device is told, unless it knows of nothing.
    case reset(Place, isTold: Bool)
    /// Tell the app that its streams are over, or were not opened, and why; without a reason they came to
    /// their end.
    case end(RequestID, Failure?)
  }

  /// Why streams were not opened, or ended before their end.
  public enum Failure: Hashable, Sendable {
    /// No link leads to the device.
    case unlinked(DeviceID)
    /// The device said nothing.
    case unanswered(DeviceID)
    /// The device opens none.
    case refused(DeviceID, StreamRefusal)
    /// The link to the device ended.
    case lost(DeviceID)
    /// The other end was given up.
    case reset(DeviceID)
    /// Too many are open here.
    case tooMany
  }

  private struct Pair {
    let request: RequestID
    let device: DeviceID
    let activity: ActivityID
    /// When whoever was asked has said nothing for too long; nil once both ends are there.
    var deadline: Instant?
  }

  private var links: [LinkNumber: DeviceID] = [:]
  private var pairs: [Place: Pair] = [:]
  /// The activity that another device asked for, until it is known whether its app here takes streams.
  private var awaited: [Place: ActivityID] = [:]
  /// The number that was asked for last on each link.
  private var counted: [LinkNumber: StreamNumber] = [:]

  /// Without links.
  public init() {}

  /// When time is to be told next.
  public var nextMoment: Instant? { pairs.values.lazy.compactMap(\.deadline).min() }

  /// What to do about an event.
  public mutating func handle(_ event: Event, at now: Instant) -> [Action] {
    switch event {
    case .linked(let links): return use(links)
    case .asked(let request, let offer): return ask(request, offer, at: now)
    case .said(let word, let device, let link): return hear(word, from: device, on: link)
    case .connected(let place, let request, let refusal):
      guard let activity = awaited.removeValue(forKey: place), let device = links[place.link] else {
        return []
      }
      if let refusal { return [.say(.refuse(place.stream, refusal), place.link)] }
      pairs[place] = Pair(request: request, device: device, activity: activity)
      return [.say(.accept(place.stream), place.link)]
    case .ended(let place, let end):
      guard let pair = pairs.removeValue(forKey: place) else { return [] }
      // What ended before the other device said yes was no stream.
      let failure = end.failure(of: pair.device) ?? (pair.deadline == nil ? nil : .reset(pair.device))
      return [.end(pair.request, failure)]
    case .abandoned(let request):
      guard let (place, pair) = pairs.first(where: { $0.value.request == request }) else { return [] }
      pairs[place] = nil
      return [.reset(place, isTold: pair.deadline == nil)]
    case .time: return endUnanswered(at: now)
    }
  }

  private mutating func use(_ now: [LinkNumber: DeviceID]) -> [Action] {
    links = now
    counted = counted.filter { now[$0.key] != nil }
    awaited = awaited.filter { now[$0.key.link] != nil }
    let lost = pairs.filter { now[$0.key.link] == nil }.sorted { $0.key < $1.key }
    for (place, _) in lost { pairs[place] = nil }
    return lost.map { .end($0.value.request, .lost($0.value.device)) }
  }

  // MARK: Asking

  private mutating func ask(_ request: RequestID, _ offer: OfferID, at now: Instant) -> [Action] {
    guard let link = links.filter({ $0.value == offer.device }).keys.min() else {
      return [.end(request, .unlinked(offer.device))]
    }
    guard mayOpen(offer.activity, with: offer.device, on: link) else { return [.end(request, .tooMany)] }
    let last = counted[link]?.rawValue ?? (link < .firstAccepted ? UInt32.max : 0)
    let number = StreamNumber(rawValue: last &+ 2)
    counted[link] = number
    let place = Place(on: link, as: number)
    pairs[place] = Pair(
      request: request, device: offer.device, activity: offer.activity, deadline: now + Self.patience)
    return [.open(request, place), .say(.open(number, offer.activity), link)]
  }

  private func mayOpen(_ activity: ActivityID, with device: DeviceID, on link: LinkNumber) -> Bool {
    pairs.count { $0.value.activity == activity && $0.value.device == device } < Self.limit
      && pairs.count { $0.key.link == link } < Self.linkLimit
  }

  private mutating func endUnanswered(at now: Instant) -> [Action] {
    let late = pairs.filter { $0.value.deadline.map { $0 <= now } ?? false }.sorted { $0.key < $1.key }
    return late.flatMap { end($0.key, because: .unanswered($0.value.device)) }
  }

  private mutating func end(_ place: Place, because failure: Failure) -> [Action] {
    guard let pair = pairs.removeValue(forKey: place) else { return [] }
    // One that has not said yes has not heard of it, or is of an earlier release.
    return [.reset(place, isTold: false), .end(pair.request, failure)]
  }

  // MARK: Hearing

  private mutating func hear(_ word: StreamWord, from device: DeviceID, on link: LinkNumber) -> [Action] {
    switch word {
    case .open(let stream, let activity):
      let place = Place(on: link, as: stream)
      // A number that is in use, or of ours, says that the other device has lost count.
      let isOurs = (stream.rawValue % 2 == 1) == (link < .firstAccepted)
      guard pairs[place] == nil, awaited[place] == nil, !isOurs else { return [] }
      // A link may be used before it is told of here.
      links[link] = device
      guard mayOpen(activity, with: device, on: link) else { return [.say(.refuse(stream, .busy), link)] }
      awaited[place] = activity
      return [.connect(place, activity, device)]
    case .accept(let stream):
      let place = Place(on: link, as: stream)
      // Too late: its app has its end, and waits for nobody.
      guard let pair = pairs[place] else { return [.reset(place, isTold: true)] }
      guard pair.deadline != nil else { return [] }
      pairs[place]?.deadline = nil
      return [.give(pair.request)]
    case .refuse(let stream, let refusal):
      let place = Place(on: link, as: stream)
      guard pairs[place]?.deadline != nil else { return [] }
      return end(place, because: .refused(device, refusal))
    }
  }
}

extension StreamEnd {
  fileprivate func failure(of device: DeviceID) -> StreamMachine.Failure? {
    switch self {
    case .whole: nil
    case .reset: .reset(device)
    case .refused: .tooMany
    }
  }
}
