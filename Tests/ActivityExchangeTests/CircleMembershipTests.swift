// SPDX-License-Identifier: MIT

import ActivityModel
import Testing

@testable import ActivityExchange

@Suite struct CircleMembershipTests {
  private typealias Statement = CircleMembership.Statement

  private static func device(_ number: UInt8) -> DeviceID {
    DeviceID(bytes: [UInt8](repeating: number, count: 16)) ?? .random()
  }

  private let desk = device(1)
  private let laptop = device(2)
  private let tablet = device(3)
  private let phone = device(4)

  private func circle(_ statements: [Statement]) -> CircleMembership {
    var circle = CircleMembership(founder: desk)
    for statement in statements { circle.insert([statement]) }
    return circle
  }

  private func removed(
    _ subject: DeviceID, by signer: DeviceID, after last: UInt64 = 9, keeping kept: Set<DeviceID> = []
  ) -> Statement {
    .removed(subject, by: signer, .init(lastGoodSequence: last, kept: kept))
  }

  private static func orders<Element>(of elements: [Element]) -> [[Element]] {
    guard elements.count > 1 else { return [elements] }
    return elements.indices.flatMap { index -> [[Element]] in
      var rest = elements
      let first = rest.remove(at: index)
      return orders(of: rest).map { [first] + $0 }
    }
  }

  /// The devices as they are after all statements, which every order and every grouping must lead to.
  private func agreed(_ statements: [Statement]) -> Set<DeviceID> {
    let all = circle(statements)
    for order in Self.orders(of: statements) {
      var removed: Set<DeviceID> = []
      var one = CircleMembership(founder: desk)
      for statement in order {
        one.insert([statement])
        #expect(one.removed.isSuperset(of: removed), "a removal was taken back")
        #expect(one.members.isDisjoint(with: one.removed))
        removed = one.removed
      }
      var merged = circle(Array(order.prefix(order.count / 2)))
      merged.merge(circle(Array(order.suffix(order.count - order.count / 2))))
      merged.merge(merged)
      #expect(one == all && merged == all)
    }
    return all.members
  }

  @Test func aThiefWhoAddsAndRemovesTakesNobodyInAndStaysOutInAllOrders() {
    let members = agreed([
      .added(laptop, by: desk), .added(tablet, by: desk), removed(laptop, by: desk),
      .added(phone, by: laptop), .added(laptop, by: phone), removed(tablet, by: phone),
    ])
    // What the thief removes is out as well: a removal is final, whoever signed it.
    #expect(members == [desk])
  }

  @Test func devicesThatRemoveEachOtherAreBothOut() {
    let members = agreed([
      .added(laptop, by: desk), .added(tablet, by: desk), removed(laptop, by: tablet),
      removed(tablet, by: laptop),
    ])
    #expect(members == [desk])
  }

  @Test func whomARemovedDeviceHadLetInStaysWhereEveryRemoverSaysSo() {
    let before: [Statement] = [.added(laptop, by: desk), .added(tablet, by: desk), .added(phone, by: laptop)]
    #expect(agreed(before + [removed(laptop, by: desk, keeping: [phone])]) == [desk, tablet, phone])
    #expect(
      agreed(before + [removed(laptop, by: desk, keeping: [phone]), removed(laptop, by: tablet)])
        == [desk, tablet])
  }

  @Test func aRemovedFoundersCircleLivesOn() {
    let members = agreed([
      .added(laptop, by: desk), .added(tablet, by: laptop), removed(desk, by: tablet, keeping: [laptop]),
      .added(phone, by: desk),
    ])
    #expect(members == [laptop, tablet])
  }

  @Test func strangersRemoveNobodyAndAddNobody() {
    #expect(
      agreed([.added(laptop, by: desk), removed(desk, by: phone), .added(tablet, by: phone)]) == [
        desk, laptop,
      ])
  }

  @Test func aDeviceThatIsLetInAgainStaysOut() {
    let members = agreed([
      .added(laptop, by: desk), .added(tablet, by: desk), removed(laptop, by: desk),
      .added(laptop, by: tablet),
    ])
    #expect(members == [desk, tablet])
  }

  @Test func recordsCountUpToTheStrictestRemoversLastGoodOne() {
    var circle = circle([.added(laptop, by: desk), .added(tablet, by: desk)])
    #expect(circle.counts(70, of: laptop) && !circle.counts(1, of: phone))
    circle.insert([removed(laptop, by: desk, after: 60)])
    #expect(circle.counts(60, of: laptop) && !circle.counts(61, of: laptop))
    circle.insert([removed(laptop, by: tablet, after: 50)])
    #expect(circle.lastGoodSequence(of: laptop) == 50)
    #expect(circle.lastGoodSequence(of: desk) == nil)
  }
}
