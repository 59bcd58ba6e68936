// SPDX-License-Identifier: MIT

public import ActivityModel

/// An app's way to its agent: requests go out, in order. Not thread-safe; the owner calls it from one thread
/// or actor.
///
/// `AppSession` is its one user. Whoever makes the link tells the session what the agent reports, and when
/// the connection came or went.
public protocol AgentLink: AnyObject {
  /// Sends `request`. The link duplicates `descriptor` before it returns; the caller keeps its own.
  /// While there is no connection, requests are dropped: the session says everything again after `hello`.
  func send(_ request: AgentRequest, descriptor: Int32?)
}

/// A link that does not come back by itself: its user connects, and tries again after a pause.
public protocol ConnectingLink: AgentLink {
  /// Whether messages travel.
  var isConnected: Bool { get }
  /// How long to wait before `retry()`.
  var retryDelay: Duration { get }
  /// Tries to connect; `isConnected` tells whether that went well.
  func connect()
  /// Tries again; the next pause is longer.
  func retry()
}
