// SPDX-License-Identifier: MIT

public import ActivityExchange
public import ActivityModel

/// One device of a `ManualWorld`, as an app on it sees it: an agent in memory, clocks that stand still
/// between two passes of time, and a synced folder whose bytes the test tells.
///
/// Give it to the app's session as its link, and feed the session what the closures say. One app at a time.
public final class ManualDevice: AgentLink {
  /// Where the app finds the synced folder: an absolute path without a trailing slash. Set it before an app
  /// connects.
  public var root = EditorApp.root
  /// What the agent says to the app, in order; true when a file travels beside a delivery. Its path is below
  /// `root`.
  public var didReceive: (AgentReport, _ hasFile: Bool) -> Void = { _, _ in }
  /// The connection was made, or the agent's end of it is gone.
  public var connectionDidChange: (_ isUp: Bool) -> Void = { _ in }
  /// When the app wants `tick`; nil while it waits for no time. Asked again after every step.
  public var nextDeadline: () -> Instant? = { nil }
  /// The app's deadline has come.
  public var tick: () -> Void = {}

  private let device: ScriptedDevice
  /// Kept, for devices only borrow it.
  private let world: ScriptedWorld
  private var connection: ScriptedConnection?
  private var isRunning = false

  init(_ device: ScriptedDevice, in world: ScriptedWorld) {
    self.device = device
    self.world = world
  }

  /// What the others call it.
  public var name: String { device.name }
  /// The device's monotonic clock.
  public var now: Instant { world.now }
  /// The device's wall clock, which is right.
  public var wallTime: WallTime { device.wall }
  /// Whether an agent runs here.
  public var hasAgent: Bool { device.isRunning }

  // MARK: Programs

  /// An app starts, or finds the way to its agent: connects now if there is an agent, else as soon as there
  /// is one.
  public func connect() {
    isRunning = true
    guard connection == nil else { return }
    connection = device.connect { [weak self] report, bytes in self?.receive(report, hasFile: bytes != nil) }
    if connection != nil { connectionDidChange(true) }
  }

  /// The app is gone, by its own will or not: nothing is told to it any more.
  public func disconnect() {
    isRunning = false
    connection?.close()
    connection = nil
  }

  /// Ends the agent and its watch process without warning. What it keeps on disk stays.
  public func killAgent() {
    guard device.killAgent(), connection != nil else { return }
    connection = nil
    connectionDidChange(false)
  }

  /// Starts an agent again, as apps and commands do when none runs; an app that is there connects.
  public func startAgent() {
    device.start()
    if isRunning { connect() }
  }

  // MARK: The link

  /// Sends the request to the agent, which gets it a moment later. Paths and file URLs in it are below
  /// `root`; of `descriptor` counts only whether there is one: the bytes are those that were told by `hold`.
  /// Files that the request names are those of no simulated folder: name none, unless it is there no more.
  public func send(_ request: AgentRequest, descriptor: Int32?) {
    guard let connection else { return }
    let paths = FolderPaths(from: root, to: EditorApp.root, keepsForeign: true)
    let request = paths.request(request)
    switch request {
    case .update(let snapshot, _) where descriptor != nil:
      connection.send(request, fileAt: snapshot.documentPath.flatMap(Self.name))
    case .opened(let path, file: nil):
      // The agent gets this a moment later: what is there by then need not be what the app has read.
      connection.send(.opened(path: path, file: Self.name(path).flatMap(device.mark)))
    default: connection.send(request)
    }
  }

  /// The file's name in the simulated folder; nil for one outside.
  private static func name(_ path: [UInt8]) -> String? { FilePlace(absolute: path).map { name($0.path) } }

  private func receive(_ report: AgentReport, hasFile: Bool) {
    guard isRunning else { return }
    let paths = FolderPaths(from: EditorApp.root, to: root, keepsForeign: false)
    didReceive(paths.report(report), hasFile)
  }

  // MARK: The folder

  /// The file at `path` holds these bytes now; nil when there is none. The agent finds out as the real one
  /// does, by its watch process. Telling what is known changes nothing.
  public func hold(_ bytes: [UInt8]?, at path: RelativePath) {
    let name = Self.name(path)
    guard device.read(name) != bytes else { return }
    if let bytes { device.replace(name, with: bytes) } else { device.remove(name) }
  }

  /// The sender's record as it is now lies in this device's folder.
  func receive(recordOf sender: ManualDevice) {
    let name = sender.device.recordName
    guard let record = sender.device.read(name), record != device.read(name) else { return }
    device.replace(name, with: record)
  }

  private static func name(_ path: RelativePath) -> String { String(decoding: path.bytes, as: UTF8.self) }
}
