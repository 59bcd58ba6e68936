// SPDX-License-Identifier: MIT

import ActivityModel
import GRDBSQLite
import Glibc
import SyncedFolders
import TestSupport
import Testing

@testable import VersionHistory

/// What is still known when the agent starts again.
@Suite struct DocumentHistoriesTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func open(byteLimit: Int = DocumentHistories.byteLimit) throws -> DocumentHistories {
    try DocumentHistories(directory: scratch.path, byteLimit: byteLimit)
  }

  /// In a process of its own, where nothing else asks SQLite for memory.
  @Test func whatTheLookAtAStartReadIsNotKeptInMemory() async {
    await #expect(processExitsWith: .success) {
      let scratch = try Scratch()
      do {
        let histories = try DocumentHistories(directory: scratch.path)
        for document in 0..<150 {
          for number in 0..<20 { histories.save(1000 * document + number, at: Samples.place(document)) }
        }
      }
      let size = try #require(Scratch.bytes(at: scratch.path + "/" + HistorySchema.fileName)).count
      let histories = try DocumentHistories(directory: scratch.path)
      #expect(size > 150_000 && sqlite3_memory_used() < 100_000)
      #expect(histories[Samples.place(7)].versions.count == 20)
    }
  }

  /// In a process of its own, where nothing else asks SQLite for memory.
  @Test func noMemoryIsReservedForWhatMayBeNeeded() async {
    await #expect(processExitsWith: .success) {
      let scratch = try Scratch()
      let histories = try DocumentHistories(directory: scratch.path)
      histories.save(1, at: Samples.place(1))
      #expect(sqlite3_memory_used() < 150_000)
    }
  }

  @Test func everythingComesBackAsItWas() throws {
    let desktop = KnownVersion.Device(id: .random(), name: "desktop")
    let place = Samples.place(1)
    var before: (DocumentHistory, [KnownVersion])?
    do {
      let histories = try open()
      for number in 1...300 { histories.save(number, at: place) }
      let version = DocumentVersion(
        digest: Samples.digest(400), size: 400, generation: .max - 1,
        lineage: [399, 300, 298].map { Samples.digest($0).prefix })
      let sighting = VersionSighting(
        version.digest, size: 400, source: .received, device: desktop,
        changed: WallTime(milliseconds: 14 * 3_600_000)
      )
      histories.change(place, because: sighting, at: WallTime(milliseconds: 5)) { $0.adopt(version) }
      before = (histories[place], histories.versions(of: place))
      #expect(histories.problem == nil)
    }
    let histories = try open()
    #expect(histories[place] == before?.0)
    #expect(histories.versions(of: place) == before?.1)
    let newest = try #require(histories.versions(of: place).first)
    #expect(newest.device == desktop && newest.changed == WallTime(milliseconds: 14 * 3_600_000))
    #expect(newest.digest == Samples.digest(400) && newest.size == 400)
    #expect(histories[Samples.place(2)] == DocumentHistory())
  }

  @Test func whatAnotherDeviceKnewOfOlderVersionsIsNoDamage() throws {
    let place = Samples.place(1)
    let version = DocumentVersion(
      digest: Samples.digest(2), size: 2, generation: 2,
      lineage: [1, 8, 9].map { Samples.digest($0).prefix })
    var before: DocumentHistory?
    do {
      let histories = try open()
      for number in 1...2 { histories.save(number, at: place) }
      let sighting = VersionSighting(version.digest, size: 2, source: .received)
      histories.change(place, because: sighting, at: WallTime(milliseconds: 5)) { $0.adopt(version) }
      before = histories[place]
    }
    let histories = try open()
    #expect(histories[place] == before && before?.versions.count == 4)
    #expect(histories.losses == [] && histories.isSound())
  }

  @Test func pathsAreBytesAndFoldersAreApart() throws {
    let odd = try #require(RelativePath(components: [[0xFF, 0x0A], Array("a".utf8)]))
    let places = [
      DocumentHistories.Place(folder: Samples.folder(1), path: odd),
      DocumentHistories.Place(folder: Samples.folder(2), path: odd),
    ]
    do {
      let histories = try open()
      for (number, place) in places.enumerated() { histories.save(number, at: place) }
    }
    let histories = try open()
    for (number, place) in places.enumerated() {
      #expect(histories[place].versions == [Samples.digest(number).prefix])
    }
  }

  @Test func aDocumentKeepsItsPastWhenItsFolderGetsAnotherID() throws {
    let (old, new) = (1, 2)
    do {
      let histories = try open()
      for number in [1, 2] { histories.save(number, at: Samples.place(1, in: old)) }
      histories.save(3, at: Samples.place(1, in: new))
      histories.save(4, at: Samples.place(2, in: old))
      histories.move(from: Samples.folder(old), to: Samples.folder(new))
      #expect(histories.problem == nil && histories.losses.isEmpty)
    }
    let histories = try open()
    #expect(histories[Samples.place(1, in: new)].versions == [3, 2, 1].map { Samples.digest($0).prefix })
    #expect(histories[Samples.place(2, in: new)].versions == [Samples.digest(4).prefix])
    #expect(histories[Samples.place(1, in: old)].versions.isEmpty)
    #expect(histories.versions(of: Samples.place(1, in: new)).map(\.size) == [3, 2, 1])
    #expect(histories.losses.isEmpty)
  }

  @Test func whatAnOlderReleaseKnewIsTakenOverOnceAndChangesNothingThatIsKnown() throws {
    let history = DocumentHistory(versions: [2, 1].map { Samples.digest($0).prefix }, generation: 9)
    do {
      let histories = try open()
      histories.save(5, at: Samples.place(0))
      for number in 0..<200 { histories.adopt(history, of: Samples.place(number)) }
      try histories.save()
    }
    let histories = try open()
    #expect(histories[Samples.place(0)].versions == [Samples.digest(5).prefix])
    for number in 1..<200 { #expect(histories[Samples.place(number)] == history) }
    #expect(histories.versions(of: Samples.place(1)).map(\.seen) == [nil, nil])
  }

  @Test func ofThisDevicesOwnRecordOnlyWhatIsUnknownIsTaken() throws {
    let histories = try open()
    let place = Samples.place(1)
    for number in 1...3 { histories.save(number, at: place) }
    let known = DocumentVersion(digest: Samples.digest(2), size: 2, lineage: [Samples.digest(9).prefix])
    histories.recall(known, of: place, at: WallTime(milliseconds: 1))
    #expect(histories[place].versions == [3, 2, 1].map { Samples.digest($0).prefix })
    let lost = DocumentVersion(
      digest: Samples.digest(7), size: 7, generation: 2, lineage: [Samples.digest(6).prefix])
    histories.recall(lost, of: Samples.place(2), at: WallTime(milliseconds: 1))
    #expect(histories[Samples.place(2)].versions == [7, 6].map { Samples.digest($0).prefix })
    #expect(histories.versions(of: Samples.place(2)).first?.sources == .recalled)
  }

  @Test func nobodyElseMayReadTheFiles() throws {
    let former = umask(0)
    defer { umask(former) }
    let histories = try open()
    histories.save(1, at: Samples.place(1))
    let names = Scratch.names(in: scratch.path)
    #expect(names == ["history.sqlite", "history.sqlite-wal"])
    for name in names {
      var status = stat()
      #expect(lstat(scratch.path + "/" + name, &status) == 0 && status.st_mode & 0o777 == 0o600, "\(name)")
    }
  }

  // MARK: The bound

  @Test func theFileStaysWithinItsBoundAndWhatIsInUseStays() throws {
    let limit = 1 << 19
    let histories = try open(byteLimit: limit)
    let inUse = Set((0..<20).map { Samples.place($0) })
    histories.placesInUse = { inUse }
    var largest = 0
    for round in 0..<2 {
      for document in 0..<4000 {
        let place = Samples.place(document)
        guard round == 0 || !inUse.contains(place) else { continue }
        histories.save(document + round, at: place)
        if document % 500 == 0 { largest = max(largest, size("history.sqlite") + size("history.sqlite-wal")) }
      }
    }
    try histories.save()
    // Free pages and the log come on top, as its comment says.
    #expect(largest <= limit + (6 << 20), "\(largest)")
    #expect(size("history.sqlite") <= limit + (1 << 20))
    for place in inUse { #expect(histories[place].versions.count == 1) }
    #expect(histories[Samples.place(3999)].versions.count >= 1, "the newest stays")
    #expect(histories[Samples.place(20)].versions.isEmpty, "the oldest went")
    #expect(histories.problem == nil && histories.losses.isEmpty)
  }

  @Test func aFileThatHasLessToHoldShrinks() throws {
    do {
      let histories = try open()
      for document in 0..<6000 {
        histories.adopt(
          DocumentHistory(versions: (0..<8).map { Samples.digest(document + $0).prefix }),
          of: Samples.place(document))
      }
      try histories.save()
    }
    let before = size("history.sqlite")
    do {
      let histories = try open(byteLimit: 1 << 19)
      for number in 0..<400 { histories.save(number, at: Samples.place(1)) }
      try histories.save()
    }
    #expect(before > 2 << 20, "\(before)")
    #expect(size("history.sqlite") < (1 << 19) + (1 << 20), "\(size("history.sqlite"))")
  }

  private func size(_ name: String) -> Int {
    var status = stat()
    return lstat(scratch.path + "/" + name, &status) == 0 ? Int(status.st_size) : 0
  }
}
