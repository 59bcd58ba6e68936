// SPDX-License-Identifier: MIT

import ActivityModel
import AgentClient
import LinuxSystem
import TestSupport
import Testing

@testable import Agent
@testable import AgentEngine

/// What does not fit one frame of 64 KiB is answered all the same.
@Suite(.serialized) struct LongListTests {
  private static var document: DocumentReference? {
    guard let folder = FolderID(bytes: [UInt8](repeating: 9, count: 16)),
      let digest = ContentDigest(bytes: [UInt8](repeating: 9, count: 32)),
      let path = RelativePath("a folder of some length/another folder/and a document with a long name.md")
    else { return nil }
    return DocumentReference(
      folder: folder, path: path, version: DocumentVersion(digest: digest, size: 17))
  }

  private func identifier<Kind>(_ first: UInt64, _ number: UInt64) -> Identifier<Kind> {
    let bytes = [UInt8(first)] + [UInt8](repeating: 0, count: 14) + [UInt8(number)]
    guard let identifier = Identifier<Kind>(bytes: bytes) else { preconditionFailure() }
    return identifier
  }

  /// 31 other devices, each with as many activities as a record holds.
  private func fill(_ core: AgentCore) {
    for device in 1...UInt64(31) {
      var state = DeviceState(issuedAt: .now, bootNonce: [UInt8](repeating: 1, count: 16))
      state.activities = (1...UInt64(8)).map { number in
        var snapshot = ActivitySnapshot(
          id: identifier(device, number), type: "public.text-editing", appID: "org.continuo.edit",
          changedAt: .now)
        snapshot.title = String(repeating: "long title ", count: 22)
        snapshot.document = Self.document
        snapshot.flags = .handoff
        return snapshot
      }
      core.handle(.state(identifier(3, device), name: "device \(device)", sequence: 1, sealedFor: [], state))
    }
  }

  @Test func aCircleOf32DevicesIsListedForPeopleAndApps() throws {
    let world = try World()
    let device = try world.device("desktop")
    try device.addFolder()
    let app = try world.connect(to: device.core)
    app.hello()
    fill(device.core)
    guard case .offers(let listed) = try device.ask(.offers) else {
      Issue.record("offers was not answered with offers")
      return
    }
    #expect(device.core.allOffers().count == 248)
    #expect(listed.count > 60 && listed.count < 248)
    #expect(listed.map(\.id) == device.core.allOffers().prefix(listed.count).map(\.id))
    #expect(listed.last?.notes == [.moreOffers(UInt64(248 - listed.count))])
    #expect(try device.status().deviceName == "desktop")
    try world.run("the app's offers") { app.offers.count > 60 }
    // What is not listed can still be named.
    let last = try #require(device.core.allOffers().last)
    guard case .handedOver = try device.ask(.resume(last.id.description)) else {
      Issue.record("the oldest offer was not found")
      return
    }
  }

  @Test func aCommandOrRequestThatIsTooLongIsAnsweredHere() throws {
    let world = try World()
    let device = try world.device("desktop")
    let long = String(repeating: "x", count: 70_000)
    guard case .failed(let error) = try device.ask(.resume(long)) else {
      Issue.record("an answer without an error")
      return
    }
    #expect(error.description.contains("give a shorter name"))
    // This one goes out, and the answer would name it twice.
    guard case .failed = try device.ask(.resume(String(long.prefix(40_000)))) else {
      Issue.record("an answer without an error")
      return
    }
    let app = try world.connect(to: device.core)
    app.hello()
    let request = RequestID.random()
    let identifiers = (1...1000).map { "\($0)-" + String(repeating: "x", count: 100) }
    app.link.send(.deleteSaved(request, identifiers: identifiers), descriptor: nil)
    #expect(app.reports.contains { if case .kept(request, .some) = $0 { true } else { false } })
    #expect(app.link.isConnected)
  }
}
