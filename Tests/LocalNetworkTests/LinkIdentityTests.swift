// SPDX-License-Identifier: MIT

import LocalNetwork
import Testing

/// Whom a device answers.
@Suite struct LinkIdentityTests {
  private static let key = ReceivingKey(period: 7, key: [1], context: [2, 3])

  /// Stands for a code, and tells how often it was asked for.
  private static func code(_ key: [UInt8], _ message: [UInt8]) -> [UInt8] {
    var sum = [UInt8](repeating: 0, count: 32)
    for (index, byte) in (key + message).enumerated() { sum[index % 32] = sum[index % 32] &* 31 &+ byte }
    return sum
  }

  private static func identity(_ number: Int, of key: ReceivingKey = key) -> LinkIdentity? {
    let nonce = (0..<16).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    return LinkIdentity(
      nonce: nonce, code: code(key.key, LinkIdentity.message(nonce: nonce, context: key.context)))
  }

  @Test func anIdentityIsAnsweredOnceByTheOneItIsFor() throws {
    var keys = ReceivingKeys()
    let own = try #require(Self.identity(1))
    #expect(keys.take(own, code: Self.code) == nil, "nobody is answered at first")
    keys.replace(with: [Self.key])
    let other = try #require(Self.identity(1, of: ReceivingKey(period: 7, key: [1], context: [2, 4])))
    #expect(keys.take(other, code: Self.code) == nil, "for another device or period")
    #expect(keys.take(own, code: Self.code) == Self.key)
    #expect(keys.take(own, code: Self.code) == nil, "said again")
    let previous = ReceivingKey(period: 6, key: [1, 1], context: [2])
    keys.replace(with: [previous, Self.key])
    #expect(keys.take(own, code: Self.code) == nil, "said again after a new period")
    #expect(keys.take(try #require(Self.identity(2, of: previous)), code: Self.code) == previous)
    #expect(keys.take(try #require(Self.identity(3)), code: Self.code) == Self.key)
  }

  @Test func asMuchIsDoneForAStrangerAsForAMember() throws {
    var keys = ReceivingKeys()
    keys.replace(with: [Self.key, ReceivingKey(period: 6, key: [1, 1], context: [2])])
    var counts: [Int] = []
    for identity in [
      Self.identity(1), LinkIdentity(bytes: [UInt8](repeating: 0, count: 48)), Self.identity(1),
    ] {
      var count = 0
      _ = keys.take(try #require(identity)) {
        count += 1
        return Self.code($0, $1)
      }
      counts.append(count)
    }
    #expect(counts == [2, 2, 2])
  }

  @Test func whatIsRememberedIsBounded() throws {
    var keys = ReceivingKeys()
    keys.replace(with: [Self.key])
    for number in 0..<ReceivingKeys.nonceLimit {
      guard let identity = Self.identity(number), keys.take(identity, code: Self.code) != nil else {
        Issue.record("\(number) was refused")
        return
      }
    }
    #expect(keys.take(try #require(Self.identity(-1)), code: Self.code) == nil, "full: nobody more")
    #expect(keys.take(try #require(Self.identity(1)), code: Self.code) == nil, "nor one that was used")
    let next = ReceivingKey(period: 8, key: [9], context: [2])
    keys.replace(with: [Self.key, next])
    #expect(keys.take(try #require(Self.identity(1, of: next)), code: Self.code) == next)
  }

  @Test func identitiesHaveOneSize() {
    #expect(LinkIdentity(bytes: [UInt8](repeating: 1, count: 47)) == nil)
    #expect(LinkIdentity(bytes: [UInt8](repeating: 1, count: 49)) == nil)
    #expect(LinkIdentity(bytes: [UInt8](repeating: 1, count: 48))?.bytes == [UInt8](repeating: 1, count: 48))
  }
}
