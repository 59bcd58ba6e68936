// SPDX-License-Identifier: MIT

public import ActivityModel

/// When this device tells where it is, whom it dials where, and which of two links stays (decision 0063).
/// Without sockets, keys and a clock: links are those that keys and proofs were found right on.
///
/// Both devices dial, at all addresses at once; of two links both keep the one that the device with the lower
/// ID dialled. No address is tried twice in 30 s unless a link came of it, and the pauses grow.
public struct MeetingMachine: Sendable {
  /// What happened.
  public enum Event: Sendable {
    /// Links are made from now on, by these rules; `port` is where others connect.
    case switchedOn(AddressRules, port: UInt16)
    /// No links any more.
    case switchedOff
    /// This computer's own addresses, all of them.
    case addresses([OwnAddress])
    /// The machine has slept.
    case resumed
    /// The other devices that may be linked, all of them, and where each is reached; nil where it says so of
    /// no network.
    case devices([DeviceID: Reachability?])
    /// The hosts that a person typed, all of them.
    case typed([TypedHost])
    /// Whoever has the links is gone, and they with it.
    case begunAnew
    /// These links and dials are ended although there is nothing against the devices: keys have changed.
    case cut([LinkNumber])
    /// The connection of a dial stands; who is there is not known yet.
    case secured(LinkNumber)
    /// Who is at the other end is proved.
    case linked(LinkNumber, DeviceID)
    /// The link, or the dial, came to its end.
    case ended(LinkNumber, LinkEnd)
    /// Time has passed.
    case time
  }

  /// What is to be done.
  public enum Action: Hashable, Sendable {
    /// The circle is told that this device is reached there.
    case tell([[UInt8]])
    /// Connect to a device.
    case dial(LinkNumber, DeviceID, NetworkAddress)
    /// End the link or the dial; it is forgotten here.
    case close(LinkNumber)
  }

  /// Own addresses are told so often at most, unless a person changes which.
  static let tellingPause = Duration.seconds(30)

  private var book = AttemptBook()
  private var rules = AddressRules() { didSet { lookAtNetworks() } }
  private var port: UInt16?
  /// This computer's own addresses.
  public private(set) var own: [OwnAddress] { didSet { lookAtNetworks() } }
  /// Those that the rules let be told, and whether there is a network that is not switched off: asked for at
  /// each event.
  private var tellable: [[UInt8]] = []
  private var isOnNetwork = false
  private var told: [[UInt8]]?
  private var toldAt: Instant?
  /// This device.
  public let device: DeviceID
  private var meetings: [DeviceID: Meeting] = [:]
  private var devices: [LinkNumber: DeviceID] = [:]
  private var typed: [TypedHost] = []
  private var nextNumber: UInt32 = 1

  /// Of the device with that ID, on a computer with these addresses; switched off.
  public init(device: DeviceID, addresses: [OwnAddress] = []) {
    (self.device, own) = (device, addresses)
    lookAtNetworks()
  }

  private mutating func lookAtNetworks() {
    tellable = rules.told(own)
    isOnNetwork = rules.isConnected(own) && !rules.isSwitchedOff(on: own)
  }

  // MARK: What is asked of the machine

  /// How a device stands; `off` for one that is not known here as well.
  public func state(of device: DeviceID) -> DeviceLink.State {
    guard port != nil, let meeting = meetings[device] else { return .off }
    return meeting.state(isAsked: isAsking)
  }

  /// Whether any device is linked.
  public var isLinked: Bool { meetings.values.contains { !$0.links.isEmpty } }

  /// What others were told of where this device is, as far as it is there now.
  public var addresses: [[UInt8]] { (told ?? []).filter(tellable.contains) }

  /// When time is to be told next; nil for never.
  public func nextMoment(after now: Instant) -> Instant? {
    guard port != nil else { return nil }
    var moments = meetings.values.compactMap { $0.nextMoment(isAsking: isAsking) }
    if let toldAt, untold != nil { moments.append(toldAt + Self.tellingPause) }
    return moments.min()
  }

  /// Whether this device dials at all: there is a network, and one that is not switched off.
  private var isAsking: Bool { port != nil && isOnNetwork }

  // MARK: Events

  /// What to do about an event.
  public mutating func handle(_ event: Event, at now: Instant) -> [Action] {
    var actions: [Action] = []
    switch event {
    case .switchedOn(let rules, let port):
      let isNew = self.port == nil || self.rules != rules
      // What a person switches off is taken back at once.
      if self.rules != rules { toldAt = nil }
      (self.rules, self.port) = (rules, port)
      if isNew { retry(at: now) }
    case .switchedOff: actions += switchOff()
    case .addresses(let addresses): actions += take(addresses, at: now)
    case .resumed:
      actions += closeAll()
      retry(at: now)
    case .devices(let known): actions += take(known, at: now)
    case .typed(let hosts):
      let isNew = hosts.contains { !typed.contains($0) }
      typed = hosts
      if isNew { retry(at: now) }
    case .begunAnew:
      devices = [:]
      for device in meetings.keys { meetings[device]?.beginAnew(at: now) }
    case .cut(let numbers): actions += cut(numbers, at: now)
    case .secured(let number): if let device = devices[number] { meetings[device]?.secured(number) }
    case .linked(let number, let device): actions += link(number, device, at: now)
    case .ended(let number, let end): finish(number, end, at: now)
    case .time: break
    }
    guard port != nil else { return actions }
    actions += tell(at: now)
    for device in meetings.keys.sorted() { actions += proceed(with: device, at: now) }
    return actions
  }

  private mutating func switchOff() -> [Action] {
    let actions = closeAll()
    port = nil
    (told, toldAt) = (nil, nil)
    return actions
  }

  private mutating func take(_ addresses: [OwnAddress], at now: Instant) -> [Action] {
    guard addresses != own else { return [] }
    // What went over an address that is gone waits in vain, for minutes.
    let isLost = own.contains { !addresses.contains($0) && $0.isReachable }
    own = addresses
    let actions = isLost ? closeAll() : []
    retry(at: now)
    return actions
  }

  private mutating func take(_ known: [DeviceID: Reachability?], at now: Instant) -> [Action] {
    var actions: [Action] = []
    for device in meetings.keys.sorted() where known[device] == nil {
      actions += close(meetings[device]?.numbers ?? [])
      meetings[device] = nil
    }
    for (device, reachability) in known where device != self.device {
      meetings[device, default: Meeting(isLower: self.device < device)].take(reachability, at: now)
    }
    return actions
  }

  private mutating func tell(at now: Instant) -> [Action] {
    guard let untold, toldAt.map({ now - $0 >= Self.tellingPause }) ?? true else { return [] }
    told = untold
    // Nobody waits for the first address longer.
    if !untold.isEmpty { toldAt = now }
    return [.tell(untold)]
  }

  /// What is to be told. Nobody hears of a network that is away, and mostly it is the same one that comes
  /// back: a device that had told so would be sought nowhere until it may tell again.
  private var untold: [[UInt8]]? {
    tellable != told && (told == nil || rules.isConnected(own)) ? tellable : nil
  }

  /// What was tried in vain before may be reached now.
  private mutating func retry(at now: Instant) {
    for device in meetings.keys { meetings[device]?.retry(at: now) }
  }

  // MARK: Dialling

  private mutating func proceed(with device: DeviceID, at now: Instant) -> [Action] {
    guard var meeting = meetings[device] else { return [] }
    var actions = close(meeting.late(at: now))
    for action in actions {
      if case .close(let number) = action { meeting.finish(number, .unreachable, at: now) }
    }
    if isAsking, meeting.beginsRound(at: now) {
      meeting.begin(book.round(candidates(meeting), of: device, at: now), at: now)
    }
    if isAsking, let address = meeting.nextAddress(at: now) {
      let number = LinkNumber(rawValue: nextNumber)
      nextNumber += 1
      devices[number] = device
      book.note(address, of: device, at: now)
      meeting.dialled(number, address, at: now)
      actions.append(.dial(number, device, address.address))
    }
    meetings[device] = meeting
    return actions
  }

  /// Where the device may be: what it says itself, and what a person typed.
  private func candidates(_ meeting: Meeting) -> [DialledAddress] {
    guard let reachability = meeting.reachability else { return [] }
    let said = reachability.addresses.map {
      DialledAddress(address: NetworkAddress(bytes: $0, port: reachability.port), isTyped: false)
    }
    let typed = typed.flatMap { host in
      host.addresses.map {
        DialledAddress(
          address: NetworkAddress(bytes: $0, port: host.port ?? reachability.port), isTyped: true)
      }
    }
    let own = Set((told ?? []).map { NetworkAddress(bytes: $0, port: port ?? 0) })
    var found: [DialledAddress] = []
    for address in typed + said
    where rules.mayDial(address.address) && !own.contains(address.address)
      && !found.contains(where: { $0.address == address.address })
    {
      found.append(address)
    }
    return found
  }

  // MARK: Links

  private mutating func link(_ number: LinkNumber, _ device: DeviceID, at now: Instant) -> [Action] {
    guard port != nil, var meeting = meetings[device] else { return close([number]) }
    if let address = meeting.address(of: number) { book.forget(address) }
    devices[number] = device
    let closed = meeting.link(number, at: now)
    meetings[device] = meeting
    return close(closed)
  }

  private mutating func finish(_ number: LinkNumber, _ end: LinkEnd, at now: Instant) {
    guard let device = devices.removeValue(forKey: number) else { return }
    meetings[device]?.finish(number, end, at: now)
  }

  private mutating func cut(_ numbers: [LinkNumber], at now: Instant) -> [Action] {
    for device in Set(numbers.compactMap { devices[$0] }) { meetings[device]?.cut(numbers, at: now) }
    return close(numbers)
  }

  private mutating func close(_ numbers: [LinkNumber]) -> [Action] {
    for number in numbers { devices[number] = nil }
    return numbers.map { .close($0) }
  }

  private mutating func closeAll() -> [Action] {
    var numbers: [LinkNumber] = []
    for device in meetings.keys {
      numbers += meetings[device]?.numbers ?? []
      meetings[device]?.forgetLinks()
    }
    return close(numbers.sorted())
  }
}
