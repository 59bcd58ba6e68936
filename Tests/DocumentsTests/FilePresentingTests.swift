// SPDX-License-Identifier: MIT

import ActivityModel
import Documents
import Foundation
import Glibc
import Observation
import Synchronization
import Testing
import UserActivities

extension OneApplicationAtATime {
  /// What other programs do to the file of an open document.
  @MainActor
  @Suite("Open documents are presenters")
  struct FilePresentingTests {
    let app = SampleApp()
    var folder: SampleFolder { app.folder }

    private func tell(_ name: String, _ change: DocumentChange) {
      app.report(.documentChanged(path: Array(folder.path(name).utf8), change))
    }

    private func moved(_ name: String, to target: String) {
      tell(name, .moved(to: Array(target.utf8)))
    }

    private func openCurrent(_ text: String = "alpha") async throws -> TextFile {
      let document = try await app.open("plan.md", text)
      app.application.mainDocument = document
      app.advance(.zero)
      return document
    }

    private func pass(_ seconds: Int) { for _ in 0..<seconds { app.advance(.seconds(1)) } }

    // MARK: Changed

    @Test func s34a_aChangeBySomebodyElseIsToldOnce() async throws {
      let document = try await openCurrent()
      folder.replace("plan.md", "theirs")
      tell("plan.md", .changed(nil))
      tell("plan.md", .changed(nil))
      #expect(document.changes == [.changed(nil)])
    }

    @Test func s34b_whatIsWrittenInPlaceWhileNoAgentLooksIsReadThoughSizeAndTimeAreTheSame() async throws {
      let document = try await openCurrent()
      let path = folder.path("plan.md")
      app.disconnect()
      let before = folder.status("plan.md")
      let file = Glibc.open(path, O_WRONLY)
      #expect(write(file, "omega", 5) == 5 && close(file) == 0)
      #expect(utimensat(AT_FDCWD, path, [before.st_atim, before.st_mtim], 0) == 0)
      let after = folder.status("plan.md")
      #expect(after.st_ino == before.st_ino && after.st_mtim.tv_nsec == before.st_mtim.tv_nsec)
      _ = app.agent.take()
      app.connect()
      #expect(app.agent.requests.contains(.opened(path: Array(path.utf8), file: .ofNoFile)))
      // So the agent has it look.
      tell("plan.md", .changed(nil))
      #expect(document.text == "omega" && document.changes == [.changed(nil)])
    }

    @Test func s34b_theSameBytesInAnotherFileAskNothingOfAnEditedDocument() async throws {
      let document = try await openCurrent()
      document.type("!")
      folder.replace("plan.md", "alpha")
      tell("plan.md", .changed(nil))
      #expect(document.changes.isEmpty && document.text == "alpha!")
      try await document.save()
      #expect(folder.text("plan.md") == "alpha!")
    }

    // MARK: Moved

    @Test func s29a_anotherFileURLSetsNeedsSave() async throws {
      let document = try await openCurrent()
      let activity = try #require(document.userActivity)
      // A title of the app's own stays: nothing else asks for a round.
      activity.title = "Mine"
      app.advance(.seconds(1))
      #expect(!activity.needsSave)
      #expect(mkdir(folder.path("trip"), 0o755) == 0)
      document.fileURL = folder.url("trip/plan.md")
      #expect(activity.needsSave && document.userActivity === activity && activity.title == "Mine")
    }

    @Test(arguments: [true, false])
    func s34c_unsavedTextFollowsTheFileAndIsSavedUnderItsNewName(_ isCopy: Bool) async throws {
      let document = try await openCurrent()
      document.type("!")
      if isCopy { folder.write("final.md", "alpha") }
      #expect(isCopy ? unlink(folder.path("plan.md")) == 0 : rename("plan.md", "final.md") == 0)
      // Its time to save comes before the engine's rename was understood.
      pass(3)
      #expect(folder.names == ["final.md"] && document.text == "alpha!")
      moved("plan.md", to: folder.path("final.md"))
      pass(15)
      #expect(folder.names == ["final.md"] && folder.text("final.md") == "alpha!")
      #expect(!document.isDocumentEdited && document.text == "alpha!")
      #expect(document.changes == [.moved(to: Array(folder.path("final.md").utf8))])
    }

    private func rename(_ from: String, _ to: String) -> Int32 {
      Glibc.rename(folder.path(from), folder.path(to))
    }

    @Test func s34c_whatThePersonSavedUnderTheOldNameMeanwhileStaysTheirs() async throws {
      let document = try await openCurrent()
      document.type("!")
      #expect(rename("plan.md", "final.md") == 0)
      try await document.save()
      _ = app.agent.take()
      moved("plan.md", to: folder.path("final.md"))
      #expect(document.displayName == "plan.md" && document.text == "alpha!")
      #expect(folder.text("plan.md") == "alpha!" && folder.text("final.md") == "alpha")
      let path = Array(folder.path("plan.md").utf8)
      #expect(app.agent.requests.prefix(2).first == .closed(path: path))
      #expect(app.agent.requests.contains { if case .opened(path, _?) = $0 { true } else { false } })
    }

    @Test func s34c_aMoveDuringASaveIsFollowedWhenItHasEnded() async throws {
      let document = try await openCurrent()
      var saving: Task<Void, any Error>?
      var isOver = true
      // One may have ended before anybody looked: then it is saved again.
      await waitUntil {
        if isOver {
          document.type("!")
          isOver = false
          saving = Task {
            defer { isOver = true }
            try await document.save()
          }
        }
        return document.isSaving
      }
      moved("plan.md", to: folder.path("final.md"))
      try await saving?.value
      #expect(document.displayName == "plan.md", "the file was saved where it is")
      #expect(rename("plan.md", "final.md") == 0)
      moved("plan.md", to: folder.path("final.md"))
      #expect(document.displayName == "final.md")
    }

    // MARK: In and out of synced folders

    @Test func s27b_aMoveByThePersonGivesAndTakesTheActivity() async throws {
      let (other, outside) = (SampleFolder(), SampleFolder())
      app.report(.roots([folder.root, other.root]))
      let document = try await openCurrent()
      let activity = try #require(document.userActivity)
      #expect(Glibc.rename(folder.path("plan.md"), other.path("plan.md")) == 0)
      moved("plan.md", to: other.path("plan.md"))
      app.advance(.seconds(1))
      #expect(document.userActivity === activity)
      #expect(
        app.agent.update?.userInfo[.text(NSUserActivityDocumentURLKey)]
          == .url("file://" + other.path("plan.md")))
      #expect(Glibc.rename(other.path("plan.md"), outside.path("plan.md")) == 0)
      app.report(
        .documentChanged(
          path: Array(other.path("plan.md").utf8), .moved(to: Array(outside.path("plan.md").utf8))))
      #expect(document.userActivity == nil && !activity.isValid && app.agent.withdrawals == 1)
      document.fileURL = folder.url("plan.md")
      #expect(document.userActivity != nil)
    }

    @Test func s27b_aFileThatLeftOrWasDeletedHasNoActivityUntilItIsBack() async throws {
      let document = try await openCurrent()
      #expect(unlink(folder.path("plan.md")) == 0)
      tell("plan.md", .deleted)
      #expect(document.isFileMissing && document.userActivity == nil && app.agent.withdrawals == 1)
      folder.write("plan.md", "alpha")
      tell("plan.md", .changed(nil))
      #expect(!document.isFileMissing && document.userActivity?.isCurrent == true)
    }

    @Test func s27c_bothCanBeObserved() async throws {
      let document = try await openCurrent()
      let changes = Mutex(0)
      for change in [DocumentChange.deleted, .changed(nil)] {
        withObservationTracking {
          _ = document.userActivity
        } onChange: {
          changes.withLock { $0 += 1 }
        }
        if change == .deleted { unlink(folder.path("plan.md")) } else { folder.write("plan.md", "alpha") }
        tell("plan.md", change)
      }
      #expect(changes.withLock { $0 } == 2)
    }

    @Test func s27d_theOldActivityEndsUnlessSomebodyElseHoldsIt() async throws {
      for isShared in [true, false] {
        let document = try await app.open("plan.md", "alpha")
        let activity = try #require(document.userActivity)
        let view = Responder()
        if isShared { view.userActivity = activity }
        app.report(.roots([]))
        #expect(document.userActivity == nil && activity.isValid == isShared)
        document.close()
        app.report(.roots([folder.root]))
      }
    }

    // MARK: Deleted

    @Test func s34d_theTextStaysAndOnlyThePersonsSaveMakesTheFileAgain() async throws {
      let document = try await openCurrent()
      document.type("!")
      #expect(unlink(folder.path("plan.md")) == 0)
      tell("plan.md", .deleted)
      pass(30)
      app.application.terminate()
      #expect(folder.names.isEmpty && document.text == "alpha!" && document.isDocumentEdited)
      #expect(document.changes == [.deleted])
      try await document.save()
      #expect(folder.text("plan.md") == "alpha!" && !document.isFileMissing)
      #expect(document.userActivity != nil)
    }

    @Test func s34d_aFileThatIsBackIsReadAgainUnlessTheTextHereIsUnsaved() async throws {
      for isEdited in [false, true] {
        let document = try await openCurrent()
        if isEdited { document.type("!") }
        #expect(unlink(folder.path("plan.md")) == 0)
        tell("plan.md", .deleted)
        folder.write("plan.md", "theirs")
        tell("plan.md", .changed(nil))
        #expect(document.text == (isEdited ? "alpha!" : "theirs"))
        document.close()
        unlink(folder.path("plan.md"))
      }
    }

    @Test func s34d_aDeletionThatIsNoneAnyMoreIsNotTold() async throws {
      let document = try await openCurrent()
      tell("plan.md", .deleted)
      #expect(document.changes.isEmpty && document.userActivity != nil)
    }

    @Test func s34c_whatWasToldAsDeletedMayBeMovedYet() async throws {
      let document = try await openCurrent()
      #expect(rename("plan.md", "final.md") == 0)
      tell("plan.md", .deleted)
      moved("plan.md", to: folder.path("final.md"))
      #expect(document.displayName == "final.md" && document.userActivity != nil)
    }

    // MARK: Conflict copies

    @Test func s34e_conflictCopiesAreToldAndSoIsTheirEnd() async throws {
      let document = try await openCurrent()
      document.type("!")
      let copy = Array(folder.path("plan.sync-conflict-20261122-040000-ABCDEFG.md").utf8)
      tell("plan.md", .conflict(copies: [copy]))
      #expect(
        document.conflictCopyURLs.map(\.lastPathComponent) == [
          "plan.sync-conflict-20261122-040000-ABCDEFG.md"
        ])
      tell("plan.md", .conflict(copies: []))
      #expect(document.conflictCopyURLs.isEmpty && document.text == "alpha!")
      #expect(document.changes == [.conflict(copies: [copy]), .conflict(copies: [])])
    }

    // MARK: Who else edits it

    private func offer(_ activity: ActivityID, at time: UInt64, flags: ActivityFlags = []) -> Offer {
      var snapshot = ActivitySnapshot(
        id: activity, type: SampleApp.type, appID: "org.example.editor",
        changedAt: WallTime(milliseconds: time))
      snapshot.flags = flags
      var offer = Offer(
        id: OfferID(
          device: DeviceID(bytes: [UInt8](repeating: 7, count: 16)) ?? .random(), activity: activity),
        deviceName: "laptop", snapshot: snapshot, folderName: "notes", status: ArrivalStatus(.current))
      offer.path = RelativePath("plan.md")
      return offer
    }

    @Test func s34g_anotherDeviceThatEditsTheDocumentIsToldAndBlocksNothing() async throws {
      let document = try await openCurrent()
      let activity = ActivityID.random()
      let now = UInt64(Date().timeIntervalSince1970) * 1000
      app.report(.offers([offer(activity, at: now)]))
      app.report(.offers([offer(activity, at: now + 300_000, flags: .unsavedChanges)]))
      let editor = try #require(document.otherEditors.first)
      #expect(editor.since == WallTime(milliseconds: now), "it began with what was told first")
      let clock = Date(timeIntervalSince1970: Double(now) / 1000).formatted(
        Date.VerbatimFormatStyle(
          format: "\(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits)",
          timeZone: .current, calendar: .current))
      #expect(editor.sentence == "laptop is editing this since \(clock), with unsaved changes")
      #expect(app.editorNews.map(\.count) == [1, 1])
      document.type("!")
      try await document.save()
      #expect(folder.text("plan.md") == "alpha!")
      app.report(.offers([offer(activity, at: now, flags: .leftOpen)]))
      #expect(document.otherEditors.first?.sentence == "laptop left this open at \(clock)")
      app.report(.offers([]))
      #expect(document.otherEditors.isEmpty && app.editorNews.last == [])
    }

    @Test func s34h_whereTheOtherDeviceIsIsToldAndShown() async throws {
      let document = try await openCurrent()
      let own = try #require(document.userActivity?.id)
      let other = offer(.random(), at: 1_000)
      app.report(.offers([other]))
      app.report(.presence(own, [DocumentPresence(offer: other.id, deviceName: "laptop", line: 39)]))
      let editor = try #require(document.otherEditors.first)
      #expect(editor.isPresent && editor.line == 39)
      #expect(editor.sentence == "laptop has this open, at line 40")
      app.report(.presence(own, [DocumentPresence(offer: other.id, deviceName: "laptop", line: nil)]))
      #expect(app.editorNews.last?.map(\.sentence) == ["laptop has this open"])
      app.report(.presence(own, []))
      #expect(app.editorNews.map { $0.map(\.isPresent) } == [[false], [true], [true], [false]])
      #expect(app.editorNews.last?.first?.line == nil)
      let requests = app.agent.requests.count
      document.cursorDidMove(toLine: 7)
      document.cursorDidMove(toLine: 7)
      document.cursorDidMove(toLine: -1)
      #expect(app.agent.requests.dropFirst(requests) == [.cursorMoved(own, line: 7)])
    }

    @Test func s34g_anotherDocumentsEditorsAreNotThisOnes() async throws {
      let document = try await openCurrent()
      var elsewhere = offer(.random(), at: 1_000)
      elsewhere.path = RelativePath("other.md")
      var foreign = offer(.random(), at: 1_000)
      foreign.folderName = "photos"
      app.report(.offers([elsewhere, foreign]))
      #expect(document.otherEditors.isEmpty && app.editorNews.isEmpty)
    }
  }
}
