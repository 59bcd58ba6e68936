// SPDX-License-Identifier: MIT

import ActivityModel
import FolderWatch
import Foundation
import SyncedFolders
import Testing

@testable import ContinuityTestKit

/// Each modelled engine does to a folder what the real one was recorded doing.
@Suite struct EngineProfileTests {
  private static let recordings = [
    EngineKind.syncthing: "syncthing", .nextcloud: "nextcloud", .unison: "unison", .rclone: "rclone-bisync",
    .rsync: "rsync", .rsyncInPlace: "rsync-inplace", .git: "git-pull", .copy: "cp",
  ]

  @Test(arguments: EngineKind.allCases) func aChangedFileRaisesTheRecordedEvents(_ kind: EngineKind) throws {
    let recorded = try Self.recorded(kind, "modify-small", name: "a.txt")
    #expect(try Self.played(kind, isNew: false) == recorded)
  }

  @Test(arguments: EngineKind.allCases) func aNewFileRaisesTheRecordedEvents(_ kind: EngineKind) throws {
    let recorded = try Self.recorded(kind, "create-small", name: "new.txt")
    #expect(try Self.played(kind, isNew: true) == recorded)
  }

  @Test(arguments: [EngineKind.syncthing, .nextcloud, .unison, .rclone])
  func itsConflictCopiesAreKnownToTheProduct(_ kind: EngineKind) {
    let name = Array("a.txt".utf8)
    for device in 0..<6 {
      let copy = EngineProfile(kind).conflictName(of: name, by: device, at: 1_700_000_123)
      #expect(SyncNames.original(ofConflictCopy: copy) == name, "\(String(decoding: copy, as: UTF8.self))")
    }
  }

  @Test(arguments: [EngineKind.syncthing, .nextcloud, .unison, .rsync])
  func itsTemporaryFilesAreKnownToTheProduct(_ kind: EngineKind) {
    var random = Randomness(seed: 1)
    let name = Array("a.txt".utf8)
    #expect(SyncNames.isTemporary(EngineProfile(kind).temporaryName(of: name, &random), of: name))
  }

  @Test(arguments: EngineKind.allCases)
  func theSameVersionStandsEverywhereWhateverHadTheSameBytes(_ kind: EngineKind) {
    var simulation = Simulation(seed: 1, steps: 1, profile: .engine(kind))
    (simulation.faults, simulation.commands, simulation.devices) = ([], [], 3)
    let world = World(simulation)
    let engine = world.engines[0]
    let names = RecordFiles.names + [Array("d-a.rec".utf8)]
    let numbers = (0..<2).map { _ in world.contents.text(size: 70, parents: []) }
    let texts = numbers.map(world.contents.whole)
    func version(_ vector: [UInt32], _ text: Int, at seconds: Int64, _ serial: UInt64) -> SyncEngine.Version {
      SyncEngine.Version(
        vector: vector, content: texts[text], modified: seconds * 1_000_000_000,
        author: vector.firstIndex { $0 > 0 } ?? 0, serial: serial)
    }
    let old = version([1, 0, 0], 0, at: 1, 1)
    let restored = version([0, 1, 0], 0, at: 3, 3)
    let new = version([2, 0, 0], 1, at: 2, 2)
    for (device, versions) in [(1, [restored, new]), (2, [old, restored, new])] {
      for (place, version) in versions.enumerated() {
        engine.deliver(names, version, to: device, after: UInt64(place) * 20_000_000_000)
      }
    }
    world.playEngines()
    #expect(world.devices[1].folder.content(at: names) == world.devices[2].folder.content(at: names))
    #expect(world.devices[1].folder.content(at: names) != nil)
  }

  // MARK: Events

  /// What was recorded of one file, the temporary name called TEMP, without what is not subscribed, and of
  /// equal events in a row only one.
  private static func recorded(_ kind: EngineKind, _ scenario: String, name: String) throws -> [String] {
    let engine = try #require(recordings[kind])
    let root = URL(filePath: #filePath + "/../../..").standardized
    let file = root.appending(path: "Fixtures/recordings/\(engine)__\(scenario).json")
    let json = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
    let events = try #require(json?["events"] as? [[String: Any]])
    let lines = events.compactMap { event -> String? in
      guard let what = event["ev"] as? String, let path = event["path"] as? String,
        let last = path.split(separator: "/").last, last.contains(name), path.hasPrefix("notes/"),
        what != "MODIFY"
      else { return nil }
      return "\(what) \(last == name ? "NAME" : "TEMP")"
    }
    return withoutRepeats(lines)
  }

  private static func played(_ kind: EngineKind, isNew: Bool) throws -> [String] {
    var simulation = Simulation(seed: 1, steps: 1, profile: .engine(kind))
    simulation.faults = []
    simulation.commands = []
    simulation.devices = 2
    let world = World(simulation)
    let folder = world.devices[1].folder
    let path = isNew ? ["plans", "new.txt"] : ["plans", "Zugspitze.md"]
    let names = path.map { Array($0.utf8) }
    folder.events = EventSource()
    _ = folder.follow([names[0]])
    let text = world.contents.text(size: 70, parents: [])
    let version = SyncEngine.Version(
      vector: [1, 0], content: world.contents.whole(text), modified: 5_000_000_000, author: 0, serial: 1)
    world.engines[0].put(names, version, on: 1)
    world.playEngines()
    #expect(folder.content(at: names) == version.content)
    let lines = folder.events.queue.compactMap { event -> String? in
      let known: [(KernelEvent.Mask, String)] = [
        (.create, "CREATE"), (.closeWrite, "CLOSE_WRITE"), (.attributes, "ATTRIB"), (.delete, "DELETE"),
        (.movedFrom, "MOVED_FROM"), (.movedTo, "MOVED_TO"),
      ]
      return known.first { event.mask.contains($0.0) }.map {
        "\($0.1) \(event.name == names[1] ? "NAME" : "TEMP")"
      }
    }
    return withoutRepeats(lines)
  }

  private static func withoutRepeats(_ lines: [String]) -> [String] {
    lines.enumerated().filter { $0.offset == 0 || lines[$0.offset - 1] != $0.element }.map(\.element)
  }
}
