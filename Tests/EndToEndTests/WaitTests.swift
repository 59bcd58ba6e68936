// SPDX-License-Identifier: MIT

import LinuxSystem
import ActivityModel
import Foundation
import Glibc
import TestSupport
import Testing

@testable import fixtures

/// `continuo wait` and `continuo offers --watch`: what scripts use.
@Suite(.waiting, .timeLimit(.minutes(20))) struct WaitTests {
  /// On the laptop an older version lies, and the desktop announces another one that is still on its way.
  private static func announce(on devices: TwoDevices) throws {
    try devices.offer("notes/plan.md", "alpha")
    try devices.write("notes/plan.md", "alpha beta")
    try devices.desktop.stopPublishing("notes/plan.md")
    let now = WallTime(milliseconds: wallNow())
    try devices.desktop.publish("notes/plan.md", line: 1, column: 1)
    try devices.player.carrying().deliverRecords()
    devices.laptop.app.flow?.isOn = true
    try devices.laptop.app.see("plan.md", "behind", since: now)
  }

  private static func startWaiting(_ devices: TwoDevices) throws -> ChildProcess {
    let laptop = devices.laptop.device
    let waiting = try laptop.start("wait", laptop.folder + "/notes/plan.md")
    try Waiting.wait(
      for: "the reason of waiting", by: Deadline(seconds: 20), on: { waiting.descriptors },
      lastState: { waiting.state }
    ) { () -> Void? in
      waiting.takeNews()
      if waiting.exit != nil { throw Failure("to wait", lastSeen: waiting.state) }
      return waiting.errorText.contains("plan.md") ? () : nil
    }
    return waiting
  }

  @Test func waitingEndsWhenTheAnnouncedVersionIsHere() throws {
    let devices = try TwoDevices()
    try Self.announce(on: devices)
    let waiting = try Self.startWaiting(devices)
    try devices.player.carrying().deliver("notes/plan.md")
    #expect(try waiting.waitForExit() == .code(0), "\(waiting.state)")
    #expect(waiting.outputText == "plan.md is here in the version of desktop.\n", "\(waiting.state)")
    #expect(Files.text(devices.laptop.device.folder + "/notes/plan.md") == "alpha beta")
    let again = try devices.laptop.run(
      "wait", devices.laptop.device.folder + "/notes/plan.md", "--timeout", "0")
    #expect(again.exit == .code(0), "\(again.state)")
  }

  @Test func waitingGoesOnWhenTheAgentIsKilled() throws {
    let devices = try TwoDevices()
    try Self.announce(on: devices)
    let waiting = try Self.startWaiting(devices)
    try devices.laptop.killAgent()
    _ = try devices.laptop.app.wait(for: "another agent") { $0.offers?.isEmpty == false ? () : nil }
    try devices.player.carrying().deliver("notes/plan.md")
    #expect(try waiting.waitForExit() == .code(0), "\(waiting.state)")
  }

  @Test func waitingInVainEndsWithTheReasonAndExitCodeTwo() throws {
    let devices = try TwoDevices()
    try Self.announce(on: devices)
    let path = devices.laptop.device.folder + "/notes/plan.md"
    for seconds in ["0", "1"] {
      let waiting = try devices.laptop.run("wait", path, "--timeout", seconds)
      #expect(waiting.exit == .code(2), "\(waiting.state)")
      expectSentence(waiting, saying: "plan.md", "older version")
    }
  }

  @Test func waitingForAVersionThatIsWithdrawnSaysSo() throws {
    let devices = try TwoDevices()
    try Self.announce(on: devices)
    let waiting = try Self.startWaiting(devices)
    try devices.desktop.stopPublishing("notes/plan.md")
    let app = devices.laptop.app
    app.flow = devices.flow()
    _ = try app.wait(for: "no offers") { $0.offers?.isEmpty == true ? () : nil }
    #expect(try waiting.waitForExit() == .code(1), "\(waiting.state)")
    expectSentence(waiting, saying: "desktop no longer offers plan.md")
  }

  @Test func nothingIsWaitedForWhatNobodyAnnouncedOrNoFolderHolds() throws {
    let home = try Home()
    try home.addFolder()
    let unknown = try home.continuo("wait", home.device.folder + "/new/plan.md")
    #expect(unknown.exit == .code(1) && unknown.outputText.isEmpty, "\(unknown.state)")
    expectSentence(unknown, saying: "plan.md is not here", "no other device offers it", "name")
    try Files.replace(home.device.folder + "/plan.md", with: Array("alpha".utf8))
    let here = try home.continuo("wait", home.device.folder + "/plan.md")
    #expect(here.exit == .code(0), "\(here.state)")
    #expect(here.outputText.contains("No other device offers"), "\(here.state)")
    let json = try home.continuo("wait", "--json", home.device.folder + "/plan.md")
    let told = try JSONSerialization.jsonObject(with: Data(json.outputBytes)) as? [String: Any]
    #expect(told?["url"] as? String == FileURL.text(of: Array((home.device.folder + "/plan.md").utf8)))
    #expect((told?["message"] as? String)?.contains("No other device offers") == true, "\(json.state)")
    expectSentence(
      try home.continuo("wait", home.device.root + "/home/plan.md"), saying: "plan.md", "synced folder")
    #expect(try home.continuo("wait", "plan.md", "--timeout", "-1").exit == .code(64))
  }

  /// As with `publish`: a link stands for what it leads to.
  @Test func whatIsNoDocumentIsNotWaitedForAndALinkIsFollowed() throws {
    let home = try Home()
    try home.addFolder()
    let folder = home.device.folder
    try Files.makeDirectory(folder + "/sub.md")
    #expect(mkfifo(folder + "/pipe.md", 0o600) == 0)
    try Files.replace(folder + "/plan.md", with: Array("alpha".utf8))
    #expect(symlink("plan.md", folder + "/link.md") == 0)
    expectSentence(try home.continuo("wait", folder), saying: folder + " is a folder")
    expectSentence(try home.continuo("wait", folder + "/."), saying: folder + " is a folder")
    expectSentence(try home.continuo("wait", folder + "/sub.md"), saying: "sub.md is a folder")
    expectSentence(try home.continuo("wait", folder + "/pipe.md"), saying: "pipe.md is a pipe")
    let linked = try home.continuo("wait", folder + "/link.md")
    #expect(linked.exit == .code(0) && linked.outputText.contains("of plan.md"), "\(linked.state)")
  }

  @Test func theListOfOffersIsPrintedAgainWheneverItChanges() throws {
    let devices = try TwoDevices()
    let laptop = devices.laptop.device
    let json = try laptop.start("offers", "--watch", "--json")
    let plain = try laptop.start("offers", "--watch")
    func lines(_ child: ChildProcess) -> [Substring] { child.outputText.split(separator: "\n") }
    try json.waitForOutput("an empty list") { $0 == "[]\n" }
    try devices.offer("plan.md", "alpha")
    try json.waitForOutput("the offer") { $0.contains("\"arrival\":\"current\"") }
    try plain.waitForOutput("the offer") { $0.contains("Notes/plan.md  current") }
    try devices.desktop.stopPublishing("plan.md")
    devices.laptop.app.flow = devices.flow()
    _ = try devices.laptop.app.wait(for: "no offers") { $0.offers?.isEmpty == true ? () : nil }
    try json.waitForOutput("an empty list again") { $0.hasSuffix("\n[]\n") }

    let lists = try lines(json).map {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [[String: Any]]
    }
    #expect(lists.count >= 3 && !lists.contains { $0 == nil }, "\(json.state)")
    #expect(zip(lines(json), lines(json).dropFirst()).allSatisfy { $0 != $1 }, "a list was told twice")
    for child in [json, plain] {
      child.signal(.interrupt)
      #expect(try child.waitForExit() == .code(0), "\(child.state)")
    }
  }
}
