// SPDX-License-Identifier: MIT

import ActivityIndex
import ActivityModel
import ActivityWire
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

  private func kept(_ snapshot: ActivitySnapshot) throws -> ActivitySnapshot? {
    let scratch = try Scratch("saved", inMemory: true)
    let index = try ActivityIndex(directory: scratch.path)
    try index.save([SavedActivity(appID: "org.a", snapshot: snapshot)], at: wall)
    return try index.recent(of: "org.a", atMost: 1, at: wall).first?.snapshot
  }

  @Test func s6b_aStoredRecordHoldsOnlyTheRequiredKeys() throws {
    var snapshot = activity("a")
    snapshot.typedPayload = [1]
    #expect(try kept(snapshot)?.userInfo == snapshot.userInfo, "without required keys it holds all of them")
    #expect(try kept(snapshot)?.typedPayload == [1])
    snapshot.requiredUserInfoKeys = ["page", "absent"]
    #expect(try kept(snapshot)?.userInfo == [.text("page"): .int(1)])
    #expect(try kept(snapshot)?.typedPayload == nil)
    snapshot.requiredUserInfoKeys = []
    #expect(try kept(snapshot)?.userInfo == [:])
  }

  @Test func s6c_aWebPageWithoutRequiredKeysStandsForThePayload() throws {
    var snapshot = activity("a")
    snapshot.webpageURL = "https://example.org/"
    #expect(try kept(snapshot)?.userInfo == [:])
    snapshot.requiredUserInfoKeys = []
    #expect(try kept(snapshot)?.userInfo == [:])
    snapshot.requiredUserInfoKeys = ["page"]
    #expect(try kept(snapshot)?.userInfo == [.text("page"): .int(1)])
    #expect(try kept(snapshot)?.webpageURL == "https://example.org/")
  }

  @Test func s11a_onlyASearchableActivityWithAnIdentifierIsKept() throws {
    #expect(try kept(activity("a")) != nil)
    #expect(try kept(activity(nil)) == nil && kept(activity("")) == nil)
    var other = activity("a")
    other.flags.remove(.search)
    #expect(try kept(other) == nil)
  }

  @Test func s11g_nothingIsKeptForPublishingOrPredicting() throws {
    var snapshot = activity("a")
    snapshot.flags = [.publicIndexing, .prediction]
    #expect(try kept(snapshot) == nil)
    snapshot.flags.insert(.search)
    #expect(try kept(snapshot)?.flags == snapshot.flags, "they are kept with what is kept for search")
  }

  @Test func s9a_s9b_whatHasExpiredIsNotKept() throws {
    var expired = activity("soon")
    expired.expiresAt = wall
    #expect(try kept(expired) == nil)
    expired.expiresAt = wall.adding(seconds: 1)
    #expect(try kept(expired) != nil)
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

  /// The file of an older release is taken over once; then nothing of it can be read there.
  @Test func s11b_whatAnOlderReleaseKeptIsTakenOver() throws {
    let world = try World()
    let device = try world.device("desktop")
    let file = device.stateDirectory + "/saved-activities"
    var soup = activity("soup")
    (soup.title, soup.changedAt) = ("Lentil soup", .now)
    let former = CBOR.array([.array([.text("org.mine"), soup.cbor])]).encoded
    try Scratch.write(former, to: file)
    let inode = try FilePath(file).open([.readOnly])
    try device.restart()
    #expect(identifiers(of: "org.mine", device) == ["soup"])
    #expect(Scratch.bytes(at: file) == nil)
    #expect(Scratch.bytes(of: inode.number) == [UInt8](repeating: 0, count: former.count), "overwritten")
    try device.restart()
    #expect(identifiers(of: "org.mine", device) == ["soup"])
  }

  @Test func damagedSavedActivitiesAreToldAndDoNotStopTheAgent() throws {
    let scratch = try Scratch()
    let directory = try OwnDirectory.privateDirectory(scratch.path + "/state")
    for name in ["saved-activities", "activities.sqlite"] {
      try Scratch.write("damaged", to: scratch.path + "/state/" + name)
      let store = try StateStore(directory: directory, deviceName: "desktop")
      #expect(try store.savedActivities.recent(of: nil, atMost: 9, at: wall).isEmpty)
      #expect(store.losses.count == 1, "\(name)")
    }
    #expect(Scratch.bytes(at: scratch.path + "/state/saved-activities") == nil)
  }

  /// Of a picture that is none the rest is kept.
  @Test func aThumbnailThatIsNoPictureIsLeftOut() throws {
    let world = try World()
    let device = try world.device("desktop")
    let client = try world.connect(to: device.core)
    client.hello("org.mine")
    let webP = Array("RIFF".utf8) + [9, 0, 0, 0] + Array("WEBPVP8 ".utf8)
    let jpeg: [UInt8] = [0xff, 0xd8, 0xff, 0xe0]
    let pictures: [(value: UserInfoValue, isKept: Bool)] = [
      (.bytes([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0]), true), (.bytes(jpeg), true),
      (.bytes(webP), true), (.bytes(Array(webP.prefix(10))), false), (.bytes([]), false),
      (.bytes(Array("<svg>".utf8)), false), (.text("RIFF1234WEBP"), false),
    ]
    for (number, picture) in pictures.enumerated() {
      try client.save("\(number)", world) {
        $0.contentAttributes = [.text("thumbnailData"): picture.value, .text("title"): .text("Soup")]
      }
      let kept = try #require(device.kept(of: "org.mine").last?.contentAttributes)
      #expect(kept[.text("thumbnailData")] == (picture.isKept ? picture.value : nil), "\(number)")
      #expect(kept[.text("title")] == .text("Soup"))
    }
  }

  /// The app hears it, what was kept is found, and once there is room again it goes on.
  @Test func onAFullDiskTheAppHearsIt() throws {
    let world = try World()
    let place = world.scratch.path + "/desktop-state"
    try #require(mkdir(place, 0o700) == 0)
    guard mount("tmpfs", place, "tmpfs", 0, "size=2m,mode=0700") == 0 else {
      return print("skipped: mounting a tmpfs of 2 MiB is refused here (errno \(errno))")
    }
    defer { umount2(place, Int32(MNT_DETACH)) }
    let device = try world.device("desktop")
    let client = try world.connect(to: device.core)
    client.hello("org.mine")
    try client.save("first", world)
    var size = 1 << 20
    while size >= 1024 {
      let file = open(place + "/filling", O_WRONLY | O_CREAT | O_APPEND, 0o600)
      let written = [UInt8](repeating: 7, count: size).withUnsafeBytes { write(file, $0.baseAddress, size) }
      close(file)
      if written < size { size /= 2 }
    }
    var refusal: ContinuityError?
    for number in 0..<200 where refusal == nil { refusal = try client.trySaving("\(number)", world) }
    #expect(refusal?.code == .folderUnavailable && refusal?.description.contains("free some space") == true)
    #expect(identifiers(of: "org.mine", device).first == "first")
    unlink(place + "/filling")
    #expect(try client.trySaving("last", world) == nil)
    #expect(identifiers(of: "org.mine", device).last == "last")
    device.core.closeDatabases()
  }

  @Test func whatAppsKeptIsFoundByTheCommandLine() throws {
    let world = try World()
    let device = try world.device("desktop")
    let client = try world.connect(to: device.core)
    client.hello("org.mine")
    for identifier in ["a", "b", "c"] { try client.save(identifier, world) }
    guard case .found(let all) = try device.ask(.find(words: nil, atMost: 2)),
      case .found(let found) = try device.ask(.find(words: "kept b", atMost: 20)),
      case .failed(let error) = try device.ask(
        .find(words: String(repeating: "a ", count: 1 << 10), atMost: 1))
    else {
      Issue.record("not found")
      return
    }
    #expect(all.map(\.identifier) == ["c", "b"])
    #expect(found.map(\.title) == ["Kept b"] && found.map(\.appID) == ["org.mine"])
    #expect(error.code == .invalidRequest)
  }

  private func identifiers(of appID: String, _ device: InProcessDevice) -> [String] {
    device.kept(of: appID).compactMap(\.persistentIdentifier)
  }
}

extension TestClient {
  fileprivate func save(
    _ identifier: String, _ world: World, expiringIn milliseconds: UInt64? = nil,
    change: (inout ActivitySnapshot) -> Void = { _ in }
  ) throws {
    #expect(try trySaving(identifier, world, expiringIn: milliseconds, change: change) == nil)
  }

  fileprivate func trySaving(
    _ identifier: String, _ world: World, expiringIn milliseconds: UInt64? = nil,
    change: (inout ActivitySnapshot) -> Void = { _ in }
  ) throws -> ContinuityError? {
    var snapshot = ActivitySnapshot(id: .random(), type: "a.b", appID: "org.a", changedAt: .now)
    snapshot.title = "Kept \(identifier)"
    snapshot.flags.insert(.search)
    snapshot.persistentIdentifier = identifier
    snapshot.expiresAt = milliseconds.map { WallTime(milliseconds: WallTime.now.milliseconds + $0) }
    let request = RequestID.random()
    change(&snapshot)
    link.send(.save(request, snapshot), descriptor: nil)
    return try answer(to: request, world)
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
