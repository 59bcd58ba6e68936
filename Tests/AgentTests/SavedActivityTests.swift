// SPDX-License-Identifier: MIT

import ActivityModel
import AgentClient
import FolderAccess
import Glibc
import LinuxSystem
import TestSupport
import Testing

@testable import Agent
@testable import AgentEngine

/// Saved activities in the agent: what is kept of them, for how long, and for whom.
@Suite struct SavedActivityTests {
  private let wall = WallTime(milliseconds: 1_800_000_000_000)

  private func activity(
    _ identifier: String?, info: UserInfo = [.text("page"): .int(1), .text("scratch"): .int(2)]
  ) -> ActivitySnapshot {
    var snapshot = ActivitySnapshot(id: .random(), type: "a.b", appID: "org.a", changedAt: wall)
    snapshot.flags.insert(.search)
    snapshot.persistentIdentifier = identifier
    snapshot.userInfo = info
    return snapshot
  }

  private func kept(_ snapshot: ActivitySnapshot) -> ActivitySnapshot? {
    var saved = SavedActivities()
    saved.save(snapshot, of: "org.a", at: wall)
    return saved.activities(of: "org.a").first
  }

  @Test func s6b_aStoredRecordHoldsOnlyTheRequiredKeys() throws {
    var snapshot = activity("a")
    snapshot.typedPayload = [1]
    #expect(kept(snapshot)?.userInfo == snapshot.userInfo, "without required keys it holds all of them")
    #expect(kept(snapshot)?.typedPayload == [1])
    snapshot.requiredUserInfoKeys = ["page", "absent"]
    #expect(kept(snapshot)?.userInfo == [.text("page"): .int(1)])
    #expect(kept(snapshot)?.typedPayload == nil)
    snapshot.requiredUserInfoKeys = []
    #expect(kept(snapshot)?.userInfo == [:])
  }

  @Test func s6c_aWebPageWithoutRequiredKeysStandsForThePayload() throws {
    var snapshot = activity("a")
    snapshot.webpageURL = "https://example.org/"
    #expect(kept(snapshot)?.userInfo == [:])
    snapshot.requiredUserInfoKeys = []
    #expect(kept(snapshot)?.userInfo == [:])
    snapshot.requiredUserInfoKeys = ["page"]
    #expect(kept(snapshot)?.userInfo == [.text("page"): .int(1)])
    #expect(kept(snapshot)?.webpageURL == "https://example.org/")
  }

  @Test func s11a_onlyASearchableActivityWithAnIdentifierIsKept() {
    #expect(kept(activity("a")) != nil)
    #expect(kept(activity(nil)) == nil && kept(activity("")) == nil)
    var other = activity("a")
    other.flags.remove(.search)
    #expect(kept(other) == nil)
  }

  @Test func s9a_s9b_whatHasExpiredIsNotKept() {
    var saved = SavedActivities()
    var soon = activity("soon")
    soon.expiresAt = wall.adding(seconds: 10)
    saved.save(soon, of: "org.a", at: wall)
    saved.save(activity("week"), of: "org.a", at: wall)
    #expect(saved.nextExpiry == wall.adding(seconds: 10))
    saved.save(soon, of: "org.a", at: wall.adding(seconds: 10))
    #expect(saved.activities(of: "org.a").map(\.persistentIdentifier) == ["week"])
    saved.removeExpired(at: wall.adding(seconds: 7 * 86400 - 1))
    #expect(saved.entries.count == 1)
    saved.removeExpired(at: wall.adding(seconds: 7 * 86400))
    #expect(saved.entries.isEmpty)
  }

  @Test func theOldestOfTheSameAppGoesWhenThereAreTooMany() {
    var saved = SavedActivities()
    saved.save(activity("theirs"), of: "org.b", at: wall)
    for number in 0..<200 { saved.save(activity("\(number)"), of: "org.a", at: wall) }
    #expect(saved.activities(of: "org.a").first?.persistentIdentifier == "72")
    #expect(saved.activities(of: "org.a").count == 128)
    for number in 0..<40 {
      let info: UserInfo = [.text("page"): .bytes([UInt8](repeating: 1, count: 14_000))]
      saved.save(activity("large \(number)", info: info), of: "org.a", at: wall)
    }
    #expect(saved.entries.filter { $0.appID == "org.a" }.reduce(0) { $0 + $1.size } <= 256 * 1024)
    #expect(saved.activities(of: "org.a").last?.persistentIdentifier == "large 39")
    #expect(saved.activities(of: "org.b").count == 1)
  }

  @Test func savedActivitiesComeBackAndNoPrefixOfThemDoes() throws {
    var saved = SavedActivities()
    saved.save(activity("a"), of: "org.a", at: wall)
    saved.save(activity("b"), of: "org.b", at: wall)
    #expect(try SavedActivities(decoding: saved.encoded) == saved)
    for count in saved.encoded.indices {
      #expect(throws: ContinuityError.self) {
        try SavedActivities(decoding: Array(saved.encoded.prefix(count)))
      }
    }
  }

  @Test func s11a_s11b_s11c_anAgentThatIsKilledHasKeptAndDeletedWhatItAnswered() throws {
    let world = try World()
    let device = try world.device("desktop")
    let (mine, theirs) = (try world.connect(to: device.core), try world.connect(to: device.core))
    mine.hello("org.mine")
    theirs.hello("org.theirs")
    for identifier in ["a", "b", "c"] { try mine.save(identifier, world) }
    for identifier in ["a", "b"] { try theirs.save(identifier, world) }
    try mine.delete(["a", "absent"], world)
    try device.restart()
    #expect(identifiers(of: "org.mine", device) == ["b", "c"])
    #expect(identifiers(of: "org.theirs", device) == ["a", "b"])
    let again = try world.connect(to: device.core)
    again.hello("org.mine")
    try again.delete(nil, world)
    try device.restart()
    #expect(identifiers(of: "org.mine", device) == [])
    #expect(identifiers(of: "org.theirs", device) == ["a", "b"])
  }

  @Test func s11b_whatTheDiskRefusesIsAnsweredAndNotDone() throws {
    let world = try World()
    let device = try world.device("desktop")
    let client = try world.connect(to: device.core)
    client.hello("org.mine")
    try client.save("a", world)
    let file = device.stateDirectory + "/saved-activities"
    #expect(unlink(file) == 0 && mkdir(file, 0o700) == 0)
    #expect(try client.delete(nil, world) != nil)
    #expect(identifiers(of: "org.mine", device) == ["a"])
    rmdir(file)
    #expect(try client.delete(nil, world) == nil)
    #expect(identifiers(of: "org.mine", device) == [])
  }

  @Test func s9a_theAgentRemovesASavedActivityWhenItExpires() throws {
    let world = try World()
    let device = try world.device("desktop")
    let client = try world.connect(to: device.core)
    client.hello("org.mine")
    try client.save("a", world, expiringIn: 300)
    #expect(identifiers(of: "org.mine", device) == ["a"])
    try world.run("the expiry") { identifiers(of: "org.mine", device).isEmpty }
    try device.restart()
    #expect(identifiers(of: "org.mine", device) == [])
  }

  @Test func damagedSavedActivitiesAreToldAndDoNotStopTheAgent() throws {
    let scratch = try Scratch()
    let directory = try OwnDirectory.privateDirectory(scratch.path + "/state")
    _ = try StateStore(directory: directory, deviceName: "desktop")
    try Scratch.write("damaged", to: scratch.path + "/state/saved-activities")
    let store = try StateStore(directory: directory, deviceName: "desktop")
    #expect(store.saved.entries.isEmpty && store.losses.count == 1)
  }

  private func identifiers(of appID: String, _ device: InProcessDevice) -> [String] {
    device.core.store.saved.activities(of: appID).compactMap(\.persistentIdentifier)
  }
}

extension TestClient {
  fileprivate func save(_ identifier: String, _ world: World, expiringIn milliseconds: UInt64? = nil) throws {
    var snapshot = ActivitySnapshot(id: .random(), type: "a.b", appID: "org.a", changedAt: .now)
    snapshot.flags.insert(.search)
    snapshot.persistentIdentifier = identifier
    snapshot.expiresAt = milliseconds.map { WallTime(milliseconds: WallTime.now.milliseconds + $0) }
    let request = RequestID.random()
    link.send(.save(request, snapshot), descriptor: nil)
    #expect(try answer(to: request, world) == nil)
  }

  @discardableResult
  fileprivate func delete(_ identifiers: [String]?, _ world: World) throws -> ContinuityError? {
    let request = RequestID.random()
    link.send(.deleteSaved(request, identifiers: identifiers), descriptor: nil)
    return try answer(to: request, world)
  }

  private func answer(to request: RequestID, _ world: World) throws -> ContinuityError? {
    var found: ContinuityError??
    try world.run("the answer") {
      for case .kept(request, let error) in reports { found = .some(error) }
      return found != nil
    }
    return found ?? nil
  }
}
