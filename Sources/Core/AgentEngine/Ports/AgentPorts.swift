// SPDX-License-Identifier: MIT

import ActivityModel
package import Trust

/// Everything through which the agent reaches the world. The daemon makes these real, a test world simulates
/// them; nothing else of the world is asked, so equal answers lead to equal decisions.
///
/// A port fails as its own comment says and in no other way. One of a device that lost its power does nothing
/// any more.
///
/// All parts of an agent share one object: they are many, and so are the ports.
package final class AgentPorts {
  /// Clocks and timers.
  package let scheduler: any Scheduler
  /// Where synced folders are found.
  package let disks: any Disks
  /// The state directory: keys, counters, what was said last.
  package let state: any OwnFiles
  /// What documents held before versions from links took their places.
  package let replaced: any ReplacedFiles
  /// Where private copies of documents lie that their folders do not have yet.
  package let copies: any CopyFiles
  /// What drafts hold.
  package let drafts: any DraftFiles
  /// Opens the version log, at the agent's start and once. Throws `agentUnavailable` for one that a newer
  /// release wrote.
  package let openVersionLog: VersionLogOpening
  /// Opens the index of saved activities, at the agent's start and once. Throws as `openVersionLog`.
  package let openActivityIndex: ActivityIndexOpening
  /// Work beside the loop.
  package var readers: any Readers
  /// Events of the folders.
  package let watch: any FolderWatching
  /// Other devices on a network.
  package var network: any LocalNetworking
  /// What continuation streams go through.
  package let sockets: any SocketPairs
  /// What only the desktop knows.
  package let desktop: any Desktop
  /// Keys, seals and codes.
  package let ciphers: any CipherSuite
  /// Unpredictable to everybody else.
  package let random: RandomSource
  /// Writes a line of the log: IDs, counts and reasons, never a title, a path or a text.
  package let log: (String) -> Void
  /// Hears what was decided. Held as long as the agent.
  package let observer: any AgentObserver
  /// The agent's process, for people.
  package let process: UInt64
  /// Ends the agent: asked for by a command.
  package let stop: () -> Void

  /// All of them.
  package init(
    scheduler: any Scheduler, disks: any Disks, state: any OwnFiles,
    replaced: any ReplacedFiles = NoReplacedFiles(), copies: any CopyFiles = NoCopyFiles(),
    drafts: any DraftFiles = NoDraftFiles(),
    openVersionLog: @escaping VersionLogOpening, openActivityIndex: @escaping ActivityIndexOpening,
    readers: any Readers, watch: any FolderWatching,
    network: any LocalNetworking = AbsentNetwork(), sockets: any SocketPairs = NoSocketPairs(),
    desktop: any Desktop, ciphers: any CipherSuite,
    random: RandomSource, log: @escaping (String) -> Void,
    observer: any AgentObserver, process: UInt64, stop: @escaping () -> Void
  ) {
    (self.scheduler, self.disks, self.state) = (scheduler, disks, state)
    (self.openVersionLog, self.openActivityIndex) = (openVersionLog, openActivityIndex)
    (self.readers, self.watch) = (readers, watch)
    (self.replaced, self.copies, self.drafts) = (replaced, copies, drafts)
    (self.network, self.sockets) = (network, sockets)
    (self.desktop, self.ciphers, self.random) = (desktop, ciphers, random)
    (self.log, self.observer, self.process, self.stop) = (log, observer, process, stop)
  }
}

/// Random numbers from outside; copies draw from the same source. Loop thread only.
package struct RandomSource: RandomNumberGenerator {
  private let draw: () -> UInt64

  /// Numbers that `draw` gives.
  package init(_ draw: @escaping () -> UInt64) { self.draw = draw }

  /// The next of 64 random bits.
  package func next() -> UInt64 { draw() }
}

extension AgentPorts {
  var now: Instant { scheduler.now }

  var wall: WallTime { scheduler.wall }

  /// A fresh one.
  func identifier<Kind>() -> Identifier<Kind> {
    var generator = random
    return Identifier(using: &generator)
  }
}
