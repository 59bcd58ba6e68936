// SPDX-License-Identifier: MIT

import ActivityModel
import Foundation
import GRDB
import Glibc
import LinuxSystem
import StateDatabase
import TestSamples
import TestSupport
import Testing

@testable import ActivityIndex

/// A file that is not what was written, and a disk that takes nothing.
@Suite struct IndexDamageTests {
  private let scratch: Scratch
  private let wall = WallTime(milliseconds: 1_800_000_000_000)
  private var file: String { scratch.path + "/" + IndexSchema.fileName }

  init() throws { scratch = try Scratch("index", inMemory: true) }

  private func activity(_ number: Int) -> SavedActivity {
    var snapshot = ActivitySnapshot(id: .random(), type: "org.a.reading", appID: "org.a", changedAt: wall)
    snapshot.flags.insert(.search)
    snapshot.persistentIdentifier = "\(number)"
    snapshot.title = "Soup number\(number)"
    return SavedActivity(appID: "org.a", snapshot: snapshot)
  }

  private func fill(_ count: Int) throws {
    let index = try ActivityIndex(directory: scratch.path)
    try index.save((0..<count).map(activity), at: wall)
    index.close()
  }

  /// Whatever is flipped: it is told, what is found is what was saved, and the index goes on.
  @Test func flippedBytesMakeNothingUp() throws {
    try fill(60)
    let sound = try #require(Scratch.bytes(at: file))
    var generator = SeededGenerator(seed: 7)
    var losses = 0
    for round in 0..<60 {
      var bytes = sound
      for _ in 0..<4 { bytes[Int.random(in: bytes.indices, using: &generator)] ^= 1 << UInt8(round % 8) }
      try Scratch.write(bytes, to: file)
      let index = try ActivityIndex(directory: scratch.path)
      let found = try index.search("soup", of: nil, atMost: 100, at: wall)
      #expect(found.allSatisfy { $0.isAsSaved }, "round \(round)")
      try index.save([activity(99)], at: wall)
      try index.delete(["3"], of: "org.a")
      try index.erase()
      #expect(try index.search("number99", of: nil, atMost: 5, at: wall).count == 1, "round \(round)")
      losses += index.losses.count
      index.close()
    }
    #expect(losses > 0)
  }

  /// What can be read is kept, and no file that holds what may be deleted later is left behind.
  @Test func ofADamagedIndexTheActivitiesAreKept() throws {
    try fill(200)
    var bytes = try #require(Scratch.bytes(at: file))
    // The last page is one of the words'.
    for place in bytes.count - 4096..<bytes.count { bytes[place] = 0xff }
    try Scratch.write(bytes, to: file)
    let index = try ActivityIndex(directory: scratch.path)
    _ = try? index.search("soup", of: nil, atMost: 500, at: wall)
    try index.delete(["0"], of: "org.a")
    try index.erase()
    #expect(index.losses.count == 1 && index.losses[0].contains("could be read"))
    #expect(Scratch.names(in: scratch.path).allSatisfy { !$0.hasSuffix(".damaged") })
    #expect(try index.recent(of: nil, atMost: 500, at: wall).count > 100)
  }

  /// Killed between erasing the damaged file and giving the new one its name.
  @Test func aRebuiltIndexIsFoundWithoutItsName() throws {
    try fill(20)
    try FilePath(file).rename(to: FilePath(file + ".rebuilt"))
    let index = try ActivityIndex(directory: scratch.path)
    #expect(try index.recent(of: nil, atMost: 99, at: wall).count == 20 && index.losses.isEmpty)
  }

  /// Killed while it made a new file, or before the damaged one was erased.
  @Test func whatWasLeftBesideTheFileIsErased() throws {
    try fill(20)
    for name in [".rebuilt", ".rebuilt-wal", ".former", ".former-wal"] {
      try Scratch.write("xylophone", to: file + name)
    }
    let index = try ActivityIndex(directory: scratch.path)
    #expect(try index.recent(of: nil, atMost: 99, at: wall).count == 20 && index.losses.isEmpty)
    #expect(!Scratch.isReadable("xylophone", in: scratch.path))
    #expect(Scratch.names(in: scratch.path).allSatisfy { !$0.contains("rebuilt") && !$0.contains("former") })
  }

  /// A file with two names, as a file system without a journal may leave it, is not erased by one of them.
  @Test func aFileWithTwoNamesLosesOne() throws {
    try fill(20)
    try FileManager.default.linkItem(atPath: file, toPath: file + ".former")
    let index = try ActivityIndex(directory: scratch.path)
    #expect(try index.recent(of: nil, atMost: 99, at: wall).count == 20 && index.losses.isEmpty)
    #expect(!Scratch.names(in: scratch.path).contains { $0.hasSuffix(".former") })
  }

  @Test func anotherProgramsDatabaseIsLeftAlone() throws {
    let other = try DatabaseSetup(label: "other", applicationID: 7, migrator: DatabaseMigrator()).open(
      DatabaseFile(directory: scratch.path, name: IndexSchema.fileName))
    try other.write { try $0.execute(sql: "CREATE TABLE theirs (text)") }
    try other.close()
    let index = try ActivityIndex(directory: scratch.path)
    let error = #expect(throws: ContinuityError.self) { try index.recent(of: nil, atMost: 9, at: wall) }
    #expect(error?.description.contains("another program's database") == true)
    #expect(Scratch.bytes(at: file).map { String(decoding: $0, as: UTF8.self).contains("theirs") } == true)
  }

  @Test func whatIsNoDatabaseIsBegunAnew() throws {
    try Scratch.write("soup for all", to: file)
    let index = try ActivityIndex(directory: scratch.path)
    #expect(index.losses.count == 1)
    try index.save([activity(1)], at: wall)
    #expect(try index.search("soup", of: nil, atMost: 5, at: wall).count == 1)
    #expect(Scratch.bytes(at: file)?.starts(with: Array("soup".utf8)) == false)
  }

  @Test func onAFullDiskItIsSaidAndNothingIsLost() throws {
    let place = try scratch.folder("disk", mode: 0o700)
    guard mount("tmpfs", place, "tmpfs", 0, "size=1m,mode=0700") == 0 else {
      return print("skipped: mounting a tmpfs of 1 MiB is refused here (errno \(errno))")
    }
    defer { umount(place) }
    let index = try ActivityIndex(directory: place)
    try index.save([activity(1)], at: wall)
    var refusal: ContinuityError?
    for hundred in 1..<100 where refusal == nil {
      let more = (0..<100).map { activity(100 * hundred + $0) }
      do throws(ContinuityError) { try index.save(more, at: wall) } catch { refusal = error }
    }
    #expect(refusal?.code == .folderUnavailable && refusal?.description.contains("free some space") == true)
    #expect(index.losses.isEmpty)
    #expect(try index.search("number1", of: nil, atMost: 1, at: wall).count == 1)
    index.close()
  }
}

extension SavedActivity {
  fileprivate var isAsSaved: Bool {
    let number = snapshot.persistentIdentifier.flatMap { Int($0) }
    return appID == "org.a" && number.map { snapshot.title == "Soup number\($0)" && $0 < 60 } == true
  }
}
