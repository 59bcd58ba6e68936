// SPDX-License-Identifier: MIT

import ActivityModel
import AgentEngine
import LinuxSystem

/// Sockets of this computer, for continuation streams.
final class RealSocketPairs: SocketPairs {
  func make() throws(ContinuityError) -> (app: any OpenFile, other: any OpenFile) {
    do throws(Errno) { return try UnixSocket.pair() } catch {
      throw ContinuityError(
        .connectionUnavailable, subject: "streams",
        description: "The agent can make no sockets (\(error.text)): close some streams, and ask again.")
    }
  }
}
