// SPDX-License-Identifier: MIT

import ActivityModel
import AgentClient
import LinuxSystem
import TestSupport
import Testing

@testable import Agent
@testable import AgentEngine

/// Apps that the agent starts for an offer: an agent that ends meanwhile, and pages of their domains.
@Suite(.waiting) struct StartedAppTests {
  private let pair: Pair
  private let appID = "org.example.trails"

  init() throws {
    pair = try Pair { world in
      world.environment = [
        "HOME": world.scratch.path, "XDG_DATA_HOME": world.scratch.path + "/data",
        "XDG_DATA_DIRS": world.scratch.path + "/none",
      ]
    }
    pair.viewer.link.disconnect()
    let folder = pair.world.scratch.path + "/data/continuo/apps/" + appID
    FilePath(folder + "/x").makeFolders(mode: 0o700)
    try Scratch.write(
      """
      <plist version="1.0"><dict>
      <key>CFBundleIdentifier</key><string>\(appID)</string>
      <key>CFBundleName</key><string>Trails</string>
      <key>NSUserActivityTypes</key><array><string>public.text-editing</string></array>
      <key>ContinuoAssociatedDomains</key><array><string>trails.example.org</string></array>
      <key>ContinuoExecutable</key><array><string>true</string></array>
      </dict></plist>
      """, to: folder + "/Info.plist")
    // It counts the starts, and says of each that it is done.
    let program = pair.world.scratch.path + "/desktop"
    try Scratch.write(
      """
      #!/usr/bin/python3
      import sys
      while line := sys.stdin.buffer.readline():
          fields = sys.stdin.buffer.read(int(line)).split(b"\\0")
          if fields[0] == b"start":
              with open("\(pair.world.scratch.path)/starts", "ab") as starts:
                  starts.write(b"1")
          content = b"done\\0" + fields[1] + b"\\0\\0"
          sys.stdout.buffer.write(b"%d\\n%s" % (len(content), content))
          sys.stdout.buffer.flush()
      """, to: program)
    try FilePath(program).setPermissions(0o700)
    try #require(pair.laptop.core.ports.desktop as? LocalDesktop).program = { program }
  }

  private func connect(_ types: [String] = ["public.text-editing"]) throws -> TestClient {
    let app = try pair.world.connect(to: pair.laptop.core)
    app.link.send(.hello(AppManifest(appID: appID, name: "Trails", activityTypes: types)), descriptor: nil)
    return app
  }

  private func continued(_ app: TestClient) -> Int {
    app.reports.count { if case .willContinue = $0 { true } else { false } }
  }

  @Test func oneGetsTheOfferFromAnAgentThatWasStartedMeanwhileAndOnlyOnce() throws {
    try pair.offer("one")
    #expect(try pair.laptop.ask(.resume(nil)) == .handedOver(appName: "Trails"))
    try pair.laptop.restart()
    let app = try connect()
    try pair.world.run("the delivery") { app.delivered.count == 1 }
    #expect(continued(app) == 1)
    try pair.laptop.restart()
    let again = try connect()
    pair.world.settle()
    #expect(continued(again) == 0)
  }

  @Test func s52g_oneIsStartedOnceForAllThatWasOpenTogether() throws {
    let names = (1...9).map { "part \($0).md" }
    for name in names { try Scratch.write("text of \(name)", to: pair.desktop.folder + "/" + name) }
    try pair.offerPlan(with: names)
    try pair.desktop.carry(to: pair.laptop, documents: names)
    try pair.world.run("the offers") { pair.laptop.core.allOffers().count == 10 }
    let leader = try #require(pair.laptop.core.offersToTell.first)
    #expect(pair.laptop.core.allOffers().count(where: leader.lists) == 9)
    pair.laptop.core.resume(
      offer: leader.id, with: .app, pressed: NotificationNumber(rawValue: 1), isAll: true)
    let app = try connect()
    try pair.world.run("ten documents") { app.delivered.count == 10 }
    let begun = app.reports.compactMap { if case .willContinue(_, let offer) = $0 { offer.id } else { nil } }
    #expect(begun.count == 10 && begun.last == leader.id)
    #expect(Scratch.bytes(at: pair.world.scratch.path + "/starts") == Array("1".utf8))
  }

  @Test func aConnectedOneGetsThePagesOfItsDomain() throws {
    let app = try connect(["org.example.hike"])
    var snapshot = ActivitySnapshot(
      id: pair.activity, type: AppManifest.browsingWeb, appID: "org.continuo.edit",
      changedAt: WallTime(milliseconds: 1000))
    snapshot.webpageURL = "https://trails.example.org/7"
    snapshot.referrerURL = "https://example.org/"
    snapshot.expiresAt = WallTime(milliseconds: 4_000_000_000_000)
    pair.editor.link.send(.update(snapshot, saved: nil), descriptor: nil)
    try pair.world.run("the record") { pair.desktop.record?.activities.isEmpty == false }
    try pair.desktop.carry(to: pair.laptop)
    try pair.world.run("the offer") { app.offers.count == 1 }
    #expect(try pair.laptop.ask(.resume(nil)) == .handedOver(appName: "Trails"))
    try pair.world.run("the delivery") { app.delivered.count == 1 }
    #expect(app.delivered[0].delivery.activity.webpageURL == "https://trails.example.org/7")
    #expect(app.delivered[0].delivery.activity.referrerURL == "https://example.org/")
  }
}
