// SPDX-License-Identifier: MIT

import ActivityModel
import AgentClient
import Glibc
import LinuxSystem
import TestSupport
import Testing

@testable import Agent
@testable import AgentEngine

/// Saved activities that a person goes on with: which app gets them, and what of their documents.
@Suite(.waiting) struct RestoringTests {
  private let pair: Pair
  private var device: InProcessDevice { pair.desktop }
  private var editor: TestClient { pair.editor }
  private var plan: String { device.folder + "/plan.md" }

  init() throws { pair = try Pair() }

  /// The editor has an activity of this document saved for search.
  @discardableResult
  private func save(
    _ identifier: String, _ path: String?, of activity: ActivityID = .random(), line: Int64 = 7,
    change: (inout ActivitySnapshot) -> Void = { _ in }
  ) throws -> ActivityID {
    var snapshot = ActivitySnapshot(
      id: activity, type: "public.text-editing", appID: "org.anybody", changedAt: .now)
    (snapshot.title, snapshot.persistentIdentifier) = ("Kept \(identifier)", identifier)
    snapshot.keywords = ["soup"]
    snapshot.flags.formUnion([.search, .unsavedChanges])
    if let path {
      snapshot.userInfo[.text(NSUserActivityDocumentURLKey)] = .url(FileURL.text(of: Array(path.utf8)))
    }
    snapshot.userInfo[.text("line")] = .int(line)
    change(&snapshot)
    let request = RequestID.random()
    editor.link.send(.save(request, snapshot), descriptor: nil)
    try pair.world.run("the answer") {
      editor.reports.contains { if case .kept(request, nil) = $0 { true } else { false } }
    }
    return activity
  }

  /// The editor offers the document, too: so it is known in which version it is saved for search.
  private func offerPlan() throws -> ActivityID {
    let activity = ActivityID.random()
    editor.offer(plan, id: activity, line: 7, at: 1000)
    try pair.world.run("the record") {
      device.record?.activities.contains { $0.id == activity } == true
    }
    return activity
  }

  private func restore(_ identifier: String, of app: String = "org.continuo.edit") throws -> AgentAnswer {
    let asker = try pair.world.connect(to: device.core)
    let key = SavedActivity.Key(appID: app, identifier: identifier)
    asker.link.send(.restoreSaved(key, onTerminal: true), number: 1)
    try pair.world.run("the answer") { asker.answers[1] != nil }
    return try #require(asker.answers[1])
  }

  private func delivery(_ count: Int = 1, to app: TestClient? = nil) throws -> Delivery {
    let app = app ?? editor
    try pair.world.run("the delivery") { app.delivered.count == count }
    return app.delivered[count - 1].delivery
  }

  private func claims() -> Int { device.record?.claims.count ?? 0 }

  @Test func s11f_theAppThatSavedItGetsItWithItsDocumentAsItIsNow() throws {
    try save("plan", plan)
    try Scratch.write("two, and longer", to: plan)
    #expect(try restore("plan") == .handedOver(appName: "Editor"))
    let delivery = try delivery()
    #expect(delivery.path == Array(plan.utf8) && editor.delivered[0].bytes == Array("two, and longer".utf8))
    #expect(delivery.status.arrival == .current && delivery.deviceName == "desktop")
    let activity = delivery.activity
    #expect(activity.title == "Kept plan" && activity.userInfo[.text("line")] == .int(7))
    #expect(activity.keywords == [] && !activity.flags.contains(.unsavedChanges))
    #expect(activity.appID == "org.continuo.edit")
  }

  /// It is no offer: nobody else hears how it ended, and it can be restored again.
  @Test func s11f_nothingIsClaimedAndItComesAgain() throws {
    try save("plan", plan)
    for count in 1...2 {
      #expect(try restore("plan") == .handedOver(appName: "Editor"))
      _ = try delivery(count)
      editor.link.send(.outcome(editor.delivered[count - 1].request, .opened), descriptor: nil)
      pair.world.settle()
      guard case .offers(let offers) = try device.ask(.offers) else { return }
      #expect(offers == [] && claims() == 0 && editor.offers == [])
      #expect(device.core.tracker.offers == [])
    }
  }

  @Test func s11f_twiceAtOnceIsOnce() throws {
    try save("plan", plan)
    for _ in 1...2 { #expect(try restore("plan") == .handedOver(appName: "Editor")) }
    _ = try delivery()
    pair.world.settle()
    #expect(editor.delivered.count == 1)
  }

  /// One activity whose identifier changed with its content is two saved ones.
  @Test func s11f_twoOfOneActivityAreNotTakenForEachOther() throws {
    try Scratch.write("other", to: device.folder + "/other.md")
    let activity = try save("plan", plan, line: 1)
    try save("other", device.folder + "/other.md", of: activity, line: 2)
    _ = try restore("plan")
    _ = try restore("other")
    try pair.world.run("both") { editor.delivered.count == 2 }
    let lines = editor.delivered.map { $0.delivery.activity.userInfo[.text("line")] }
    #expect(Set(lines) == [.int(1), .int(2)])
    #expect(Set(editor.delivered.map(\.bytes)) == [Array("one".utf8), Array("other".utf8)])
  }

  @Test func s11f_aDocumentThatWasRenamedSinceIsFoundByWhatItHolds() throws {
    let activity = try offerPlan()
    try save("plan", plan, of: activity)
    try FilePath(plan).rename(to: FilePath(device.folder + "/idea.md"))
    device.look()
    #expect(try restore("plan") == .handedOver(appName: "Editor"))
    let delivery = try delivery()
    #expect(delivery.path == Array((device.folder + "/idea.md").utf8))
    #expect(delivery.activity.documentPath == delivery.path)
    #expect(editor.delivered[0].bytes == Array("one".utf8))
  }

  @Test func s11f_aDocumentThatChangedSinceIsSaidToHave() throws {
    let activity = try offerPlan()
    try save("plan", plan, of: activity)
    try Scratch.write("two", to: plan)
    _ = try restore("plan")
    #expect(try delivery().status.cause == .changedSinceKept(document: "plan.md"))
    #expect(editor.delivered[0].bytes == Array("two".utf8))
  }

  @Test func s11f_aDocumentOutsideEveryFolderIsOpenedAsItIs() throws {
    let path = pair.world.scratch.path + "/letter.txt"
    try Scratch.write("dear", to: path)
    try save("letter", path)
    #expect(try restore("letter") == .handedOver(appName: "Editor"))
    #expect(try delivery().path == Array(path.utf8) && editor.delivered[0].bytes == Array("dear".utf8))
    try FilePath(path).unlink()
    guard case .failed(let error) = try restore("letter") else {
      Issue.record("no failure")
      return
    }
    #expect(error.code == .documentMissing && error.description.contains("letter.txt is not there any more"))
  }

  /// Another device made a link of a folder (threat T05): that leads no app out of it.
  @Test func s11f_aLinkInTheFolderLeadsNowhere() throws {
    let (inside, outside) = (device.folder + "/recipes", pair.world.scratch.path + "/secrets")
    for folder in [inside, outside] {
      FilePath(folder + "/x").makeFolders(mode: 0o700)
      try Scratch.write("text", to: folder + "/soup.txt")
    }
    try save("soup", inside + "/soup.txt")
    try FilePath(inside).rename(to: FilePath(device.folder + "/away"))
    #expect(symlink(outside, inside) == 0)
    guard case .failed(let error) = try restore("soup") else {
      Issue.record("it was opened")
      return
    }
    #expect(error.code == .documentMissing && editor.delivered.isEmpty)
  }

  /// An activity that went on to another document while that is still being read.
  @Test func s11f_theVersionOfAnotherDocumentIsNotTakenForThis() throws {
    let activity = try offerPlan()
    let other = device.folder + "/other.md"
    try Scratch.write("other", to: other)
    try save("other", other, of: activity)
    try FilePath(other).unlink()
    guard case .failed(let error) = try restore("other") else {
      Issue.record("it was opened")
      return
    }
    #expect(error.code == .documentMissing && editor.delivered.isEmpty)
  }

  @Test func s11f_whatWasDeletedOrIsSomebodyElsesIsNotThere() throws {
    try save("plan", plan)
    let request = RequestID.random()
    editor.link.send(.deleteSaved(request, identifiers: ["plan"]), descriptor: nil)
    try pair.world.run("the answer") {
      editor.reports.contains { if case .kept(request, nil) = $0 { true } else { false } }
    }
    try save("other", plan)
    for (identifier, app) in [("plan", "org.continuo.edit"), ("other", "org.other")] {
      guard case .failed(let error) = try restore(identifier, of: app) else {
        Issue.record("no failure")
        continue
      }
      #expect(error.code == .invalidRequest && error.description.contains("continuo recent"))
    }
    #expect(editor.delivered.isEmpty)
  }

  @Test func s11f_withoutAnAppTheAnswerTellsWhereItIs() throws {
    try save("plan", plan) { $0.type = "org.example.unknown" }
    editor.link.disconnect()
    pair.world.settle()
    guard case .noApp(let offer, let path) = try restore("plan") else {
      Issue.record("an app took it")
      return
    }
    #expect(path == Array(plan.utf8) && offer.title == "Kept plan")
  }

  @Test func s11f_withoutItsAppAnotherOneThatTakesTheTypeGetsIt() throws {
    try save("plan", plan)
    editor.link.disconnect()
    pair.world.settle()
    let other = try pair.world.connect(to: device.core)
    other.hello("org.other")
    pair.world.settle()
    #expect(try restore("plan") == .handedOver(appName: "Editor"))
    _ = try delivery(to: other)
    #expect(editor.delivered.isEmpty)
  }
}
