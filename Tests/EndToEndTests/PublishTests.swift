// SPDX-License-Identifier: MIT

import LinuxSystem
import ActivityModel
import Glibc
import TestSupport
import Testing

@testable import fixtures

/// `continuo publish` says what the agent said, and "is offered" of nothing else.
@Suite(.waiting, .timeLimit(.minutes(20))) struct PublishTests {
  private func expectRefusal(
    _ home: Home, _ path: String, saying words: String..., sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let child = try home.continuo("publish", path)
    #expect(
      child.exit == .code(1) && child.outputText.isEmpty, "\(child.state)", sourceLocation: sourceLocation)
    for word in words {
      #expect(child.errorText.contains(word), "\(child.state)", sourceLocation: sourceLocation)
    }
    let own = try home.continuo("offers", "--own")
    #expect(own.outputText.isEmpty, "\(own.state)", sourceLocation: sourceLocation)
  }

  @Test func whatIsNoDocumentIsRefusedInWords() throws {
    let home = try Home()
    try home.addFolder()
    let folder = home.device.folder
    #expect(mkfifo(folder + "/pipe.md", 0o600) == 0)
    try expectRefusal(home, folder + "/pipe.md", saying: "pipe.md is a pipe")
    try Files.makeDirectory(folder + "/sub.md")
    try expectRefusal(home, folder + "/sub.md", saying: "sub.md is a folder")
    for path in [folder, folder + "/.", folder + "/sub.md/.."] {
      try expectRefusal(home, path, saying: folder + " is a folder")
    }
    try Files.replace(folder + "/.continuo/mine.md", with: Array("x".utf8))
    try expectRefusal(
      home, folder + "/.continuo/mine.md", saying: "mine.md belongs to the sync engine or to continuo")
    try Files.makeDirectory(folder + "/.stversions")
    try Files.replace(folder + "/.stversions/old.md", with: Array("x".utf8))
    try expectRefusal(home, folder + "/.stversions/old.md", saying: "old.md belongs to the sync engine")
    try expectRefusal(home, "/dev/null", saying: "/dev/null is a device")
  }

  /// What the agent cannot read ends the connection: it would be said again and again.
  @Test func aTypeThatNoActivityCanHaveIsRefused() throws {
    let home = try Home()
    try home.addFolder()
    let path = home.device.folder + "/plan.md"
    try Files.replace(path, with: Array("alpha".utf8))
    for type in ["bad\u{1b}[1m", "two\nrows", String(repeating: "n", count: 257)] {
      let child = try home.continuo("publish", path, "--type", type)
      #expect(child.exit == .code(64) && child.errorText.contains("activity type"), "\(child.state)")
    }
  }

  /// Whatever is printed would else go to the agent, or to a file that is opened later.
  @Test func closedStreamsAreNoOtherFiles() throws {
    let home = try Home()
    try home.addFolder()
    let path = home.device.folder + "/plan.md"
    try Files.replace(path, with: Array("alpha".utf8))
    let child = try ChildProcess(
      "/bin/sh", ["-c", "exec \"$0\" publish \"$1\" <&- >&- 2>&-", home.sandbox.programs["continuo"], path],
      environment: home.device.environment)
    var own = ""
    let changes = try FolderEvents([home.device.records])
    try changes.wait(for: "the offer", lastState: { own + child.state }) { () -> Void? in
      own = try home.device.continuo("offers", "--own")
      return own.contains("plan.md") && own.contains("  offered") ? () : nil
    }
    child.signal(.interrupt)
    #expect(try child.waitForExit() == .code(0), "\(child.state)")
  }

  @Test func aLinkIsFollowedOrRefused() throws {
    let home = try Home()
    try home.addFolder()
    let folder = home.device.folder
    try Files.replace(folder + "/plan.md", with: Array("alpha".utf8))
    try Files.replace(home.device.root + "/outside.md", with: Array("alpha".utf8))
    for (name, target) in [
      ("link.md", "plan.md"), ("nowhere.md", "none.md"), ("out.md", "../outside.md"), ("self.md", "self.md"),
    ] {
      #expect(symlink(target, folder + "/" + name) == 0)
    }
    try expectRefusal(home, folder + "/nowhere.md", saying: "nowhere.md is a link that leads to nothing")
    try expectRefusal(home, folder + "/self.md", saying: "self.md is a link that leads to nothing")
    try expectRefusal(home, folder + "/out.md", saying: "outside.md", "lies in no synced folder")
    let publishing = try home.device.start("publish", folder + "/link.md")
    try publishing.waitForOutput("the offer") { $0.contains("is offered") }
    #expect(publishing.errorText.contains("is a link to \(folder)/plan.md"), "\(publishing.state)")
    let own = try home.continuo("offers", "--own")
    #expect(own.outputText.contains("plan.md") && own.outputText.contains("  offered"), "\(own.state)")
    publishing.signal(.interrupt)
    #expect(try publishing.waitForExit() == .code(0), "\(publishing.state)")
  }

  @Test func theVerdictIsAwaitedThroughARestartOfTheAgent() throws {
    let devices = try TwoDevices()
    try devices.write("plan.md", "alpha")
    try devices.desktop.publish("plan.md", line: 1, column: 1)
    try devices.desktop.killAgent()
    let changes = try FolderEvents([devices.desktop.device.records])
    var own = ""
    try changes.wait(for: "the offer of the next agent", lastState: { own }) { () -> Void? in
      own = try devices.desktop.device.continuo("offers", "--own")
      return own.contains("plan.md") && own.contains("  offered") ? () : nil
    }
    try devices.desktop.stopPublishing("plan.md")
  }
}
