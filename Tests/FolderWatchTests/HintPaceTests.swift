// SPDX-License-Identifier: MIT

import ActivityModel
import FolderWatch
import Testing

@Suite("When hints are passed on")
struct HintPaceTests {
  private let start = Instant(nanoseconds: 5_000_000)

  @Test("A creation waits a millisecond, however many follow")
  func creations() {
    var pace = HintPace()
    pace.hold(isCreation: true, at: start)
    pace.hold(isCreation: true, at: start + .microseconds(900))
    #expect(pace.due == start + .milliseconds(1))
    #expect(!pace.isDue(at: start + .microseconds(999)))
    #expect(pace.isDue(at: start + .milliseconds(1)))
  }

  @Test("Everything else is due at once, with the creations before and after it", arguments: [true, false])
  func everythingElse(creationFirst: Bool) {
    var pace = HintPace()
    pace.hold(isCreation: creationFirst, at: start)
    pace.hold(isCreation: !creationFirst, at: start)
    #expect(pace.due == nil)
    #expect(pace.isDue(at: start))
  }

  @Test("What was passed on is forgotten")
  func passedOn() {
    var pace = HintPace()
    pace.hold(isCreation: false, at: start)
    pace.passOn()
    pace.hold(isCreation: true, at: start)
    #expect(pace.due == start + HintPace.patience)
    pace.passOn()
    #expect(pace.due == nil)
  }
}
