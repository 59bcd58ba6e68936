// SPDX-License-Identifier: MIT

import ActivityModel
import AgentClient
import Embedding
import TestSupport
import Testing

@testable import Agent
@testable import AgentEngine

/// Documents that are open together on one device, and continued together on another (semantics 52).
@Suite(.waiting) struct OpenTogetherTests {
  private let pair: Pair
  private static let names = (2...10).map { "part \($0).md" }

  init() throws {
    pair = try Pair()
    for name in Self.names { try Scratch.write("text of \(name)", to: pair.desktop.folder + "/" + name) }
  }

  private func offer(_ names: [String] = names, at time: UInt64 = 1_000) throws {
    try pair.offerPlan(with: names, at: time)
  }

  private func offers(_ count: Int) throws -> [Offer] {
    try pair.world.run("the offers", state: { "\(pair.viewer.offers.map(\.displayTitle))" }) {
      pair.viewer.offers.count == count
    }
    return pair.viewer.offers
  }

  private func named(_ name: String) throws -> Offer {
    try #require(pair.viewer.offers.first { $0.path?.description == name })
  }

  private func wait(for arrival: Arrival, of name: String) throws {
    try pair.world.run("\(name) \(arrival)", state: { "\(pair.viewer.offers.map(\.status))" }) {
      pair.viewer.offers.first { $0.path?.description == name }?.status.arrival == arrival
    }
  }

  @Test func s52a_eachOfTenIsOfferedAndComesByItself() throws {
    try offer()
    try pair.desktop.carry(to: pair.laptop, documents: Self.names)
    let offers = try offers(10)
    let leader = try named("plan.md")
    #expect(!leader.isOpenedBeside && offers.count(where: \.isOpenedBeside) == 9)
    #expect(offers.filter { leader.lists($0) }.count == 9)
    for offer in offers { pair.viewer.link.send(.accept(offer.id, .random()), descriptor: nil) }
    try pair.world.run("ten documents") { pair.viewer.delivered.count == 10 }
    let texts = Set(pair.viewer.delivered.map { String(decoding: $0.bytes ?? [], as: UTF8.self) })
    #expect(texts == Set(Self.names.map { "text of \($0)" } + ["one"]))
    #expect(pair.viewer.delivered.allSatisfy { $0.delivery.activity.type == "public.text-editing" })
  }

  @Test func s52c_oneThatIsMissingOrDivergedKeepsNoOtherBack() throws {
    try Scratch.write("of the laptop", to: pair.laptop.folder + "/part 3.md")
    try offer()
    let others = Self.names.filter { !["part 2.md", "part 3.md"].contains($0) }
    try pair.desktop.carry(to: pair.laptop, documents: others)
    _ = try offers(10)
    try wait(for: .missing, of: "part 2.md")
    try wait(for: .diverged, of: "part 3.md")
    let requests = Dictionary(
      uniqueKeysWithValues: pair.viewer.offers.map { ($0.displayTitle, RequestID.random()) })
    for offer in pair.viewer.offers {
      pair.viewer.link.send(
        .accept(offer.id, try #require(requests[offer.displayTitle])), descriptor: nil)
    }
    try pair.world.run("eight documents") { pair.viewer.delivered.count == 8 }
    // The person decides about this one alone, and the other one comes.
    pair.viewer.link.send(.choose(try #require(requests["part 3.md"]), .openHere), descriptor: nil)
    try pair.world.run("the chosen one") { pair.viewer.delivered.count == 9 }
    #expect(pair.viewer.delivered.last?.delivery.status.arrival == .diverged)
    try pair.desktop.carry(to: pair.laptop, documents: ["part 2.md"])
    try pair.world.run("the last") { pair.viewer.delivered.count == 10 }
    #expect(pair.viewer.delivered.last?.bytes == Array("text of part 2.md".utf8))
  }

  /// The desktop hears that its activity goes on here, and offers it no more, with all that it listed.
  @Test func s52c_whatIsAwaitedStillComesOnceTheOthersGoOnHere() throws {
    try offer()
    try pair.desktop.carry(to: pair.laptop, documents: Self.names.filter { $0 != "part 2.md" })
    var here: [RequestID] = []
    for offer in try offers(10) where offer.displayTitle != "part 4.md" {
      let request = RequestID.random()
      if offer.displayTitle != "part 2.md" { here.append(request) }
      pair.viewer.link.send(.accept(offer.id, request), descriptor: nil)
    }
    try pair.world.run("eight documents") { pair.viewer.delivered.count == 8 }
    for request in here { pair.viewer.link.send(.outcome(request, .opened), descriptor: nil) }
    try pair.world.run("what it tells of that", state: { "\(String(describing: pair.laptop.record))" }) {
      pair.laptop.record?.claims.contains { $0.activity == pair.activity } == true
    }
    // As its app does when it hears of that.
    pair.editor.link.send(.withdraw(pair.activity), descriptor: nil)
    try pair.world.run("the end of what it offers") { pair.desktop.record?.activities.isEmpty == true }
    try pair.desktop.carry(to: pair.laptop)
    #expect(try offers(1).first?.displayTitle == "part 2.md")
    try offer(["part 5.md"], at: 2_000)
    try pair.desktop.carry(to: pair.laptop)
    #expect(try offers(3).contains { $0.displayTitle == "part 2.md" })
    try pair.desktop.carry(to: pair.laptop, documents: ["part 2.md"])
    try pair.world.run("the last") { pair.viewer.delivered.count == 9 }
    #expect(pair.viewer.delivered.last?.bytes == Array("text of part 2.md".utf8))
  }

  @Test func s52d_whatIsClosedThereIsOfferedNoMore() throws {
    try offer()
    try pair.desktop.carry(to: pair.laptop, documents: Self.names)
    let before = try named(in: offers(10), "part 5.md")
    try offer(["part 5.md", "plan.md", "part 5.md"], at: 2_000)
    try pair.desktop.carry(to: pair.laptop)
    #expect(try named(in: offers(2), "part 5.md").id == before.id)
    pair.editor.link.send(.withdraw(pair.activity), descriptor: nil)
    try pair.world.run("the withdrawal") { pair.desktop.record?.activities.isEmpty == true }
    try pair.desktop.carry(to: pair.laptop)
    _ = try offers(0)
  }

  private func named(in offers: [Offer], _ name: String) throws -> Offer {
    try #require(offers.first { $0.path?.description == name })
  }

  /// The record holds 32 of them with their ancestors, and says of what it leaves out.
  @Test func s52e_thirtyOneAreListedAtMost() throws {
    let names = (1...40).map { "many \($0).md" }
    for name in names { try Scratch.write(name, to: pair.desktop.folder + "/" + name) }
    try offer(names)
    try pair.desktop.carry(to: pair.laptop)
    _ = try offers(32)
    guard case .activities(let own) = try pair.desktop.ask(.ownActivities) else { return }
    #expect(own.first?.remarks.isEmpty == false)
  }

  /// An editor that embeds a session says so once; the rest follows from what it opens and closes.
  @Test func s52d_aSessionListsWhatItsHostHasOpen() throws {
    let both = try EmbeddedPair()
    both.source.session.offersOpenDocuments = true
    for name in Self.names {
      try Scratch.write("text of \(name)", to: both.pair.desktop.folder + "/" + name)
      _ = try both.source.session.open(Array("\(both.pair.desktop.folder)/\(name)".utf8))
    }
    try both.offer("two")
    func beside() -> [Offer] {
      both.target.session.offers.first.map { both.target.session.openedBeside($0.id) } ?? []
    }
    try both.world.run("nine beside", state: { "\(both.target.session.offers)" }) { beside().count == 9 }
    for name in Self.names.dropFirst() {
      let path = Array("\(both.pair.desktop.folder)/\(name)".utf8)
      both.source.session.close(try #require(both.source.session.document(at: path)))
    }
    try both.world.run("the shorter list") {
      both.pair.desktop.record?.activities.first?.openDocuments.count == 1
    }
    try both.pair.desktop.carry(to: both.pair.laptop, documents: ["part 2.md"])
    try both.world.run("one beside") { beside().map(\.status.arrival) == [.current] }
    #expect(try both.target.session.acceptAll(try #require(both.target.session.offers.first).id).count == 2)
    try both.world.run("two documents") { both.target.handovers.count == 2 }
  }

  @Test func theDesktopTellsOfTheOneThatThePersonIsInAlone() throws {
    try offer()
    try pair.desktop.carry(to: pair.laptop, documents: Self.names)
    _ = try offers(10)
    #expect(pair.laptop.core.allOffers().count == 10)
    #expect(pair.laptop.core.offersToTell.map(\.displayTitle) == ["plan.md"])
  }
}
