// SPDX-License-Identifier: MIT

public import ActivityModel
import CLinux
import FolderAccess
import Glibc
import Synchronization

/// The per-user process that owns keys, counters, folders and transports; apps talk to it over a Unix socket.
public enum Agent {
  /// Runs until `stop`, SIGTERM or SIGINT. Blocks the calling thread, which is the agent's only one but for hashing.
  ///
  /// What it offers stays as it is when it ends. Throws `agentUnavailable` when another agent runs for this user,
  /// or its places cannot be used.
  public static func run(environment: [String: String]) throws(ContinuityError) {
    let places = try AgentPlaces(environment: environment)
    signal(SIGPIPE, SIG_IGN)
    _ = continuo_forbid_dumps()
    let state = try OwnDirectory.privateDirectory(places.stateDirectory)
    let socket = try AgentSocket(places: places)
    let loop = try EventLoop()
    let signals = try StopSignals(loop: loop)
    let core = try AgentCore(loop: loop, directory: state, deviceName: hostName())
    try core.start()
    listen(socket, core)
    AgentLog.note("the agent runs as process \(getpid())")
    loop.run()
    core.watch.stop()
    withExtendedLifetime((signals, socket)) {}
    AgentLog.note("the agent ends")
  }

  private static func listen(_ socket: AgentSocket, _ core: AgentCore) {
    var number: UInt64 = 0
    core.loop.watch(socket.descriptor) { [weak core] _ in
      guard let core, let client = socket.accept() else { return }
      number += 1
      core.accept(ClientConnection(number: number, socket: client, loop: core.loop))
    }
  }

  private static func hostName() -> String {
    var buffer = [CChar](repeating: 0, count: 256)
    gethostname(&buffer, buffer.count - 1)
    let name = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return name.split(separator: ".").first.map(String.init) ?? "device"
  }
}

/// SIGTERM and SIGINT end the loop instead of the process.
private final class StopSignals {
  private let pipe: [Int32]
  /// Where the handler writes; handlers may touch nothing that locks.
  private static let writeEnd = Atomic<Int32>(-1)

  init(loop: EventLoop) throws(ContinuityError) {
    var ends: [Int32] = [-1, -1]
    guard continuo_pipe(&ends, 1) == 0 else {
      throw ContinuityError(.agentUnavailable, "No pipe can be made: too many files are open.")
    }
    pipe = ends
    Self.writeEnd.store(ends[1], ordering: .relaxed)
    for number in [SIGTERM, SIGINT] {
      signal(number) { _ in
        var byte: UInt8 = 1
        _ = write(StopSignals.writeEnd.load(ordering: .relaxed), &byte, 1)
      }
    }
    loop.watch(ends[0]) { [weak loop] _ in loop?.stop() }
  }

  deinit {
    for end in pipe { close(end) }
  }
}
