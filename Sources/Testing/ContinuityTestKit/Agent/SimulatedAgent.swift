// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import AgentEngine

/// The product's agent in a simulated world: `AgentCore` on ports that end in the device's clock, disks and
/// folder. It decides nothing.
final class SimulatedAgent {
  let process: AgentProcess
  let core: AgentCore
  private let scheduler: SimulatedScheduler
  /// Nil in a world without a network.
  private let network: SimulatedNetwork?

  var device: Device { process.device }
  var isDead: Bool { process.isDead }
  /// How often records were written and files read: bounded when nothing happens.
  var efforts: Int { process.efforts }

  /// Throws what `AgentCore` throws: where the power went while its files were read.
  init(_ device: Device) throws(ContinuityError) {
    let process = AgentProcess(device)
    let scheduler = SimulatedScheduler(process)
    self.process = process
    self.scheduler = scheduler
    let network = device.world.wires.map { SimulatedNetwork(process, on: $0) }
    self.network = network
    let ports = AgentPorts(
      scheduler: scheduler, disks: SimulatedDisks(process), state: StateFiles(process),
      replaced: SimulatedReplacedFiles(process), copies: SimulatedCopies(process),
      openVersionLog: { MemoryVersionLog(process) },
      openActivityIndex: { MemoryActivityIndex(process) }, readers: SimulatedReaders(process),
      watch: SimulatedWatch(process), network: network ?? AbsentNetwork(), desktop: AbsentDesktop(),
      ciphers: device.world.ciphers,
      random: RandomSource { process.world.random.next() }, log: { _ in },
      observer: JudgingObserver(process), process: 1, stop: {})
    device.world.oracle.restarted(device, device.disk.pasts)
    core = try AgentCore(ports, deviceName: device.name)
  }

  /// Reads what it knows, and begins to watch.
  func start() throws(ContinuityError) {
    try core.start()
    guard network != nil, device.isOnNetwork else { return }
    do throws(ContinuityError) { try core.links.switchOn(NetworkSettings()) } catch {
      // The power went.
    }
  }

  /// The machine has slept.
  func resumed() { if !isDead { network?.onResume() } }

  /// Its links end, at once for whoever is at their other ends.
  func endLinks() { network?.endAll() }

  /// It does nothing more, and holds nobody.
  func stop() {
    process.isDead = true
    scheduler.forget()
  }

  // MARK: Clients

  func accept(_ connection: Connection) { core.accept(connection) }

  func receive(_ request: AgentRequest, _ file: OpenFile?, from connection: Connection) throws {
    core.receive(.request(request), file: file, from: connection)
    // As an app's end of the socket does.
    if case .hello = request {
      core.receive(.version(ClientMessage.currentVersion), file: nil, from: connection)
    }
  }

  func ended(_ connection: Connection) throws { core.ended(connection) }

  /// A person gives a command, and reads what is answered at once; nil where the agent ended before it could.
  @discardableResult
  func perform(_ command: AgentCommand) -> AgentAnswer? {
    let line = CommandLineChannel(number: device.world.nextConnection())
    core.accept(line)
    core.receive(.command(1, command), file: nil, from: line)
    core.ended(line)
    return process.isAlive ? line.answer : nil
  }

  // MARK: Hints

  func receive(_ hint: FolderHint) throws {
    if case .changed(_, let path, let change) = hint {
      device.world.record(path.last ?? [])
      device.world.record(change.rawValue)
    }
    core.receive(hint)
  }
}

/// The process of one agent: what it asks of its ports comes to nothing once it was killed, or the power is
/// gone.
final class AgentProcess {
  unowned let device: Device
  unowned let world: World
  let clocks: DeviceClocks
  var isDead = false
  var efforts = 0

  init(_ device: Device) {
    self.device = device
    world = device.world
    clocks = device.clocks
  }

  var isAlive: Bool { !isDead && device.hasPower }
}

/// A command line that gives one command.
private final class CommandLineChannel: ClientChannel {
  let number: UInt64
  private(set) var answer: AgentAnswer?

  init(number: UInt64) { self.number = number }

  func send(_ message: AgentMessage, file: (any AgentEngine.OpenFile)?) -> ClientSending {
    if case .answer(_, let answer) = message { self.answer = answer }
    return .sent
  }
  func disconnect() {}
}
