// SPDX-License-Identifier: MIT

import CTransportSecurity
import LinuxSystem
import LocalNetwork

/// The settings of TLS that all links share.
final class TransportSecurity {
  fileprivate let context: OpaquePointer

  init() throws(Failure) {
    guard let made = continuo_tls_context_new() else {
      throw Failure(sentence: "The installed OpenSSL has no TLS 1.3 with keys that both sides have.")
    }
    context = made
  }

  /// HMAC with SHA-256.
  static func code(_ key: [UInt8], _ message: [UInt8]) -> [UInt8] {
    var code = [UInt8](repeating: 0, count: Int(CONTINUO_TLS_KEY))
    let isDone = continuo_tls_code(key, key.count, message, message.count, &code) == 1
    return isDone ? code : []
  }
}

/// One connection: its socket, and TLS on it.
final class SecureLink {
  enum Stage {
    case connecting(identity: [UInt8], key: [UInt8])
    case securing, open
  }

  /// How far a call came.
  enum Progress {
    case done
    case waits
    case ended(isFault: Bool)
  }

  let socket: Descriptor
  private(set) var stage: Stage
  /// What the socket is waited for until a call can go on, beside what is wanted of it.
  private(set) var wanted: Readiness = []
  /// The period of the key that the other end showed.
  private(set) var period: UInt64?
  private let security: TransportSecurity
  private let findKey: (LinkIdentity) -> ReceivingKey?
  private var end: OpaquePointer?
  /// What TLS has begun to write, and is to be handed again.
  private var piece: [UInt8] = []

  /// A socket that is connecting.
  init(dialling socket: Descriptor, _ security: TransportSecurity, identity: [UInt8], key: [UInt8]) {
    (self.socket, self.security, findKey) = (socket, security, { _ in nil })
    stage = .connecting(identity: identity, key: key)
    wanted = .writable
  }

  /// One that was accepted; nil without memory.
  init?(
    accepted socket: Descriptor, _ security: TransportSecurity,
    findKey: @escaping (LinkIdentity) -> ReceivingKey?
  ) {
    (self.socket, self.security, self.findKey) = (socket, security, findKey)
    stage = .securing
    wanted = .readable
    let own = Unmanaged.passUnretained(self).toOpaque()
    end = continuo_tls_accept(security.context, socket.number, Self.keys, own)
    guard end != nil else { return nil }
  }

  deinit { continuo_tls_free(end) }

  /// Whoever says an identity gets a key for it: a random one where the identity is not this device's, so
  /// that it fails as with a wrong key.
  private static let keys:
    @convention(c) (
      UnsafeMutableRawPointer?, UnsafePointer<UInt8>?, Int, UnsafeMutablePointer<UInt8>?
    ) -> Void = { owner, identity, size, key in
      guard let owner, let key else { return }
      _ = continuo_tls_random(key, CInt(CONTINUO_TLS_KEY))
      let link = Unmanaged<SecureLink>.fromOpaque(owner).takeUnretainedValue()
      let bytes = Array(UnsafeBufferPointer(start: identity, count: size))
      guard let said = LinkIdentity(bytes: bytes), let found = link.findKey(said) else { return }
      link.period = found.period
      for (index, byte) in found.key.enumerated() { key[index] = byte }
    }

  /// Takes note that the socket is connected, or has failed.
  func connect() -> Progress {
    guard case .connecting(let identity, let key) = stage else { return .done }
    guard TCPSocket.failure(of: socket) == nil else { return .ended(isFault: false) }
    end = continuo_tls_dial(security.context, socket.number, identity, identity.count, key)
    stage = .securing
    return end == nil ? .ended(isFault: false) : .done
  }

  /// Goes on with the handshake.
  func secure() -> Progress {
    let progress = progress(of: continuo_tls_handshake(end))
    guard case .done = progress else { return progress }
    // Whoever answers with a certificate has not shown that it knows the key.
    guard continuo_tls_used_key(end) == 1 else { return .ended(isFault: true) }
    stage = .open
    return .done
  }

  /// Equal at both ends, and of this connection alone.
  var exporter: [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Int(CONTINUO_TLS_KEY))
    return continuo_tls_export(end, "EXPORTER-continuo-lan-v1", &bytes) == 1 ? bytes : []
  }

  /// Reads what has come, at most `room` bytes.
  func read(_ room: Int, into bytes: inout [UInt8]) -> Progress {
    bytes = [UInt8](repeating: 0, count: room)
    let count = continuo_tls_read(end, &bytes, CInt(room))
    bytes.removeLast(room - max(0, Int(count)))
    return progress(of: count)
  }

  /// Whether something was read from the socket and not taken.
  var hasMore: Bool { end != nil && continuo_tls_has_more(end) != 0 }

  /// Whether a piece is to be written still.
  var isWriting: Bool { !piece.isEmpty }

  /// Writes the piece that was begun, or else `next`.
  func write(_ next: () -> [UInt8]?) -> Progress {
    if piece.isEmpty { piece = next() ?? [] }
    guard !piece.isEmpty else { return .done }
    let progress = progress(of: continuo_tls_write(end, piece, CInt(piece.count)))
    if case .done = progress { piece = [] }
    return progress
  }

  private func progress(of result: CInt) -> Progress {
    switch result {
    case CONTINUO_TLS_WANTS_READ: wanted = .readable
    case CONTINUO_TLS_WANTS_WRITE: wanted = .writable
    default: wanted = []
    }
    return switch result {
    case CONTINUO_TLS_WANTS_READ, CONTINUO_TLS_WANTS_WRITE: .waits
    case CONTINUO_TLS_ENDED: .ended(isFault: false)
    case CONTINUO_TLS_FAILED: .ended(isFault: true)
    default: .done
    }
  }
}
