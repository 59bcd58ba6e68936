// SPDX-License-Identifier: MIT

import ActivityModel
import Documents
import Foundation
import Glibc
import Testing
import UserActivities

extension OneApplicationAtATime {
  @MainActor
  @Suite("Recent documents")
  struct RecentDocumentTests {
    let state = SampleFolder()
    let app: SampleApp
    var controller: DocumentController { .shared }

    init() { app = SampleApp(stateDirectory: state.path("continuo")) }

    private var file: String { "continuo/recent/org.example.editor" }
    private var names: [String] { controller.recentDocumentURLs.map(\.lastPathComponent) }

    private func url(_ name: String) -> URL { URL(fileURLWithPath: "/notes/\(name)") }

    /// The app after a restart.
    private func again() -> SampleApp {
      app.application.finishRecents()
      return SampleApp(stateDirectory: state.path("continuo"))
    }

    @Test func whatWasOpenedOrSavedElsewhereIsKeptNewestFirst() async throws {
      _ = try await app.open("one.md", "1")
      let two = try await app.open("two.md", "2")
      try await two.save(to: app.folder.url("three.md"))
      _ = try await app.open("one.md", "1")
      #expect(names == ["one.md", "three.md", "two.md"])
      _ = again()
      #expect(names == ["one.md", "three.md", "two.md"])
      #expect(state.status(file).st_mode & 0o777 == 0o600)
      #expect(state.status("continuo/recent").st_mode & 0o777 == 0o700)
    }

    @Test func theAgentHearsOfEachForTheDesktop() async throws {
      _ = try await app.open("one.md", "1")
      let told = app.agent.requests.compactMap { request -> String? in
        guard case .usedRecently(let path, let program) = request, program.first == 0x2f else { return nil }
        return String(decoding: path, as: UTF8.self)
      }
      #expect(told == [app.folder.path("one.md")])
      let unkept = SampleApp()
      _ = try await unkept.open("one.md", "1")
      #expect(!unkept.agent.requests.contains { if case .usedRecently = $0 { true } else { false } })
      #expect(names == ["one.md"])
    }

    @Test func onlyAsManyAsAreWantedAreTold() {
      for number in 0..<120 { controller.noteNewRecentDocumentURL(url("\(number)")) }
      #expect(names == (110..<120).reversed().map(String.init))
      app.application.finishRecents()
      #expect(state.text(file)?.split(separator: "\n").count == 101)
      let none = QuietController()
      DocumentController.shared = none
      none.noteNewRecentDocumentURL(url("none"))
      #expect(names == [])
    }

    @Test func anAppMayLeaveDocumentsOut() async throws {
      let choosing = ChoosingController()
      choosing.register(TextFile.self, name: "TextFile")
      DocumentController.shared = choosing
      _ = try await app.open("secret.md", "1")
      _ = try await app.open("plan.md", "1")
      #expect(names == ["plan.md"])
    }

    @Test func clearingEmptiesTheList() {
      controller.noteNewRecentDocumentURL(url("a"))
      controller.clearRecentDocuments(nil)
      #expect(names == [])
      _ = again()
      #expect(names == [])
    }

    @Test func aFileThatWasRenamedKeepsItsPlaceUnderItsNewName() async throws {
      let document = try await app.open("one.md", "1")
      #expect(rename(app.folder.path("one.md"), app.folder.path("uno.md")) == 0)
      document.fileDidChange(.moved(to: Array(app.folder.path("uno.md").utf8)))
      #expect(names == ["uno.md"])
    }

    @Test func twoProcessesOfOneAppLoseNothingOfEachOther() {
      let other = SampleApp(stateDirectory: state.path("continuo"))
      for number in 0..<20 {
        app.application.takeTurn()
        controller.noteNewRecentDocumentURL(url("a\(number)"))
        other.application.takeTurn()
        controller.noteNewRecentDocumentURL(url("b\(number)"))
      }
      app.application.finishRecents()
      other.application.finishRecents()
      let lines = Set(
        (state.text(file) ?? "").split(separator: "\n").compactMap { $0.split(separator: "/").last })
      #expect(lines.count == 41)
      #expect((0..<20).allSatisfy { lines.contains("a\($0)") && lines.contains("b\($0)") })
      app.application.takeTurn()
      #expect(Set(names).isSubset(of: Set(lines.map(String.init))) && names.count == 10)
    }

    @Test(arguments: [
      "", "nonsense\n", "continuo-recent 1\n17 file:///a\n18 file:///b", "continuo-recent 1\nfile:///a\n",
      "continuo-recent 1\n17 https://example.org/\n", "continuo-recent 1\n\u{0}\n",
    ])
    func aDamagedListIsSetAsideAndTold(_ text: String) throws {
      try FileManager.default.createDirectory(
        atPath: state.path("continuo/recent"), withIntermediateDirectories: true)
      state.write(file, text)
      #expect(names == [])
      controller.noteNewRecentDocumentURL(url("new"))
      app.application.finishRecents()
      #expect(state.text(file + "~damaged") == text)
      #expect(names == ["new"])
      #expect(
        CapturedLog.entries(state.path(file)).contains { $0.hasPrefix("error: ") && $0.contains("damaged") })
    }

    @Test func aListOfALaterVersionIsLeftAlone() throws {
      try FileManager.default.createDirectory(
        atPath: state.path("continuo/recent"), withIntermediateDirectories: true)
      state.write(file, "continuo-recent 2\n{}\n")
      controller.noteNewRecentDocumentURL(url("new"))
      app.application.finishRecents()
      #expect(names == ["new"])
      #expect(state.text(file) == "continuo-recent 2\n{}\n" && state.text(file + "~damaged") == nil)
      #expect(CapturedLog.entries(state.path(file)).contains { $0.contains("later version") })
    }

    @Test func whatCannotBeWrittenIsWrittenLater() throws {
      state.write("continuo", "a file where a folder is expected")
      controller.noteNewRecentDocumentURL(url("one"))
      app.application.finishRecents()
      #expect(names == ["one"])
      #expect(unlink(state.path("continuo")) == 0)
      controller.noteNewRecentDocumentURL(url("two"))
      _ = again()
      #expect(names == ["two", "one"])
    }

    @Test func aProcessThatWasStoppedWithTheLockKeepsNobodyFromGoingOn() throws {
      controller.noteNewRecentDocumentURL(url("one"))
      app.application.finishRecents()
      let lock = open(state.path(file + "~lock"), O_RDWR | O_CLOEXEC)
      #expect(lock >= 0 && flock(lock, LOCK_EX) == 0)
      controller.noteNewRecentDocumentURL(url("two"))
      let started = ContinuousClock.now
      app.application.finishRecents()
      #expect(ContinuousClock.now - started < .seconds(10))
      #expect(names == ["two", "one"] && state.text(file)?.contains("two") == false)
      close(lock)
      app.application.finishRecents()
      #expect(state.text(file)?.contains("two") == true)
    }

    @Test func namesThatAreNotUTF8AreKeptByteByByte() throws {
      let strange = try #require(URL(string: "file:///notes/%FF%0A%20.md"))
      controller.noteNewRecentDocumentURL(strange)
      controller.noteNewRecentDocumentURL(try #require(URL(string: "https://example.org/plan.md")))
      _ = again()
      #expect(controller.recentDocumentURLs.map(\.absoluteString) == ["file:///notes/%FF%0A%20.md"])
    }
  }
}

@MainActor
private final class QuietController: DocumentController {
  override var maximumRecentDocumentCount: Int { 0 }
}

@MainActor
private final class ChoosingController: DocumentController {
  override func noteNewRecentDocument(_ document: Document) {
    if !document.displayName.hasPrefix("secret") { super.noteNewRecentDocument(document) }
  }
}
