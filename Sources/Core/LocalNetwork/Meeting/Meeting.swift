// SPDX-License-Identifier: MIT

import ActivityModel

/// An address that is tried, and whether a person typed it.
struct DialledAddress: Hashable, Sendable {
  let address: NetworkAddress
  let isTyped: Bool
}

/// How this device tries to meet one other: a round over its addresses, then a pause.
struct Meeting: Sendable {
  /// A dial under way waits so long for its connection. How long a connection may wait for its proof is
  /// for the network process to say.
  static let patience = Duration.seconds(2)
  /// Between two dials of one round.
  static let stagger = Duration.milliseconds(250)
  /// After a round in vain; twice as long after each further one, up to `longestPause`.
  static let pause = AttemptBook.pause
  static let longestPause = Duration.seconds(600)
  /// For so long both devices may have dialled without knowing of the other's link. A link that comes later
  /// shows that the device there does not have the former one any more.
  static let overlap = Duration.seconds(10)
  /// A link that holds so long shows that there is nothing against it.
  static let proven = Duration.seconds(30)
  /// Links of one device that it dialled itself and has not ended yet.
  static let linkLimit = 4

  struct Link: Sendable {
    let number: LinkNumber
    let since: Instant
    let isByLower: Bool
  }

  private struct Dial: Sendable {
    let number: LinkNumber
    let address: DialledAddress
    let since: Instant
    var isSecured = false
  }

  /// Whether this device's ID is the lower one.
  let isLower: Bool
  private(set) var reachability: Reachability?
  private(set) var links: [Link] = []
  private var dials: [Dial] = []
  private var waiting: [DialledAddress] = []
  private var nextDial: Instant?
  /// When the next round begins; nil while one is under way, or there is nothing to try.
  private var due: Instant?
  /// Whether the next round does not wait for the dials of the one under way.
  private var isHurried = false
  /// When a round was last begun for what the device says of itself, or will be.
  private var movedAt: Instant?
  private var failures = 0
  private var last: LinkEnd?

  init(isLower: Bool) { self.isLower = isLower }

  func state(isAsked: Bool) -> DeviceLink.State {
    if !links.isEmpty { return .linked }
    if !dials.isEmpty || !waiting.isEmpty { return .dialling }
    guard reachability != nil else { return .off }
    switch last {
    case .unreachable, .closed: return .unreachable
    case .refused, .misbehaved, .ended: return .refused
    case nil: return isAsked && due != nil ? .dialling : .unreachable
    }
  }

  var numbers: [LinkNumber] { links.map(\.number) + dials.map(\.number) }

  func nextMoment(isAsking: Bool) -> Instant? {
    var moments = dials.filter { !$0.isSecured }.map { $0.since + Self.patience }
    guard isAsking, links.isEmpty else { return moments.min() }
    if let nextDial, !waiting.isEmpty { moments.append(nextDial) }
    // A round that is under way comes to its end first.
    if let due, dials.isEmpty || isHurried, waiting.isEmpty { moments.append(due) }
    return moments.min()
  }

  func address(of number: LinkNumber) -> DialledAddress? { dials.first { $0.number == number }?.address }

  // MARK: Rounds

  mutating func take(_ said: Reachability?, at now: Instant) {
    guard said != reachability else { return }
    reachability = said
    waiting = []
    guard said != nil else { return due = nil }
    guard links.isEmpty else { return }
    // Whoever says another address each moment makes nobody knock at all of them, and nobody wait longer.
    let moment = movedAt.map { $0 > now ? $0 : max(now, $0 + Self.pause) } ?? now
    due = min(due ?? moment, moment)
    movedAt = moment
  }

  /// Begins another round now, also beside dials that are under way: what they wait for may never answer.
  mutating func retry(at now: Instant) {
    failures = 0
    guard links.isEmpty, reachability != nil else { return }
    // What was not dialled yet is of that round as well.
    (waiting, due, isHurried) = ([], now, true)
  }

  func beginsRound(at now: Instant) -> Bool {
    links.isEmpty && (dials.isEmpty || isHurried) && waiting.isEmpty && reachability != nil
      && due.map { $0 <= now } ?? false
  }

  /// Begins a round over what may be tried now; where all was tried a moment ago, when that may be again.
  ///
  /// The device with the higher ID waits for the other one's dial: mostly there are not two links then.
  mutating func begin(_ round: AttemptBook.Round, at now: Instant) {
    (waiting, nextDial) = (round.addresses, isLower ? now : now + Self.stagger)
    (due, isHurried) = (round.addresses.isEmpty ? round.next : nil, false)
  }

  mutating func nextAddress(at now: Instant) -> DialledAddress? {
    guard links.isEmpty, let nextDial, nextDial <= now, !waiting.isEmpty else { return nil }
    self.nextDial = now + Self.stagger
    return waiting.removeFirst()
  }

  mutating func dialled(_ number: LinkNumber, _ address: DialledAddress, at now: Instant) {
    dials.append(Dial(number: number, address: address, since: now))
  }

  mutating func secured(_ number: LinkNumber) {
    if let index = dials.firstIndex(where: { $0.number == number }) { dials[index].isSecured = true }
  }

  /// Dials that nobody has answered.
  func late(at now: Instant) -> [LinkNumber] {
    dials.filter { !$0.isSecured && now - $0.since >= Self.patience }.map(\.number)
  }

  // MARK: Links

  /// Takes a link whose other end is proved; gives those that end for it, itself among them.
  mutating func link(_ number: LinkNumber, at now: Instant) -> [LinkNumber] {
    let isOwn = number < .firstAccepted
    let new = Link(number: number, since: now, isByLower: isOwn == isLower)
    dials.removeAll { $0.number == number }
    var closed = links.filter { now - $0.since > Self.overlap }.map(\.number)
    let others = links.filter { now - $0.since <= Self.overlap }
    if new.isByLower {
      closed += others.filter { !$0.isByLower }.map(\.number)
    } else if others.contains(where: \.isByLower) {
      return drop(closed) + [number]
    }
    // Of those that one device dialled, it keeps the first, and the other one waits for its choice.
    if isOwn, others.contains(where: { $0.isByLower == new.isByLower }) { return drop(closed) + [number] }
    links.append(new)
    if links.count - closed.count > Self.linkLimit { closed.append(links[0].number) }
    waiting = []
    due = nil
    // Its own dials may have been taken there for the link that stays.
    if isOwn || !isLower {
      closed += dials.map(\.number)
      dials = []
    }
    return drop(closed)
  }

  private mutating func drop(_ numbers: [LinkNumber]) -> [LinkNumber] {
    links.removeAll { numbers.contains($0.number) }
    return numbers
  }

  /// A link or a dial is no more.
  mutating func finish(_ number: LinkNumber, _ end: LinkEnd, at now: Instant) {
    if let index = links.firstIndex(where: { $0.number == number }) {
      let link = links.remove(at: index)
      guard links.isEmpty, dials.isEmpty else { return }
      last = nil
      if now - link.since >= Self.proven { failures = 0 } else { failures += 1 }
      // The other one dials a moment later, so that there are not two each time.
      let moment = failures == 0 ? now + (isLower ? .zero : .seconds(1)) : now + growingPause
      due = reachability == nil ? nil : moment
    } else if let index = dials.firstIndex(where: { $0.number == number }) {
      dials.remove(at: index)
      if links.isEmpty { last = end }
      guard links.isEmpty, dials.isEmpty, waiting.isEmpty, due == nil else { return }
      failures += 1
      due = reachability == nil ? nil : now + growingPause
    }
  }

  private var growingPause: Duration {
    min(Self.pause * (1 << min(max(failures, 1) - 1, 5)), Self.longestPause)
  }

  mutating func forgetLinks() { (links, dials, waiting) = ([], [], []) }

  mutating func cut(_ numbers: [LinkNumber], at now: Instant) {
    links.removeAll { numbers.contains($0.number) }
    dials.removeAll { numbers.contains($0.number) }
    last = nil
    if links.isEmpty { retry(at: now) }
  }

  mutating func beginAnew(at now: Instant) {
    forgetLinks()
    last = nil
    retry(at: now)
  }
}

/// Where was knocked when: no address twice in 30 s, unless a link came of it. What a person typed counts for
/// each device by itself, for any of them may be there.
struct AttemptBook: Sendable {
  static let pause = Duration.seconds(30)

  /// What may be tried, and when more may.
  struct Round {
    var addresses: [DialledAddress] = []
    var next: Instant?
  }

  private struct Key: Hashable {
    let bytes: [UInt8]
    /// On one computer every port is another device.
    let port: UInt16?
    let device: DeviceID?
  }

  private var attempts: [Key: Instant] = [:]

  mutating func round(_ candidates: [DialledAddress], of device: DeviceID, at now: Instant) -> Round {
    attempts = attempts.filter { now - $0.value < Self.pause }
    var round = Round()
    for candidate in candidates {
      guard let tried = attempts[Self.key(candidate, device)] else {
        round.addresses.append(candidate)
        continue
      }
      round.next = min(round.next ?? tried + Self.pause, tried + Self.pause)
    }
    return round
  }

  mutating func note(_ address: DialledAddress, of device: DeviceID, at now: Instant) {
    attempts[Self.key(address, device)] = now
  }

  /// A device of the circle is there.
  mutating func forget(_ address: DialledAddress) {
    attempts = attempts.filter { $0.key.bytes != address.address.bytes }
  }

  private static func key(_ address: DialledAddress, _ device: DeviceID) -> Key {
    Key(
      bytes: address.address.bytes, port: address.address.bytes.first == 127 ? address.address.port : nil,
      device: address.isTyped ? device : nil)
  }
}
