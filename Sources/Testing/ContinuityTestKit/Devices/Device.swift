// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import SyncedFolders
import Trust

/// One machine: its clocks, its disks, and the programs on it.
final class Device {
  unowned let world: World
  let number: Int
  /// Who it was when its circle was made; a cloned device is another one.
  let identity: Identity
  /// Where its agent lays its record, as long as nobody leaves the circle.
  let recordPath: [[UInt8]]
  let folder: MemoryFolder
  /// Where private copies of documents lie.
  let copies: MemoryFolder
  var disk = AgentDisk()
  /// Who belongs, as its agent knows.
  var circle: CircleMembership?
  /// Whose states its agent has believed.
  var heard: Set<DeviceID> = []
  var agent: SimulatedAgent?
  var app: EditorApp?
  var watch: WatchShell?
  /// Whether its person has switched the LAN on.
  var isOnNetwork = true
  /// Whether a thief has it, who goes on whatever others say.
  var isStolen = false
  /// Counts power losses: what was to happen before is void.
  var life: UInt32 = 0
  var suspendedUntil: UInt64 = 0
  let clocks: DeviceClocks
  private var lastSaving: Int64 = 0
  /// Operations until the power goes.
  var operationsLeft: Int?
  /// False from the moment when the power goes until the step ends with it.
  private(set) var hasPower = true
  /// The disk of the agent's own files is full.
  var storeIsFull = false
  private var processes: UInt64 = 0

  init(_ number: Int, _ identity: Identity, world: World) {
    self.number = number
    self.world = world
    self.identity = identity
    recordPath = RecordFiles.names + [Array(identity.fileName(.state).utf8)]
    circle = identity.circle.roster.membership
    folder = MemoryFolder(world: world, device: number)
    copies = MemoryFolder(world: world, device: number, fileSystem: 2)
    var random = Randomness(seed: world.simulation.seed ^ 0xd5 &+ UInt64(number) << 8)
    // Up to a minute wrong from the start, and up to 200 parts in a million.
    let offset = Int64(random.below(120_000)) - 60_000
    clocks = DeviceClocks(world.clock, offset: offset, drift: Int64(random.below(400)) - 200)
  }

  var id: DeviceID { identity.id }
  /// What people call it.
  var name: String { identity.name }

  // MARK: Clocks

  var now: Instant { clocks.now }
  var wall: WallTime { clocks.wall }

  /// What a program that saves sets as a file's time: finer than the kernel's ticks, never the same twice.
  func momentOfSaving() -> Int64 {
    lastSaving = max(lastSaving + 1, Int64(world.time))
    return lastSaving
  }

  func jump(by milliseconds: Int64) { clocks.offset += milliseconds }

  /// Its wall clock is right from now on.
  func setClock() { (clocks.offset, clocks.drift) = (0, 0) }

  func suspend(for duration: UInt64) {
    guard suspendedUntil <= world.time else { return }
    suspendedUntil = world.time + duration
    clocks.slept += duration
    guard world.wires != nil else { return }
    world.schedule(.network, number, after: duration) { [self] in agent?.resumed() }
  }

  private func wake() {
    guard suspendedUntil > world.time else { return }
    clocks.slept -= suspendedUntil - world.time
    suspendedUntil = 0
  }

  /// Calls `body` once the monotonic clock shows `moment`.
  func schedule(_ kind: StepKind, at moment: Instant, _ body: @escaping () throws -> Void) {
    let now = now
    let delay = moment > now ? moment.nanoseconds - now.nanoseconds : 0
    world.schedule(kind, number, after: delay) { [self] in
      guard self.now >= moment else { return schedule(kind, at: moment, body) }
      try body()
    }
  }

  func nextProcess() -> UInt64 {
    processes += 1
    return processes
  }

  // MARK: Power

  /// One operation that reaches a disk; the power may go before it.
  func operate() throws { if !reachDisk() { throw PowerLoss() } }

  /// The same for those who go on as if nothing had happened: false once the power is gone.
  func reachDisk() -> Bool {
    guard hasPower, let left = operationsLeft else { return hasPower }
    operationsLeft = left - 1
    hasPower = left > 0
    return hasPower
  }

  func losePower() {
    world.count(.crashes)
    world.wires?.hang(number)
    (operationsLeft, hasPower) = (nil, true)
    disk.losePower()
    life += 1
    app?.isDead = true
    app?.connection?.isOpen = false
    watch?.isDead = true
    letGo()
    (agent, app, watch) = (nil, nil, nil)
    for engine in world.engines { engine.losePower(number) }
    folder.losePower(&world.random)
    if world.wires != nil { copies.losePower(&world.random) }
    let delay = world.random.between(.seconds(2), .seconds(30))
    world.schedule(.fault, number, after: delay) { [self] in try startAll() }
  }

  /// App and agent hold each other by their connection.
  func letGo() {
    agent?.stop()
    app?.connection = nil
  }

  /// As after switching on: agent, watch process, app and engines.
  func startAll() throws {
    try startAgent()
    try startApp()
    for engine in world.engines {
      engine.scan(number)
      engine.compareAll(with: number)
    }
  }

  func startAgent() throws {
    guard agent == nil else { return }
    do {
      let agent = try SimulatedAgent(self)
      self.agent = agent
      startWatch()
      try agent.start()
    } catch {
      if hasPower { world.violate(.idle, "the agent of device \(number) does not start: \(error)") }
    }
  }

  /// SIGKILL for the agent, with which its watch process ends.
  func endAgent() {
    agent?.endLinks()
    agent?.stop()
    agent = nil
    watch?.isDead = true
    watch = nil
    folder.endAllWatches()
  }

  func startWatch() {
    watch?.isDead = true
    folder.endAllWatches()
    let shell = WatchShell(self)
    watch = shell
    shell.begin()
  }

  func startApp() throws {
    guard app == nil else { return }
    let app = EditorApp(self)
    self.app = app
    try app.connect()
  }

  func killAgent() throws {
    endAgent()
    try app?.connectionEnded()
    let delay = world.random.between(.milliseconds(100), .seconds(5))
    world.schedule(.fault, number, after: delay) { [self] in
      try startAgent()
      try app?.connect()
    }
  }

  func heal() {
    wake()
    operationsLeft = nil
    (folder.isFull, folder.isReadOnly, folder.isFailing, storeIsFull) = (false, false, false, false)
    folder.isMounted = true
    if agent == nil || app == nil || watch == nil {
      world.schedule(.fault, number, after: 1_000_000) { [self] in
        if agent != nil, watch == nil { startWatch() }
        try startAll()
      }
    }
    if let app, app.connection == nil {
      world.schedule(.app, number, after: 1_000_000_000) { try app.connect() }
    }
  }
}

/// The time of a world, by no clock of a device.
final class WorldClock {
  var time: UInt64 = 1_000_000_000_000
}

/// The clocks of one machine. Whoever asks for the time at each step holds them: the way by the device and
/// its world costs more than the answer.
final class DeviceClocks {
  private let world: WorldClock
  /// How long the machine slept in all; its monotonic clock stood still.
  var slept: UInt64 = 0
  /// By how much the wall clock was wrong from the start, in milliseconds, and by how many parts in a million
  /// it runs too fast.
  var offset: Int64
  var drift: Int64

  init(_ world: WorldClock, offset: Int64, drift: Int64) {
    (self.world, self.offset, self.drift) = (world, offset, drift)
  }

  var now: Instant { Instant(nanoseconds: world.time - slept) }

  var wall: WallTime {
    let elapsed = Int64(world.time / 1_000_000)
    return WallTime(
      milliseconds: UInt64(1_700_000_000_000 + elapsed + offset + elapsed * drift / 1_000_000))
  }
}
