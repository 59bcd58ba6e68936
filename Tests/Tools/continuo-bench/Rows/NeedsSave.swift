// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import CAllocations
import UserActivities

/// `needsSave = true`, as an app says it at each key: what it takes, and that it allocates nothing.
@MainActor enum NeedsSave {
  private static let calls = 1_000_000

  static var time: Row {
    Row(
      name: "needsSave = true", unit: "ns", peerName: "empty method", rounds: 15,
      target: .ours(atMost: 200)
    ) {
      let app = CurrentActivity()
      let peer = EmptyMethod()
      return Contest(
        ours: { nanosecondsPerCall { app.touch(calls) } }, peer: { nanosecondsPerCall { peer.call(calls) } },
        end: { app.close() })
    }
  }

  /// The peer is the proof that the counter sees an allocation.
  static var allocations: Row {
    Row(
      name: "needsSave = true, allocations", unit: "a call", peerName: "one object made", rounds: 3,
      target: .ours(atMost: 0)
    ) {
      let app = CurrentActivity()
      return Contest(
        ours: { allocationsPerCall { app.touch(calls) } },
        peer: { allocationsPerCall { for _ in 0..<calls { EmptyMethod().nothing() } } },
        end: { app.close() })
    }
  }

  /// The touch that arms the timer: once in each round, not once a key.
  static var first: Row {
    Row(
      name: "needsSave = true, first of a round", unit: "ns", peerName: "empty method", rounds: 200
    ) {
      let app = CurrentActivity()
      let peer = EmptyMethod()
      return Contest(
        ours: {
          app.endRound()
          let start = processorTime()
          app.touch(1)
          return Double(processorTime() - start)
        }, peer: { nanosecondsPerCall { peer.call(calls) } }, end: { app.close() })
    }
  }

  private static func nanosecondsPerCall(_ body: () -> Void) -> Double {
    let start = processorTime()
    body()
    return Double(processorTime() - start) / Double(calls)
  }

  private static func allocationsPerCall(_ body: () -> Void) -> Double {
    let before = continuo_allocations()
    body()
    return Double(continuo_allocations() - before) / Double(calls)
  }
}

/// An app with a session that is connected to an agent in memory, and a current activity that was offered.
@MainActor private final class CurrentActivity {
  private let session: Session
  private let activity: UserActivity
  private let clock = LateClock()

  init() {
    let type = "com.example.bench.editing"
    let manifest = AppManifest(appID: "com.example.bench", name: "bench", activityTypes: [type])
    let usual = SessionClock.system
    session = Session(
      manifest: manifest,
      clock: SessionClock(
        now: { [clock] in usual.now() + clock.late }, wallTime: usual.wallTime, isLive: true))
    session.link = SilentAgent()
    Session.shared = session
    activity = UserActivity(activityType: type)
    session.linkDidChange(isUp: true)
    activity.becomeCurrent()
    endRound()
  }

  func touch(_ count: Int) { for _ in 0..<count { activity.needsSave = true } }

  /// The round runs, and nothing is pending.
  func endRound() {
    clock.late = clock.late + .seconds(10)
    session.tick()
  }

  func close() {
    activity.invalidate()
    Session.shared = nil
  }
}

/// How far ahead of the system's clock an app's is: time that need not be waited for.
@MainActor private final class LateClock {
  var late = Duration.zero
}

/// An agent that hears everything and says nothing.
private final class SilentAgent: AgentLink {
  private(set) var heard = 0
  func send(_ request: AgentRequest, descriptor: Int32?) { heard += 1 }
}

/// What a call costs that does nothing.
@MainActor private final class EmptyMethod {
  @inline(never) @_optimize(none) func nothing() {}

  func call(_ count: Int) { for _ in 0..<count { nothing() } }
}
