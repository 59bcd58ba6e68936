// SPDX-License-Identifier: MIT

package import ActivityModel

/// Sockets for continuation streams. Loop thread only.
package protocol SocketPairs: AnyObject {
  /// Two connected sockets: an app's end, and the other one, for whoever carries what goes and comes. Throws
  /// `connectionUnavailable` where too many files are open.
  func make() throws(ContinuityError) -> (app: any OpenFile, other: any OpenFile)
}

/// For an agent whose apps have no streams.
package final class NoSocketPairs: SocketPairs {
  package init() {}

  /// Throws `connectionUnavailable`, always.
  package func make() throws(ContinuityError) -> (app: any OpenFile, other: any OpenFile) {
    throw ContinuityError(
      .connectionUnavailable, subject: "streams", description: "This agent has no sockets.")
  }
}
