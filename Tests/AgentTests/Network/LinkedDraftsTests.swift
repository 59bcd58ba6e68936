// SPDX-License-Identifier: MIT

import ActivityModel
import AgentClient
import LinuxSystem
import LocalNetwork
import TestSupport
import Testing

@testable import Agent
@testable import AgentEngine

/// Text that no file has goes to the laptop when a person goes on with it there, over the link alone: real
/// agents, and real network processes on loopback.
@Suite(.waiting, .timeLimit(.minutes(20))) struct LinkedDraftsTests {
  private let pair: Pair
  private let request = RequestID.random()

  init() throws {
    pair = try Pair.linkedWithOneVersion()
    try offer(nil, at: 2_000)
  }

  /// The desktop's app has an untitled text, and hands `draft` over.
  private func offer(
    _ draft: [UInt8]?, at time: UInt64, document: String? = nil, flags: ActivityFlags? = nil,
    seenBy viewer: TestClient? = nil
  ) throws {
    var snapshot = ActivitySnapshot(
      id: pair.activity, type: "public.text-editing", appID: "org.continuo.edit",
      changedAt: WallTime(milliseconds: time))
    snapshot.title = "Untitled"
    snapshot.expiresAt = WallTime(milliseconds: 4_000_000_000_000)
    snapshot.flags = flags ?? [.handoff, .draft, .unsavedChanges]
    if let document {
      snapshot.userInfo[.text(NSUserActivityDocumentURLKey)] = .url(
        FileURL.text(of: Array("\(pair.desktop.folder)/\(document)".utf8)))
    }
    if let draft {
      snapshot.flags.insert(.withDraft)
      let file = try Descriptor.memory(holding: draft)
      pair.editor.link.send(
        .update(snapshot, saved: try file.status().stamp.mark), descriptor: file.number)
    } else {
      pair.editor.link.send(.update(snapshot, saved: nil), descriptor: nil)
    }
    try pair.world.run("the offer", within: .seconds(10)) {
      (viewer ?? pair.viewer).offers.contains {
        $0.changedAt.milliseconds == time && $0.status.arrival == .current
      }
    }
  }

  private var saveRequests: [RequestID] {
    pair.editor.reports.compactMap { if case .saveNow(let request, _, _) = $0 { request } else { nil } }
  }

  private func accept(_ request: RequestID? = nil, by app: TestClient? = nil) {
    (app ?? pair.viewer).link.send(.accept(pair.offerID, request ?? self.request), descriptor: nil)
  }

  /// The laptop's app accepts, and the desktop's is asked.
  private func acceptAsking() throws -> RequestID {
    let former = saveRequests.count
    accept()
    try pair.world.run("the question", within: .seconds(10)) { saveRequests.count > former }
    return try #require(saveRequests.last)
  }

  private func answer(_ asked: RequestID, at time: UInt64) {
    pair.editor.link.send(
      .answerSave(asked, .saved(changedAt: WallTime(milliseconds: time))), descriptor: nil)
  }

  private func delivered(to app: TestClient? = nil) throws -> (delivery: Delivery, bytes: [UInt8]?) {
    let app = app ?? pair.viewer
    try pair.world.run("the delivery", within: .seconds(25)) { !app.delivered.isEmpty }
    let found = try #require(app.delivered.first)
    return (found.delivery, found.bytes)
  }

  private func failure() throws -> ContinuityError {
    var errors: [ContinuityError] {
      pair.viewer.reports.compactMap {
        if case .fail(request, let error) = $0 { error } else { nil }
      }
    }
    try pair.world.run("the failure", within: .seconds(25)) { !errors.isEmpty }
    #expect(errors.count == 1 && pair.viewer.delivered.isEmpty, "one answer")
    return try #require(errors.first)
  }

  private func drafts(of device: InProcessDevice) -> [[UInt8]] {
    let folder = FilePath(device.core.ports.state.displayPath + "/drafts")
    return ((try? folder.names()) ?? []).map { Scratch.bytes(at: folder.appending($0).shown) ?? [] }
  }

  @Test func s36e_aTextThatNoFileHasIsContinued() throws {
    let text = Array("never saved".utf8)
    let asked = try acceptAsking()
    #expect(pair.viewer.delivered.isEmpty)
    try offer(text, at: 3_000)
    answer(asked, at: 3_000)
    let (delivery, bytes) = try delivered()
    #expect(bytes == text && delivery.path == nil && delivery.status == ArrivalStatus(.current))
    #expect(delivery.activity.flags.isSuperset(of: [.draft, .withDraft]))
    #expect(drafts(of: pair.laptop) == [text] && drafts(of: pair.desktop) == [text], "kept on both")
    #expect(try FilePath(pair.laptop.folder).names().filter { $0.first != UInt8(ascii: ".") }.count == 1)
    #expect(saveRequests.count == 1)
  }

  @Test func s36e_whatWasNotChangedSinceIsNotAskedForAgain() throws {
    try s36e_aTextThatNoFileHasIsContinued()
    let second = try pair.world.connect(to: pair.laptop.core)
    second.hello("org.example.second")
    try pair.world.run("its offer") { !second.offers.isEmpty }
    // It is here: no link is needed for it.
    try pair.desktop.lan(.off)
    try pair.world.run("the end of the link") { pair.laptop.core.linkedDocuments.present.isEmpty }
    accept(.random(), by: second)
    #expect(try delivered(to: second).bytes == Array("never saved".utf8))
    #expect(saveRequests.count == 1)
  }

  @Test func s36e_textThatCameAfterIsTold() throws {
    let asked = try acceptAsking()
    try offer(Array("one".utf8), at: 3_000)
    try offer(nil, at: 3_500)
    answer(asked, at: 3_000)
    let (delivery, bytes) = try delivered()
    #expect(bytes == Array("one".utf8))
    // The text may have been here before more was typed there.
    let isAfter = delivery.activity.changedAt.milliseconds == 3_500
    let remark = Reason.savedBefore(document: "Untitled", device: "desktop")
    #expect(delivery.status.cause == (isAfter ? remark : nil))
    // Asked again so soon, the desktop has nothing else: what it handed over is continued, and that is told.
    let second = RequestID.random()
    accept(second)
    try pair.world.run("the text once more", within: .seconds(10)) {
      pair.viewer.delivered.contains {
        $0.request == second && $0.bytes == Array("one".utf8)
          && [.notSaved, .savedBefore].contains($0.delivery.status.cause?.kind)
      }
    }
  }

  @Test func s36e_aReasonTravels() throws {
    let asked = try acceptAsking()
    pair.editor.link.send(.answerSave(asked, .refused("It is a secret.")), descriptor: nil)
    #expect(
      try failure().cause == .notSaved(document: "Untitled", device: "desktop", message: "It is a secret."))
  }

  @Test func s36e_withoutALinkItIsOutOfReach() throws {
    try pair.desktop.lan(.off)
    try pair.world.run("the end of the link") { pair.laptop.core.linkedDocuments.present.isEmpty }
    accept()
    #expect(try failure().cause == .draftOutOfReach(document: "Untitled", device: "desktop"))
  }

  @Test func s36e_whatIsSavedMeanwhileIsContinuedAsADocument() throws {
    let asked = try acceptAsking()
    try Scratch.write("one", to: pair.desktop.folder + "/plan.md")
    pair.editor.offer(pair.desktop.folder + "/plan.md", id: pair.activity, at: 3_000)
    answer(asked, at: 3_000)
    let (delivery, bytes) = try delivered()
    #expect(bytes == Array("one".utf8) && delivery.path != nil)
    #expect(!delivery.activity.flags.contains(.withDraft))
  }

  /// The file is not the one that was read, say: its app hands over the text instead of saving it.
  @Test func s36e_whatCannotBeSavedInPlaceIsHandedOverBesideTheFile() throws {
    let flags: ActivityFlags = [.handoff, .unsavedChanges]
    try offer(nil, at: 2_500, document: "plan.md", flags: flags)
    let asked = try acceptAsking()
    try offer(Array("not to be saved".utf8), at: 3_000, document: "plan.md", flags: flags)
    answer(asked, at: 3_000)
    let (delivery, bytes) = try delivered()
    #expect(bytes == Array("not to be saved".utf8) && delivery.path == nil)
    #expect(Scratch.bytes(at: pair.laptop.folder + "/plan.md") == Array("one".utf8), "no file is written")
    #expect(Scratch.bytes(at: pair.desktop.folder + "/plan.md") == Array("one".utf8))
    // What is typed after that is not in it: the document is continued, as it was saved.
    try offer(nil, at: 4_000, document: "plan.md", flags: flags)
    let second = RequestID.random()
    accept(second)
    try pair.world.run("the document", within: .seconds(10)) {
      pair.viewer.delivered.contains { $0.request == second && $0.delivery.path != nil }
    }
  }

  /// A draft that cannot be had keeps nobody from the document.
  @Test func s36e_withoutItsDraftADocumentIsContinuedAsItWasSaved() throws {
    try s36e_whatCannotBeSavedInPlaceIsHandedOverBesideTheFile()
    let flags: ActivityFlags = [.handoff, .unsavedChanges]
    try offer(Array("once more".utf8), at: 5_000, document: "plan.md", flags: flags)
    try pair.desktop.lan(.off)
    try pair.world.run("the end of the link") { pair.laptop.core.linkedDocuments.present.isEmpty }
    let third = RequestID.random()
    accept(third)
    try pair.world.run("the document", within: .seconds(20)) {
      pair.viewer.delivered.contains {
        $0.request == third && $0.bytes == Array("one".utf8) && $0.delivery.status.cause?.kind == .notSaved
      }
    }
    #expect(!pair.viewer.reports.contains { if case .fail = $0 { true } else { false } })
  }

  /// What it takes is said behind its hello: its delivery is due before that.
  @Test func s36e_anAppThatComesBackIsHandedTheDraft() throws {
    let asked = try acceptAsking()
    pair.viewer.link.disconnect()
    let other = try pair.world.connect(to: pair.laptop.core)
    other.hello("org.example.second")
    try offer(Array("for who comes back".utf8), at: 3_000, seenBy: other)
    answer(asked, at: 3_000)
    let back = try pair.world.connect(to: pair.laptop.core)
    back.hello()
    #expect(try delivered(to: back).bytes == Array("for who comes back".utf8))
  }

  @Test func s36e_anAppThatTakesNoDraftsIsToldSo() throws {
    let old = try pair.world.connect(to: pair.laptop.core)
    old.link.takesDrafts = false
    old.hello("org.example.second")
    try pair.world.run("its offer") { !old.offers.isEmpty }
    old.link.send(.accept(pair.offerID, request), descriptor: nil)
    try pair.world.run("the question", within: .seconds(10)) { !saveRequests.isEmpty }
    try offer(Array("draft".utf8), at: 3_000)
    answer(try #require(saveRequests.last), at: 3_000)
    try pair.world.run("the failure", within: .seconds(10)) {
      old.reports.contains {
        guard case .fail(_, let error) = $0 else { return false }
        return error.description.contains("opens no text without a file")
      }
    }
    #expect(old.delivered.isEmpty)
  }

  @Test func s36e_aDraftOf20MBIsRefused() throws {
    let asked = try acceptAsking()
    try offer([UInt8](repeating: 65, count: 20 << 20), at: 3_000)
    answer(asked, at: 3_000)
    #expect(try failure().cause.kind == .notSaved)
    #expect(drafts(of: pair.laptop).isEmpty)
  }

  @Test func s36e_aDraftOf16MBIsHandedOver() throws {
    let text = (0..<16 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    let asked = try acceptAsking()
    try offer(text, at: 3_000)
    answer(asked, at: 3_000)
    #expect(try delivered().bytes == text)
  }

  /// Two apps of the laptop: each gets it, and the desktop is asked once.
  @Test func s36e_severalThatContinueItEachHaveIt() throws {
    let second = try pair.world.connect(to: pair.laptop.core)
    second.hello("org.example.second")
    try pair.world.run("its offer") { !second.offers.isEmpty }
    accept(.random(), by: second)
    let asked = try acceptAsking()
    try offer(Array("both".utf8), at: 3_000)
    answer(asked, at: 3_000)
    #expect(try delivered().bytes == Array("both".utf8))
    #expect(try delivered(to: second).bytes == Array("both".utf8))
    #expect(saveRequests.count == 1)
  }

  /// Laptop and tablet: each gets it over a link of its own, keeps it, and hears one answer.
  @Test func s36e_twoDevicesThatContinueItEachHaveIt() throws {
    let tablet = try pair.add("tablet")
    try tablet.switchOn()
    try pair.desktop.carry(to: tablet)
    let reader = try pair.world.connect(to: tablet.core)
    reader.hello("org.example.reader")
    try pair.world.run("the tablet's offer", within: .seconds(25)) {
      tablet.core.linkedDocuments.present.values.contains(pair.desktop.core.store.id)
        && reader.offers.contains { $0.changedAt.milliseconds == 2_000 }
    }
    let first = try acceptAsking()
    let offered = try #require(reader.offers.first).id
    reader.link.send(.accept(offered, .random()), descriptor: nil)
    try pair.world.run("the tablet's question", within: .seconds(10)) { saveRequests.count > 1 }
    try offer(Array("both".utf8), at: 3_000)
    for asked in saveRequests { answer(asked, at: 3_000) }
    #expect(try delivered().bytes == Array("both".utf8) && saveRequests.first == first)
    #expect(try delivered(to: reader).bytes == Array("both".utf8))
    for device in [pair.desktop, pair.laptop, tablet] { #expect(drafts(of: device) == [Array("both".utf8)]) }
    #expect(pair.viewer.delivered.count == 1 && reader.delivered.count == 1)
  }

  /// What the other device sends is judged by its digest.
  @Test func otherBytesThanWereOfferedAreNotDelivered() throws {
    try s36e_aTextThatNoFileHasIsContinued()
    for device in [pair.desktop, pair.laptop] {
      let folder = FilePath(device.core.ports.state.displayPath + "/drafts")
      let name = try #require(try folder.names().first { $0.count == 64 })
      try folder.appending(name).unlink()
      if device === pair.desktop { try Scratch.write("never shaved", to: folder.appending(name).shown) }
    }
    let former = pair.viewer.delivered.count
    accept(.random())
    try pair.world.run("the failure", within: .seconds(10)) {
      pair.viewer.reports.contains { if case .fail = $0 { true } else { false } }
    }
    #expect(pair.viewer.delivered.count == former)
  }

  @Test func whatIsNotKeptAnyMoreIsSentAgain() throws {
    try s36e_aTextThatNoFileHasIsContinued()
    let folder = FilePath(pair.laptop.core.ports.state.displayPath + "/drafts")
    for name in try folder.names() { try folder.appending(name).unlink() }
    let second = RequestID.random()
    accept(second)
    try pair.world.run("the delivery", within: .seconds(10)) {
      pair.viewer.delivered.contains { $0.request == second && $0.bytes == Array("never saved".utf8) }
    }
  }

  /// The desktop's app is gone before it says anything, or its link is.
  @Test(arguments: [true, false]) func s36e_whoIsGoneIsNotWaitedFor(isApp: Bool) throws {
    _ = try acceptAsking()
    let began = Instant.now
    if isApp { pair.editor.link.disconnect() } else { try pair.desktop.lan(.off) }
    let kind = try failure().cause.kind
    // What an app alone had is not offered without it.
    #expect(kind == .notSaved || isApp && kind == .ended, "\(kind)")
    if isApp {
      try pair.world.run("the end of the offer", within: .seconds(10)) { pair.viewer.offers.isEmpty }
    }
    #expect(Instant.now - began < SaveMachine.appPatience)
  }

  /// Its agent has the text: it is continued from there.
  @Test func s36e_whatWasHandedOverIsThereAfterItsAppIsGone() throws {
    try s36e_aTextThatNoFileHasIsContinued()
    let laptop = FilePath(pair.laptop.core.ports.state.displayPath + "/drafts")
    for name in try laptop.names() { try laptop.appending(name).unlink() }
    pair.editor.link.disconnect()
    try pair.world.run("what is left open", within: .seconds(10)) {
      pair.viewer.offers.contains { $0.flags.contains(.leftOpen) }
    }
    let second = RequestID.random()
    accept(second)
    try pair.world.run("the delivery", within: .seconds(10)) {
      pair.viewer.delivered.contains { $0.request == second && $0.bytes == Array("never saved".utf8) }
    }
  }

  @Test func aMemberIsSentNoDraftThatItIsNotOffered() throws {
    let asked = try acceptAsking()
    try offer(Array("mine".utf8), at: 3_000)
    answer(asked, at: 3_000)
    _ = try delivered()
    let draft = try #require(pair.desktop.record?.activities.first { $0.id == pair.activity }?.draft)
    let laptop = pair.laptop.core
    let link = try #require(laptop.linkedDocuments.present.keys.min())
    // Its activity is over: what it handed over is not to be had any more.
    pair.editor.link.send(.withdraw(pair.activity), descriptor: nil)
    try pair.world.run("the end") { pair.viewer.offers.isEmpty }
    let word = DocumentWord.ask(
      TransferNumber(rawValue: 900), pair.activity, draft.digest, size: draft.size)
    var refusals: [DocumentRefusal] = []
    let onReport = laptop.ports.network.onReport
    laptop.ports.network.onReport = { report in
      if case .received(_, .request, let bytes) = report,
        case .refuse(_, let refusal)? = try? DocumentWord.decoded(bytes)
      {
        refusals.append(refusal)
      }
      onReport(report)
    }
    laptop.ports.network.send(.send(link, .request, word.encoded))
    try pair.world.run("the refusal", within: .seconds(10)) { !refusals.isEmpty }
    #expect(refusals == [.notOffered])
  }
}
