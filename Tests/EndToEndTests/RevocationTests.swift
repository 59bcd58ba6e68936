// SPDX-License-Identifier: MIT

import LinuxSystem
import ActivityModel
import Glibc
import Testing
import Trust
import TrustCiphers

@testable import fixtures

/// A device that is taken out of a circle of three real ones, through the folder alone.
@Suite(.timeLimit(.minutes(20))) struct RevocationTests {
  @Test func whoWasRemovedIsNotOfferedNotBelievedAndReadsNothingNew() throws {
    signal(SIGPIPE, SIG_IGN)
    let player = try Player()
    defer {
      for each in player.cast.values {
        for publisher in each.publishing.values { publisher.signal(.kill) }
        each.device.endAgent()
      }
      player.sandbox.close(keepingFiles: false, endingProcesses: false)
    }
    try player.setUp(["desktop", "laptop", "tablet"])
    let (desktop, laptop) = (try player.device("desktop").device, try player.device("laptop").device)
    let tablet = try player.device("tablet")
    try Files.replace(laptop.folder + "/plan.md", with: Array("alpha".utf8))
    let moment = WallTime(milliseconds: wallNow())
    try player.device("laptop").publish("plan.md", line: 1, column: 2)
    try player.carrying().deliverEverything()
    try tablet.app.see("plan.md", "current", since: moment)
    let said = try desktop.continuo("revoke", "laptop")
    #expect(said.contains("can no longer read new activity"), "\(said)")
    // Before the news reaches it the thief publishes once more, beside it and with its former key.
    try player.device("laptop").publish("plan.md", line: 1, column: 5)
    try player.carrying().deliverRecords()
    _ = try tablet.app.wait(for: "no offers") { $0.offers?.isEmpty == true ? () : nil }
    let listed = try tablet.device.continuo("devices").split(separator: "\n")
    #expect(
      listed.contains { $0.hasPrefix("laptop") && $0.contains("removed") && $0.hasSuffix("by desktop") })
    #expect(try tablet.device.status().devices.sorted() == ["desktop", "tablet"])

    try Files.replace(desktop.folder + "/notes.md", with: Array("beta".utf8))
    try player.device("desktop").publish("notes.md", line: 1, column: 1)
    try player.carrying().deliverEverything()
    let identity = try #require(Files.read(laptop.root + "/state/continuo/identity"))
    let thief = try Identity(encoded: identity, ciphers: StandardCiphers())
    let own = try Identity(
      encoded: #require(Files.read(desktop.root + "/state/continuo/identity")), ciphers: StandardCiphers())
    let record = try #require(Files.read(laptop.records + "/" + own.fileName(.state)))
    #expect(try own.open(record).device == own.id)
    #expect(throws: (any Error).self) { try thief.open(record) }
    let changes = try FolderEvents([laptop.records])
    try changes.wait(for: "the laptop to say that it was removed", lastState: { laptop.logEnd }) {
      () -> Void? in
      try laptop.status().problems.contains { $0.contains("removed from its circle by desktop") } ? () : nil
    }
    expectSentence(
      try player.device("laptop").run("publish", laptop.folder + "/plan.md"),
      saying: "removed from its circle by desktop", "pair it again")
  }
}
