// SPDX-License-Identifier: MIT

import ActivityModel
import TestSupport
import Testing

@testable import ActivityIndex

/// What other devices keep, beside what this one does.
@Suite struct OtherDevicesTests {
  private let scratch: Scratch
  private let wall = WallTime(milliseconds: 1_800_000_000_000)
  private let laptop = DeviceID.random()
  private let phone = DeviceID.random()

  init() throws { scratch = try Scratch("others", inMemory: true) }

  private func index(_ limits: SavedActivityLimits = SavedActivityLimits()) throws -> ActivityIndex {
    try ActivityIndex(directory: scratch.path, limits: limits)
  }

  private func activity(
    _ identifier: String, title: String, after seconds: UInt64 = 0, until: UInt64? = nil
  ) -> SavedActivity {
    var snapshot = ActivitySnapshot(
      id: .random(), type: "org.a.reading", appID: "org.a", changedAt: wall.adding(seconds: seconds))
    snapshot.flags.insert(.search)
    (snapshot.persistentIdentifier, snapshot.title) = (identifier, title)
    snapshot.expiresAt = until.map { wall.adding(seconds: $0) }
    return SavedActivity(appID: "org.a", snapshot: snapshot)
  }

  /// All of them in the part in which each stands.
  private func take(_ activities: [SavedActivity], of device: DeviceID, into index: ActivityIndex) throws {
    for part in 0..<SavedActivityList.partCount {
      let those = activities.filter { $0.key.map(SavedActivityList.part) == part }
      try index.take(those, of: device, part: part, at: wall)
    }
  }

  private func titles(_ found: [SavedActivity]) -> [String] { found.map(\.snapshot.title) }

  @Test func theyAreFoundAmongThisDevicesByWhenTheyChanged() throws {
    let index = try index()
    try index.save([activity("a", title: "Soup one", after: 10)], at: wall)
    try take([activity("a", title: "Soup two", after: 20)], of: laptop, into: index)
    let theirs = [activity("a", title: "Soup three", after: 5), activity("b", title: "Cake")]
    try take(theirs, of: phone, into: index)
    let found = try index.search("soup", of: nil, atMost: 9, at: wall)
    #expect(titles(found) == ["Soup two", "Soup one", "Soup three"])
    #expect(found.map(\.device) == [laptop, nil, phone])
    #expect(titles(try index.search("soup", of: nil, atMost: 2, at: wall)) == ["Soup two", "Soup one"])
    #expect(titles(try index.recent(of: nil, atMost: 9, at: wall)).last == "Cake")
    #expect(titles(try index.recent(of: "org.a", atMost: 9, at: wall)) == ["Soup one"])
    #expect(titles(try index.search("soup", of: "org.a", atMost: 9, at: wall)) == ["Soup one"])
    #expect(titles(try index.own(atMost: 9, at: wall)) == ["Soup one"])
    let key = SavedActivity.Key(appID: "org.a", identifier: "a", device: phone)
    #expect(try index.activity(key, at: wall)?.snapshot.title == "Soup three")
  }

  @Test func whatADeviceListsNoMoreIsErased() throws {
    let index = try index()
    try take([activity("a", title: "Xylophone"), activity("b", title: "Zeppelin")], of: laptop, into: index)
    try take([activity("a", title: "Xylophone")], of: phone, into: index)
    try take([activity("b", title: "Zeppelin")], of: laptop, into: index)
    #expect(try index.search("xylophone", of: nil, atMost: 9, at: wall).map(\.device) == [phone])
    try index.forget([SavedActivity.Key(appID: "org.a", identifier: "a", device: phone)])
    #expect(index.hasRemains)
    try index.erase()
    for name in Scratch.names(in: scratch.path) {
      let text = String(decoding: Scratch.bytes(at: scratch.path + "/" + name) ?? [], as: UTF8.self)
      #expect(!text.lowercased().contains("xylophone"))
    }
    #expect(titles(try index.ofOthers()) == ["Zeppelin"])
  }

  @Test func whatIsSaidAgainIsNotWrittenAgain() throws {
    let index = try index()
    let soup = activity("a", title: "Soup")
    try take([soup], of: laptop, into: index)
    try take([soup], of: laptop, into: index)
    #expect(!index.hasRemains, "nothing was replaced")
    index.close()
    let again = try self.index()
    try take([soup], of: laptop, into: again)
    #expect(!again.hasRemains)
    #expect(titles(try again.ofOthers()) == ["Soup"])
  }

  /// It neither counts among an app's own, nor takes room from them, nor goes with them.
  @Test func itIsApartFromThisDevices() throws {
    var limits = SavedActivityLimits()
    (limits.count, limits.bytes, limits.totalBytes) = (2, 400, 400)
    let index = try index(limits)
    try take((0..<20).map { activity("\($0)", title: "Other \($0)") }, of: laptop, into: index)
    try index.save([activity("a", title: "Own one"), activity("b", title: "Own two")], at: wall)
    #expect(titles(try index.own(atMost: 9, at: wall)) == ["Own two", "Own one"])
    try index.delete(nil, of: "org.a")
    try index.deleteHandedOver()
    #expect(try index.own(atMost: 9, at: wall).isEmpty)
    #expect(try index.ofOthers().count == 20)
  }

  @Test func itExpiresAsItsAppSaid() throws {
    let index = try index()
    try take([activity("a", title: "Soon", until: 5)], of: laptop, into: index)
    let later = wall.adding(seconds: 5)
    #expect(try index.nextExpiry() == later)
    #expect(try index.recent(of: nil, atMost: 9, at: later).isEmpty)
    try index.removeExpired(at: later)
    #expect(try index.ofOthers().isEmpty)
  }

  @Test func namesOfAppsComeBack() {
    for app in [IndexedApp("org.a"), IndexedApp("é", on: laptop), IndexedApp("", on: phone)] {
      #expect(IndexedApp(bytes: app.bytes) == app)
      #expect(IndexedApp.isOther(app.bytes) == app.isOther)
    }
    #expect(IndexedApp(bytes: [0xff, 1, 2]) == nil && IndexedApp(bytes: [0x61, 0xfe]) == nil)
  }
}
