// SPDX-License-Identifier: MIT

import ActivityModel
import Documents
import Foundation
import Testing
import UserActivities

extension OneApplicationAtATime {
  @MainActor
  @Suite("Continuing an activity")
  struct ContinuingTests {
    let app = SampleApp()
    private let will = "will " + SampleApp.type

    @Test func s39a_anAppThatTakesItGetsNoHelp() {
      app.folder.write("plan.md", "alpha")
      app.takes = true
      app.deliver("plan.md")
      #expect(app.calls == [will, "continue 3"])
      #expect(app.agent.outcomes == [.handled])
      #expect(app.opened.isEmpty)
    }

    @Test func s39b_s40a_theFrameworkOpensTheDocumentAndRestoresIt() throws {
      app.folder.write("plan.md", "alpha")
      app.deliver("plan.md")
      let (document, wasAlreadyOpen) = try #require(app.opened.first)
      let text = try #require(document as? TextFile)
      #expect(text.text == "alpha" && text.line == 3 && !wasAlreadyOpen && !text.isReadOnly)
      #expect(text.fileURL == app.folder.url("plan.md"))
      #expect(app.agent.outcomes == [.opened])
      #expect(app.calls == [will, "continue 3"])
      app.application.mainDocument = document
      #expect(document.userActivity?.isCurrent == true)
    }

    @Test func s40a_anAppsOwnControllerIsAskedAndMayTakeItsTime() async throws {
      let controller = PatientController()
      controller.register(TextFile.self, name: "TextFile")
      DocumentController.shared = controller
      app.folder.write("plan.md", "alpha")
      app.deliver("plan.md")
      #expect(controller.asked == [app.folder.url("plan.md")] && app.opened.isEmpty)
      // What was verified is opened, also when the name stands for something else by then.
      app.folder.replace("plan.md", "something else")
      controller.goOn()
      await waitUntil { !app.agent.outcomes.isEmpty }
      #expect(app.agent.outcomes == [.opened])
      let text = try #require(app.opened.first?.document as? TextFile)
      #expect(text.text == "alpha" && text.line == 3)
    }

    @Test func s40b_anOpenDocumentIsReusedReportedAndRestored() async throws {
      let document = try await app.open("plan.md", "alpha")
      app.folder.replace("plan.md", "alpha beta")
      app.deliver("plan.md")
      #expect(app.opened.first?.document === document && app.opened.first?.wasAlreadyOpen == true)
      #expect(document.text == "alpha beta" && document.line == 3)
      #expect(DocumentController.shared.documents.count == 1)
    }

    @Test func s40b_anEditedDocumentIsNeverOverwritten() async throws {
      let document = try await app.open("plan.md", "alpha")
      document.type(" mine")
      app.folder.replace("plan.md", "theirs")
      app.deliver("plan.md")
      #expect(document.text == "alpha mine" && document.line == 1)
      #expect(app.errors.map(\.code) == [.documentDiverged])
      #expect(app.errors.first?.description.contains("unsaved changes") == true)
      #expect(app.agent.outcomes == [.failed])
    }

    @Test func s40b_anEditedDocumentOfThatVeryVersionOnlyMovesItsCursor() async throws {
      let document = try await app.open("plan.md", "alpha")
      document.type(" mine")
      app.deliver("plan.md")
      #expect(document.text == "alpha mine" && document.line == 3 && document.isDocumentEdited)
      #expect(app.agent.outcomes == [.opened])
    }

    @Test func whatWasReplacedAfterTheCheckIsNotOpened() {
      app.folder.write("plan.md", "verified")
      app.deliver("plan.md") { app.folder.replace("plan.md", "another") }
      #expect(app.opened.isEmpty)
      #expect(app.errors.map(\.code) == [.changedWhileOpening])
      #expect(app.calls == [will, "fail"])
      #expect(app.agent.outcomes == [.failed])
    }

    @Test func whatHasAnotherSizeThanTheVersionMeantIsNotOpened() {
      app.folder.write("plan.md", "alpha")
      app.deliver("plan.md", size: 4)
      #expect(app.opened.isEmpty)
      #expect(app.errors.map(\.code) == [.changedWhileOpening])
      app.deliver("plan.md", arrival: .ahead, size: 4)
      #expect(app.opened.count == 1)
    }

    @Test func s41a_s41b_declinedWithoutADocumentOpensNothing() {
      app.deliver(nil)
      #expect(app.calls == [will, "continue 3"])
      #expect(app.agent.outcomes == [.declined])
    }

    @Test func s37a_aDocumentThatCannotBeReadAfterContinueIsPresentedAndNotToldTwice() throws {
      try Data([0xff, 0xfe]).write(to: app.folder.url("plan.md"))
      app.deliver("plan.md")
      #expect(app.calls == [will, "continue 3"])
      #expect(app.presented.last == "error")
      #expect(app.errors.first?.description == "It is not UTF-8; convert it.")
      #expect(DocumentController.shared.documents.isEmpty)
    }

    @Test func s37b_anAgentKilledWhileWaitingIsAskedAgain() {
      var snapshot = ActivitySnapshot(
        id: .random(), type: SampleApp.type, appID: "x", changedAt: WallTime(milliseconds: 1))
      snapshot.title = "Plan"
      let offer = Offer(
        id: OfferID(device: .random(), activity: snapshot.id), deviceName: "desktop", snapshot: snapshot,
        folderName: "notes", status: ArrivalStatus(.behind))
      app.report(.offers([offer]))
      let request = app.application.continueOffer(offer.id)
      app.disconnect()
      app.connect()
      #expect(app.agent.requests.filter { $0 == .accept(offer.id, request) }.count == 2)
      app.report(.willContinue(request, offer: offer))
      app.takes = true
      app.report(
        .deliver(
          request,
          Delivery(activity: snapshot, path: nil, status: ArrivalStatus(.current), deviceName: "desktop")))
      #expect(app.calls == [will, "continue 0"])
    }

    @Test func s38a_theSecondCancelsTheFirst() {
      var offers: [Offer] = []
      for _ in 0..<2 {
        let snapshot = ActivitySnapshot(
          id: .random(), type: SampleApp.type, appID: "x", changedAt: WallTime(milliseconds: 1))
        offers.append(
          Offer(
            id: OfferID(device: .random(), activity: snapshot.id), deviceName: "desktop", snapshot: snapshot,
            folderName: "", status: ArrivalStatus(.missing)))
      }
      app.report(.offers(offers))
      app.application.continueOffer(offers[0].id)
      app.application.continueOffer(offers[1].id)
      #expect(app.calls == [will, "fail", will])
      #expect(app.errors.map(\.code) == [.userCancelled])
    }

    @Test func s42b_s42c_theHandlerMayBeKeptAndRestoresEachObjectOnce() throws {
      app.takes = true
      app.deliver(nil)
      let kept = try #require(app.keptHandler)
      let first = TextFile()
      kept([first, first])
      #expect(first.line == 3)
      first.line = 1
      kept([first])
      #expect(first.line == 1)
    }

    @Test func s46g_whatThePersonChoseToLookAtIsOpenedForReadingOnly() throws {
      app.folder.write("plan.md", "older")
      app.deliver("plan.md", arrival: .behind)
      #expect(app.opened.first?.document.isReadOnly == true)
      app.folder.write("plan.md", "meant")
      app.deliver("plan.md", arrival: .current)
      #expect(app.opened.first?.document.isReadOnly == false)
      app.opened.first?.document.isReadOnly = true
      app.deliver("plan.md", arrival: .current)
      #expect(app.opened.first?.document.isReadOnly == true, "the app's own choice")
      app.folder.write("next.md", "newer")
      app.deliver("next.md", arrival: .ahead)
      #expect(app.opened.last?.document.isReadOnly == false)
    }

    @Test func s33b_aDocumentURLThatTheSenderChoseIsDropped() throws {
      app.takes = true
      app.deliver(
        nil, info: [.text(NSUserActivityDocumentURLKey): .url("file:///etc/passwd"), .text("line"): .int(2)])
      let probe = UserActivityProbe()
      app.keptHandler?([probe])
      let info = try #require(probe.restored?.userInfo)
      #expect(info[NSUserActivityDocumentURLKey] == nil)
      #expect(info.count == 1)
    }
  }
}

@MainActor
private final class UserActivityProbe: UserActivityRestoring {
  var restored: UserActivity?
  func restoreUserActivityState(_ activity: UserActivity) { restored = activity }
}

/// A controller that asks somebody before it opens anything.
@MainActor
private final class PatientController: DocumentController {
  private(set) var asked: [URL] = []
  private var answer: CheckedContinuation<Void, Never>?

  func goOn() { answer?.resume() }

  override func openDocument(
    withContentsOf url: URL, display: Bool
  ) async throws -> (Document, wasAlreadyOpen: Bool) {
    asked.append(url)
    await withCheckedContinuation { answer = $0 }
    return try await super.openDocument(withContentsOf: url, display: display)
  }
}
