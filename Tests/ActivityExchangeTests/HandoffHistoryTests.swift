// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import Testing

/// 10,000 histories of an app and its agent in which either is killed, connections break, and people accept
/// and cancel: each continuation that the app was told of gets exactly one answer.
@Suite("Histories of continuing") struct HandoffHistoryTests {
  @Test(arguments: 0..<10)
  func s37a_s37b_s37c_eachContinuationGetsExactlyOneAnswerWhoeverIsKilled(chunk: Int) {
    var answered = 0
    for seed in 0..<1000 {
      var history = HandoffHistory(seed: UInt64(chunk * 1000 + seed))
      history.play(150)
      history.heal()
      if history.faults.isEmpty, history.unanswered.isEmpty, history.unclaimed.isEmpty {
        answered += history.answers
        continue
      }
      let state = "seed \(chunk * 1000 + seed): \(history.steps.joined(separator: ", "))"
      #expect(history.faults.isEmpty, "\(history.faults), \(state)")
      #expect(history.unanswered.isEmpty, "\(history.told), \(state)")
      #expect(history.unclaimed.isEmpty, "\(state)")
      return
    }
    #expect(answered > 1000, "the histories continue something")
  }
}
