// SPDX-License-Identifier: MIT

import ActivityExchange
package import ActivityModel
import ActivityWire
package import LocalNetwork
import Trust

/// The links to other devices on the network: off until `switchOn`. Joins what decides of meeting
/// (`MeetingMachine`), the keys and proofs, and the network; records go over a link once both ends have
/// proved who they are. Loop thread only.
package final class LinkedDevices {
  /// What the links are for.
  struct Agent {
    /// What a device that is linked now has to know.
    var records: () -> [RecordFile]
    /// Whether another computer uses this device's identity.
    var isCopied: () -> Bool
    /// What a record says.
    var news: (DeviceRecords.News) -> Void
    /// A word about documents that a device said. Throws `invalidBytes` for what no device says.
    var said: ([UInt8], DeviceID, LinkNumber) throws(ContinuityError) -> Void
    /// What became of a document or a stream: `fileSent`, `fileReceived` or `streamEnded`.
    var transferred: (LinkReport) -> Void
    /// These links there are now, each with the device at its other end.
    var linked: ([LinkNumber: DeviceID]) -> Void
    /// Whether any device is linked.
    var linksChanged: (Bool) -> Void
    /// What this device says of itself has to be said anew.
    var reachabilityChanged: () -> Void
  }

  /// A day: then this device is reached under another number.
  static let day = Duration.seconds(24 * 3600)
  /// Links that a former key secured end so long after that was replaced: the news of it goes over them.
  static let farewell = Duration.seconds(1)
  /// Records that the disk did not let be believed are read again after that.
  static let patience = Duration.seconds(30)

  private let ports: AgentPorts
  private let store: StateStore
  private let reader: RecordReader
  private let agent: Agent
  private var machine: MeetingMachine
  private var table = LinkTable() {
    didSet { if table.devices != oldValue.devices { tellLinked() } }
  }
  private var budget = SigningBudget()
  private var settings = NetworkSettings()
  /// Nil while nothing is said of networks.
  private var periods: LinkPeriods?
  private var told: [[UInt8]]?
  /// What was said last of where this device is.
  private var said: Reachability?
  private var wasLinked = false
  private var timer: (number: TimerNumber, due: Instant)?
  private var turning: TimerNumber?
  private var (isReviewing, isTellingLinked) = (false, false)
  private var collecting: Set<LinkNumber> = []
  /// Where others connect; nil while the LAN is off.
  package private(set) var port: UInt16?

  init(ports: AgentPorts, store: StateStore, reader: RecordReader, agent: Agent) {
    (self.ports, self.store, self.reader, self.agent) = (ports, store, reader, agent)
    machine = MeetingMachine(device: store.id)
  }

  // MARK: What is told

  /// The addresses that the circle is told, as far as this device has them now.
  package var addresses: [NetworkAddress] {
    port.map { port in machine.addresses.map { NetworkAddress(bytes: $0, port: port) } } ?? []
  }

  /// What keeps links from being made, if anything does.
  package var problem: String? { port == nil ? nil : ports.network.problem }

  /// How every other device of the circle stands, in the order of their IDs; all `off` while the LAN is.
  package var states: [DeviceLink] {
    store.identity.otherDevices.map(\.id).sorted().map { device in
      DeviceLink(
        device: device, name: store.shownName(of: device) ?? "another device",
        state: port == nil ? .off : machine.state(of: device))
    }
  }

  /// What the record says of networks.
  var reachability: Reachability? {
    guard let port, let periods, let told else { return nil }
    return Reachability(addresses: told, port: port, period: periods.current)
  }

  /// The links over which records go; to nobody that was removed.
  var transports: [any Transport] {
    port == nil ? [] : table.transports.filter { store.identity.circle.roster[$0.device] != nil }
  }

  // MARK: On and off

  /// Listens, tells the circle where, and dials the others; which port that is. May be repeated, with other
  /// settings as well. Throws `agentUnavailable` where nobody can listen there, and `invalidRequest` for a
  /// port below `Reachability.lowestPort`; what was on stays on then.
  @discardableResult
  package func switchOn(_ settings: NetworkSettings) throws(ContinuityError) -> UInt16 {
    guard settings.port == 0 || settings.port >= Reachability.lowestPort else {
      throw ContinuityError(
        .invalidRequest, subject: "port",
        description: "Port \(settings.port) is one of the system's: take one from \(Reachability.lowestPort)."
      )
    }
    let isNew = self.port == nil
    if isNew { hearNetwork() }
    let port: UInt16
    do throws(ContinuityError) {
      port = try listen(settings)
      if isNew { try ports.network.followAddresses() }
    } catch {
      if isNew { ports.network.stop() }
      throw error
    }
    self.settings = settings
    self.port = port
    rememberPort(port)
    feed(.typed(store.state.links.typed))
    feed(.switchedOn(AddressRules(settings), port: port))
    review()
    return port
  }

  private func listen(_ settings: NetworkSettings) throws(ContinuityError) -> UInt16 {
    if settings.port != 0 { return try ports.network.listen(port: settings.port) }
    // Firewalls are opened for a port, and others look for this device at the one it had.
    if let last = port ?? store.state.links.port, let again = try? ports.network.listen(port: last) {
      return again
    }
    return try ports.network.listen(port: 0)
  }

  private func hearNetwork() {
    ports.network.onReport = { [weak self] in self?.take($0) }
    ports.network.onEnd = { [weak self] in self?.processEnded() }
    ports.network.onAddresses = { [weak self] in self?.feed(.addresses($0)) }
    ports.network.onResume = { [weak self] in self?.resumed() }
  }

  /// Ends every link, and tells no address any more; nothing when it is off.
  package func switchOff() {
    guard port != nil else { return }
    stop()
    tellPlace()
  }

  /// The same, and what this device says of itself stands: the agent ends.
  func stop() {
    guard port != nil else { return }
    feed(.switchedOff)
    port = nil
    (periods, told) = (nil, nil)
    table = LinkTable()
    for number in [timer?.number, turning] { ports.scheduler.cancel(number) }
    (timer, turning) = (nil, nil)
    ports.network.stop()
  }

  /// The machine has slept: whoever was linked is met again.
  private func resumed() { if port != nil { feed(.resumed) } }

  // MARK: Hosts that were typed

  /// Hosts that a person typed, in the order of typing.
  package var typedHosts: [TypedHost] { store.state.links.typed }

  /// Remembers a host, and dials it: whoever of the circle is there. One of that name is replaced. Throws
  /// `invalidRequest` for too many hosts, or where nothing of it may be dialled, and what the disk refuses.
  package func connect(to host: TypedHost) throws(ContinuityError) {
    let rules = AddressRules(settings)
    var host = host
    host.addresses = Array(
      host.addresses.filter {
        rules.mayDial(NetworkAddress(bytes: $0, port: host.port ?? Reachability.lowestPort))
      }.prefix(TypedHost.limit))
    guard !host.addresses.isEmpty else {
      throw ContinuityError(
        .invalidRequest, subject: host.name,
        description: "\(DisplayText.shown(host.name)) is no other computer's address, or its port is one of "
          + "the system's: give the address of a device of the circle, and a port from "
          + "\(Reachability.lowestPort) where it needs one.")
    }
    let others = typedHosts.filter { $0.name != host.name }
    guard others.count < TypedHost.limit else {
      throw ContinuityError(
        .invalidRequest, subject: host.name,
        description: "\(others.count) hosts are remembered: forget one of them first.")
    }
    try store.change { $0.links.typed = others + [host] }
    if port != nil { feed(.typed(typedHosts)) }
  }

  /// Forgets a host; links that stand stay. Throws `invalidRequest` where none has that name, and what the
  /// disk refuses.
  package func forget(host name: String) throws(ContinuityError) {
    guard typedHosts.contains(where: { $0.name == name }) else {
      throw ContinuityError(
        .invalidRequest, subject: name,
        description: "No host called \(DisplayText.shown(name)) is remembered.")
    }
    try store.change { $0.links.typed.removeAll { $0.name == name } }
    if port != nil { feed(.typed(typedHosts)) }
  }

  private func rememberPort(_ port: UInt16) {
    do throws(ContinuityError) {
      try store.change { $0.links.port = port }
    } catch {
      ports.log("the port could not be remembered: code \(error.code)")
    }
  }

  // MARK: The circle

  /// A record says where its device is; `circleTag` is that of the key under which it says so.
  func heard(_ device: DeviceID, _ reachability: Reachability?, sealedFor circleTag: [UInt8]) {
    let place = reachability.map { KnownLinks.Place(circleTag: circleTag, reachability: $0) }
    guard store.state.links.places[device] != place else { return }
    do throws(ContinuityError) {
      try store.change { $0.links.places[device] = place }
    } catch {
      // The next record of that device says it again.
      ports.log("where a device is could not be remembered: code \(error.code)")
    }
    if port != nil { feed(.devices(places)) }
  }

  /// Keys, or who belongs, have changed: it is looked at in a moment, for more of it may be under way.
  func identityChanged() {
    guard port != nil, !isReviewing else { return }
    isReviewing = true
    ports.scheduler.schedule(at: ports.now) { [weak self] in
      self?.isReviewing = false
      self?.review()
    }
  }

  /// Whether links are made as the circle and this device are.
  private var mayMeet: Bool { store.identity.isConfirmed && !agent.isCopied() }

  /// The other devices, and where they are.
  var places: [DeviceID: Reachability?] {
    guard mayMeet else { return [:] }
    let tag = store.identity.circle.currentEpoch.circleTag
    var places: [DeviceID: Reachability?] = [:]
    for device in store.identity.otherDevices {
      let place = store.state.links.places[device.id]
      places[device.id] = .some(place?.circleTag == tag ? place?.reachability : nil)
    }
    return places
  }

  /// Looks at what the circle is now: who may be linked, and by which key.
  private func review() {
    guard port != nil else { return }
    if store.id != machine.device {
      // Another device from now on: nobody there has heard of it.
      feed(.switchedOff)
      table = LinkTable()
      machine = MeetingMachine(device: store.id, addresses: machine.own)
      feed(.typed(typedHosts))
      feed(.switchedOn(AddressRules(settings), port: port ?? 0))
    }
    let epoch = store.identity.circle.currentEpoch
    if !mayMeet {
      periods = nil
      ports.network.send(.receive([]))
    } else if periods?.epoch != epoch {
      beginPeriod(of: epoch)
      endFormerKeys()
    }
    feed(.devices(places))
    tellPlace()
  }

  // MARK: Periods

  /// This device is reached under a number that nobody has used before.
  private func beginPeriod(of epoch: EpochKey) {
    periods = LinkPeriods(epoch: epoch, first: ports.random.next())
    sayKeys()
  }

  private func sayKeys() {
    ports.network.send(.receive(periods?.keys(of: store.id) ?? []))
    ports.scheduler.cancel(turning)
    turning = ports.scheduler.schedule(at: ports.now + Self.day) { [weak self] in self?.turnPeriod() }
  }

  private func turnPeriod() {
    periods?.turn(to: ports.random.next())
    sayKeys()
    tellPlace()
  }

  /// What a former key secured ends: dials now, links once the news of the key have gone over them.
  private func endFormerKeys() {
    cut { $0.transport == nil }
    guard !table.isEmpty else { return }
    ports.scheduler.schedule(at: ports.now + Self.farewell) { [weak self] in self?.cut { _ in true } }
  }

  private func cut(_ isMeant: (LinkTable.Link) -> Bool) {
    guard port != nil, let epoch = periods?.epoch else { return }
    let numbers = table.numbers { $0.epoch != epoch && isMeant($0) }
    if !numbers.isEmpty { feed(.cut(numbers)) }
  }

  private func processEnded() {
    guard port != nil else { return }
    table = LinkTable()
    if let epoch = periods?.epoch { beginPeriod(of: epoch) }
    feed(.begunAnew)
    tellPlace()
  }

  private func tellPlace() {
    guard reachability != said else { return }
    said = reachability
    agent.reachabilityChanged()
  }

  // MARK: The machine

  private func feed(_ event: MeetingMachine.Event) {
    for action in machine.handle(event, at: ports.now) {
      switch action {
      case .tell(let addresses):
        told = addresses
        tellPlace()
      case .dial(let number, let device, let address): dial(number, device, at: address)
      case .close(let number): end(number)
      }
    }
    wakeNext()
    tellLinks()
  }

  private func wakeNext() {
    let moment = machine.nextMoment(after: ports.now)
    guard moment != timer?.due else { return }
    ports.scheduler.cancel(timer?.number)
    timer = moment.map { moment in
      let number = ports.scheduler.schedule(at: moment) { [weak self] in
        self?.timer = nil
        self?.feed(.time)
      }
      return (number, moment)
    }
  }

  private func tellLinks() {
    guard machine.isLinked != wasLinked else { return }
    wasLinked = machine.isLinked
    agent.linksChanged(wasLinked)
  }

  /// In a turn of its own: whoever hears of a link may use it.
  private func tellLinked() {
    guard !isTellingLinked else { return }
    isTellingLinked = true
    ports.scheduler.schedule(at: ports.now) { [weak self] in
      guard let self else { return }
      self.isTellingLinked = false
      self.agent.linked(self.table.devices)
    }
  }

  private func end(_ number: LinkNumber) {
    table[number] = nil
    ports.network.send(.close(number))
  }

  /// Ends a link for what its other end said or is.
  private func refuse(_ number: LinkNumber, because step: String) {
    ports.log("a link was refused: \(step)")
    end(number)
    feed(.ended(number, .refused))
  }

  private func dial(_ number: LinkNumber, _ device: DeviceID, at address: NetworkAddress) {
    guard let periods, let period = (places[device] ?? nil)?.period else { return }
    let nonce = (0..<LinkIdentity.nonceSize / 8).flatMap { _ in ports.random.next().bigEndianBytes }
    let key = periods.epoch.linkKey(to: device, period: period)
    let context = EpochKey.linkContext(of: device, period: period)
    let code = ports.ciphers.code(LinkIdentity.message(nonce: nonce, context: context), under: key)
    guard let identity = LinkIdentity(nonce: nonce, code: code) else { return }
    table[number] = LinkTable.Link(role: .dialler, epoch: periods.epoch, device: device)
    ports.network.dial(number, to: address, identity: identity.bytes, key: key)
  }

  // MARK: What comes

  private func take(_ report: LinkReport) {
    guard port != nil else { return }
    switch report {
    case .secured(let number, let exporter, let period): secure(number, exporter, period)
    case .proof(let number, let proof): admit(number, proof)
    case .received(let number, .record, let record): receive(record, from: number)
    case .received(let number, .request, let word): hear(word, on: number)
    case .received: break  // The process tells no other kind.
    case .fileSent, .fileReceived, .streamEnded: agent.transferred(report)
    case .closed(let number, let end):
      table[number] = nil
      feed(.ended(number, end))
    }
  }

  private func secure(_ number: LinkNumber, _ exporter: [UInt8], _ period: UInt64?) {
    if let period {
      // A key that was replaced a moment ago.
      guard let periods, periods.contains(period) else { return end(number) }
      table[number] = LinkTable.Link(role: .receiver, epoch: periods.epoch, exporter: exporter)
      return
    }
    guard var link = table[number], let device = link.device else { return end(number) }
    link.exporter = exporter
    table[number] = link
    feed(.secured(number))
    prove(link, to: device, on: number)
  }

  /// Says who this device is, once on each link. False where that is not done, and the link is ended.
  @discardableResult
  private func prove(_ link: LinkTable.Link, to peer: DeviceID, on number: LinkNumber) -> Bool {
    do throws(ContinuityError) {
      guard budget.take(others: store.identity.otherDevices.count, at: ports.now) else {
        refuse(number, because: "too many links in a minute")
        return false
      }
      let proof = try store.identity.linkProof(
        for: peer, as: link.role, under: link.epoch, exporter: link.exporter)
      ports.network.send(.prove(number, proof))
      return true
    } catch {
      refuse(number, because: error.subject)
      return false
    }
  }

  /// Judges who is at the other end. Whoever was asked proves itself after that; whoever asked says nothing
  /// before it has heard that, so what it says finds a link that both sides have admitted.
  private func admit(_ number: LinkNumber, _ proof: [UInt8]) {
    guard var link = table[number], link.transport == nil, mayMeet else { return end(number) }
    let peer: DeviceID
    do throws(ContinuityError) {
      peer = try store.identity.peer(
        provedBy: proof, as: link.role.other, expected: link.device, under: link.epoch,
        exporter: link.exporter)
    } catch {
      return refuse(number, because: error.subject)
    }
    guard link.epoch == periods?.epoch else { return refuse(number, because: "epoch") }
    guard link.role == .dialler || prove(link, to: peer, on: number) else { return }
    let transport = LinkTransport(number, to: peer, through: ports.network)
    (link.device, link.transport) = (peer, transport)
    table[number] = link
    ports.network.send(.admit(number))
    feed(.linked(number, peer))
    // It may have turned out to be one too many.
    guard table[number] != nil else { return }
    for file in agent.records() { try? transport.publish(file.bytes, named: file.name) }
  }

  private func hear(_ word: [UInt8], on number: LinkNumber) {
    guard let device = table[number]?.transport?.device else { return }
    do throws(ContinuityError) { try agent.said(word, device, number) } catch {
      refuse(number, because: "a word")
    }
  }

  private func receive(_ record: [UInt8], from number: LinkNumber) {
    guard let transport = table[number]?.transport else { return end(number) }
    guard transport.take(record) else { return refuse(number, because: "too much at once") }
    collect(number, at: ports.now)
  }

  private func collect(_ number: LinkNumber, at moment: Instant) {
    guard moment > ports.now || collecting.insert(number).inserted else { return }
    ports.scheduler.schedule(at: moment) { [weak self] in
      guard let self else { return }
      self.collecting.remove(number)
      self.collect(number)
    }
  }

  private func collect(_ number: LinkNumber) {
    guard let transport = table[number]?.transport else { return }
    let found = reader.collect(transport)
    for news in found.news { agent.news(news) }
    if found.isForged { return refuse(number, because: "another signer") }
    if !found.isComplete { collect(number, at: ports.now + Self.patience) }
  }
}
