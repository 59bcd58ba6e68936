// SPDX-License-Identifier: MIT

import ActivityModel
import FolderWatch
public import Trust

/// The machine lost its power: nothing that was under way goes on.
struct PowerLoss: Error {}

/// Some devices, their apps, agents, disks and sync engine, and all that goes wrong between them: one
/// history, run from its beginning to its end in virtual time, on the thread that calls `run`.
///
/// The decisions are those of the product's own machines; the kit only performs them.
///
/// ```swift
/// let outcome = World(Simulation(seed: 7, steps: 300)).run()
/// assert(outcome.violations.isEmpty)
/// ```
public final class World {
  /// What is run.
  public let simulation: Simulation
  let ciphers: any CipherSuite
  /// Somebody who has the circle's key and is in no roster.
  let thief: Identity?
  let plantsCanary: Bool
  /// What all devices call the folder.
  var folderName = "notes"
  var contents = ContentTable()
  var devices: [Device] = []
  var engines: [SyncEngine] = []
  /// The network between the devices, where there is one.
  private(set) var wires: SimulatedWires?
  var oracle = Oracle()
  let clock = WorldClock()
  private(set) var time: UInt64 {
    get { clock.time }
    set { clock.time = newValue }
  }
  var random: Randomness
  private var queue = EventQueue()
  private var seed: UInt64 = 0
  private var children: UInt64 = 0
  private(set) var isHealing = false
  /// The devices were still at work when they were given no more steps.
  private(set) var isRestless = false
  private(set) var step = 0
  private(set) var trace = Trace()
  private var counts: [Outcome.Count: Int] = [:]
  private(set) var violations: [Violation] = []
  /// What files were before, for replays.
  var archive: [[[UInt8]]: [Content]] = [:]
  var effortsBefore: [Int: Int] = [:]
  private var connections: UInt64 = 0
  private var rounds: Int64 = 0
  /// Names that must not be found in a sealed record.
  static let secret = "Zugspitze"

  /// A world for one history. `realCiphers` are those of every twentieth history; without them the kit's
  /// quick codes stand for seals and signatures everywhere. With `canary` the first document that opens
  /// counts as a broken promise: a harness that does not report it would report nothing.
  public init(
    _ simulation: Simulation, realCiphers: (any CipherSuite)? = nil, canary: Bool = false
  ) {
    plantsCanary = canary
    self.simulation = simulation
    random = Randomness(seed: simulation.seed ^ 0xc0de)
    let real = simulation.isReallySealed ? realCiphers : nil
    ciphers = real ?? QuickCiphers()
    oracle.sealsAreReal = real != nil
    let circle = Self.circle(of: simulation, real)
    thief = circle?.thief
    settle(circle)
    wires = simulation.network.map { SimulatedWires(self, seed: $0) }
    engines = [SyncEngine(simulation.engine, world: self, devices: simulation.devices)]
    if has(.twoEngines) {
      let second: EngineKind = simulation.engine == .syncthing ? .rsync : .syncthing
      engines.append(SyncEngine(second, world: self, devices: simulation.devices))
    }
    furnish()
    plugIn()
    for command in simulation.commands where command.device < simulation.devices {
      add(.command, command.device, at: time + command.time, seed: command.seed, life: nil) {
        [unowned self] in try perform(command)
      }
    }
  }

  /// Devices with empty folders, on which nobody does anything by himself.
  init(
    devices names: [String], folderName: String, seed: UInt64, network: UInt64? = nil,
    realCiphers: (any CipherSuite)?
  ) {
    plantsCanary = false
    var simulation = Simulation(seed: seed, steps: 1)
    simulation.network = network
    (simulation.commands, simulation.faults, simulation.devices) = ([], [], names.count)
    self.simulation = simulation
    random = Randomness(seed: seed)
    ciphers = realCiphers ?? QuickCiphers()
    oracle.sealsAreReal = realCiphers != nil
    self.folderName = folderName
    var random = Randomness(seed: seed)
    let circle = try? SimulatedCircle(names, ciphers: ciphers, using: &random) { _ in 0 }
    thief = circle?.thief
    settle(circle)
    wires = network.map { SimulatedWires(self, seed: $0) }
  }

  /// The circle of a history: who let whom in matters only where devices leave.
  private static func circle(of simulation: Simulation, _ real: (any CipherSuite)?) -> SimulatedCircle? {
    if real == nil, !simulation.faults.contains(.revocation) {
      return SimulatedCircle.usual(simulation.devices)
    }
    var guests = Randomness(seed: simulation.seed ^ 0x6e57)
    return SimulatedCircle.known(
      hosts: (1..<max(simulation.devices, 1)).map { guests.below($0) },
      seed: (simulation.seed ^ 0xc1c1) % SimulatedCircle.keySets, ciphers: real)
  }

  private func settle(_ circle: SimulatedCircle?) {
    for (number, identity) in (circle?.devices ?? []).enumerated() {
      let isClone = simulation.faults.contains(.clone) && number == 1 && simulation.devices > 2
      devices.append(Device(number, isClone ? circle?.devices[0] ?? identity : identity, world: self))
    }
  }

  deinit { for device in devices { device.letGo() } }

  func name(of device: DeviceID) -> String { devices.first { $0.id == device }?.name ?? "device" }

  /// The devices' folder, as all of them know it.
  static let folder: FolderID = {
    var random = Randomness(seed: 0xf01d)
    return FolderID(using: &random)
  }()

  func has(_ fault: Fault) -> Bool { !isHealing && simulation.faults.contains(fault) }

  func count(_ what: Outcome.Count) { counts[what, default: 0] += 1 }

  func violate(_ rule: Violation.Rule, _ sentence: @autoclosure () -> String) {
    guard violations.count < 8 else { return }
    violations.append(Violation(rule: rule, sentence: sentence(), step: step))
  }

  func nextConnection() -> UInt64 {
    connections += 1
    return connections
  }

  func nextRound() -> Int64 {
    rounds += 1
    return rounds
  }

  // MARK: Time

  /// Asks for a step of a device, which waits while that is suspended and is void once it lost its power.
  func schedule(_ kind: StepKind, _ device: Int, after delay: UInt64, _ body: @escaping () throws -> Void) {
    children += 1
    add(
      kind, device, at: time + delay, seed: Randomness.mixed(seed ^ (children &* 0x9e37_79b9_7f4a_7c15)),
      life: devices[device].life, body)
  }

  private func add(
    _ kind: StepKind, _ device: Int, at time: UInt64, seed: UInt64, life: UInt32?,
    _ body: @escaping () throws -> Void
  ) {
    queue.add(
      EventQueue.Event(
        time: time, seed: seed, device: device, life: life ?? .max, kind: kind, perform: body))
  }

  /// Runs the history; call it once.
  public func run() -> Outcome {
    while step < simulation.steps, violations.isEmpty, takeStep() {}
    let faulty = step
    if violations.isEmpty { heal() }
    var outcome = Outcome(
      violations: violations, trace: trace.hash, faultySteps: faulty, healedSteps: step - faulty,
      counts: counts)
    outcome.counts[.checks] = oracle.checks
    return outcome
  }

  /// False when nothing is left to happen before `end`.
  private func takeStep(until end: UInt64 = .max) -> Bool {
    while var event = queue.removeNext(until: end) {
      let device = devices[event.device]
      if event.time > clock.time { clock.time = event.time }
      if event.life == .max ? isHealing : event.life != device.life { continue }
      if device.suspendedUntil > clock.time {
        event.time = device.suspendedUntil
        event.isDeferred = true
        queue.add(event)
        continue
      }
      step += 1
      trace.add(event.time ^ UInt64(event.device) << 56 ^ UInt64(event.kind.rawValue) << 48)
      begin(event.seed)
      do {
        try event.perform()
        if !device.hasPower { device.losePower() }
      } catch {
        device.losePower()
      }
      return true
    }
    return false
  }

  /// One step; false when nothing is left to happen before `end`, which it is then.
  func proceed(until end: UInt64) -> Bool {
    if takeStep(until: end) { return true }
    time = max(time, end)
    return false
  }

  func begin(_ seed: UInt64) {
    self.seed = seed
    children = 0
    random = Randomness(seed: seed)
  }

  func record(_ word: UInt64) { trace.add(word) }
  func record(_ bytes: [UInt8]) { trace.add(bytes) }

  /// For tests of an engine alone: only its steps are taken, for as long as there are any.
  func playEngines() {
    while let event = queue.removeNext() {
      guard event.kind == .engine else { continue }
      time = max(time, event.time)
      begin(event.seed)
      // An engine's step loses no power.
      try? event.perform()
    }
  }

  // MARK: Healing

  /// How long the devices have to agree again, and how many steps they may need for it.
  static let patience: UInt64 = 120_000_000_000
  private static let healingSteps = 40_000
  /// Links carry a large document in pieces, each a step or two of both ends.
  private static let healingStepsWithNetwork = 80_000
  /// As long as an engine without faults takes for a change, with a second attempt.
  private static let longestCarrying: UInt64 = 10_000_000_000

  private func heal() {
    isHealing = true
    begin(simulation.seed ^ 0x4ea1)
    for device in devices { device.heal() }
    wires?.heal(devices: devices.count)
    // A change that is two minutes late is a fault that did not end: what follows from it would need its own
    // two minutes.
    queue.release(at: time, engines: Self.longestCarrying)
    for engine in engines {
      for device in devices {
        engine.pausedUntil[device.number] = 0
        engine.scan(device.number)
      }
      for device in devices { engine.compareAll(with: device.number) }
    }
    for round in 1...3 {
      for device in devices { effortsBefore[device.number] = device.agent?.efforts }
      let end = time + Self.patience / 3
      let limit = step + (wires == nil ? Self.healingSteps : Self.healingStepsWithNetwork) / 3
      while violations.isEmpty, step < limit, takeStep(until: end) {}
      isRestless = step >= limit
      if isRestless, !simulation.faults.contains(.twoEngines) {
        violate(.boundedRetries, "the devices do not come to rest after all faults ended")
      }
      time = max(time, end)
      begin(simulation.seed ^ UInt64(round))
      if round < 3 {
        // Engines look at everything now and then; what made them wait before does so no longer.
        for engine in engines {
          for device in devices { engine.scan(device.number) }
          for device in devices { engine.compareAll(with: device.number) }
        }
      }
    }
    guard violations.isEmpty else { return }
    checkOffers()
    checkLinks()
    checkIdle()
  }

  func judge(_ check: (inout Oracle) -> (Violation.Rule, String)?) {
    if let (rule, sentence) = check(&oracle) { violate(rule, sentence) }
  }
}
