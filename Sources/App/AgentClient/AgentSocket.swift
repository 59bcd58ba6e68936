// SPDX-License-Identifier: MIT

import ActivityModel
import CLinux
import Glibc

/// Reaching the agent's socket, and refusing one that may not be the agent's (threat T21).
enum AgentSocket {
  /// The subject of the error that a started agent would cure.
  static let absent = "agent"
  /// The subject of an error that trying again does not cure.
  static let refused = "socket directory"

  /// A connected, non-blocking, close-on-exec socket whose other end runs as this user.
  static func connect(_ places: AgentPlaces) throws(ContinuityError) -> Int32 {
    let directory = open(places.runtimeDirectory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard directory >= 0 else {
      let code = errno
      if code == ENOENT { throw error("No agent is running.", subject: absent) }
      throw error(
        "The directory \(places.runtimeDirectory) cannot be used (\(text(code))); remove it.",
        subject: refused)
    }
    defer { close(directory) }
    try check(directory, places.runtimeDirectory)
    let endpoint = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | nonBlockingCloseOnExec, 0)
    guard endpoint >= 0 else { throw error("No socket can be made (\(text(errno))).") }
    do throws(ContinuityError) {
      try connect(endpoint, path: path(places, directory: directory))
      try checkPeer(endpoint)
      return endpoint
    } catch {
      close(endpoint)
      throw error
    }
  }

  /// Who can write to the directory can put a socket of their own in it.
  private static func check(_ directory: Int32, _ path: String) throws(ContinuityError) {
    var status = stat()
    guard fstat(directory, &status) == 0 else {
      throw error("\(path) cannot be examined (\(text(errno))).", subject: refused)
    }
    guard status.st_uid == geteuid() else {
      throw error(
        "The directory \(path) belongs to another user; remove it, or set XDG_RUNTIME_DIR to your own.",
        subject: refused)
    }
    guard status.st_mode & 0o077 == 0 else {
      throw error("The directory \(path) is open to other users; run `chmod 700 \(path)`.", subject: refused)
    }
  }

  private static func checkPeer(_ endpoint: Int32) throws(ContinuityError) {
    var user: uid_t = 0
    var process: pid_t = 0
    guard continuo_peer(endpoint, &user, &process) == 0, user == geteuid() else {
      throw error(
        "The agent's socket is held by another user's process; ask that user to end it.", subject: refused)
    }
  }

  /// The socket's path, through the directory's descriptor when it would not fit into an address.
  private static func path(_ places: AgentPlaces, directory: Int32) -> String {
    guard places.socket.utf8.count > pathLimit else { return places.socket }
    let name = places.socket.utf8.dropFirst(places.runtimeDirectory.utf8.count + 1)
    return "/proc/self/fd/\(directory)/" + String(decoding: Array(name), as: UTF8.self)
  }

  private static func connect(_ endpoint: Int32, path: String) throws(ContinuityError) {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(pathLimit)) }
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(endpoint, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0 else {
      let code = errno
      if code == ENOENT || code == ECONNREFUSED { throw error("No agent is running.", subject: absent) }
      throw error("The agent does not answer (\(text(code))).")
    }
  }

  static func error(_ description: String, subject: String = "socket") -> ContinuityError {
    ContinuityError(.agentUnavailable, subject: subject, description)
  }

  static func text(_ code: Int32) -> String { String(cString: strerror(code)) }

  private static let pathLimit = 107
  private static let nonBlockingCloseOnExec = Int32(
    bitPattern: SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
}
