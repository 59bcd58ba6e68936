// SPDX-License-Identifier: MIT

/// Whom a device wants to reach, as it says it in the clear before anything is encrypted: a nonce, and a code
/// over it that only those who have the key can make or tell from random bytes.
public struct LinkIdentity: Hashable, Sendable {
  /// Bytes of the nonce.
  public static let nonceSize = 16
  /// Bytes of both.
  public static let size = nonceSize + 32

  /// Another one each time.
  public let nonce: [UInt8]
  /// HMAC with SHA-256 under the key, over `Self.message`.
  public let code: [UInt8]

  /// Nil where one of them has another size.
  public init?(nonce: [UInt8], code: [UInt8]) {
    guard nonce.count == Self.nonceSize, code.count == Self.size - Self.nonceSize else { return nil }
    (self.nonce, self.code) = (nonce, code)
  }

  /// Nil for bytes of another number.
  public init?(bytes: [UInt8]) {
    self.init(nonce: Array(bytes.prefix(Self.nonceSize)), code: Array(bytes.dropFirst(Self.nonceSize)))
  }

  /// As it is said.
  public var bytes: [UInt8] { nonce + code }

  /// What the code is over.
  public static func message(nonce: [UInt8], context: [UInt8]) -> [UInt8] { nonce + context }
}

/// Whom this device answers, and which identities were used: each is answered once, for whoever recorded one
/// could find out by it whom it was meant for.
public struct ReceivingKeys: Sendable {
  /// So many identities of one key are answered. Only members can make one, and a key is used for a day.
  public static let nonceLimit = 16384

  private var keys: [(key: ReceivingKey, used: Set<[UInt8]>)] = []

  /// With none: nobody is answered.
  public init() {}

  /// Takes keys in place of those before. One that stays knows what was used.
  public mutating func replace(with fresh: [ReceivingKey]) {
    keys = fresh.map { key in (key, keys.first { $0.key == key }?.used ?? []) }
  }

  /// The key of an identity that is this device's own and was not used before, which it is from now on; nil
  /// for any other. `code` makes a code of a key and a message. Does the same work for every identity.
  public mutating func take(
    _ identity: LinkIdentity, code: (_ key: [UInt8], _ message: [UInt8]) -> [UInt8]
  ) -> ReceivingKey? {
    var found: ReceivingKey?
    for index in keys.indices {
      let key = keys[index].key
      let wanted = code(key.key, LinkIdentity.message(nonce: identity.nonce, context: key.context))
      let isOwn = Self.areEqual(wanted, identity.code)
      let isFresh = !keys[index].used.contains(identity.nonce) && keys[index].used.count < Self.nonceLimit
      guard isOwn, isFresh else { continue }
      keys[index].used.insert(identity.nonce)
      found = key
    }
    return found
  }

  /// Takes as long wherever they differ.
  private static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.count == right.count && zip(left, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
