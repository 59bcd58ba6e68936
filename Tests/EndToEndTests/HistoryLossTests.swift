// SPDX-License-Identifier: MIT

import ActivityModel
import Glibc
import SyncedFolders
import Testing
import VersionHistory

@testable import fixtures

/// The agent's own file of histories is damaged while it does not run.
@Suite struct HistoryLossTests {
  @Test func aDamagedFileIsNamedAndKeptAndWhatWasOfferedIsKnownAgain() throws {
    let home = try Home()
    try home.addFolder()
    let path = home.device.folder + "/plan.md"
    for text in ["alpha", "beta"] {
      try Files.replace(path, with: Array(text.utf8))
      let publisher = try home.device.start("publish", path)
      try publisher.waitForOutput("the offer") { $0.contains("is offered") }
      // Killed, it leaves its document open: the offer stands.
      publisher.signal(SIGKILL)
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
