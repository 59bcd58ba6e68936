// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import LocalNetwork

/// The network between the devices of a world, as TCP shows it: connections that begin, carry bytes in order,
/// late or in bursts, and end, or hang until somebody gives up. Everything random in it is its own, so that a
/// history without a network is what it is without this.
final class SimulatedWires {
  unowned let world: World
  var random: Randomness
  /// How many of a hundred segments are lost, and come again late.
  private let loss: Int
  /// How many of a thousand break their connection.
  private let breaks: Int
  private let latency: Pause
  /// Until when the devices of a pair do not reach each other.
  private var cuts: [Set<Int>: UInt64] = [:]
  /// The present end of each device.
  private(set) var ends: [Int: SimulatedNetwork] = [:]
  /// Counts the addresses that a device has had.
  private var moves: [Int: UInt8] = [:]
  private var wires: [Wire] = []

  /// So long TCP waits for a device that does not answer.
  private static let patience = Pause.seconds(20)

  /// The seed of a network that is quick and loses nothing.
  static let calm: UInt64 = 0

  init(_ world: World, seed: UInt64) {
    self.world = world
    var random = Randomness(seed: seed)
    guard seed != Self.calm else {
      (loss, breaks, latency, self.random) = (0, 0, .microseconds(200), random)
      return
    }
    loss = [0, 1, 5, 20][random.below(4)]
    breaks = [0, 0, 2, 10][random.below(4)]
    latency = [.microseconds(200), .milliseconds(2), .milliseconds(30)][random.below(3)]
    self.random = random
  }

  // MARK: Where devices are

  func plug(_ end: SimulatedNetwork, of device: Int) { ends[device] = end }

  /// The addresses of a device, one of which nobody is told.
  func addresses(of device: Int) -> [OwnAddress] {
    let bytes = [10, moves[device] ?? 0, 0, UInt8(device + 1)] as [UInt8]
    return [
      OwnAddress(bytes: bytes, interface: "wlan0", kind: .wireless),
      OwnAddress(bytes: [172, 17, 0, 1], interface: "docker0", kind: .bridge),
    ]
  }

  /// Nil where no device is.
  private func device(at address: NetworkAddress) -> Int? {
    ends.keys.sorted().first { device in
      addresses(of: device)[0].bytes == address.bytes && ends[device]?.port == address.port
    }
  }

  // MARK: Connections

  /// Connects, and tells both ends how that went, in later steps.
  func connect(_ end: SimulatedNetwork, _ number: LinkNumber, to address: NetworkAddress) -> Wire {
    let own = end.device
    let wire = Wire(from: end, number)
    guard let other = device(at: address), !isCut(own, other), !isLost(),
      let target = ends[other], target.isListening
    else {
      // Half of those who are not there refuse; the others say nothing.
      if random.chance(50) {
        world.schedule(.network, own, after: delay) { wire.end(at: end, isFault: false) }
      }
      return wire
    }
    wires.removeAll { !$0.isOpen }
    wires.append(wire)
    world.schedule(.network, other, after: delay) { [self] in
      guard wire.isOpen, target.isAlive, target.accept(wire) else {
        return wire.breakOff(from: other, in: self)
      }
      world.schedule(.network, own, after: delay) { end.connected(wire) }
    }
    return wire
  }

  /// Calls `body` at the other end, behind what was sent there before.
  func carry(over wire: Wire, from device: Int, _ body: @escaping () -> Void) {
    guard let other = wire.other(than: device) else { return }
    var moment = world.time + delay
    if isLost() { moment += random.between(.milliseconds(200), .seconds(3)) }
    if !world.isHealing, random.below(1000) < breaks { return wire.breakOff(from: nil, in: self) }
    if let end = cuts[[device, other]], end > moment { moment = end + delay }
    moment = wire.arrival(at: other, after: moment)
    world.schedule(.network, other, after: moment - world.time) { if wire.isOpen { body() } }
  }

  var delay: UInt64 { 50_000 + random.between(.zero, latency) }

  /// What two devices make for a connection, known to both alone.
  func exporter() -> [UInt8] { (0..<4).flatMap { _ in random.next().bigEndianBytes } }

  // MARK: Faults

  /// All that will go wrong with the network by itself.
  func planFaults(devices: Int) {
    guard loss + breaks > 0 || random.chance(50) else { return }
    for _ in 0..<random.below(5) {
      let device = random.below(devices)
      world.schedule(.network, device, after: random.between(.seconds(2), .seconds(200))) { [self] in
        if !world.isHealing { fail(device, devices: devices) }
      }
    }
  }

  /// A device finds itself on another network, loses its network process, or is cut off from others.
  func fail(_ device: Int, devices: Int) {
    switch random.below(6) {
    case 0: move(device)
    case 1: ends[device]?.dieAlone()
    default: cut(device, devices: devices)
    }
  }

  /// Cuts a device off from another one, or from all.
  private func cut(_ device: Int, devices: Int) {
    let others = random.chance(40) ? Array(0..<devices) : [random.below(devices)]
    let end = world.time + random.between(.seconds(1), .seconds(120))
    for other in others where other != device {
      cuts[[device, other]] = end
      for wire in wires where wire.joins(device, other) { giveUp(wire, device) }
    }
  }

  private func giveUp(_ wire: Wire, _ device: Int) {
    world.schedule(.network, device, after: Self.patience.nanoseconds) { [self] in
      guard let other = wire.other(than: device), isCut(device, other) else { return }
      wire.breakOff(from: nil, in: self)
    }
  }

  /// The device is on another network from now on.
  private func move(_ device: Int) {
    moves[device, default: 0] &+= 1
    hang(device)
    ends[device]?.tellAddresses()
  }

  /// A device is gone without a word: others find out after a while.
  func hang(_ device: Int) {
    for wire in wires where wire.isOpen && wire.other(than: device) != nil {
      wire.hang(from: device, after: random.between(.seconds(5), Self.patience), in: self)
    }
  }

  private func isLost() -> Bool { !world.isHealing && random.below(100) < loss }

  private func isCut(_ one: Int, _ other: Int) -> Bool {
    cuts[[one, other]].map { $0 > world.time } ?? false
  }

  /// Nothing is lost from now on, and each device finds its network anew: one that gave up looking would
  /// take its growing pause.
  func heal(devices: Int) {
    cuts = [:]
    for device in 0..<devices {
      world.schedule(.network, device, after: 2_000_000_000) { [self] in ends[device]?.findNetworkAnew() }
    }
  }
}

/// One connection, and the two ends that hold it.
final class Wire {
  private(set) var isOpen = true
  private let dialler: SimulatedNetwork
  private let dialled: LinkNumber
  private var receiver: (end: SimulatedNetwork, number: LinkNumber)?
  private var arrivals: [Int: UInt64] = [:]
  /// What has come and was not read yet, by device.
  var unread: [Int: [UInt8]] = [:]
  /// What the pieces of a document on their way to a device are, for they have no bytes here.
  var documents: [Int: [TransferNumber: Content]] = [:]

  init(from end: SimulatedNetwork, _ number: LinkNumber) { (dialler, dialled) = (end, number) }

  func accepted(by end: SimulatedNetwork, as number: LinkNumber) { receiver = (end, number) }

  func number(at device: Int) -> LinkNumber? {
    device == dialler.device ? dialled : receiver.flatMap { $0.end.device == device ? $0.number : nil }
  }

  func other(than device: Int) -> Int? {
    guard let receiver else { return nil }
    if device == dialler.device { return receiver.end.device }
    return device == receiver.end.device ? dialler.device : nil
  }

  func end(at device: Int) -> SimulatedNetwork? { device == dialler.device ? dialler : receiver?.end }

  func joins(_ one: Int, _ other: Int) -> Bool { isOpen && self.other(than: one) == other }

  /// Bytes come in the order in which they went.
  func arrival(at device: Int, after moment: UInt64) -> UInt64 {
    let arrival = max(moment, (arrivals[device] ?? 0) + 1)
    arrivals[device] = arrival
    return arrival
  }

  /// One end hears that it is over.
  func end(at end: SimulatedNetwork, isFault: Bool) {
    guard let number = number(at: end.device) else { return }
    end.ended(number, isFault: isFault)
  }

  /// It is over, and the ends hear of it, but for the one that ends it.
  func breakOff(from device: Int?, isFault: Bool = false, in wires: SimulatedWires) {
    guard isOpen else { return }
    isOpen = false
    for end in [dialler, receiver?.end].compactMap({ $0 }) where end.device != device {
      wires.world.schedule(.network, end.device, after: wires.delay) { [self] in
        self.end(at: end, isFault: isFault)
      }
    }
  }

  /// Nothing comes over it any more; the end that is left hears of it then.
  func hang(from device: Int, after delay: UInt64, in wires: SimulatedWires) {
    isOpen = false
    guard let other = other(than: device), let end = end(at: other) else { return }
    wires.world.schedule(.network, other, after: delay) { [self] in self.end(at: end, isFault: false) }
  }
}
