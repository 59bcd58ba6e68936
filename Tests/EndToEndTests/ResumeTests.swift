// SPDX-License-Identifier: MIT

import LinuxSystem
import ActivityModel
import ActivityWire
import Foundation
import TestSupport
import Testing

@testable import fixtures

/// `continuo resume`: who takes the offer, and what is said when nobody does.
@Suite(.waiting, .timeLimit(.minutes(20))) struct ResumeTests {
  @Test func aConnectedEditorTakesTheOfferWithItsCursor() throws {
    let devices = try TwoDevices()
    let screen = try devices.edit(nil, on: devices.laptop.device)
    try devices.write("plan.md", "alpha\nbeta\n")
    try devices.desktop.publish("plan.md", line: 2, column: 3)
    try devices.player.carrying().deliverEverything()
    try screen.wait(toShow: "Continue", "plan.md")
    let told = try devices.laptop.device.continuo("resume")
    #expect(told.hasPrefix("Handed over to Continuo Edit"), "\(told)")
    try screen.wait(toShow: "beta", "Ln 2, Col 3")
  }

  @Test func withoutAnAppPathAndVersionArePrintedAndTheExitCodeIsThree() throws {
    let devices = try TwoDevices()
    let laptop = devices.laptop.device
    try devices.offer("notes/plan.md", "alpha")
    devices.laptop.app.disconnect()
    // The agent hears of a new connection and of one that ended in any order.
    let deadline = Deadline(seconds: 30)
    while try !laptop.status().apps.isEmpty {
      guard !deadline.hasPassed else { throw Failure("an agent without an app") }
    }
    // An agent of a computer on which no app is installed, whatever is on this one.
    try laptop.continuo("agent", "stop")
    let share = laptop.root + "/share"
    try Files.makeDirectory(share)
    try FileManager.default.createSymbolicLink(
      atPath: share + "/mime", withDestinationPath: "/usr/share/mime")
    let bare = laptop.environment.merging(["XDG_DATA_DIRS": share]) { $1 }
    while !(try ChildProcess.run(laptop.programs["continuo"], ["offers"], environment: bare))
      .contains("plan.md")
    { guard !deadline.hasPassed else { throw Failure("an agent that knows the offer") } }
    let child = try ChildProcess(laptop.programs["continuo"], ["resume"], environment: bare)
    #expect(try child.waitForExit() == .code(3), "\(child.state)")
    let lines = child.outputText.split(separator: "\n").map(String.init)
    #expect(lines.count == 2, "\(child.state)")
    #expect(lines.first == laptop.folder + "/notes/plan.md")
    // SHA-256 of "alpha".
    #expect(lines.last == "8ed3f6ad685b959ead7022518e1af76cd816f8e8ec7ccdda1ed4018e8f2223f8")
    #expect(child.errorText.contains("public.text-editing"), "\(child.state)")
  }

  @Test func printingWaitsForTheVersionTellsThePlaceAndOpensNothing() throws {
    let devices = try TwoDevices()
    let laptop = devices.laptop.device
    try devices.write("notes/plan.md", "alpha\nbeta\n")
    let now = WallTime(milliseconds: wallNow())
    try devices.desktop.publish("notes/plan.md", line: 2, column: 3)
    try devices.player.carrying().deliverRecords()
    devices.laptop.app.flow?.isOn = true
    try devices.laptop.app.see("notes/plan.md", "missing", since: now)
    let early = try devices.laptop.run("resume", "--print", "--timeout", "0")
    #expect(early.exit == .code(2) && early.outputText.isEmpty, "\(early.state)")
    let waiting = try laptop.start("resume", "--print")
    try devices.player.carrying().deliver("notes/plan.md")
    #expect(try waiting.waitForExit() == .code(0), "\(waiting.state)")
    #expect(waiting.outputText == "\(laptop.folder)/notes/plan.md\n2:3\n", "\(waiting.state)")
    #expect(devices.laptop.app.continuation == nil, "the connected app was handed nothing")

    for arguments in [["offers", "--json"], ["resume", "--print", "--json"]] {
      let child = try ChildProcess(laptop.programs["continuo"], arguments, environment: laptop.environment)
      #expect(try child.waitForExit() == .code(0), "\(child.state)")
      let value = try JSONSerialization.jsonObject(with: Data(child.outputBytes))
      let row = try #require(value as? [String: Any] ?? (value as? [[String: Any]])?.first)
      #expect(row["line"] as? Int == 2 && row["column"] as? Int == 3, "\(child.state)")
      #expect(row["app"] as? String == "org.continuo.command-line", "\(child.state)")
      #expect(row["absolutePath"] as? String == laptop.folder + "/notes/plan.md", "\(child.state)")
      #expect(row["url"] as? String == FileURL.text(of: Array((laptop.folder + "/notes/plan.md").utf8)))
    }
    let told = try laptop.continuo("resume")
    #expect(told.contains("\(laptop.folder)/notes/plan.md, line 2, column 3"), "\(told)")
  }

  @Test func anIDThatNoOfferHasAndOneThatTwoHaveAreRefused() throws {
    let devices = try TwoDevices()
    let desktop = try #require(try WireConnection(socketPath: devices.desktop.device.socket))
    var manifest = AppManifest(appID: "org.example.notes", name: "Notes")
    manifest.activityTypes = ["public.text-editing"]
    desktop.send(.request(.hello(manifest)))
    let ids = ["abcd00", "abcd11"].map { $0 + String(repeating: "0", count: 26) }
    for id in ids {
      let activity = ActivitySnapshot(
        id: try #require(ActivityID(hex: id)), type: "public.text-editing", appID: "org.example.notes",
        changedAt: WallTime(milliseconds: wallNow()))
      desktop.send(.request(.update(activity, saved: nil)))
    }
    _ = try devices.desktop.device.status()
    let app = devices.laptop.app
    app.flow = devices.flow()
    _ = try app.wait(for: "two offers") { $0.offers?.count == 2 ? () : nil }

    expectSentence(try devices.laptop.run("resume", "abce"), saying: "abce", "continuo offers")
    expectSentence(try devices.laptop.run("resume", "abcd"), saying: "abcd", "2 offers")
    let one = try devices.laptop.run("resume", "ABCD1")
    #expect(one.exit == .code(0), "\(one.state)")
    _ = try app.wait(for: "a delivery") { $0.continuation?.delivered }
    #expect(app.continuation?.offer.description == ids[1])
  }
}
