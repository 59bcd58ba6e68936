// SPDX-License-Identifier: MIT

import ActivityModel
import Testing

@testable import ActivityWire

/// What a device tells of its saved activities, as a record carries it.
@Suite struct SavedActivityListCodingTests {
  private let wall = WallTime(milliseconds: 1_800_000_000_000)

  private func activity(_ identifier: String, text: String = "") -> ActivitySnapshot {
    var snapshot = ActivitySnapshot(id: .random(), type: "a.b", appID: "org.a", changedAt: wall)
    snapshot.flags.insert(.search)
    (snapshot.title, snapshot.persistentIdentifier) = ("Kept \(identifier)", identifier)
    if !text.isEmpty { snapshot.userInfo[.text("text")] = .text(text) }
    return snapshot
  }

  private func deletion(_ identifier: String) -> SavedActivityList.Deletion {
    let key = SavedActivity.Key(appID: "org.a", identifier: identifier, device: .random())
    return SavedActivityList.Deletion(of: key, changedAt: wall)
  }

  @Test func aListComesBackAsItWas() throws {
    let list = SavedActivityList(
      activities: [activity("soup"), activity("salad", text: "green")],
      deletions: [deletion("cake"), deletion("")])
    #expect(try SavedActivityList(recordPayload: list.recordPayload) == list)
    #expect(try SavedActivityList(recordPayload: list.cbor.encoded) == list)
    #expect(try SavedActivityList(recordPayload: SavedActivityList().recordPayload).isEmpty)
  }

  @Test func aTornOneIsNone() {
    let whole = SavedActivityList(activities: [activity("soup")], deletions: [deletion("cake")]).recordPayload
    for count in whole.indices {
      #expect(throws: ContinuityError.self, "\(count) bytes") {
        try SavedActivityList(recordPayload: Array(whole[..<count]))
      }
    }
    #expect(throws: ContinuityError.self) { try SavedActivityList(recordPayload: whole + [0]) }
  }

  @Test func whatIsNotToBeFoundIsRefused() {
    var offered = activity("soup")
    offered.flags.remove(.search)
    for activity in [offered, withoutIdentifier, ofThisDevice] {
      let payload = CBOR.map([1: .array([activity.cbor]), 2: .array([])]).encoded
      #expect(throws: ContinuityError.self) { try SavedActivityList(recordPayload: payload) }
    }
    let deletions = CBOR.array((0...SavedActivityList.deletionLimit).map { deletion("\($0)").cbor })
    #expect(throws: ContinuityError.self) {
      try SavedActivityList(recordPayload: CBOR.map([1: .array([]), 2: deletions]).encoded)
    }
  }

  private var withoutIdentifier: ActivitySnapshot {
    var activity = activity("soup")
    activity.persistentIdentifier = nil
    return activity
  }

  /// With a flag that no record has.
  private var ofThisDevice: ActivitySnapshot {
    var activity = activity("soup")
    activity.flags.insert(.handedOver)
    return activity
  }

  /// As many as there is room for, and none of what cannot travel.
  @Test(arguments: [0, 100, 5000])
  func theNewestThatFitAreTold(_ size: Int) throws {
    let many = (0..<2000).map { activity("\($0)", text: String(repeating: "x", count: size)) }
    let tooLarge = activity("large", text: String(repeating: "x", count: 20_000))
    let list = SavedActivityList(
      activities: [tooLarge] + many, deletions: (0..<100).map { deletion("\($0)") })
    let payload = list.recordPayload
    let told = try SavedActivityList(recordPayload: payload)
    #expect(payload.count <= CBOR.Limits.record.bytes)
    #expect(told.activities.count >= (size == 5000 ? 8 : 60) && told.activities.count <= 256)
    #expect(told.activities == Array(many.prefix(told.activities.count)))
    #expect(told.deletions == Array(list.deletions.prefix(SavedActivityList.deletionLimit)))
  }

  @Test func whatAnotherDeviceHasSaysSoAcrossTheSocket() throws {
    let device = DeviceID.random()
    var soup = FoundActivity(SavedActivity(appID: "org.a", snapshot: activity("soup"), device: device))
    soup.device = FoundActivity.Device(id: device, name: "laptop")
    #expect(try FoundActivity(cbor: soup.cbor) == soup)
    let command = AgentCommand.restoreSaved(soup.key, onTerminal: false)
    #expect(soup.key.device == device)
    #expect(try AgentCommand(cbor: command.cbor) == command)
    #expect(SavedActivity.Key(named: soup.key.name) == soup.key)
  }

  /// Of another device's each says where it is.
  @Test func partsFollowFromNamesAndAreOfOneSize() {
    var counts = [0, 0, 0, 0]
    for number in 0..<4000 {
      let key = SavedActivity.Key(appID: "org.example.recipes", identifier: "recipe-\(number)")
      var elsewhere = key
      elsewhere.device = .random()
      #expect(SavedActivityList.part(of: key) == SavedActivityList.part(of: elsewhere))
      counts[SavedActivityList.part(of: key)] += 1
    }
    #expect(counts.allSatisfy { (800...1200).contains($0) }, "\(counts)")
  }
}
