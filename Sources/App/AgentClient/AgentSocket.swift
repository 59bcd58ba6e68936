// SPDX-License-Identifier: MIT

import ActivityModel
import LinuxSystem

/// Reaching the agent's socket, and refusing one that may not be the agent's (threat T21).
enum AgentSocket {
  /// The subject of the error that a started agent would cure.
  static let absent = "agent"
  /// The subject of an error that trying again does not cure.
  static let refused = "socket directory"

  /// A connected, non-blocking, close-on-exec socket whose other end runs as this user.
  static func connect(_ places: AgentPlaces) throws(ContinuityError) -> Int32 {
    let directory: Descriptor
    do throws(Errno) {
      directory = try FilePath(places.runtimeDirectory).open([.readOnly, .folder, .noFollow])
    } catch {
      if error == .noSuchFile { throw Self.error("No agent is running.", subject: absent) }
      throw Self.error(
        "The directory \(places.runtimeDirectory) cannot be used (\(error.text)); remove it.",
        subject: refused)
    }
    try check(directory, places.runtimeDirectory)
    let endpoint: Descriptor
    do throws(Errno) { endpoint = try UnixSocket.make() } catch {
      throw Self.error("No socket can be made (\(error.text)).")
    }
    do throws(Errno) {
      try UnixSocket.connect(endpoint, to: places.socket)
    } catch {
      if error == .noSuchFile || error == .connectionRefused {
        throw Self.error("No agent is running.", subject: absent)
      }
      throw Self.error("The agent does not answer (\(error.text)).")
    }
    guard UnixSocket.peer(of: endpoint) == CurrentProcess.user else {
      throw error(
        "The agent's socket is held by another user's process; ask that user to end it.", subject: refused)
    }
    return endpoint.release()
  }

  /// Who can write to the directory can put a socket of their own in it.
  private static func check(_ directory: Descriptor, _ path: String) throws(ContinuityError) {
    let status: FileStatus
    do throws(Errno) { status = try directory.status() } catch {
      throw Self.error("\(path) cannot be examined (\(error.text)).", subject: refused)
    }
    guard status.isOwn else {
      throw error(
        "The directory \(path) belongs to another user; remove it, or set XDG_RUNTIME_DIR to your own.",
        subject: refused)
    }
    guard status.isPrivate else {
      throw error("The directory \(path) is open to other users; run `chmod 700 \(path)`.", subject: refused)
    }
  }

  static func error(_ description: String, subject: String = "socket") -> ContinuityError {
    ContinuityError(.agentUnavailable, subject: subject, description: description)
  }
}
