// SPDX-License-Identifier: MIT

import ActivityModel
import ContinuityTesting
import Documents
import Foundation
import Testing
import UserActivities

extension OneApplicationAtATime {
  /// A document whose file gets another name: real files, and the product's machines between app and folder.
  @MainActor @Suite(.timeLimit(.minutes(1))) struct FollowingTests {
    private let world: TestWorld
    private let desktop: TestDevice
    private let laptop: TestDevice

    init() throws {
      world = try TestWorld(devices: ["desktop", "laptop"])
      (desktop, laptop) = (world.devices[0], world.devices[1])
    }

    private func place(_ name: String) -> URL { desktop.folder.appending(path: name) }

    @Test(arguments: [true, false])
    func s34c_s29b_aRenameWhileThePersonTypesIsFollowedByAgentAppAndOffer(_ isCopy: Bool) async throws {
      try world.write("one\n", to: "plan.txt")
      try desktop.launch(SampleApp.manifest(), documents: ["TextFile": TextFile.self])
      let plan = try #require(try await desktop.open("plan.txt") as? TextFile)
      world.pass(.seconds(5))
      // As engines do it, and as people do.
      if isCopy {
        try desktop.write("one\n", to: "final.txt")
        world.pass(.milliseconds(500))
        try FileManager.default.removeItem(at: place("plan.txt"))
      } else {
        try FileManager.default.moveItem(at: place("plan.txt"), to: place("final.txt"))
      }
      desktop.comeForward()
      plan.type("two\n")
      world.pass(.seconds(30))
      #expect(plan.displayName == "final.txt" && !plan.isDocumentEdited)
      #expect(desktop.data(of: "final.txt") == Data("one\ntwo\n".utf8))
      #expect(desktop.data(of: "plan.txt") == nil)
      world.carryRecords()
      try laptop.launch(SampleApp.manifest(), documents: ["TextFile": TextFile.self])
      world.pass(.seconds(2))
      #expect(laptop.offers.map { $0.path?.description } == ["final.txt"])
    }

    @Test func s34e_aConflictCopyIsToldToTheApp() async throws {
      try world.write("one\n", to: "plan.txt")
      try desktop.launch(SampleApp.manifest(), documents: ["TextFile": TextFile.self])
      let plan = try await desktop.open("plan.txt")
      let copy = "plan.sync-conflict-20261122-040000-ABCDEFG.txt"
      try desktop.write("theirs\n", to: copy)
      world.pass(.seconds(2))
      #expect(plan.conflictCopyURLs.map(\.lastPathComponent) == [copy])
      for version in try plan.unresolvedConflictVersions() { try version.remove() }
      world.pass(.seconds(2))
      #expect(plan.conflictCopyURLs.isEmpty && desktop.data(of: "plan.txt") == Data("one\n".utf8))
    }
  }
}
