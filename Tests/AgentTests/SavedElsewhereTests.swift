// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import ActivityWire
import AgentClient
import Glibc
import LinuxSystem
import TestSupport
import Testing
import Trust

@testable import Agent
@testable import AgentEngine

/// What one device keeps for search is found on the others, continued there, and deleted there.
@Suite(.waiting) struct SavedElsewhereTests {
  private let pair: Pair
  private var desktop: InProcessDevice { pair.desktop }
  private var laptop: InProcessDevice { pair.laptop }
  private var world: World { pair.world }
  private var plan: String { desktop.folder + "/plan.md" }

  init() throws { pair = try Pair() }

  /// The desktop's editor has this kept for search.
  private func save(
    _ identifier: String, at path: String? = nil, from app: TestClient? = nil,
    change: (inout ActivitySnapshot) -> Void = { _ in }
  ) throws {
    var snapshot = ActivitySnapshot(
      id: .random(), type: "public.text-editing", appID: "org.continuo.edit", changedAt: .now)
    (snapshot.title, snapshot.persistentIdentifier) = ("Kept \(identifier)", identifier)
    snapshot.flags.insert(.search)
    if let path {
      snapshot.userInfo[.text(NSUserActivityDocumentURLKey)] = .url(FileURL.text(of: Array(path.utf8)))
    }
    change(&snapshot)
    try ask(.save(RequestID.random(), snapshot), by: app ?? pair.editor)
  }

  private func delete(_ identifiers: [String]?, by app: TestClient) throws {
    try ask(.deleteSaved(RequestID.random(), identifiers: identifiers), by: app)
  }

  private func ask(_ request: AgentRequest, by app: TestClient) throws {
    let before = app.keptCount
    app.link.send(request, descriptor: nil)
    try world.run("the answer") { app.keptCount > before }
  }

  /// The device has told all that it has to tell.
  private func tell(_ device: InProcessDevice, within limit: Duration = .seconds(3)) throws {
    let lists = device.core.lists
    try world.run("the telling", within: limit) { !lists.isTelling }
  }

  private func found(_ words: String, on device: InProcessDevice) throws -> [FoundActivity] {
    guard case .found(let found) = try device.ask(.find(words: words, atMost: 99)) else { return [] }
    return found
  }

  private func titles(_ words: String, on device: InProcessDevice) throws -> [String] {
    try found(words, on: device).map(\.title)
  }

  /// Whether any file of the device's index holds `text`, in whatever case.
  private func isReadable(_ text: String, on device: InProcessDevice) -> Bool {
    Scratch.isReadable(text, in: device.stateDirectory, namesBeginning: "activities")
  }

  private func listFiles(_ device: InProcessDevice) -> [String] {
    Scratch.names(in: device.records).filter { $0.hasPrefix("s-") }
  }

  @Test func s11i_whatOneDeviceKeepsIsFoundOnTheOther() throws {
    try save("lentils")
    try save("beans")
    try tell(desktop)
    try desktop.carry(to: laptop)
    let found = try found("kept", on: laptop)
    #expect(Set(found.map(\.title)) == ["Kept lentils", "Kept beans"])
    #expect(found.allSatisfy { $0.device?.name == "desktop" })
    #expect(try titles("lentil", on: laptop) == ["Kept lentils"])
    guard case .found(let recent) = try laptop.ask(.find(words: nil, atMost: 9)) else { return }
    #expect(recent.map(\.title) == ["Kept beans", "Kept lentils"])
    #expect(laptop.kept(of: "org.continuo.edit").isEmpty, "its apps' own are others")
    #expect(try self.found("kept", on: desktop).allSatisfy { $0.device == nil })
    // Also after a restart of either, and the other one off.
    try laptop.restart()
    #expect(try titles("lentil", on: laptop) == ["Kept lentils"])
  }

  @Test func s11i_onlyWhatIsEligibleForBothIsTold() throws {
    try save("private") { $0.flags.remove(.handoff) }
    try save("keyless") { $0.requiredUserInfoKeys = ["absent"] }
    try save("outside", at: world.scratch.path + "/elsewhere.md")
    try save("shared")
    try tell(desktop)
    try desktop.carry(to: laptop)
    #expect(try titles("kept", on: laptop) == ["Kept shared"])
    for file in listFiles(desktop) {
      let bytes = try #require(Scratch.bytes(at: desktop.records + "/" + file))
      #expect(!String(decoding: bytes, as: UTF8.self).contains("shared"), "it is sealed")
    }
    #expect((1...SavedActivityList.partCount).contains(listFiles(desktop).count))
  }

  @Test func s11i_whatIsDeletedOrReplacedThereIsSoHere() throws {
    try save("lentils")
    try save("beans")
    try tell(desktop)
    try desktop.carry(to: laptop)
    try save("beans") { $0.title = "Baked potatoes" }
    try delete(["lentils"], by: pair.editor)
    try tell(desktop)
    try desktop.carry(to: laptop)
    #expect(try titles("kept", on: laptop) == [])
    #expect(try titles("potatoes", on: laptop) == ["Baked potatoes"])
    #expect(laptop.core.store.savedActivities.hasRemains)
    laptop.core.saved.expire()
    #expect(!isReadable("lentils", on: laptop), "erased with what is replaced")
  }

  /// Each record is taken once, whatever comes again.
  @Test func s11i_anOlderRecordThatComesAgainChangesNothing() throws {
    try save("lentils")
    try tell(desktop)
    try desktop.carry(to: laptop)
    let old = try listFiles(laptop).map { try #require(Scratch.bytes(at: laptop.records + "/" + $0)) }
    try delete(nil, by: pair.editor)
    try tell(desktop)
    try desktop.carry(to: laptop)
    #expect(try titles("kept", on: laptop) == [])
    for (number, bytes) in old.enumerated() {
      try Scratch.write(bytes, to: laptop.records + "/s-replayed-\(number).sv1")
    }
    laptop.look()
    world.settle()
    #expect(try titles("kept", on: laptop) == [])
    try laptop.restart()
    #expect(try titles("kept", on: laptop) == [])
  }

  /// Damaged files, those of a stranger, and one whose activities stand in another part.
  @Test func s11i_whatNoDeviceOfTheCircleSaidIsIgnored() throws {
    try save("lentils")
    try tell(desktop)
    let name = try #require(listFiles(desktop).first)
    let whole = try #require(Scratch.bytes(at: desktop.records + "/" + name))
    var torn = whole
    torn[200] ^= 1
    try Scratch.write(torn, to: laptop.records + "/" + name)
    try Scratch.write(Array(whole.dropLast()), to: laptop.records + "/s-short.sv1")
    laptop.look()
    world.settle()
    #expect(try titles("kept", on: laptop) == [])
    let stranger = try world.device("stranger")
    var generator = SystemRandomNumberGenerator()
    let list = SavedActivityList(activities: try #require(desktop.told))
    let forged = try stranger.core.store.identity.savedFile(
      list.recordPayload, part: 0, sequence: 1 << 20, using: &generator)
    try Scratch.write(forged.bytes, to: laptop.records + "/" + forged.name)
    let key = SavedActivity.Key(appID: "org.continuo.edit", identifier: "lentils")
    let other = (SavedActivityList.part(of: key) + 1) % SavedActivityList.partCount
    let misplaced = try desktop.core.store.identity.savedFile(
      list.recordPayload, part: other, sequence: 1 << 20, using: &generator)
    try Scratch.write(misplaced.bytes, to: laptop.records + "/" + misplaced.name)
    laptop.look()
    world.settle()
    #expect(try titles("kept", on: laptop) == [])
    try desktop.carry(to: laptop)
    #expect(try titles("kept", on: laptop) == ["Kept lentils"])
  }

  /// A million of them are not more than four records hold.
  @Test func s11i_aDeviceThatKeepsManyTellsTheNewest() throws {
    for number in 0..<30 {
      try save("\(number)") { $0.userInfo[.text("text")] = .text(String(repeating: "x", count: 12_000)) }
    }
    try tell(desktop)
    try desktop.carry(to: laptop)
    let found = try titles("kept", on: laptop)
    #expect((8..<20).contains(found.count), "\(found.count)")
    #expect(found.contains("Kept 29") && !found.contains("Kept 0"))
    for file in listFiles(desktop) {
      let size = try #require(Scratch.bytes(at: desktop.records + "/" + file)).count
      #expect(RecordHeader.recordSizes.contains(size))
    }
  }

  @Test func s11i_nothingIsWrittenAgainThatWasSaid() throws {
    try save("lentils")
    try tell(desktop)
    let name = try #require(listFiles(desktop).first)
    let before = try #require(Scratch.bytes(at: desktop.records + "/" + name))
    try desktop.restart()
    world.settle()
    try tell(desktop)
    #expect(Scratch.bytes(at: desktop.records + "/" + name) == before, "a restart is no news")
    try desktop.restart()
    unlink(desktop.records + "/" + name)
    try desktop.restart()
    try world.run("the record again") { Scratch.bytes(at: desktop.records + "/" + name) != nil }
    try desktop.carry(to: laptop)
    #expect(try titles("kept", on: laptop) == ["Kept lentils"])
  }

  // MARK: Deleting

  @Test func s11k_whatIsDeletedHereIsHiddenAtOnceAndGoneThereSoon() throws {
    try save("lentils")
    try save("beans")
    try tell(desktop)
    try desktop.carry(to: laptop)
    try delete(["lentils"], by: pair.viewer)
    #expect(try titles("kept", on: laptop) == ["Kept beans"])
    #expect(!isReadable("lentils", on: laptop), "erased here when it is answered")
    // The owner is off: whatever comes again stays hidden.
    try laptop.restart()
    laptop.core.collector.readEverythingAgain()
    world.settle()
    #expect(try titles("kept", on: laptop) == ["Kept beans"])
    // Nor has it heard of that when it tells something else.
    try save("lentils too")
    try tell(desktop)
    try desktop.carry(to: laptop)
    #expect(try titles("lentils", on: laptop) == ["Kept lentils too"])
    try delete(["lentils too"], by: pair.editor)
    // Before the laptop's folder is carried back, which would bring the desktop's former record.
    try tell(desktop)
    try desktop.carry(to: laptop)
    try tell(laptop)
    try laptop.carry(to: desktop)
    try world.run("the deletion") { desktop.kept(of: "org.continuo.edit").count == 1 }
    try world.run("the erasure") { !isReadable("lentils", on: desktop) }
    #expect(try titles("kept", on: desktop) == ["Kept beans"])
    try tell(desktop)
    try desktop.carry(to: laptop)
    #expect(laptop.core.store.state.deletions.isEmpty, "nothing is asked for any more")
    for device in [desktop, laptop] {
      try device.restart()
      #expect(try titles("kept", on: device) == ["Kept beans"], "\(device.name)")
    }
  }

  /// Its owner tells of it once more, with what it kept meanwhile: in each part of its list something.
  @Test func s11k_whatIsDeletedHereStaysHiddenWhateverItsOwnerTells() throws {
    try save("lentils")
    try tell(desktop)
    try desktop.carry(to: laptop)
    try delete(["lentils"], by: pair.viewer)
    for number in 1...16 { try save("soup \(number)") }
    try tell(desktop, within: .seconds(40))
    #expect(listFiles(desktop).count == SavedActivityList.partCount)
    try desktop.carry(to: laptop)
    #expect(try titles("kept", on: laptop).count == 16)
    #expect(try titles("lentils", on: laptop).isEmpty)
    #expect(!isReadable("lentils", on: laptop))
  }

  @Test func s11k_whatItsAppKeepsAnewComesAgain() throws {
    try save("lentils")
    try tell(desktop)
    try desktop.carry(to: laptop)
    try delete(nil, by: pair.viewer)
    #expect(try titles("kept", on: laptop) == [])
    try save("lentils") { $0.title = "Kept later" }
    try tell(desktop)
    try tell(laptop)
    try desktop.carry(to: laptop)
    try laptop.carry(to: desktop)
    #expect(try titles("kept", on: laptop) == ["Kept later"])
    #expect(desktop.kept(of: "org.continuo.edit").map(\.title) == ["Kept later"])
  }

  /// Another app's is none of its business.
  @Test func s11k_anAppDeletesItsOwnAlone() throws {
    try save("lentils")
    let other = try world.connect(to: desktop.core)
    other.hello("org.other")
    try save("lentils", from: other)
    try tell(desktop)
    try desktop.carry(to: laptop)
    #expect(try titles("kept", on: laptop).count == 2)
    try delete(nil, by: pair.viewer)
    #expect(try found("kept", on: laptop).map(\.appID) == ["org.other"])
  }

  @Test func s11i_nothingIsKeptOfADeviceThatLeft() throws {
    try save("lentils")
    try tell(desktop)
    try desktop.carry(to: laptop)
    #expect(isReadable("lentils", on: laptop))
    _ = try laptop.ask(.revoke("desktop"))
    #expect(try titles("kept", on: laptop) == [])
    #expect(!isReadable("lentils", on: laptop))
    laptop.look()
    world.settle()
    #expect(try titles("kept", on: laptop) == [], "its records lie there still")
    try laptop.restart()
    #expect(try titles("kept", on: laptop) == [])
  }

  /// Everything is told again under the new key, also that nothing is kept any more.
  @Test func s11i_aThirdDeviceFindsItAndANewKeyChangesNothing() throws {
    try save("lentils")
    try tell(desktop)
    let third = try world.device("third")
    try desktop.carry(to: third)
    try third.addFolder()
    guard case .words(let words) = try desktop.ask(.pair(deviceName: nil)) else { return }
    try desktop.carry(to: third)
    _ = try third.ask(.join(words: words.joined(separator: " "), deviceName: nil))
    try third.carry(to: desktop)
    for device in [third, laptop] { try desktop.carry(to: device) }
    #expect(try titles("kept", on: third) == ["Kept lentils"])
    _ = try desktop.ask(.revoke("third"))
    try tell(desktop)
    try desktop.carry(to: laptop)
    #expect(try titles("kept", on: laptop) == ["Kept lentils"])
    try delete(nil, by: pair.editor)
    try tell(desktop)
    try desktop.carry(to: laptop)
    #expect(try titles("kept", on: laptop) == [])
  }

  // MARK: Continuing

  private func restore(_ found: FoundActivity, on device: InProcessDevice) throws -> AgentAnswer {
    let asker = try world.connect(to: device.core)
    asker.link.send(.restoreSaved(found.key, onTerminal: true), number: 1)
    try world.run("the answer") { asker.answers[1] != nil }
    return try #require(asker.answers[1])
  }

  /// The editor offers the document, so that it is known in which version it keeps it.
  private func keepPlan() throws {
    let activity = ActivityID.random()
    pair.editor.offer(plan, id: activity, line: 7, at: 1000)
    let url = UserInfoValue.url(FileURL.text(of: Array(plan.utf8)))
    try save("plan", at: plan) { ($0.id, $0.userInfo[.text("again")]) = (activity, url) }
    try world.run("the record") { desktop.record?.activities.contains { $0.id == activity } == true }
    try tell(desktop)
    try desktop.carry(to: laptop)
  }

  @Test func s11j_itIsContinuedWithTheNewestVersionHere() throws {
    try keepPlan()
    let found = try #require(try found("plan", on: laptop).first)
    #expect(found.path == Array((laptop.folder + "/plan.md").utf8), "where it lies here")
    try pair.write("two, and longer")
    #expect(try restore(found, on: laptop) == .handedOver(appName: "Editor"))
    try world.run("the delivery") { !pair.viewer.delivered.isEmpty }
    let delivered = pair.viewer.delivered[0]
    #expect(delivered.bytes == Array("two, and longer".utf8))
    #expect(delivered.delivery.path == Array((laptop.folder + "/plan.md").utf8))
    #expect(delivered.delivery.activity.title == "Kept plan")
    #expect(delivered.delivery.activity.persistentIdentifier == "plan")
    let here = UserInfoValue.url(FileURL.text(of: Array((laptop.folder + "/plan.md").utf8)))
    #expect(delivered.delivery.activity.userInfo[.text("again")] == here)
    #expect(laptop.record?.claims.isEmpty ?? true, "nobody is told")
  }

  @Test func s11j_aDocumentThatWasRenamedHereIsFound() throws {
    try keepPlan()
    #expect(rename(laptop.folder + "/plan.md", laptop.folder + "/renamed.md") == 0)
    laptop.look()
    world.settle()
    let found = try #require(try found("plan", on: laptop).first)
    #expect(try restore(found, on: laptop) == .handedOver(appName: "Editor"))
    try world.run("the delivery") { !pair.viewer.delivered.isEmpty }
    #expect(pair.viewer.delivered[0].delivery.path == Array((laptop.folder + "/renamed.md").utf8))
  }

  /// A member that lies names a file of this device, or a program's address (threat T54).
  @Test func s11j_aFileURLThatTheSenderWroteIsNotKeptAndOpensNothing() throws {
    try Scratch.write("secret", to: world.scratch.path + "/secret.md")
    let secret = UserInfoValue.url("file://" + world.scratch.path + "/secret.md")
    var lie = ActivitySnapshot(
      id: .random(), type: "public.text-editing", appID: "org.continuo.edit", changedAt: .now)
    (lie.title, lie.persistentIdentifier, lie.webpageURL) = ("A lie", "lie", "javascript:run()")
    lie.flags.insert(.search)
    lie.userInfo = [.text(NSUserActivityDocumentURLKey): secret, .text("kept"): .array([secret, .int(1)])]
    let key = SavedActivity.Key(appID: lie.appID, identifier: "lie")
    var generator = SystemRandomNumberGenerator()
    let file = try desktop.core.store.identity.savedFile(
      SavedActivityList(activities: [lie]).recordPayload, part: SavedActivityList.part(of: key),
      sequence: 1 << 20, using: &generator)
    try Scratch.write(file.bytes, to: laptop.records + "/" + file.name)
    laptop.look()
    world.settle()
    let found = try #require(try found("lie", on: laptop).first)
    #expect(found.path == nil && found.webpageURL == nil)
    #expect(try restore(found, on: laptop) == .handedOver(appName: "Editor"))
    try world.run("the delivery") { !pair.viewer.delivered.isEmpty }
    let delivered = pair.viewer.delivered[0]
    #expect(delivered.bytes == nil && delivered.delivery.path == nil)
    #expect(delivered.delivery.activity.userInfo == [.text("kept"): .array([.int(1)])])
  }

  @Test func s11j_withoutItsFolderItIsFoundAndNotContinued() throws {
    try keepPlan()
    _ = try laptop.ask(.removeFolder("Notes"))
    let found = try #require(try found("plan", on: laptop).first)
    #expect(found.path == nil && found.title == "Kept plan")
    guard case .failed(let error) = try restore(found, on: laptop) else {
      Issue.record("it was continued")
      return
    }
    #expect(error.code == .folderUnavailable && error.description.contains("folder add"))
  }
}

extension InProcessDevice {
  /// What this device's records say that its apps keep.
  fileprivate var told: [ActivitySnapshot]? {
    guard let own = try? core.store.savedActivities.own(atMost: 99, at: .now) else { return nil }
    return own.map(\.snapshot)
  }
}

extension TestClient {
  fileprivate var keptCount: Int { reports.count { if case .kept(_, nil) = $0 { true } else { false } } }
}
