// SPDX-License-Identifier: MIT

import ActivityModel
import FolderAccess
import LinuxSystem

/// The locks that make an agent, or a command that takes its place for a moment, the only one for this
/// person's keys and counters. They end with the process, or `close`.
final class AgentLocks {
  private let locks: [Descriptor]

  /// Throws `agentUnavailable` when another one holds them, with the subject `AgentSocket.isTaken`; or when
  /// they cannot be opened.
  init(places: AgentPlaces) throws(ContinuityError) {
    _ = try OwnDirectory.privateDirectory(places.runtimeDirectory)
    locks = [
      try Self.take(
        places.lock,
        orSay:
          "An agent already runs for this user: `continuo status` asks it, `continuo agent stop` ends it."),
      // A session without XDG_RUNTIME_DIR has another socket, and the same keys and counters.
      try Self.take(
        places.stateDirectory + "/keys.lock",
        orSay:
          "An agent already runs for this user in another session, with another XDG_RUNTIME_DIR: set that "
          + "variable here as it is there, or run `continuo agent stop` there."),
    ]
  }

  /// Makes room for another one.
  func close() { for each in locks { each.close() } }

  private static func take(_ path: String, orSay taken: String) throws(ContinuityError) -> Descriptor {
    let lock: Descriptor
    do throws(Errno) {
      lock = try FilePath(path).open([.readWrite, .create, .noFollow], mode: 0o600)
    } catch {
      throw ContinuityError(
        .agentUnavailable, subject: path,
        description: "The lock \(path) cannot be opened (\(error.text)): check the directory's permissions.")
    }
    do throws(Errno) { try lock.lock(waiting: false) } catch {
      throw ContinuityError(.agentUnavailable, subject: AgentSocket.isTaken, description: taken)
    }
    return lock
  }
}
