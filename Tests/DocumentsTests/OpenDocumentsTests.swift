// SPDX-License-Identifier: MIT

import ActivityModel
import ContinuityTesting
import Documents
import Foundation
import Testing
import UserActivities

extension OneApplicationAtATime {
  /// All that is open on one device, continued on another with one acceptance (semantics 52).
  @MainActor @Suite(.timeLimit(.minutes(20))) struct OpenDocumentsTests {
    private let world: TestWorld
    private let desktop: TestDevice
    private let laptop: TestDevice
    private static let names = (0..<10).map { "part \($0).txt" }

    init() throws {
      world = try TestWorld(devices: ["desktop", "laptop"])
      (desktop, laptop) = (world.devices[0], world.devices[1])
    }

    /// Ten documents are open on the desktop, each with a line that the laptop's files do not have.
    private func openTen(offering: Bool = true) async throws {
      for name in Self.names { try world.write("one\n", to: name) }
      try desktop.launch(SampleApp.manifest(), documents: ["TextFile": TextFile.self])
      try laptop.launch(SampleApp.manifest(), documents: ["TextFile": TextFile.self])
      desktop.comeForward()
      DocumentController.shared.offersOpenDocuments = offering
      for name in Self.names {
        let document = try #require(try await desktop.open(name) as? TextFile)
        document.line = 1
        document.type("of \(name)\n")
        world.pass(.seconds(5))
      }
      world.carryRecords()
      world.pass(.seconds(2))
    }

    private func text(_ name: String) -> String? { (laptop.document(name) as? TextFile)?.text }

    private func carry(_ names: [String] = names) throws {
      for name in names { try world.carry(name, from: desktop, to: laptop) }
      world.pass(.seconds(2))
    }

    @Test func s52a_tenThatAreOpenThereOpenHereWithOneAcceptance() async throws {
      try await openTen()
      try carry()
      #expect(laptop.offers.map(\.displayTitle) == ["part 9.txt"])
      let beside = laptop.offersOpenedBeside
      #expect(beside.map(\.displayTitle) == Array(Self.names.dropLast()))
      #expect(try laptop.continueOfferWithOpenDocuments().count == 10)
      world.pass(.seconds(2))
      for name in Self.names { #expect(text(name) == "one\nof \(name)\n", "\(name)") }
      #expect(DocumentController.shared.documents.count == 10 && laptop.application?.continuation == nil)
      #expect((laptop.document("part 9.txt") as? TextFile)?.line == 1)
    }

    @Test func s52c_oneThatIsLateOneThatDivergedAndOneWithChangesHereAreForThemselves() async throws {
      try await openTen()
      let changed = try #require(try await laptop.open("part 1.txt") as? TextFile)
      changed.type("unsaved here\n")
      try carry(Array(Self.names.dropFirst(4)) + ["part 3.txt"])
      // As many bytes as the version has.
      try laptop.write("one\nOF part 2.txt\n", to: "part 2.txt")
      let leader = try #require(laptop.offers.first).id
      try laptop.continueOfferWithOpenDocuments()
      world.pass(.seconds(5))
      for name in Self.names.dropFirst(3) { #expect(text(name) == "one\nof \(name)\n", "\(name)") }
      // What is on its way comes, what diverged waits for an answer, and nothing typed here is lost.
      #expect(text("part 0.txt") == nil && text("part 2.txt") == nil)
      #expect(changed.text == "one\nunsaved here\n")
      let application = try #require(laptop.application)
      let beside = application.offersOpenedBeside(leader)
      let diverged = try #require(beside.first { $0.displayTitle == "part 2.txt" })
      #expect(diverged.status.arrival == .diverged)
      application.choose(.openHere, for: try #require(application.continuation(of: diverged.id)))
      try carry(["part 0.txt"])
      world.pass(.seconds(5))
      #expect(text("part 2.txt") == "one\nOF part 2.txt\n" && text("part 0.txt") == "one\nof part 0.txt\n")
      #expect(laptop.document("part 2.txt")?.isReadOnly == true)
      #expect(changed.text == "one\nunsaved here\n")
    }

    @Test func s52d_whatIsClosedIsListedNoMore() async throws {
      try await openTen()
      desktop.comeForward()
      for name in Self.names.prefix(8) { desktop.document(name)?.close() }
      world.pass(.seconds(5))
      world.carryRecords()
      world.pass(.seconds(2))
      #expect(laptop.offersOpenedBeside.map(\.displayTitle) == ["part 8.txt"])
    }

    @Test func s52f_nothingIsListedUnlessTheAppSaysSo() async throws {
      try await openTen(offering: false)
      #expect(laptop.offers.count == 1 && laptop.offersOpenedBeside == [])
    }
  }
}
