// SPDX-License-Identifier: MIT

package import ActivityModel
package import ActivityWire

/// The agent's end of one client's connection. What the client says is told to `AgentCore.receive`, and its
/// end, whoever made it, to `AgentCore.ended`. Loop thread only.
package protocol ClientChannel: AnyObject {
  /// Which client; never given out twice.
  var number: UInt64 { get }
  /// What runs at its other end, now; nil where that cannot be told.
  var program: ClientProgram? { get }
  /// Sends a message, and `file` beside it. Whatever becomes of the message, nothing is thrown: a client
  /// that is gone is told of by its end.
  @discardableResult func send(_ message: AgentMessage, file: (any OpenFile)?) -> ClientSending
  /// Whether it has not read all that was sent.
  var isBehind: Bool { get }
  /// Ends the connection.
  func disconnect()
}

extension ClientChannel {
  /// One that leads to no process.
  package var program: ClientProgram? { nil }

  /// One that reads everything at once.
  package var isBehind: Bool { false }

  /// Sends a message alone.
  @discardableResult package func send(_ message: AgentMessage) -> ClientSending {
    send(message, file: nil)
  }
}

/// What became of a message.
package enum ClientSending: Hashable, Sendable {
  /// It is on its way, or nobody is there to read it.
  case sent
  /// It is longer than a message may be, and nothing of it may be left out.
  case tooLong
  /// The file cannot be handed over: too many are open.
  case outOfFiles
}
