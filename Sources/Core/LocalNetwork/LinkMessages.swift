// SPDX-License-Identifier: MIT

/// One connection to another device, or to whoever is at an address, as agent and network process call it.
/// The agent numbers those that it dials, from 1; the process those that it accepts, from 2³¹.
public struct LinkNumber: RawRepresentable, Hashable, Sendable, Comparable {
  /// As the agent or the process counted.
  public var rawValue: UInt32

  /// The one with that number.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The first of those that the process accepted.
  public static let firstAccepted = LinkNumber(rawValue: 1 << 31)

  /// In the order of counting.
  public static func < (left: LinkNumber, right: LinkNumber) -> Bool { left.rawValue < right.rawValue }
}

/// An address in a network and a port.
public struct NetworkAddress: Hashable, Sendable, Comparable {
  /// 4 bytes of IPv4 or 16 of IPv6, in the network's order.
  public var bytes: [UInt8]
  /// Of TCP.
  public var port: UInt16

  /// An address of 4 or 16 bytes, and a port.
  public init(bytes: [UInt8], port: UInt16) {
    self.bytes = bytes
    self.port = port
  }

  /// An order in which a list of them is always the same.
  public static func < (left: NetworkAddress, right: NetworkAddress) -> Bool {
    (left.bytes.count, left.port) != (right.bytes.count, right.port)
      ? (left.bytes.count, left.port) < (right.bytes.count, right.port)
      : left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}

/// What travels in one frame of a link. The order is that of sending: a lower one goes first.
public enum LinkFrameKind: UInt8, Sendable, CaseIterable {
  /// A device's proof of who it is: the first frame in each direction, and the only one until it is admitted.
  case proof = 0
  /// A sealed record, as it lies in folders.
  case record = 1
  /// What is asked of the other device, and its answer.
  case request = 2
  /// A piece of a document's bytes. The network process makes and takes these alone.
  case document = 3
  /// Bytes of an app's stream, or what becomes of it. The network process makes and takes these alone.
  case stream = 4

  /// Whether agents have frames of this kind sent and told.
  var isSaidByAgents: Bool { self == .record || self == .request }
}

/// What the agent has the network process do.
public enum LinkOrder: Hashable, Sendable {
  /// Whom it answers: for each period of this device the key, and what an identity is made of beside its
  /// nonce (the device's ID and the period). Replaces what was said before.
  case receive([ReceivingKey])
  /// Accepts on the socket that comes along; on none any more without one.
  case listen
  /// The socket that comes along is connected, or about to be: it says this identity, and proves this key.
  case dial(LinkNumber, identity: [UInt8], key: [UInt8])
  /// Sends the proof of this device.
  case prove(LinkNumber, [UInt8])
  /// The agent has verified the other device's proof: frames may go and come.
  case admit(LinkNumber)
  /// A frame goes to the other device, once the link is admitted; neither a proof nor a document.
  case send(LinkNumber, LinkFrameKind, [UInt8])
  /// The file that comes along goes to the other device: so many bytes from where it is read.
  case sendFile(LinkNumber, TransferNumber, size: UInt64)
  /// Of what the other device sends for that transfer, so many bytes are written into the file that comes
  /// along.
  case receiveFile(LinkNumber, TransferNumber, size: UInt64)
  /// A document goes no further, and the other device is told.
  case stopSending(LinkNumber, TransferNumber)
  /// Nothing more of it is written.
  case stopReceiving(LinkNumber, TransferNumber)
  /// The socket that comes along is the other end of an app's: what the app writes goes to the other device
  /// under that number, and what comes under it is written for the app.
  case carry(LinkNumber, StreamNumber)
  /// Nothing more of a stream goes or comes; the other device is told, where it knows of the stream.
  case reset(LinkNumber, StreamNumber, isTold: Bool)
  /// Ends the link; what waits for it is not sent.
  case close(LinkNumber)
}

/// What the network process tells the agent.
public enum LinkReport: Hashable, Sendable {
  /// TLS stands. `exporter` is equal on both sides and belongs to this connection alone; `period` is that of
  /// the key which was used, where the link was accepted.
  case secured(LinkNumber, exporter: [UInt8], period: UInt64?)
  /// The other device's proof, which the agent is to verify.
  case proof(LinkNumber, [UInt8])
  /// A frame came over a link that is admitted.
  case received(LinkNumber, LinkFrameKind, [UInt8])
  /// A document goes no further; nobody is told of one that the agent stopped.
  case fileSent(LinkNumber, TransferNumber, TransferEnd)
  /// Nothing more of a document comes. Whether its bytes are the right ones is for the agent to see.
  case fileReceived(LinkNumber, TransferNumber, TransferEnd)
  /// A stream is over; nobody is told of one that the agent has reset.
  case streamEnded(LinkNumber, StreamNumber, StreamEnd)
  /// The link is no more, nor is any document under way on it, nor any stream.
  case closed(LinkNumber, LinkEnd)
}

/// A key by which others reach this device for a while.
public struct ReceivingKey: Hashable, Sendable {
  /// As this device's sealed record says it.
  public var period: UInt64
  /// 32 bytes.
  public var key: [UInt8]
  /// What an identity is made of, beside nonce and key.
  public var context: [UInt8]

  /// A key for identities with this context.
  public init(period: UInt64, key: [UInt8], context: [UInt8]) {
    (self.period, self.key, self.context) = (period, key, context)
  }
}

/// Why a link ended.
public enum LinkEnd: UInt8, Sendable, CaseIterable {
  /// Closed by the agent here.
  case closed = 0
  /// The other side closed it, or went away.
  case ended = 1
  /// Nobody answers at the address, or it was refused there.
  case unreachable = 2
  /// The other side does not know the key, or this one not its own.
  case refused = 3
  /// It said what no device says: too much, too early, or nothing in time.
  case misbehaved = 4
}
