// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import Foundation
import LinuxSystem
import TestSupport
import Testing
import Trust
import TrustCiphers

@testable import fixtures

/// All of Fixtures/hostile-names.txt through the doors by which names come in, each looked at in all that the
/// commands print: one clean row each, JSON that leads to the same file, and nothing ran (threats T50 and
/// T54).
///
/// Editors are another door: `HostileEditorTests`. What is typed is in `HostileNameTests`, C in
/// Tests/Embedded/names.py.
@Suite(.waiting, .timeLimit(.minutes(20))) struct HostileEntryTests {
  /// Those that a document may have, so many at once.
  private static func batches(of count: Int) throws -> [[[UInt8]]] {
    let names = try HostileNames.all().filter { RelativePath(components: [$0]) != nil }
    return stride(from: 0, to: names.count, by: count).map { Array(names[$0..<min($0 + count, names.count)]) }
  }

  /// No name made a file, wherever a program of this test was started.
  private func expectNothingRan(_ folder: String, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(HostileNames.traces(below: folder) == [], "a name ran", sourceLocation: sourceLocation)
    #expect(!FilePath("pwned").allows(), "a name ran", sourceLocation: sourceLocation)
  }

  /// What commands print of a device that is busy with so many activities of its own.
  private func look(at home: Home, activities: Int) throws {
    for words in [["status"], ["why"], ["apps"], ["apps", "connected"]] {
      expectClean(try home.run(words))
      try expectCleanJSON(try home.run(words + ["--json"]))
    }
    let told = try home.run(["offers", "--own"])
    expectClean(told)
    #expect(heads(of: told).count == activities, "\(told.state)")
    let rows = try expectCleanJSON(try home.run(["offers", "--own", "--json"])) as? [Any]
    #expect(rows?.count == activities)
  }

  /// The rows of a list that begin something; what is said of it stands behind blanks.
  private func heads(of child: ChildProcess) -> [Substring] {
    child.outputText.split(separator: "\n").filter { !$0.hasPrefix("          ") }
  }

  /// Waits until the agent has so many activities of its own, offered or not.
  private func wait(for count: Int, on device: Device) throws {
    let deadline = Deadline(seconds: 60)
    while true {
      guard case .activities(let own) = try device.ask(.ownActivities) else { continue }
      if own.count == count { return }
      guard !deadline.hasPassed else { throw Failure("\(count) activities", lastSeen: "\(own.count)") }
    }
  }

  @Test func documentsThatArePublishedAreOneRowEach() throws {
    let home = try Home()
    defer { home.device.endAgent() }
    try home.addFolder()
    for names in try Self.batches(of: 12) {
      // No argument of ours holds other bytes than UTF-8.
      let paths = try names.filter { String(validating: $0, as: UTF8.self) != nil }.map {
        try home.device.make($0)
      }
      var publishers: [ChildProcess] = []
      defer { publishers.forEach { $0.signal(.kill) } }
      // One after the other: of those that begin together, the oldest may never be among the newest 8.
      for path in paths {
        let publisher = try home.device.start("publish", "--", String(decoding: path.bytes, as: UTF8.self))
        publishers.append(publisher)
        try publisher.waitForOutput("the offer") { $0.contains("is offered") }
      }
      try wait(for: paths.count, on: home.device)
      try look(at: home, activities: paths.count)
      let why = try expectCleanJSON(try home.run(["why", "--json"])) as? [String: Any]
      let found = (why?["rows"] as? [[String: Any]])?.filter { $0["kind"] as? String == "own" }
        .compactMap { ($0["url"] as? String).flatMap { FileURL.path(of: $0) } }
      #expect(Set(found ?? []) == Set(paths.map(\.bytes)))
      // Told to end they withdraw; killed, they would leave their documents open.
      for publisher in publishers {
        publisher.signal(.terminate)
        try publisher.waitForExit()
      }
      try wait(for: 0, on: home.device)
    }
    expectNothingRan(home.sandbox.directory)
  }

  /// Name, title, address, word and reason are the app's own words, and its ID and type as far as records
  /// take them.
  @Test func whatAnAppSaysIsOneRowEach() throws {
    let home = try Home()
    defer { home.device.endAgent() }
    try home.addFolder()
    for names in try Self.batches(of: 12) {
      let apps = try names.map { try Talker(String(decoding: $0, as: UTF8.self), on: home.device) }
      try wait(for: 2 * apps.count, on: home.device)
      try look(at: home, activities: 2 * apps.count)
      let connected = try home.run(["apps", "connected"])
      expectClean(connected, rows: apps.count)
      let rows = try expectCleanJSON(try home.run(["apps", "connected", "--json"])) as? [[String: Any]]
      let shown = Set(names.map { DisplayText.shown($0) })
      #expect(Set(rows?.compactMap { $0["name"] as? String } ?? []) == shown)
      apps.forEach { $0.withdraw() }
      try wait(for: 0, on: home.device)
    }
    expectNothingRan(home.sandbox.directory)
  }

  /// An app that says one text wherever it may say any, of an activity that is offered and of one that is
  /// not.
  private struct Talker {
    private let app: WireConnection
    private let activities: [ActivityID] = [.random(), .random()]

    init(_ text: String, on device: Device) throws {
      app = try #require(try WireConnection(socketPath: device.socket))
      let plain = RecordText.sanitised("." + text, byteLimit: 128)
      app.send(.request(.hello(AppManifest(appID: plain, name: text, activityTypes: [text]))))
      var activity = ActivitySnapshot(
        id: activities[0], type: plain, appID: plain, changedAt: WallTime(milliseconds: wallNow()))
      activity.title = text
      activity.webpageURL = "https://example.org/" + text
      activity.keywords = [plain]
      app.send(.request(.withheld(OwnActivity(activity, reason: "no: " + text, remarks: [text]))))
      activity.id = activities[1]
      app.send(.request(.update(activity, saved: nil)))
    }

    func withdraw() { for id in activities { app.send(.request(.withdraw(id))) } }
  }

  @Test func devicesAndFoldersHaveOneRowEach() throws {
    let home = try Home()
    defer { home.device.endAgent() }
    try home.addFolder()
    var folders = 1
    for name in try HostileNames.all() {
      guard let text = String(validating: name, as: UTF8.self) else { continue }
      let renamed = try home.run(["device", "rename", "--json", "--", text])
      if renamed.exit == .code(0) {
        let answer = try #require(try expectCleanJSON(renamed) as? [String: Any])
        #expect((answer["devices"] as? [Any])?.count == 1, "\(renamed.state)")
      } else {
        expectClean(renamed, rows: 0)
      }
      guard RelativePath(components: [name]) != nil else { continue }
      let path = FilePath(home.device.root).appending(name)
      if !path.allows() { try path.makeFolder(mode: 0o700) }
      let word = String(decoding: path.bytes, as: UTF8.self)
      let added = try home.run(["folder", "add", "--json", "--name=" + text, "--", word])
      guard added.exit == .code(0) else {
        expectClean(added, rows: 0)
        #expect(added.errorText.split(separator: "\n").count == 1, "\(added.state)")
        continue
      }
      folders += 1
      let answer = try #require(try expectCleanJSON(added) as? [String: Any])
      let row = answer["folder"] as? [String: Any]
      #expect((row?["url"] as? String).flatMap { FileURL.path(of: $0) } == path.bytes, "\(added.state)")
    }
    #expect(folders > 50)
    expectClean(try home.run(["folder", "list"]), rows: folders)
    expectClean(try home.run(["devices"]), rows: 1)
    for words in [["folder", "list"], ["devices"], ["status"], ["why"], ["doctor"]] {
      expectClean(try home.run(words))
      try expectCleanJSON(try home.run(words + ["--json"]))
    }
    expectNothingRan(home.sandbox.directory)
  }

  /// As a sync engine brings them: nobody here chose the names.
  @Test func filesThatAnEngineBringsAreAskedFor() throws {
    let home = try Home()
    defer { home.device.endAgent() }
    try home.addFolder()
    let names = try Self.batches(of: 1).joined()
    for name in names { try home.device.make(name) }
    for name in names {
      guard let word = String(validating: FilePath(home.device.folder).appending(name).bytes, as: UTF8.self)
      else {
        continue
      }
      let answer = try expectCleanJSON(try home.run(["why", "--json", "--", word])) as? [String: Any]
      #expect(
        answer?["path"] as? String == DisplayText.shown(word), "\(word.debugDescription): \(answer ?? [:])")
    }
    for words in [["status"], ["offers"], ["why"]] { expectClean(try home.run(words)) }
    expectNothingRan(home.sandbox.directory)
  }

  // MARK: A device that lies

  /// Speaks for the laptop, with its keys, past what a real one does to what it says. What the format refuses
  /// is in `LyingMemberTests`.
  private struct Liar {
    let identity: Identity
    let folder: FolderID
    let device: Device
    /// Of what each document holds.
    let digest: ContentDigest
    private(set) var sequence: UInt64 = 1 << 20

    init(_ devices: TwoDevices) throws {
      let laptop = devices.laptop.device
      try laptop.continuo("agent", "stop")
      digest = try #require(devices.desktop.app.digest(of: Array("text".utf8)))
      device = devices.desktop.device
      let bytes = try #require(Files.read(laptop.root + "/state/continuo/identity"))
      identity = try Identity(encoded: bytes, ciphers: StandardCiphers())
      folder = try #require(try device.status().folders.first).id
    }

    func activity(_ name: [UInt8], title: String) throws -> ActivitySnapshot {
      var activity = ActivitySnapshot(
        id: .random(), type: "public.text-editing", appID: title, changedAt: WallTime(milliseconds: wallNow())
      )
      activity.title = title
      activity.webpageURL = "https://example.org/" + title
      activity.flags = .handoff
      activity.document = DocumentReference(
        folder: folder, path: try #require(RelativePath(components: [name])),
        version: DocumentVersion(digest: digest, size: 4))
      return activity
    }

    /// The record that holds these activities reaches the device.
    mutating func tell(_ activities: [ActivitySnapshot]) throws {
      var state = DeviceState(
        issuedAt: WallTime(milliseconds: wallNow()), bootNonce: [UInt8](repeating: 7, count: 16))
      state.activities = activities
      var generator = SystemRandomNumberGenerator()
      let file = try identity.stateFile(
        state.recordPayload().bytes, sequence: sequence, using: &generator)
      try Files.replace(device.records + "/" + file.name, with: file.bytes)
      sequence += 1
    }
  }

  /// Waits until exactly these activities are offered.
  private func offers(of ids: Set<ActivityID>, on device: Device) throws {
    let deadline = Deadline(seconds: 60)
    while true {
      guard case .offers(let offers) = try device.ask(.offers) else { continue }
      let found = Set(offers.map(\.id.activity))
      if found == ids { return }
      guard !deadline.hasPassed else {
        throw Failure("\(ids.count) offers", lastSeen: "\(found.count)\n" + device.logEnd)
      }
    }
  }

  @Test func whatALyingDeviceSignsIsOneRowEach() throws {
    let devices = try TwoDevices()
    let desktop = devices.desktop.device
    var liar = try Liar(devices)
    for names in try Self.batches(of: 8) {
      for name in names { try desktop.make(name) }
      let activities = try names.map { name in
        try liar.activity(name, title: RecordText.sanitised(String(decoding: name, as: UTF8.self) + "."))
      }
      try liar.tell(activities)
      try offers(of: Set(activities.map(\.id)), on: desktop)
      let told = try devices.desktop.run("offers")
      expectClean(told)
      #expect(heads(of: told).count == names.count, "\(told.state)")
      let rows = try #require(
        try expectCleanJSON(try devices.desktop.run("offers", "--json")) as? [[String: Any]])
      let paths = rows.compactMap { ($0["url"] as? String).flatMap { FileURL.path(of: $0) } }
      #expect(Set(paths) == Set(names.map { FilePath(desktop.folder).appending($0).bytes }))
      for words in [["status"], ["why"]] {
        expectClean(try devices.desktop.run(words[0]))
        try expectCleanJSON(try devices.desktop.run(words[0], "--json"))
      }
      let place = try devices.desktop.run("resume", "--print", activities[0].id.description)
      expectClean(place)
    }
    expectNothingRan(devices.player.sandbox.directory)
  }
}
