// SPDX-License-Identifier: MIT

import ActivityModel
import AgentClient
import FolderAccess
import LinuxSystem
import LocalNetwork
import TestSupport
import Testing

@testable import Agent
@testable import AgentEngine

/// Documents over the link of two real agents with real network processes; no engine carries any.
@Suite(.waiting, .timeLimit(.minutes(20))) struct LinkedDocumentsTests {
  private let pair: Pair

  init() throws { pair = try Pair.linked() }

  /// What comes for `fetch`: the answer, and the bytes beside it.
  private func fetch(_ offer: OfferID? = nil) throws -> (answer: AgentAnswer, bytes: [UInt8]?) {
    let client = try pair.world.connect(to: pair.laptop.core)
    var bytes: [UInt8]?
    client.link.didReceiveFile = { _, number in
      let file = Descriptor(owning: number)
      try? file.rewind()
      bytes = try? file.readToEnd()
    }
    return (try client.ask(.fetch(offer ?? pair.offerID), pair.world), bytes)
  }

  private func refusal(of offer: OfferID? = nil) throws -> String? {
    guard case .failed(let error) = try fetch(offer).answer else { return nil }
    return error.description
  }

  @Test func theOfferedVersionComesWithoutAnyFolder() throws {
    // What the laptop has is a version that the desktop offered before, however late its agent read it.
    try pair.offerOverLink("one", at: 500)
    try pair.awaitStanding(.current)
    try pair.offerOverLink("over the link", at: 1_000)
    try pair.awaitStanding(.behind)
    let began = Instant.now
    let (answer, bytes) = try fetch()
    #expect(answer == .fetched(size: 13) && bytes == Array("over the link".utf8))
    #expect(Instant.now - began < .seconds(1))
    // Again, also of the next version, and of one of many pieces.
    #expect(try fetch().bytes == bytes)
    let large = String(repeating: "a line of a long text\n", count: 50_000)
    try pair.offerOverLink(large, at: 2_000)
    #expect(try fetch().bytes == Array(large.utf8))
    #expect(
      Scratch.bytes(at: pair.laptop.folder + "/plan.md") == Array("one".utf8), "the document is as it was")
  }

  @Test func whatIsNotOfferedOrNotLinkedIsRefusedInASentence() throws {
    try pair.offerOverLink("two", at: 1_000)
    let unknown = OfferID(device: pair.offerID.device, activity: .random())
    #expect(try refusal(of: unknown)?.contains("offered under that ID") == true)
    // The file is another one, and nobody has said so.
    try Scratch.write("longer", to: pair.desktop.folder + "/plan.md")
    #expect(try refusal()?.contains("desktop did not send the document") == true)
    try FilePath(pair.desktop.folder + "/plan.md").unlink()
    #expect(try refusal()?.contains("did not send") == true)
    try pair.desktop.lan(.off)
    try pair.world.run("the end of the link") {
      pair.laptop.core.lanStatus.links.map(\.link.state) != [.linked]
    }
    #expect(try refusal()?.contains("no link to desktop") == true)
  }

  /// A device of the circle that does not have a folder is sent nothing of it.
  @Test func aFolderThatIsNotSharedStaysAtHome() throws {
    let other = try pair.world.scratch.folder("private")
    _ = try pair.desktop.ask(.addFolder(path: Array(other.utf8), name: "Private"))
    try Scratch.write("mine alone", to: other + "/diary.md")
    let activity = pair.editor.offer(other + "/diary.md", at: 3_000)
    let id = OfferID(device: pair.offerID.device, activity: activity)
    try pair.world.run("the offer", within: .seconds(5)) { pair.viewer.offers.contains { $0.id == id } }
    #expect(try refusal(of: id)?.contains("did not send") == true)
  }

  @Test func aWordThatNoDeviceSaysEndsTheLink() throws {
    let links = pair.laptop.core.links
    let number = try #require(pair.laptop.core.linkedDocuments.present.keys.first)
    pair.laptop.core.ports.network.send(.send(number, .request, [0xff]))
    try pair.world.run("the end of the link", within: .seconds(5)) { links.states.map(\.state) != [.linked] }
  }
}
