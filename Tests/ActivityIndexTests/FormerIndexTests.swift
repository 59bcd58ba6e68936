// SPDX-License-Identifier: MIT

import ActivityModel
import GRDB
import StateDatabase
import TestSupport
import Testing

@testable import ActivityIndex

/// What a former version kept is found again, each as it was, and what it deleted is erased.
@Suite struct FormerIndexTests {
  private let scratch: Scratch
  private let wall = WallTime(milliseconds: 1_800_000_000_000)
  private var file: String { scratch.path + "/" + IndexSchema.fileName }

  init() throws {
    scratch = try Scratch("index", inMemory: true)
    try WrittenBefore.unpack("60e5f0ba-activities", to: scratch.path)
  }

  /// As its writer made it.
  private func written(_ number: UInt64, of appID: String = "org.a") throws -> ActivitySnapshot {
    let id = try #require(ActivityID(bytes: [UInt8](repeating: UInt8(number), count: 16)))
    var snapshot = ActivitySnapshot(
      id: id, type: appID + ".reading", appID: appID, changedAt: wall.adding(seconds: number))
    snapshot.flags.insert(.search)
    snapshot.title = "Soup number\(number)"
    snapshot.keywords = ["recipe", "kettle\(number % 3)"]
    snapshot.persistentIdentifier = "\(number)"
    snapshot.contentAttributes = [
      .text("contentDescription"): .text("机器学习 Crème \(number)"),
      .text("domainIdentifier"): .text("mail.work"),
    ]
    snapshot.userInfo[.text("page")] = .int(Int64(number))
    snapshot.userInfo[.text(NSUserActivityDocumentURLKey)] = .url("file:///home/a/plan%20\(number).md")
    snapshot.requiredUserInfoKeys = [NSUserActivityDocumentURLKey, "page"]
    return snapshot
  }

  @Test func eachIsTakenOverAsItWas() throws {
    let index = try ActivityIndex(directory: scratch.path)
    #expect(index.hasRemains, "what was deleted lies in the former tables")
    let own = try index.own(atMost: 99, at: wall)
    let expected = try [41, 40, 2].map { try written($0, of: $0 == 41 ? "org.b" : "org.a") }
    #expect(
      own.count == 41 && own[0].isHandedOver
        && own[0].snapshot.documentPath == Array("/home/a/handed.md".utf8))
    #expect([own[1], own[2], own[40]].map(\.snapshot) == expected)
    #expect(Set(try index.ofOthers().map(\.snapshot)) == Set(try [50, 51].map { try written($0) }))
    #expect(try index.search("creme 学习 kettle0", of: "org.b", atMost: 9, at: wall).isEmpty)
    #expect(try index.search("creme 学习 kettle2", of: "org.b", atMost: 9, at: wall).count == 1)
    try index.delete(nil, domains: ["mail"], of: "org.a")
    try index.deleteHandedOver()
    try index.erase()
    #expect(try index.own(atMost: 9, at: wall).map(\.appID) == ["org.b"] && index.losses.isEmpty)
    #expect(
      !Scratch.isReadable("number1", in: scratch.path) && !Scratch.isReadable("handed", in: scratch.path))
    #expect(
      Scratch.isReadable("number41", in: scratch.path) && Scratch.isReadable("number50", in: scratch.path))
  }

  /// What cannot be taken over is damage, and of that all is kept that can be read.
  @Test func ofADamagedFormerFileTheRestIsKept() throws {
    let database = try DatabaseQueue(path: file)
    try database.write { try $0.execute(sql: "UPDATE activity SET checksum = 7 WHERE identifier = x'3133'") }
    try database.close()
    let index = try ActivityIndex(directory: scratch.path)
    #expect(index.losses.count == 1 && index.losses[0].contains("42 of them"))
    #expect(try index.own(atMost: 99, at: wall).count == 40)
    #expect(try index.activity(SavedActivity.Key(appID: "org.a", identifier: "13"), at: wall) == nil)
    #expect(try index.search("number12", of: nil, atMost: 9, at: wall).count == 1)
  }
}
