// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import continuo_bench

@Suite("The bench's arithmetic") struct ArithmeticTests {
  @Test func theMedianIsTheOneInTheMiddleOrBetweenTheTwo() {
    #expect(Summary([5, 1, 900]).median == 5)
    #expect(Summary([4, 1, 2, 900]).median == 3)
    #expect(Summary([7]).median == 7)
  }

  @Test func theRangeIsSmallestAndLargestOfAll() {
    let summary = Summary([3, -1, 8, 2])
    #expect(summary.smallest == -1)
    #expect(summary.largest == 8)
    #expect(summary.count == 4)
  }

  @Test func ofNothingAllIsZero() { #expect(Summary([]) == Summary([0, 0].filter { $0 > 0 })) }

  @Test func theRatioIsOfMedians() {
    #expect(finding([2, 3, 100], [2, 2, 2]).ratio == 1.5)
    #expect(finding([2], [0]).ratio == nil)
  }

  @Test func aTargetIsMetUpToItsLimit() {
    #expect(finding([3], [2], .ratio(atMost: 1.5)).isMet == true)
    #expect(finding([3.1], [2], .ratio(atMost: 1.5)).isMet == false)
    #expect(finding([3], [0], .ratio(atMost: 1.5)).isMet == false)
    #expect(finding([200], [1], .ours(atMost: 200)).isMet == true)
    #expect(finding([201], [400], .ours(atMost: 200)).isMet == false)
    #expect(finding([1], [2]).isMet == nil)
  }

  @Test func jsonHasEachKeyAlsoWhereThereIsNothing() throws {
    let json = try ContinuoBench.json([finding([3, 1, 2], [4], .ratio(atMost: 1.5)), finding([1], [0])])
    let list = try #require(JSONSerialization.jsonObject(with: json) as? [[String: Any]])
    #expect(list.count == 2)
    let (first, second) = (list[0], list[1])
    #expect(first["name"] as? String == "rowing")
    #expect(first["unit"] as? String == "ms")
    #expect(first["peerName"] as? String == "a peer")
    #expect(first["ours"] as? Double == 2)
    #expect(first["peer"] as? Double == 4)
    #expect(first["ratio"] as? Double == 0.5)
    #expect(first["target"] as? Double == 1.5)
    #expect(first["targetOf"] as? String == "ratio")
    #expect(first["met"] as? Bool == true)
    #expect(first["oursRange"] as? [Double] == [1, 3])
    for key in ["ratio", "target", "targetOf", "met"] { #expect(second[key] is NSNull) }
  }

  @Test func theTableAlignsItsColumnsAndNamesWhatIsMissed() {
    let table = Table(findings: [
      finding([3.14159], [2], .ratio(atMost: 1.5)), finding([150], [0], .ours(atMost: 200)),
    ])
    #expect(
      table.description == """
        name    unit  ours              peer              peer name  ratio  target         met
        rowing  ms    3.14 (3.14-3.14)  2.00 (2.00-2.00)  a peer     1.57   ratio <= 1.50  NO
        rowing  ms    150 (150-150)     0 (0-0)           a peer     -      ours <= 200    yes
        """)
  }

  private func finding(_ ours: [Double], _ peer: [Double], _ target: Target? = nil) -> Finding {
    Finding(
      name: "rowing", unit: "ms", peerName: "a peer", ours: Summary(ours), peer: Summary(peer), target: target
    )
  }
}
