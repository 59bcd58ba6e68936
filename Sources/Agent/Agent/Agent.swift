// SPDX-License-Identifier: MIT

public import ActivityModel
import AgentEngine
import FolderAccess
import LinuxSystem
import SettingsFile

/// The per-user process that owns keys, counters, folders and transports; apps talk to it over a Unix
/// socket.
public enum Agent {
  /// Runs until `stop`, SIGTERM or SIGINT. Blocks the calling thread, which is the agent's only one but for
  /// hashing.
  ///
  /// What it offers stays as it is when it ends. Throws `agentUnavailable` when another agent runs for this
  /// user, or its places cannot be used.
  public static func run(environment: [String: String]) throws(ContinuityError) {
    Signal.ignoreBrokenPipes()
    let pipe = StartPipe(environment: environment)
    let passed = PassedSocket.adopt(environment: environment)
    // Whoever waits for this agent hears why it ends before the socket is gone.
    var socket: AgentSocket?
    do throws(ContinuityError) {
      let places = try AgentPlaces(environment: environment)
      CurrentProcess.forbidDumps()
      let state = try OwnDirectory.privateDirectory(places.stateDirectory)
      let listening = try AgentSocket(places: places, passed: passed)
      socket = listening
      let loop = try EventLoop()
      let signals = try stopSignals(loop)
      let core = try AgentCore(
        loop: loop, directory: state, deviceName: hostName(), environment: environment)
      try core.start()
      let usesLoopback = mayUseLoopback(environment)
      let settings = follow(SettingsFile(in: FilePath(places.configurationDirectory)), core, loop) {
        $0.network.usesLoopback = usesLoopback
      }
      listen(listening, core, loop)
      // What was needed for a moment, such as a look at a folder.
      loop.beforeRest = CurrentProcess.returnFreeMemory
      pipe.report(.ready)
      AgentLog.record("the agent runs as process \(CurrentProcess.number)")
      loop.run()
      core.stop()
      (core.ports.desktop as? LocalDesktop)?.stop()
      listening.close()
      core.endClients()
      withExtendedLifetime((signals, settings)) {}
    } catch {
      pipe.report(error)
      withExtendedLifetime(socket) {}
      throw error
    }
    AgentLog.record("the agent ends")
  }

  /// Has what a person set hold now, and again whenever that changes, with what `complete` adds. A file that
  /// cannot be read as a whole changes nothing. Returns what watches it.
  private static func follow(
    _ file: SettingsFile, _ core: AgentCore, _ loop: EventLoop,
    completedBy complete: @escaping (inout AgentSettings) -> Void
  ) -> SettingsWatch? {
    func read(_ core: AgentCore) {
      let reading = file.read()
      for problem in reading.problems { AgentLog.record("\(problem)") }
      guard var settings = reading.settings else { return }
      complete(&settings)
      core.use(settings)
    }
    let watch = try? SettingsWatch(file)
    if let watch {
      loop.watch(watch.descriptor) { [weak core, weak watch] _ in
        guard let core, let watch, watch.mustReadAgain() else { return }
        read(core)
      }
    }
    read(core)
    return watch
  }

  private static func listen(_ socket: AgentSocket, _ core: AgentCore, _ loop: EventLoop) {
    var number: UInt64 = 0
    loop.watch(socket.descriptor) { [weak core, weak loop] _ in
      guard let core, let loop else { return }
      switch socket.accept() {
      case .client(let client):
        number += 1
        core.accept(ClientConnection(number: number, socket: client, loop: loop))
      case .nobody: break
      case .exhausted:
        // The caller goes on waiting, and would wake the loop for ever meanwhile.
        AgentLog.record("too many files are open to accept a client")
        loop.setInterest([], of: socket.descriptor)
        loop.schedule(at: .now + .seconds(1)) { [weak loop] in
          loop?.setInterest(.readable, of: socket.descriptor)
        }
      }
    }
    checkPlace(of: socket, loop)
  }

  /// An agent that nobody can reach any more makes room for one that can be reached.
  private static func checkPlace(of socket: AgentSocket, _ loop: EventLoop) {
    loop.schedule(at: Instant.now.nextMinute) { [weak loop] in
      guard let loop else { return }
      if socket.isInPlace { return checkPlace(of: socket, loop) }
      AgentLog.record("the socket was removed")
      loop.stop()
    }
  }

  /// In a build for tests devices of one computer may be told to link.
  private static func mayUseLoopback(_ environment: [String: String]) -> Bool {
    #if DEBUG
      return environment["CONTINUO_LAN_LOOPBACK"] == "1"
    #else
      return false
    #endif
  }

  static func hostName() -> String {
    CurrentProcess.hostName.split(separator: ".").first.map(String.init) ?? "device"
  }

  /// SIGTERM and SIGINT end the loop instead of the process.
  private static func stopSignals(_ loop: EventLoop) throws(ContinuityError) -> SignalPipe {
    do throws(Errno) {
      let signals = try SignalPipe([.terminate, .interrupt])
      loop.watch(signals.descriptor) { [weak loop] _ in loop?.stop() }
      return signals
    } catch {
      throw ContinuityError(.agentUnavailable, description: "No pipe can be made: too many files are open.")
    }
  }
}
