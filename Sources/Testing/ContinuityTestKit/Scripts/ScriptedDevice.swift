// SPDX-License-Identifier: MIT

import ActivityExchange
public import ActivityModel
import AgentEngine
import SyncedFolders

/// A device of a `ScriptedWorld`: its processes and its clock. Paths are relative to the synced folder.
public final class ScriptedDevice {
  let device: Device
  unowned let script: ScriptedWorld
  private var connections: [ScriptedConnection] = []

  init(_ device: Device, _ script: ScriptedWorld) {
    self.device = device
    self.script = script
  }

  func furnish() {
    // As devices that are played on one computer have it.
    device.setClock()
    // An empty disk refuses nothing.
    _ = try? device.folder.make(RecordFiles.names, isFolder: true)
    device.install()
    start()
  }

  /// What people call it.
  public var name: String { device.name }

  /// The civil time, the same on all devices.
  public var wall: WallTime { device.wall }

  /// The synced folder's absolute path.
  public var folderPath: [UInt8] { EditorApp.root }

  // MARK: Processes

  /// Whether its agent runs.
  public var isRunning: Bool { device.agent != nil }

  /// Starts the agent, and with it the watch process; nothing happens when it runs.
  public func start() {
    script.begin()
    // No power is lost here, which is all that could be thrown.
    try? device.startAgent()
  }

  /// SIGKILL for the agent; its watch process ends with it, and all connections. False when none runs.
  @discardableResult
  public func killAgent() -> Bool {
    guard isRunning else { return false }
    script.begin()
    device.endAgent()
    for connection in connections { connection.close() }
    connections = []
    return true
  }

  /// SIGKILL for the watch process; the agent starts another one. False when none runs.
  @discardableResult
  public func killWatchProcess() -> Bool {
    guard let agent = device.agent, let watch = device.watch, !watch.isDead else { return false }
    script.begin()
    watch.isDead = true
    device.folder.endAllWatches()
    device.world.schedule(.fault, device.number, after: 100_000_000) { [device] in
      if device.agent === agent { device.startWatch() }
    }
    return true
  }

  // MARK: Apps

  /// What the agent would list of other devices' offers; nil while it does not run.
  public var offers: [Offer]? {
    device.agent?.core.offers
  }

  /// An app's connection to the agent; nil when none runs. `receive` is called in steps of the world, with
  /// the bytes of a delivered document.
  public func connect(receive: @escaping (AgentReport, [UInt8]?) -> Void) -> ScriptedConnection? {
    guard let agent = device.agent else { return nil }
    let connection = ScriptedConnection(self, agent, receive)
    connections.append(connection)
    return connection
  }
}

/// An app's end of a socket to an agent of a `ScriptedWorld`.
public final class ScriptedConnection {
  private unowned let device: ScriptedDevice
  private let end: End
  private let connection: Connection

  /// What the kit's socket hands messages to.
  private final class End: ConnectedApp {
    let isDead = false
    let receive: (AgentReport, [UInt8]?) -> Void
    unowned let script: ScriptedWorld

    init(_ script: ScriptedWorld, _ receive: @escaping (AgentReport, [UInt8]?) -> Void) {
      self.script = script
      self.receive = receive
    }

    func receive(_ report: AgentReport, _ file: OpenFile?, text: Content?) {
      receive(report, text.flatMap(script.bytes))
    }
  }

  init(
    _ device: ScriptedDevice, _ agent: SimulatedAgent, _ receive: @escaping (AgentReport, [UInt8]?) -> Void
  ) {
    self.device = device
    end = End(device.script, receive)
    connection = Connection(device.device.world.nextConnection(), end, agent)
  }

  /// False once either side is gone.
  public var isOpen: Bool { connection.isOpen }

  /// Sends a request, with the file at `path` beside it when there is one; an `update` that names no saved
  /// file says then that the app saved it as it is.
  public func send(_ request: AgentRequest, fileAt path: String? = nil) {
    guard isOpen else { return }
    let folder = device.device.folder
    let inode = path.flatMap { folder.find(ScriptedDevice.components($0)) }
    var request = request
    if case .update(let snapshot, saved: nil) = request {
      request = .update(snapshot, saved: inode.map { folder.stamp($0).mark })
    }
    connection.send(request, inode.map { OpenFile($0, in: folder) })
  }

  /// Closes it; the agent finds out a moment later.
  public func close() { connection.disconnect() }
}
