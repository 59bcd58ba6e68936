// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityIndex
package import ActivityModel
package import AgentEngine
package import FolderAccess
import LinuxSystem
import SyncedFolders
import TrustCiphers
import VersionHistory

extension AgentPorts {
  /// This computer, for an agent on `loop` whose own files are in `directory`.
  /// `environment` is that of a person's session, who is told of offers then.
  static func real(
    loop: EventLoop, directory: OwnDirectory, environment: [String: String]? = nil
  ) -> AgentPorts {
    AgentPorts(
      scheduler: loop, disks: LocalDisks(loop: loop), state: directory,
      replaced: ReplacedDocuments(in: directory.displayPath + "/replaced"),
      copies: PrivateCopyDirectory(directory.displayPath + "/copies"),
      drafts: DraftDirectory(directory.displayPath + "/drafts"),
      openVersionLog: { () throws(ContinuityError) in
        let histories = try DocumentHistories(directory: directory.displayPath)
        FormerHistories.takeOver(from: directory, into: histories)
        return histories
      },
      openActivityIndex: { () throws(ContinuityError) in
        // Nothing goes before it is known what a person set.
        let index = try ActivityIndex(directory: directory.displayPath, limits: .widest)
        FormerSavedActivities.takeOver(from: directory, into: index, at: loop.wall)
        return index
      }, readers: ReadingThreads(loop: loop), watch: WatchSupervisor(loop: loop),
      network: NetworkProcess(loop: loop), sockets: RealSocketPairs(),
      desktop: LocalDesktop(loop: loop, environment: environment),
      ciphers: StandardCiphers(),
      random: RandomSource {
        var generator = SystemRandomNumberGenerator()
        return generator.next()
      }, log: { AgentLog.record($0) }, observer: PausePoints(), process: UInt64(CurrentProcess.number),
      stop: { [weak loop] in loop?.stop() })
  }
}

/// In builds for tests a hand-off can be stopped at each of its steps.
private final class PausePoints: AgentObserver {
  func reached(_ step: HandoffStep) { PausePoint.reach(CInt(step.rawValue)) }
}

extension AgentCore {
  /// An agent on this computer: see `AgentCore.init`.
  convenience init(
    loop: EventLoop, directory: OwnDirectory, deviceName: String, mayReplaceMoved: Bool = false,
    environment: [String: String]? = nil, timing: ExchangeMachine.Timing = .init(),
    hashing: HashingMachine.Timing = .init(), lists: SavedListMachine.Timing = .init()
  ) throws(ContinuityError) {
    let ports = AgentPorts.real(loop: loop, directory: directory, environment: environment)
    try self.init(
      ports, deviceName: deviceName, mayReplaceMoved: mayReplaceMoved, timing: timing, hashing: hashing,
      lists: lists)
    (ports.watch as? WatchSupervisor)?.onHint = { [weak self] in self?.receive($0) }
  }

  /// A client's socket is connected: it is read from now on.
  func accept(_ connection: ClientConnection) {
    accept(connection as any ClientChannel)
    let desktop = ports.desktop as? LocalDesktop
    if let process = connection.process { desktop?.connected(connection.number, process: process) }
    connection.start(
      onMessage: { [weak self] connection, message, descriptor in
        self?.receive(message, file: descriptor, from: connection)
      },
      onEnd: { [weak self] in
        desktop?.ended($0.number)
        self?.ended($0)
      })
  }
}

extension StateStore {
  /// The store of an agent on this computer: for those who look at its files alone. Throws what the disk
  /// refuses, and `agentUnavailable` for damaged files.
  package convenience init(directory: OwnDirectory, deviceName: String) throws(ContinuityError) {
    try self.init(.real(loop: EventLoop(), directory: directory), deviceName: deviceName)
  }
}
