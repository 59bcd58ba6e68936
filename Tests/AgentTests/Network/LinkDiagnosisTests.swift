// SPDX-License-Identifier: MIT

import ActivityModel
import Testing

@testable import AgentEngine

/// Why there is no link, from what the other device said of itself.
@Suite struct LinkDiagnosisTests {
  private static let here: [UInt8] = [192, 168, 1, 5]

  private func cause(
    _ state: DeviceLink.State = .unreachable, own: [[UInt8]] = [here],
    at addresses: [[UInt8]]? = [[192, 168, 1, 9]],
    age: Duration? = .seconds(5)
  ) -> Reason? {
    let said = addresses.flatMap { Reachability(addresses: $0, port: 47_000, period: 1) }
    let device = DeviceID(bytes: [UInt8](repeating: 1, count: 16)) ?? .random()
    return LinkDiagnosis(own: own, reachability: said, age: age)
      .cause(of: DeviceLink(device: device, name: "laptop", state: state))
  }

  @Test func whereThereIsALinkOrMayBeOneThereIsNoCause() {
    #expect(cause(.linked) == nil && cause(.dialling) == nil)
  }

  @Test func whatTheOtherOneSaysDecides() {
    #expect(cause(.off) == .linkOff(device: "laptop"))
    #expect(cause(.refused) == .linkRefused(device: "laptop"))
    #expect(cause(at: nil) == .linkOff(device: "laptop"))
  }

  @Test func aFreshAddressThatDoesNotAnswerHasAFirewall() {
    #expect(cause() == .linkUnanswered(device: "laptop", port: 47_000))
    #expect(cause(age: .seconds(600)) == .linkUnanswered(device: "laptop", port: 47_000))
  }

  @Test func anOldAddressIsOneWhereItWas() {
    #expect(cause(age: .seconds(601)) == .linkOutdated(device: "laptop"))
    #expect(cause(age: nil) == .linkOutdated(device: "laptop"))
  }

  @Test func withoutANetworkNothingIsSaidOfTheOther() {
    #expect(cause(own: []) == .noNetwork && cause(own: [], at: nil) == .noNetwork)
  }

  @Test func networksThatHaveNothingInCommonAreApart() {
    let apart = Reason.linkApart(device: "laptop")
    #expect(cause(at: [[10, 8, 0, 2]]) == apart && cause(at: []) == apart)
    #expect(cause(own: [Self.here, [10, 8, 0, 3]], at: [[10, 8, 0, 2]]) != apart)
    // A house has subnets.
    #expect(cause(at: [[192, 168, 7, 2]]) != apart)
    let site = [0xfd, 1, 2, 3, 4, 5] + [UInt8](repeating: 7, count: 10)
    #expect(cause(own: [site], at: [[0xfd, 1, 2, 3, 4, 5] + [UInt8](repeating: 9, count: 10)]) != apart)
    #expect(cause(own: [site], at: [[0xfd, 1, 2, 3, 4, 6] + [UInt8](repeating: 9, count: 10)]) == apart)
    #expect(cause(own: [site], at: [[192, 168, 1, 9]]) == apart)
  }
}
