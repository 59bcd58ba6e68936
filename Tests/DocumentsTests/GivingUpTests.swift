// SPDX-License-Identifier: MIT

import ActivityModel
import ContinuityTesting
import Documents
import Foundation
import Testing
import UserActivities

extension OneApplicationAtATime {
  /// A document that another device goes on with, with real files and the machines of the product.
  @MainActor @Suite(.timeLimit(.minutes(1))) struct GivingUpTests {
    private let world: TestWorld
    private let desktop: TestDevice
    private let laptop: TestDevice

    init() throws {
      world = try TestWorld(devices: ["desktop", "laptop"])
      (desktop, laptop) = (world.devices[0], world.devices[1])
    }

    /// The laptop goes on with what the desktop shows, and the desktop hears of it.
    private func handOver() async throws -> (left: TextFile, taken: TextFile) {
      try world.write("one\n", to: "plan.txt")
      try desktop.launch(SampleApp.manifest(), documents: ["TextFile": TextFile.self])
      let left = try #require(try await desktop.open("plan.txt") as? TextFile)
      left.type("two\n")
      world.pass(.seconds(5))
      #expect(desktop.data(of: "plan.txt") == Data("one\ntwo\n".utf8))
      try world.carry("plan.txt", from: desktop, to: laptop)
      world.carryRecords()
      try laptop.launch(SampleApp.manifest(), documents: ["TextFile": TextFile.self])
      world.pass(.seconds(2))
      #expect(laptop.offers.count == 1)
      _ = try laptop.continueOffer()
      world.pass(.seconds(2))
      let taken = try #require(laptop.document("plan.txt") as? TextFile)
      #expect(taken.text == "one\ntwo\n")
      // As a window would that shows it.
      laptop.application?.mainDocument = taken
      world.carryRecords()
      world.pass(.seconds(2))
      return (left, taken)
    }

    @Test func s23c_s23d_whatAnotherDeviceHasIsFollowedAndTakenBackByAKey() async throws {
      let (left, taken) = try await handOver()
      #expect(left.continuedOn?.device == "laptop" && taken.continuedOn == nil)
      laptop.comeForward()
      taken.type("three\n")
      world.pass(.seconds(5))
      #expect(laptop.data(of: "plan.txt") == Data("one\ntwo\nthree\n".utf8))
      try world.carry("plan.txt", from: laptop, to: desktop)
      #expect(desktop.data(of: "plan.txt") == Data("one\ntwo\nthree\n".utf8))
      desktop.comeForward()
      world.carryRecords()
      world.pass(.seconds(5))
      // The desktop shows it, writes nothing, and offers nothing.
      #expect(left.text == "one\ntwo\nthree\n" && !left.isDocumentEdited)
      #expect(left.continuedOn?.device == "laptop" && laptop.offers.isEmpty)
      desktop.comeForward()
      left.type("four\n")
      #expect(left.continuedOn == nil)
      world.pass(.seconds(5))
      #expect(desktop.data(of: "plan.txt") == Data("one\ntwo\nthree\nfour\n".utf8))
      world.carryRecords()
      world.pass(.seconds(2))
      #expect(laptop.offers.map { $0.path?.description } == ["plan.txt"])
    }

    /// Both went on: the desktop before it heard of the laptop. Nobody's text is written over.
    @Test func s23e_whatWasTypedBeforeTheReceiptCameStaysThePersons() async throws {
      try world.write("one\n", to: "plan.txt")
      try desktop.launch(SampleApp.manifest(), documents: ["TextFile": TextFile.self])
      let left = try #require(try await desktop.open("plan.txt") as? TextFile)
      world.pass(.seconds(5))
      world.carryRecords()
      try laptop.launch(SampleApp.manifest(), documents: ["TextFile": TextFile.self])
      world.pass(.seconds(2))
      _ = try laptop.continueOffer()
      world.pass(.seconds(2))
      desktop.comeForward()
      left.type("two\n")
      world.carryRecords()
      world.pass(.seconds(5))
      #expect(left.continuedOn == nil && desktop.data(of: "plan.txt") == Data("one\ntwo\n".utf8))
    }
  }
}
