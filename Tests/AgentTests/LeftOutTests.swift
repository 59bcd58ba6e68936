// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import AgentClient
import Glibc
import TestSupport
import Testing
import Trust

@testable import Agent
@testable import AgentEngine

/// Files beside the document, and addresses: what an app is handed of another device's choosing (T05, T54).
@Suite(.serialized) struct LeftOutTests {
  private func other(_ pair: Pair, _ path: String) throws -> DocumentReference {
    let digest = try #require(ContentDigest(bytes: [UInt8](repeating: 7, count: 32)))
    return DocumentReference(
      folder: try #require(pair.desktop.core.folders.roots.first?.registered.id),
      path: try #require(RelativePath(path)), version: DocumentVersion(digest: digest, size: 1))
  }

  /// The laptop gets a record of the desktop that names other files, and continues it.
  private func delivery(_ pair: Pair, naming paths: [String]) throws -> Delivery {
    try pair.offer("two")
    try pair.write("two")
    try pair.world.run("the version") { pair.viewer.offers.first?.status.arrival == .current }
    var state = try #require(pair.desktop.record)
    let document = try #require(state.activities.first?.document)
    for path in paths { state.activities[0].translatedDocuments.append(try other(pair, path)) }
    state.activities[0].userInfo[.text("files")] = .array(paths.indices.map { .document($0 + 1) })
    #expect(state.activities[0].translatedDocuments.first == document)
    pair.laptop.core.handle(
      .state(pair.desktop.core.store.identity.id, name: "desktop", sequence: 1 << 40, sealedFor: [], state))
    let request = RequestID.random()
    pair.viewer.link.send(.accept(pair.offerID, request), descriptor: nil)
    try pair.world.run("the delivery") { !pair.viewer.delivered.isEmpty }
    return try #require(pair.viewer.delivered.first?.delivery)
  }

  @Test func s33b_aFileBehindALinkOrInTheRecordsOrMissingIsNotHandedOver() throws {
    let pair = try Pair()
    try Scratch.write("secret", to: pair.world.scratch.path + "/secret.txt")
    mkdir(pair.world.scratch.path + "/outside", 0o755)
    try Scratch.write("secret", to: pair.world.scratch.path + "/outside/b.txt")
    let folder = pair.laptop.folder
    symlink(pair.world.scratch.path + "/secret.txt", folder + "/link.txt")
    symlink(pair.world.scratch.path + "/outside", folder + "/out")
    mkdir(folder + "/sub", 0o755)
    mkfifo(folder + "/pipe", 0o600)
    try Scratch.write("mine", to: folder + "/sub/beside.md")
    let record = try #require(Scratch.names(in: pair.laptop.records).first)
    let delivery = try delivery(
      pair,
      naming: ["link.txt", "out/b.txt", ".continuo/" + record, "nothing.md", "pipe", "sub/beside.md"])
    let beside = UserInfoValue.url(FileURL.text(of: Array((folder + "/sub/beside.md").utf8)))
    #expect(delivery.activity.userInfo[.text("files")] == .array([beside]))
    let main = UserInfoValue.url(FileURL.text(of: Array((folder + "/plan.md").utf8)))
    #expect(delivery.activity.userInfo[.text(NSUserActivityDocumentURLKey)] == main)
    #expect(delivery.status.arrival == .current && delivery.status.cause == .othersLeftOut(5))
  }

  @Test func s33b_whatLeadsOutOfTheFoldersDoesNotTravelAndThatIsTold() throws {
    let pair = try Pair()
    var snapshot = ActivitySnapshot(
      id: pair.activity, type: "public.text-editing", appID: "org.continuo.edit",
      changedAt: WallTime(milliseconds: 1_000))
    let path = pair.desktop.folder + "/plan.md"
    snapshot.userInfo[.text(NSUserActivityDocumentURLKey)] = .url(FileURL.text(of: Array(path.utf8)))
    snapshot.userInfo[.text("more")] = .array([
      .url("file:///etc/passwd"), .url("FILE:///etc/hosts"), .int(1),
    ])
    snapshot.expiresAt = WallTime(milliseconds: 4_000_000_000_000)
    pair.editor.link.send(.update(snapshot, saved: nil), descriptor: nil)
    try pair.world.run("the record") { pair.desktop.record?.activities.isEmpty == false }
    #expect(pair.desktop.record?.activities.first?.userInfo[.text("more")] == .array([.int(1)]))
    guard case .activities(let own) = try pair.desktop.ask(.ownActivities) else { return }
    #expect(own.first?.isOffered == true)
    #expect(own.first?.notes == [.filesLeftOut(2)])
  }

  @Test func resumeNamesNoFileBehindALink() throws {
    let pair = try Pair()
    try pair.offer("two")
    unlink(pair.laptop.folder + "/plan.md")
    try Scratch.write("two", to: pair.world.scratch.path + "/elsewhere.md")
    symlink(pair.world.scratch.path + "/elsewhere.md", pair.laptop.folder + "/plan.md")
    pair.viewer.link.disconnect()
    pair.world.settle()
    guard case .noApp(_, let path) = try pair.laptop.ask(.resume(nil)) else {
      Issue.record("an app took it")
      return
    }
    #expect(path == nil)
  }
}
