// SPDX-License-Identifier: MIT

import ActivityModel
import CLinux
import FolderAccess
import Glibc

/// The agent's place: its directories, the lock that makes it the only one, and the listening socket.
///
/// Nobody else's process can reach it (threat T21): directory 0700 and ours, socket 0600, peer's user
/// checked.
final class AgentSocket {
  let descriptor: Int32
  private let locks: [Int32]
  private let path: String
  private let identity: (device: UInt64, inode: UInt64)
  private var isOpen = true

  /// The subject of the error of an agent that found another one.
  static let isTaken = "lock"

  enum Caller {
    case client(Int32)
    /// None is waiting, or the one who was waiting was turned away.
    case nobody
    /// One is waiting and there is no descriptor for it.
    case exhausted
  }

  init(places: AgentPlaces) throws(ContinuityError) {
    _ = try OwnDirectory.privateDirectory(places.runtimeDirectory)
    var held: [Int32] = []
    do throws(ContinuityError) {
      held.append(
        try Self.takeLock(
          places.lock,
          orSay:
            "An agent already runs for this user: `continuo status` asks it, `continuo agent stop` ends it."))
      // A session without XDG_RUNTIME_DIR has another socket, and the same keys and counters.
      held.append(
        try Self.takeLock(
          places.stateDirectory + "/keys.lock",
          orSay:
            "An agent already runs for this user in another session, with another XDG_RUNTIME_DIR: set that "
            + "variable here as it is there, or run `continuo agent stop` there."))
      descriptor = try Self.listen(at: places)
    } catch {
      for lock in held { Glibc.close(lock) }
      throw error
    }
    locks = held
    path = places.socket
    identity = Self.identity(of: path) ?? (0, 0)
  }

  deinit { close() }

  /// Makes room for another agent. The socket that lies there may be that one's already.
  func close() {
    guard isOpen else { return }
    if isInPlace { unlink(path) }
    isOpen = false
    for each in [descriptor] + locks { Glibc.close(each) }
  }

  /// Whether callers still find this socket: somebody may have cleaned up the directory.
  var isInPlace: Bool { Self.identity(of: path).map { $0 == identity } ?? false }

  private static func identity(of path: String) -> (device: UInt64, inode: UInt64)? {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    return (UInt64(status.st_dev), UInt64(status.st_ino))
  }

  /// The next waiting client, if it is this user's.
  func accept() -> Caller {
    let client = continuo_accept(descriptor)
    guard client >= 0 else {
      return [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) ? .exhausted : .nobody
    }
    var user = uid_t.max
    var process: pid_t = 0
    guard continuo_peer(client, &user, &process) == 0, user == geteuid() else {
      AgentLog.note("a client of user \(user) was turned away")
      Glibc.close(client)
      return .nobody
    }
    return .client(client)
  }

  private static func takeLock(_ path: String, orSay taken: String) throws(ContinuityError) -> Int32 {
    let lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard lock >= 0 else {
      throw ContinuityError(
        .agentUnavailable, subject: path,
        "The lock \(path) cannot be opened (\(String(cString: strerror(errno)))): "
          + "check the directory's permissions."
      )
    }
    guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
      Glibc.close(lock)
      throw ContinuityError(.agentUnavailable, subject: isTaken, taken)
    }
    return lock
  }

  private static func listen(at places: AgentPlaces) throws(ContinuityError) -> Int32 {
    func failure(_ what: String) -> ContinuityError {
      ContinuityError(
        .agentUnavailable, subject: places.socket,
        "The socket \(places.socket) cannot be \(what) (\(String(cString: strerror(errno)))): "
          + "check that its directory is yours and not on a full disk.")
    }
    let descriptor = socket(
      AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    guard descriptor >= 0 else { throw failure("made") }
    unlink(places.socket)
    let bound = UnixAddress.withAddress(of: places.socket) { bind(descriptor, $0, $1) }
    guard bound == 0, chmod(places.socket, 0o600) == 0 else {
      defer { Glibc.close(descriptor) }
      throw failure("bound")
    }
    guard Glibc.listen(descriptor, 64) == 0 else {
      defer { Glibc.close(descriptor) }
      throw failure("listened on")
    }
    return descriptor
  }
}

/// A Unix socket's address; a path of more than 107 bytes goes through `/proc/self/fd`.
enum UnixAddress {
  static func withAddress(of path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    guard path.utf8.count > 107, let slash = path.lastIndex(of: "/") else { return call(path, body) }
    let directory = open(String(path[..<slash]), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard directory >= 0 else { return -1 }
    defer { close(directory) }
    return call("/proc/self/fd/\(directory)" + path[slash...], body)
  }

  private static func call(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
      errno = ENAMETOOLONG
      return -1
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
