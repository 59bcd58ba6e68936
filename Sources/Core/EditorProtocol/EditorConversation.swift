// SPDX-License-Identifier: MIT

public import ActivityJSON
public import ActivityModel

/// The server's side of the conversation with one editor, decided without descriptors; the host performs the
/// actions in order. `RPCMachine` speaks the protocol of editors, `LanguageServerMachine` that of language
/// servers.
public protocol EditorConversation: Hashable, Sendable {
  /// When `tick` is wanted; nil while nothing waits.
  var nextDeadline: Instant? { get }
  /// Takes one event; the actions are to be performed in order.
  mutating func handle(_ event: ConversationEvent, at now: Instant) -> [ConversationAction]
}

/// What happened.
public enum ConversationEvent: Hashable, Sendable {
  /// Bytes of the editor came, cut anywhere.
  case received([UInt8])
  /// The editor's end of the pipe is closed.
  case ended
  /// The host has answered a call.
  case answer(RPCID, Result<JSONValue, RPCError>)
  /// The editor is to be asked; the number is the host's, from 1 and never used again.
  case ask(Int64, ServerMethod, JSONValue)
  /// The editor is to be told.
  case tell(ServerMethod, JSONValue)
  /// What lies in the file that was to be looked at; nil where no file can be read.
  case found(Int64, FileLook?)
  /// `nextDeadline` has come.
  case tick
}

/// What the host is to do, in order.
public enum ConversationAction: Hashable, Sendable {
  /// Write these bytes to the editor.
  case send([UInt8])
  /// Do it; with an ID, answer.
  case call(RPCID?, ClientCall)
  /// The editor has answered the question of this number, or will not.
  case answered(Int64, Result<JSONValue, RPCError>)
  /// Look what lies in this file, and say so at once with the number. The bytes of the file `known` are not
  /// wanted again.
  case look(Int64, FileURI, known: FileMark?)
  /// Tell whoever reads the log.
  case complain(String)
  /// Send the agent what waits, then end with this code.
  case finish(code: Int32)
}

/// What lies in a file.
public struct FileLook: Hashable, Sendable {
  /// Which file it is.
  public var mark: FileMark
  /// All of it; nil for the file that is known, and for one that is too large to be looked at.
  public var bytes: [UInt8]?

  /// A file that was looked at.
  public init(mark: FileMark, bytes: [UInt8]? = nil) {
    self.mark = mark
    self.bytes = bytes
  }
}
