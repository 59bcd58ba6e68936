// SPDX-License-Identifier: MIT

import ActivityModel
import LinuxSystem

/// The agent's place: its directories, the lock that makes it the only one, and the listening socket.
///
/// Nobody else's process can reach it (threat T21): directory 0700 and ours, socket 0600, peer's user
/// checked.
final class AgentSocket {
  private let listener: Descriptor
  private let locks: AgentLocks
  private let path: FilePath
  private let identity: Identity?
  /// Whether a service manager made the socket, and goes on listening on it when this agent has ended.
  private let isPassed: Bool
  private var isOpen = true

  /// The subject of the error of an agent that found another one.
  static let isTaken = "lock"

  enum Caller {
    case client(Descriptor)
    /// None is waiting, or the one who was waiting was turned away.
    case nobody
    /// One is waiting and there is no descriptor for it.
    case exhausted
  }

  private struct Identity: Equatable {
    let device: UInt64
    let inode: UInt64

    init?(of path: FilePath) {
      guard let stamp = try? path.status(followingLinks: false).stamp else { return nil }
      (device, inode) = (stamp.device, stamp.inode)
    }
  }

  /// `passed` is the socket of a service manager. Throws `agentUnavailable` when another agent runs, or a
  /// place cannot be used.
  init(places: AgentPlaces, passed: Descriptor? = nil) throws(ContinuityError) {
    locks = try AgentLocks(places: places)
    path = FilePath(places.socket)
    isPassed = passed != nil
    if let passed {
      try Self.check(passed, isAt: path)
      listener = passed
    } else {
      listener = try Self.listen(at: path)
    }
    identity = Identity(of: path)
  }

  deinit { close() }

  /// What becomes readable when a client waits.
  var descriptor: CInt { listener.number }

  /// Makes room for another agent. The socket that lies there may be that one's already.
  func close() {
    guard isOpen else { return }
    if isInPlace, !isPassed { try? path.unlink() }
    isOpen = false
    listener.close()
    locks.close()
  }

  /// Whether callers still find this socket: somebody may have cleaned up the directory.
  var isInPlace: Bool { Identity(of: path).map { $0 == identity } ?? false }

  /// The next waiting client, if it is this user's.
  func accept() -> Caller {
    let client: Descriptor
    do throws(Errno) { client = try UnixSocket.accept(from: listener) } catch {
      let reasons: [Errno] = [.filesExhausted, .systemFilesExhausted, .noBuffers, .noMemory]
      return reasons.contains(error) ? .exhausted : .nobody
    }
    let user = UnixSocket.peer(of: client)
    guard user == CurrentProcess.user else {
      AgentLog.record("a client of user \(user ?? .max) was turned away")
      return .nobody
    }
    return .client(client)
  }

  /// Who makes the socket elsewhere would have an agent that nobody finds.
  private static func check(_ passed: Descriptor, isAt path: FilePath) throws(ContinuityError) {
    let place = UnixSocket.place(ofListener: passed)
    guard place != path, place?.resolved == nil || place?.resolved != path.resolved else { return }
    throw ContinuityError(
      .agentUnavailable, subject: path.shown,
      description:
        "The service manager hands over \(place?.shown ?? "no listening socket"), and apps look for the "
        + "agent "
        + "at \(path.shown): mend the unit's ListenStream.")
  }

  private static func listen(at path: FilePath) throws(ContinuityError) -> Descriptor {
    let text = String(decoding: path.bytes, as: UTF8.self)
    var step = "made"
    do throws(Errno) {
      let socket = try UnixSocket.make()
      try? path.unlink()
      step = "bound"
      try UnixSocket.bind(socket, to: text)
      try path.setPermissions(0o600)
      step = "listened on"
      try UnixSocket.listen(socket, backlog: 64)
      return socket
    } catch {
      throw ContinuityError(
        .agentUnavailable, subject: text,
        description: "The socket \(text) cannot be \(step) (\(error.text)): "
          + "check that its directory is yours and not on a full disk.")
    }
  }
}
