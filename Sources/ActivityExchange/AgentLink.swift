// SPDX-License-Identifier: MIT

public import ActivityModel

/// An app's way to its agent: requests go out, reports come in, in order. Not thread-safe; the owner calls it
/// from one thread or actor. Whoever implements it reconnects by itself and says so through `didReconnect`.
public protocol AgentLink: AnyObject {
  /// Sends `request`. The link duplicates `descriptor` before it returns; the caller keeps its own.
  /// While there is no connection, requests are dropped: the owner says everything again after `hello`.
  func send(_ request: AgentRequest, descriptor: Int32?)
}
