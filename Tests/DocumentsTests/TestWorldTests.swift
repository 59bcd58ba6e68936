// SPDX-License-Identifier: MIT

import ActivityModel
import ContinuityTesting
import Documents
import Foundation
import Testing
import UserActivities

extension OneApplicationAtATime {
  /// An author's document class, its files and its app, with the agents of the test kit between two devices.
  @MainActor @Suite(.timeLimit(.minutes(20))) struct TestWorldTests {
    private let world: TestWorld
    private let desktop: TestDevice
    private let laptop: TestDevice
    private let source = Source()
    private let destination = Destination()

    init() throws {
      world = try TestWorld(devices: ["desktop", "laptop"])
      (desktop, laptop) = (world.devices[0], world.devices[1])
    }

    /// Both have the first version; the desktop goes on, and the laptop knows of it.
    private func leaveAtLine(_ line: Int = 7) async throws {
      try world.write("one\n", to: "plan.txt")
      try desktop.launch(SampleApp.manifest(), documents: ["TextFile": TextFile.self])
      try laptop.launch(SampleApp.manifest(), documents: ["TextFile": TextFile.self], delegate: destination)
      let plan = try #require(try await desktop.open("plan.txt") as? TextFile)
      try #require(plan.userActivity).delegate = source
      plan.line = line
      plan.type("two\n")
      world.pass(.seconds(10))
      #expect(desktop.data(of: "plan.txt") == Data("one\ntwo\n".utf8) && !plan.isDocumentEdited)
      world.carryRecords()
      world.pass(.seconds(2))
      #expect(laptop.offers.map(\.deviceName) == ["desktop"])
    }

    private var plan: TextFile? { laptop.document("plan.txt") as? TextFile }

    @Test func theDocumentOpensWhereItWasLeft() async throws {
      try await leaveAtLine()
      try world.carry("plan.txt", from: desktop, to: laptop)
      world.pass(.seconds(2))
      #expect(laptop.offers.map(\.status.arrival) == [.current])
      try laptop.continueOffer()
      world.pass(.seconds(1))
      #expect(plan?.text == "one\ntwo\n" && plan?.line == 7 && plan?.isReadOnly == false)
      #expect(destination.calls == ["will", "opened plan.txt"] && laptop.status == nil)
      #expect(source.timesContinued == 0)
      world.carryRecords()
      world.pass(.seconds(2))
      #expect(source.timesContinued == 1)
    }

    @Test func anOlderVersionIsNotOpened() async throws {
      try await leaveAtLine()
      try laptop.continueOffer()
      world.pass(.seconds(5))
      #expect(laptop.status?.arrival == .behind && plan == nil, "\(String(describing: laptop.status))")
      #expect(laptop.status?.cause?.kind == .behind)
      #expect(destination.reasons.last == laptop.status?.reason)
      try world.carry("plan.txt", from: desktop, to: laptop)
      world.pass(.seconds(2))
      #expect(plan?.text == "one\ntwo\n" && plan?.line == 7)
    }

    @Test func otherBytesAreNotTakenForTheDocument() async throws {
      try await leaveAtLine()
      // As many bytes as the version has.
      try laptop.write("one\nTWO\n", to: "plan.txt")
      try laptop.continueOffer()
      world.pass(.seconds(5))
      #expect(laptop.status?.arrival == .diverged && plan == nil)
      let request = try #require(laptop.application?.continuation)
      laptop.application?.choose(.openHere, for: request)
      world.pass(.seconds(1))
      #expect(plan?.text == "one\nTWO\n" && plan?.isReadOnly == true)
    }

    @Test func aDocumentThatNeverComesFailsWithAReason() async throws {
      try await leaveAtLine()
      try FileManager.default.removeItem(at: laptop.folder.appending(path: "plan.txt"))
      try laptop.continueOffer()
      world.pass(.seconds(29))
      #expect(laptop.status?.arrival == .missing)
      let cause = try #require(laptop.status?.cause)
      #expect(cause.sentence.contains("plan.txt is not here; the version from desktop is still on its way"))
      world.pass(.seconds(2))
      #expect(
        laptop.status?.cause == .overdue(cause))
      #expect(destination.errors.isEmpty)
      world.pass(.seconds(120))
      #expect(destination.errors.map(\.code) == [.documentMissing] && laptop.status == nil && plan == nil)
      #expect(laptop.offers.count == 1)
    }

    @Test func anAgentThatIsKilledInBetweenIsMadeUpFor() async throws {
      try await leaveAtLine()
      try laptop.continueOffer()
      world.pass(.seconds(5))
      laptop.killAgent()
      #expect(laptop.application?.isConnected == false)
      try world.carry("plan.txt", from: desktop, to: laptop)
      world.pass(.seconds(20))
      #expect(plan == nil && destination.errors.isEmpty)
      laptop.startAgent()
      world.pass(.seconds(2))
      #expect(plan?.line == 7 && destination.calls == ["will", "opened plan.txt"])
    }

    @Test func withoutAnotherAgentItFails() async throws {
      try await leaveAtLine()
      try laptop.continueOffer()
      world.pass(.seconds(5))
      laptop.killAgent()
      world.pass(.seconds(31))
      #expect(destination.errors.map(\.code) == [.connectionUnavailable])
      laptop.startAgent()
      try world.carry("plan.txt", from: desktop, to: laptop)
      world.pass(.seconds(5))
      #expect(plan == nil && destination.calls == ["will", "failed"])
    }

    @Test func whatThePersonTurnsDownDoesNotOpenLater() async throws {
      try await leaveAtLine()
      let request = try laptop.continueOffer()
      world.pass(.seconds(5))
      laptop.application?.cancelContinuation(request)
      #expect(destination.errors.map(\.code) == [.userCancelled])
      try world.carry("plan.txt", from: desktop, to: laptop)
      world.pass(.seconds(60))
      #expect(plan == nil && laptop.offers.map(\.status.arrival) == [.current])
      world.carryRecords()
      world.pass(.seconds(5))
      #expect(source.timesContinued == 0 && destination.calls == ["will", "failed"])
    }

    @Test func anAppThatCrashedBeginsAnew() async throws {
      try await leaveAtLine()
      try laptop.continueOffer()
      world.pass(.seconds(5))
      laptop.crash()
      try world.carry("plan.txt", from: desktop, to: laptop)
      world.pass(.seconds(30))
      let second = Destination()
      try laptop.launch(SampleApp.manifest(), documents: ["TextFile": TextFile.self], delegate: second)
      world.pass(.seconds(2))
      #expect(plan?.text == "one\ntwo\n" && plan?.line == 7)
      #expect(second.calls == ["will", "opened plan.txt"] && destination.calls == ["will"])
    }

    @Test func anAppThatComesBackTooLateIsOfferedItAgain() async throws {
      try await leaveAtLine()
      try laptop.continueOffer()
      world.pass(.seconds(5))
      laptop.crash()
      try world.carry("plan.txt", from: desktop, to: laptop)
      world.pass(.seconds(70))
      try laptop.launch(SampleApp.manifest(), documents: ["TextFile": TextFile.self])
      world.pass(.seconds(2))
      #expect(plan == nil && laptop.offers.count == 1)
    }

    @Test func whatThePersonLeftOpenStandsWhenTheAppHasQuit() async throws {
      try await leaveAtLine()
      (desktop.document("plan.txt") as? TextFile)?.type("three\n")
      desktop.quit()
      #expect(desktop.data(of: "plan.txt") == Data("one\ntwo\nthree\n".utf8))
      world.pass(.seconds(60))
      world.carryRecords()
      try world.carry("plan.txt", from: desktop, to: laptop)
      world.pass(.seconds(5))
      #expect(laptop.offers.map(\.status.arrival) == [.current])
      try laptop.continueOffer()
      world.pass(.seconds(1))
      #expect(plan?.text == "one\ntwo\nthree\n" && plan?.line == 7)
    }

    /// The person looks at the other device while the document arrives.
    @Test func eachAppKeepsToItsDevice() async throws {
      try await leaveAtLine()
      try laptop.continueOffer()
      desktop.comeForward()
      try world.carry("plan.txt", from: desktop, to: laptop)
      world.pass(.seconds(5))
      #expect(plan?.line == 7 && plan !== desktop.document("plan.txt"))
      #expect(Application.shared === desktop.application)
      #expect(DocumentController.shared.documents.count == 1)
    }

    /// There and back: both apps run, and each keeps to its own device.
    @Test func theDocumentComesBack() async throws {
      try await leaveAtLine()
      try world.carry("plan.txt", from: desktop, to: laptop)
      world.pass(.seconds(2))
      try laptop.continueOffer()
      world.pass(.seconds(1))
      let here = try #require(plan)
      laptop.application?.mainDocument = here
      here.line = 3
      here.type("three\n")
      world.pass(.seconds(10))
      world.carryRecords()
      world.pass(.seconds(2))
      #expect(desktop.offers.map(\.status.arrival) == [.behind])
      try desktop.continueOffer()
      try world.carry("plan.txt", from: laptop, to: desktop)
      world.pass(.seconds(2))
      let there = try #require(desktop.document("plan.txt") as? TextFile)
      #expect(there.text == "one\ntwo\nthree\n" && there.line == 3 && there !== here)
    }

    @Test func aLargeDocumentIsSavedWithinThePass() async throws {
      let text = String(repeating: "0123456789abcde\n", count: 1 << 17)
      try world.write(text, to: "plan.txt")
      try desktop.launch(SampleApp.manifest(), documents: ["TextFile": TextFile.self])
      let plan = try #require(try await desktop.open("plan.txt") as? TextFile)
      plan.type("end")
      world.pass(.seconds(30))
      #expect(desktop.data(of: "plan.txt")?.count == text.utf8.count + 3 && !plan.isDocumentEdited)
    }

    @Test func whatIsSaidWronglyIsExplained() async throws {
      #expect(throws: ContinuityError.self) { try TestWorld(devices: ["desktop", "desktop"]) }
      #expect(throws: ContinuityError.self) { try TestWorld(devices: []) }
      #expect(throws: ContinuityError.self) { try laptop.continueOffer() }
      #expect(throws: ContinuityError.self) { try world.carry("plan.txt", from: desktop, to: laptop) }
      await #expect(throws: ContinuityError.self) { try await laptop.open("plan.txt") }
      try laptop.launch(SampleApp.manifest(), documents: ["TextFile": TextFile.self])
      #expect(throws: ContinuityError.self) {
        try laptop.launch(SampleApp.manifest(), documents: ["TextFile": TextFile.self])
      }
    }

    @Test func theFoldersGoWithTheWorld() throws {
      var other: TestWorld? = try TestWorld(devices: ["one"])
      let folder = try #require(other?.devices[0].folder)
      try other?.devices[0].launch(SampleApp.manifest(), documents: ["TextFile": TextFile.self])
      #expect(FileManager.default.fileExists(atPath: folder.path))
      other = nil
      #expect(!FileManager.default.fileExists(atPath: folder.path))
    }
  }
}

@MainActor
private final class Source: UserActivityDelegate {
  private(set) var timesContinued = 0
  func userActivityWasContinued(_ userActivity: UserActivity) { timesContinued += 1 }
}

@MainActor
private final class Destination: ApplicationDelegate {
  private(set) var calls: [String] = []
  private(set) var reasons: [String] = []
  private(set) var errors: [ContinuityError] = []

  func application(_ application: Application, willContinueUserActivityWithType type: String) -> Bool {
    calls.append("will")
    return true
  }

  func application(_ application: Application, isWaitingFor offer: Offer, status: ArrivalStatus) {
    reasons.append(status.reason)
  }

  func application(_ application: Application, didOpen document: Document, wasAlreadyOpen: Bool) {
    calls.append("opened \(document.displayName ?? "")")
  }

  func application(
    _ application: Application, didFailToContinueUserActivityWithType type: String, error: any Error
  ) {
    calls.append("failed")
    if let error = error as? ContinuityError { errors.append(error) }
  }
}
