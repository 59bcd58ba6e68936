// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import Testing

/// A frame holds 64 KiB, and releases before this one refuse a longer one: an answer is never left out for
/// that.
@Suite struct MessageFittingTests {
  private let limit = CBOR.Limits.message.bytes

  private func offer(_ number: UInt64, title: String, reason: String, depth: Int = 3) -> Offer {
    let activity: ActivityID = identifier(7, number)
    var snapshot = ActivitySnapshot(
      id: activity, type: "public.text-editing", appID: "org.continuo.edit",
      changedAt: WallTime(milliseconds: number))
    snapshot.title = title
    var offer = Offer(
      id: OfferID(device: identifier(1, number / 8), activity: activity), deviceName: "desktop",
      snapshot: snapshot, folderName: "Notes", status: ArrivalStatus(.behind, reason: reason))
    offer.path = RelativePath(components: (0..<depth).map { _ in Array("a folder".utf8) })
    return offer
  }

  private func identifier<Kind>(_ first: UInt8, _ number: UInt64) -> Identifier<Kind> {
    let bytes =
      [first] + [UInt8](repeating: 0, count: 11)
      + (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
    guard let identifier = Identifier<Kind>(bytes: bytes) else { preconditionFailure() }
    return identifier
  }

  private func decoded(_ message: AgentMessage) throws -> AgentMessage {
    let content = try #require(message.frameContent)
    #expect(content.count <= limit)
    return try AgentMessage(decoding: content)
  }

  private func circle(title: String, reason: String, depth: Int = 3) -> [Offer] {
    (1...256).reversed().map { offer(UInt64($0), title: title, reason: reason, depth: depth) }
  }

  @Test(arguments: [("A title", "A reason.", 3), (String(repeating: "t", count: 256), "A reason.", 32)])
  func theNewestOffersOfALongListAreToldAndTheOthersCounted(_ title: String, _ reason: String, _ depth: Int)
    throws
  {
    let offers = circle(title: title, reason: reason + String(repeating: "r", count: 400), depth: depth)
    #expect(AgentMessage.answer(1, .offers(offers)).encoded.count > limit)
    for message in [AgentMessage.answer(1, .offers(offers)), .report(.offers(offers))] {
      let told: [Offer]
      switch try decoded(message) {
      case .answer(1, .offers(let offers)), .report(.offers(let offers)): told = offers
      default: told = []
      }
      #expect(told.count > 30)
      #expect(told.dropLast() == offers.prefix(told.count - 1).map(\.self))
      #expect(told.last?.id == offers[told.count - 1].id)
      #expect(told.last?.remark == "\(256 - told.count) older offers are not listed: the list is full.")
    }
  }

  @Test func aListThatFitsIsToldAsItIs() throws {
    let offers = Array(circle(title: "A title", reason: "A reason.").prefix(100))
    let message = AgentMessage.answer(1, .offers(offers))
    #expect(message.frameContent == message.encoded)
  }

  @Test func itemsCountAsWellAsBytes() throws {
    let offers = (1...256).reversed().map { number -> Offer in
      var offer = offer(UInt64(number), title: "", reason: "", depth: 0)
      offer.path = RelativePath(components: [[UInt8]](repeating: [97], count: 32))
      return offer
    }
    guard case .answer(_, .offers(let told)) = try decoded(.answer(1, .offers(offers + offers))) else {
      return
    }
    #expect(told.count > 100)
  }

  @Test func ownActivitiesWithLongRemarksAreTold() throws {
    let long = String(repeating: "x", count: 512)
    let own = (1...24).map { number in
      OwnActivity(
        ActivitySnapshot(
          id: identifier(7, number), type: String(long.prefix(256)),
          appID: String(long.prefix(256)), changedAt: WallTime(milliseconds: number)),
        reason: long, remarks: [long, long, long, long])
    }
    guard case .answer(_, .activities(let told)) = try decoded(.answer(1, .activities(own))) else { return }
    #expect(told.count > 12 && told.count < 24)
    #expect(
      told.last?.remarks.last == "\(24 - told.count) older activities are not listed: the list is full.")
  }

  @Test func aStatusOfManyAppsFoldersAndProblemsIsTold() throws {
    var status = AgentStatus(process: 1, deviceName: "desktop", deviceID: "ABCD")
    status.devices = ["desktop", "laptop"]
    status.apps = (1...1000).map { "org.example.app-with-a-long-name-\($0)" }
    status.problems = (1...1000).map { "Folder \($0) " + String(repeating: "p", count: 5000) }
    status.folders = (1...300).map { number in
      SyncedRoot(
        id: identifier(1, number), name: "Notes", path: [UInt8](repeating: 97, count: 1000),
        isPresent: true)
    }
    guard case .answer(_, .status(let told)) = try decoded(.answer(1, .status(status))) else { return }
    #expect(told.devices == status.devices && told.apps.count > 100 && told.folders.count > 10)
    let counted = told.problems.filter { $0.hasSuffix("are not listed here: the list is full.") }
    #expect(counted.count == 3)
    #expect(told.problems.count > counted.count)
  }

  @Test func anErrorAboutALongWordAndManyConflictCopiesAreTold() throws {
    let word = String(repeating: "ü", count: 30_000)
    let error = ContinuityError(.invalidRequest, subject: word, description: "No offer begins with \(word).")
    guard case .answer(_, .failed(let told)) = try decoded(.answer(1, .failed(error))) else { return }
    #expect(told.code == .invalidRequest && told.description.hasPrefix("No offer begins with ü"))
    let copies = (1...100).map { _ in [UInt8](repeating: 97, count: 1000) }
    let change = AgentReport.documentChanged(path: [47], .conflict(copies: copies))
    guard case .report(.documentChanged(_, .conflict(let listed))) = try decoded(.report(change)) else {
      return
    }
    #expect(listed.count > 50)
  }
}
