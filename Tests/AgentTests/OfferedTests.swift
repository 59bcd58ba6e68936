// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import AgentClient
import Foundation
import Glibc
import LinuxSystem
import TestSupport
import Testing

@testable import Agent
@testable import AgentEngine
@testable import UserActivities

/// An app's activities and a real agent: what stands in the device's record, and until when.
@MainActor
@Suite struct OfferedTests {
  enum Condition: CaseIterable, Sendable {
    case eligible, current, valid, unexpired, required, folder
  }

  @Test(arguments: Condition.allCases)
  func s17a_withoutAnyOneConditionItIsNotOffered(_ condition: Condition) throws {
    let stage = try AppStage()
    let activity = stage.activity()
    activity.becomeCurrent()
    try stage.waitForOffers(1)
    stage.take(condition, from: activity)
    try stage.waitForOffers(0)
    stage.world.settle()
    #expect(stage.device.record?.activities == [])
  }

  @Test(arguments: Condition.allCases)
  func s17a_whatLacksAConditionFromTheBeginningIsNeverOffered(_ condition: Condition) throws {
    let stage = try AppStage()
    let lacking = stage.activity()
    stage.take(condition, from: lacking)
    if condition != .current { lacking.becomeCurrent() }
    stage.advance(.seconds(3))
    stage.world.settle()
    #expect(stage.device.record?.activities ?? [] == [])
    let whole = stage.activity()
    whole.becomeCurrent()
    try stage.waitForOffers(1)
    #expect(stage.device.record?.activities.map(\.id) == [whole.id])
  }

  @Test func s16a_anInvalidatedActivityIsTakenBackForGood() throws {
    let stage = try AppStage()
    let activity = stage.activity()
    activity.becomeCurrent()
    try stage.waitForOffers(1)
    activity.invalidate()
    try stage.waitForOffers(0)
    activity.becomeCurrent()
    activity.needsSave = true
    stage.advance(.seconds(3))
    stage.world.settle()
    #expect(stage.device.record?.activities == [])
  }

  @Test func s18c_anAppThatGoesAwayLeavesItsOfferMarkedLeftOpen() throws {
    let stage = try AppStage()
    let activity = stage.activity()
    activity.becomeCurrent()
    try stage.waitForOffers(1)
    #expect(stage.device.record?.activities.first?.flags.contains(.leftOpen) == false)
    stage.client.link.disconnect()
    try stage.world.run("the mark") {
      stage.device.record?.activities.first?.flags.contains(.leftOpen) == true
    }
    let other = try stage.world.connect(to: stage.device.core)
    other.hello("org.other")
    stage.world.settle()
    #expect(stage.device.record?.activities.map(\.id) == [activity.id])
    try stage.reconnect()
    try stage.world.run("the app's return") {
      stage.device.record?.activities.first?.flags.contains(.leftOpen) == false
    }
  }

  @Test func s11a_s11b_whatWasAskedWhileTheAgentWasDownIsDoneByTheNextOne() throws {
    let stage = try AppStage()
    let (kept, gone) = (stage.activity(), stage.activity())
    for (activity, identifier) in [(gone, "gone"), (kept, "kept")] {
      activity.isEligibleForSearch = true
      activity.persistentIdentifier = identifier
    }
    gone.becomeCurrent()
    stage.advance(.seconds(3))
    try stage.world.run("the first one") { stage.saved == ["gone"] }
    stage.session.linkDidChange(isUp: false)
    try stage.device.restart()
    kept.becomeCurrent()
    stage.advance(.seconds(3))
    var answers: [ContinuityError?] = []
    stage.session.deleteSaved(["gone"]) { answers.append($0) }
    #expect(stage.saved == ["gone"] && stage.session.pendingRequests == 1)
    try stage.reconnect()
    try stage.world.run("the answer") { stage.session.pendingRequests == 0 }
    #expect(stage.saved == ["kept"])
    try stage.device.restart()
    #expect(stage.saved == ["kept"])
    let stored = stage.device.kept(of: "org.example.editor").first
    #expect(stored?.userInfo == [.text("line"): .int(1)], "filtered to the required key")
  }

  @Test func s23a_eachClaimIsToldOnceAlsoAfterAReconnectAndARestart() throws {
    let pair = try Pair()
    try pair.offer("two")
    try pair.write("two")
    let told = { (client: TestClient) in
      client.reports.count { if case .continued = $0 { true } else { false } }
    }
    try claim(pair)
    try pair.world.run("the claim") { told(pair.editor) == 1 }
    pair.editor.link.disconnect()
    for restarts in [false, true] {
      if restarts { try pair.desktop.restart() }
      let editor = try pair.world.connect(to: pair.desktop.core)
      editor.hello()
      editor.offer(pair.desktop.folder + "/plan.md", id: pair.activity, at: 1_000)
      try pair.laptop.carry(to: pair.desktop)
      pair.world.settle()
      #expect(told(editor) == 0)
      editor.link.disconnect()
    }
    let editor = try pair.world.connect(to: pair.desktop.core)
    editor.hello()
    editor.offer(pair.desktop.folder + "/plan.md", id: pair.activity, at: 2_000)
    try pair.world.run("the new state") {
      pair.desktop.record?.activities.first?.changedAt.milliseconds == 2_000
    }
    try pair.desktop.carry(to: pair.laptop)
    try claim(pair)
    try pair.world.run("the second claim") { told(editor) == 1 }
  }

  private func claim(_ pair: Pair) throws {
    let (request, before) = (RequestID.random(), pair.viewer.delivered.count)
    pair.viewer.link.send(.accept(pair.offerID, request), descriptor: nil)
    try pair.world.run("the delivery") { pair.viewer.delivered.count > before }
    pair.viewer.link.send(.outcome(request, .opened), descriptor: nil)
    try pair.world.run("the claim") {
      pair.laptop.record?.claims.contains { $0.request == request } == true
    }
    try pair.laptop.carry(to: pair.desktop)
  }
}

/// A session of one app at an agent in this process, with a document in the agent's folder and one elsewhere.
@MainActor
private final class AppStage {
  let world: World
  let device: InProcessDevice
  let session: Session
  private(set) var client: TestClient
  private let time = StageTime()
  private let elsewhere: String

  private final class StageTime { var now = Instant(nanoseconds: 1) }

  init() throws {
    world = try World()
    device = try world.device("desktop")
    try device.addFolder()
    elsewhere = try world.scratch.folder("elsewhere")
    for folder in [device.folder, elsewhere] { try Scratch.write("text", to: folder + "/plan.md") }
    let time = time
    session = Session(
      manifest: AppManifest(appID: "org.example.editor", name: "editor"),
      clock: SessionClock(now: { time.now }, wallTime: { .now }, isLive: false))
    client = try world.connect(to: device.core)
    meet()
  }

  func reconnect() throws {
    session.linkDidChange(isUp: false)
    client = try world.connect(to: device.core)
    meet()
  }

  private func meet() {
    client.link.didReceive = { [weak session] report, descriptor in
      if let descriptor { close(descriptor) }
      MainActor.assumeIsolated { session?.handle(.report(report)) }
    }
    session.link = client.link
    session.linkDidChange(isUp: true)
  }

  /// The identifiers of what the agent keeps for this app.
  var saved: [String] {
    device.kept(of: "org.example.editor").compactMap(\.persistentIdentifier)
  }

  func activity() -> UserActivity {
    let activity = UserActivity(activityType: "public.text-editing")
    activity.join(session)
    activity.userInfo = [NSUserActivityDocumentURLKey: url(device.folder), "line": 1]
    activity.requiredUserInfoKeys = ["line"]
    return activity
  }

  private func url(_ folder: String) -> URL { URL(fileURLWithPath: folder + "/plan.md") }

  func take(_ condition: OfferedTests.Condition, from activity: UserActivity) {
    switch condition {
    case .eligible: activity.isEligibleForHandoff = false
    case .current: activity.resignCurrent()
    case .valid: activity.invalidate()
    case .unexpired: activity.expirationDate = Date(timeIntervalSinceNow: -1)
    case .required: activity.requiredUserInfoKeys = ["line", "column"]
    case .folder: activity.addUserInfoEntries(from: [NSUserActivityDocumentURLKey: url(elsewhere)])
    }
    activity.needsSave = true
  }

  func advance(_ pause: Duration) {
    time.now = time.now + pause
    session.tick()
  }

  func waitForOffers(_ count: Int) throws {
    advance(.seconds(3))
    try world.run("\(count) offers") { device.record.map { $0.activities.count == count } ?? false }
  }
}
