// SPDX-License-Identifier: MIT

import ActivityModel
import GRDB
import Glibc
import SyncedFolders
import TestSupport
import Testing
import TestSamples

@testable import VersionHistory

/// A file that is not what was written, and a disk that takes nothing: it is told, nothing is destroyed, and
/// nothing is remembered that was not there.
@Suite struct HistoryDamageTests {
  private let scratch: Scratch
  private var file: String { scratch.path + "/" + HistorySchema.fileName }

  init() throws { scratch = try Scratch() }

  private func open() throws -> DocumentHistories { try DocumentHistories(directory: scratch.path) }

  /// Twenty documents with up to twenty versions each, closed, so that the log is in the file.
  private func fill() throws -> [DocumentHistories.Place: DocumentHistory] {
    let histories = try open()
    var known: [DocumentHistories.Place: DocumentHistory] = [:]
    for document in 0..<20 {
      let place = Samples.place(document)
      for number in 0...document { histories.save(1000 * document + number, at: place) }
      known[place] = histories[place]
    }
    return known
  }

  /// A history is what it was or nothing, and the next change is kept.
  private func expectSound(
    _ known: [DocumentHistories.Place: DocumentHistory], mayBeOlder: Bool = false, _ what: String
  ) throws {
    let extra = Samples.place(99)
    do {
      let histories = try open()
      for (place, history) in known {
        let found = histories[place]
        let isOlder = mayBeOlder && history.versions.suffix(found.versions.count) == found.versions[...]
        #expect(found == history || found.versions.isEmpty || isOlder, "\(what)")
      }
      histories.save(77, at: extra)
      #expect(histories.problem == nil, "\(what)")
      #expect(histories[extra].versions == [Samples.digest(77).prefix], "\(what)")
    }
    let histories = try open()
    #expect(histories[extra].versions == [Samples.digest(77).prefix], "\(what)")
    #expect(histories.losses.isEmpty, "\(what)")
  }

  @Test func flippedBitsNeverMakeUpAVersion() throws {
    let known = try fill()
    let sound = try #require(Scratch.bytes(at: file))
    var generator = SeededGenerator(seed: 5)
    var losses = 0
    for round in 0..<120 {
      var bytes = sound
      let count = round % 4 == 0 ? 64 : 1
      for _ in 0..<count {
        // The first pages hold what all others hang on.
        let end = round % 3 == 0 ? 8192 : bytes.count
        bytes[Int.random(in: 0..<end, using: &generator)] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
      }
      clear()
      try Scratch.write(bytes, to: file)
      do {
        try expectSound(known, "round \(round)")
      } catch let error as ContinuityError {
        // The table of migrations may name one that does not exist.
        #expect(error.description.contains("newer release"))
      }
      if Scratch.names(in: scratch.path).contains("history.sqlite.damaged") { losses += 1 }
    }
    print("\(losses) of 120 damaged files were set aside")
    #expect(losses > 30)
  }

  @Test func aTruncatedFileIsSetAsideOrSound() throws {
    let known = try fill()
    let sound = try #require(Scratch.bytes(at: file))
    for count in stride(from: 0, to: sound.count, by: 4001) {
      clear()
      try Scratch.write(Array(sound.prefix(count)), to: file)
      try expectSound(known, "\(count) bytes")
    }
  }

  @Test func aDamagedLogLosesTheLastChangesAndNoMore() throws {
    let place = Samples.place(1)
    let (database, log): ([UInt8], [UInt8])
    do {
      let histories = try open()
      for number in 0..<20 { histories.save(number, at: place) }
      try histories.save()
      database = try #require(Scratch.bytes(at: file))
      log = try #require(Scratch.bytes(at: file + "-wal"))
    }
    let whole = DocumentHistory(
      versions: (0..<20).reversed().map { Samples.digest($0).prefix }, generation: 20)
    var generator = SeededGenerator(seed: 6)
    for round in 0..<30 {
      var bytes = log
      if round % 2 == 0 {
        bytes[Int.random(in: 0..<bytes.count, using: &generator)] ^= 8
      } else {
        bytes.removeLast(Int.random(in: 1..<bytes.count, using: &generator))
      }
      clear()
      try Scratch.write(database, to: file)
      try Scratch.write(bytes, to: file + "-wal")
      try expectSound([place: whole], mayBeOlder: true, "round \(round)")
    }
  }

  @Test(arguments: ["no database", "", "a folder", "a link", "another program's"])
  func whatIsNoneOfOursIsKeptAndNamed(_ what: String) throws {
    switch what {
    case "a folder": mkdir(file, 0o700)
    case "a link": symlink("/etc/hostname", file)
    case "another program's":
      let other = try DatabaseQueue(path: file)
      try other.write { try $0.execute(sql: "CREATE TABLE theirs (a); INSERT INTO theirs VALUES (1)") }
      try other.close()
    default: try Scratch.write(what, to: file)
    }
    let bytes = Scratch.bytes(at: file)
    let histories = try open()
    histories.save(1, at: Samples.place(1))
    #expect(histories.problem == nil)
    #expect(histories[Samples.place(1)].versions.count == 1)
    // An empty file is a database that nobody wrote to yet.
    guard !what.isEmpty else { return #expect(histories.losses.isEmpty) }
    #expect(histories.losses.count == 1)
    #expect(histories.losses.first?.contains(file + ".damaged") == true)
    let isKept = Scratch.bytes(at: file + ".damaged") == bytes
    #expect(isKept)
  }

  @Test func aNewerReleasesFileIsRefusedAndLeftAlone() throws {
    _ = try fill()
    let other = try DatabaseQueue(path: file)
    try other.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('of the next century')") }
    try other.close()
    let before = Scratch.bytes(at: file)
    for _ in 0..<2 {
      let error = #expect(throws: ContinuityError.self) { try open() }
      #expect(error?.code == .agentUnavailable)
      #expect(error?.description.contains("newer release") == true)
    }
    let isLeftAlone = Scratch.bytes(at: file) == before
    #expect(isLeftAlone)
    #expect(!Scratch.names(in: scratch.path).contains { $0.contains("damaged") })
  }

  @Test func damageThatComesToLightLaterIsSetAsideAndWhatIsInMemoryStays() throws {
    do {
      // More than SQLite keeps in memory.
      let histories = try open()
      for document in 0..<4000 {
        let history = DocumentHistory(versions: (0..<8).map { Samples.digest(document + $0).prefix })
        histories.adopt(history, of: Samples.place(document))
      }
      try histories.save()
    }
    let histories = try open()
    let own = Samples.place(4001)
    let version = DocumentVersion(
      digest: Samples.digest(9), size: 9, generation: 2, lineage: [Samples.digest(8).prefix])
    histories.ownVersions = { [(own, version)] }
    histories.save(5, at: Samples.place(1))
    let seen = histories[Samples.place(1)]
    // Behind SQLite's back, while it is open: what it reads next are noughts.
    let descriptor = Glibc.open(file, O_RDWR)
    var status = stat()
    fstat(descriptor, &status)
    let noughts = [UInt8](repeating: 0, count: Int(status.st_size) - 100)
    #expect(pwrite(descriptor, noughts, noughts.count, 100) == noughts.count)
    close(descriptor)
    for document in 2000..<2100 { _ = histories[Samples.place(document)] }
    histories.save(6, at: Samples.place(2))
    #expect(histories.losses.count == 1 && histories.problem == nil)
    #expect(histories[Samples.place(1)] == seen)
    #expect(histories[own].versions == [9, 8].map { Samples.digest($0).prefix })
    try histories.save()
    #expect(Scratch.names(in: scratch.path).contains("history.sqlite.damaged"))
  }

  @Test func aSecondAgentCannotUseTheFile() throws {
    let first = try open()
    first.save(1, at: Samples.place(1))
    let second = try DocumentHistories(directory: scratch.path)
    #expect(second.problem?.contains("another program has it open") == true)
    #expect(throws: ContinuityError.self) { try second.save() }
    #expect(second[Samples.place(1)].versions.isEmpty)
    #expect(first[Samples.place(1)].versions.count == 1)
  }

  private func clear() {
    for name in Scratch.names(in: scratch.path) where name.hasPrefix(HistorySchema.fileName) {
      if unlink(scratch.path + "/" + name) != 0 { Scratch.removeTree(scratch.path + "/" + name) }
    }
  }
}
