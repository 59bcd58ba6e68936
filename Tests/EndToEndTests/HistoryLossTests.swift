// SPDX-License-Identifier: MIT

import LinuxSystem
import ActivityModel
import Foundation
import Glibc
import SyncedFolders
import TestSupport
import Testing
import VersionHistory

@testable import fixtures

/// The agent's own file of histories is damaged while it does not run.
@Suite(.waiting) struct HistoryLossTests {
  @Test func aDamagedFileIsNamedAndKeptAndWhatWasOfferedIsKnownAgain() throws {
    let home = try Home()
    try home.addFolder()
    let path = home.device.folder + "/plan.md"
    var known: Set<String> = []
    for text in ["alpha", "beta"] {
      try Files.replace(path, with: Array(text.utf8))
      let publisher = try home.device.start("publish", path)
      // Said by the agent, not by the publisher: what a killed app said last is read no further.
      known = try Waiting.wait(
        for: "another activity", by: Deadline(seconds: 20), on: { publisher.descriptors },
        lastState: { home.device.logEnd }
      ) { () -> Set<String>? in
        let own = try ownActivities(home)
        return own.isSubset(of: known) ? nil : own
      }
      // Killed, it leaves its document open: the offer stands.
      publisher.signal(.kill)
      try publisher.waitForExit()
    }
    let place = try place(of: "plan.md", home)
    let before = try history(of: place, home)
    #expect(before.versions.count == 2)
    let file = home.device.root + "/state/continuo/history.sqlite"
    try Files.replace(file, with: Array("no database".utf8))
    try home.device.continuo("status")
    let problems = try home.device.status().problems
    #expect(problems.count == 1 && problems[0].contains(file + ".damaged"), "\(problems)")
    #expect(Files.text(file + ".damaged") == "no database")
    #expect(try history(of: place, home).versions == before.versions)
  }

  @Test func anAgentThatFoundDamageWakesUpNoMoreThanAnother() throws {
    let home = try Home()
    try home.addFolder()
    let path = home.device.folder + "/plan.md"
    try Files.replace(path, with: Array("alpha".utf8))
    try publish(path, home)
    let place = try place(of: "plan.md", home)
    let prefix = try #require(try history(of: place, home).versions.first)
    // One bit, which SQLite does not see.
    let file = home.device.root + "/state/continuo/history.sqlite"
    var bytes = try #require(Files.read(file))
    let found = try #require(
      bytes.indices.first { Array(bytes[$0...].prefix(prefix.bytes.count)) == prefix.bytes })
    bytes[found] ^= 1
    try Files.writeInPlace(file, bytes)
    try home.device.continuo("status")
    try publish(path, home)
    let status = try home.device.status()
    #expect(status.problems.contains { $0.contains("does not match its checksum") }, "\(status.problems)")
    // Dispatch looks after the threads of its global queues each second, and has a timer for that.
    let links = SoakFigures.links(of: pid_t(status.process))
    #expect(!links.contains { $0.contains("timerfd") } && links.count > 5, "\(links)")
  }

  private func publish(_ path: String, _ home: Home) throws {
    let publisher = try home.device.start("publish", path)
    _ = try Waiting.wait(
      for: "the activity", by: Deadline(seconds: 20), on: { publisher.descriptors },
      lastState: { home.device.logEnd }
    ) { () -> Void? in try ownActivities(home).isEmpty ? nil : () }
    publisher.signal(.interrupt)
    try publisher.waitForExit()
  }

  private func ownActivities(_ home: Home) throws -> Set<String> {
    let told = try home.device.continuo("offers", "--own", "--json")
    let rows = try JSONSerialization.jsonObject(with: Data(told.utf8)) as? [[String: Any]]
    return Set((rows ?? []).compactMap { $0["id"] as? String })
  }

  private func place(of name: String, _ home: Home) throws -> DocumentHistories.Place {
    let folder = try #require(try home.device.status().folders.first)
    return DocumentHistories.Place(folder: folder.id, path: try #require(RelativePath(name)))
  }

  /// What is known once the agent has ended.
  private func history(of place: DocumentHistories.Place, _ home: Home) throws -> DocumentHistory {
    try home.device.continuo("agent", "stop")
    return try DocumentHistories(directory: home.device.root + "/state/continuo")[place]
  }
}
