// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import FolderAccess
import Glibc
import LinuxSystem
import TestSupport
import Testing
import Trust

@testable import Agent
@testable import AgentEngine

/// What others put into `.continuo`, however much: devices pair, find the folder's identity, and hear of each
/// other all the same.
@Suite struct JunkTests {
  enum Kind: CaseIterable {
    case empty, sized, forgedInvitations, identities, oddFiles
  }

  /// The bytes of a record's header that anybody can write.
  private static func forged(_ kind: RecordKind, size: Int) -> [UInt8] {
    let random = (0..<16).map { _ in UInt8.random(in: 0...255) }
    let header = RecordHeader(
      kind: kind, circleTag: random, epoch: 0, sequence: 1, random: random, sealedLength: UInt32(size - 60))
    return header.bytes + [UInt8](repeating: 7, count: size - header.bytes.count)
  }

  private func fill(_ folder: String, with kind: Kind, count: Int) throws {
    let size = RecordHeader.recordSizes[0]
    let forged = Self.forged(.invitation, size: size)
    for number in 0..<count {
      let digits = String(number, radix: 16)
      let name = String(repeating: "a", count: 26 - digits.count) + digits
      switch kind {
      case .empty: try Scratch.write("", to: "\(folder)/r-\(name).rst")
      case .sized:
        let (prefix, suffix) = [("r", "rst"), ("d", "rec"), ("i", "inv")][number % 3]
        try Scratch.write([UInt8](repeating: 1, count: size), to: "\(folder)/\(prefix)-\(name).\(suffix)")
      case .forgedInvitations: try Scratch.write(forged, to: "\(folder)/i-\(name).inv")
      case .identities:
        try Scratch.write([UInt8](repeating: 0x41, count: 51), to: "\(folder)/f-\(name).id")
      case .oddFiles:
        let place = "\(folder)/\(["r", "d", "f"][number % 3])-\(name)"
        switch number % 4 {
        case 0: mkdir(place + ".rst", 0o755)
        case 1: mkfifo(place + ".rec", 0o644)
        case 2: symlink("/dev/zero", place + ".id")
        default: try Scratch.write("x", to: folder + "/" + digits + String(repeating: "é", count: 120))
        }
      }
    }
  }

  private func isJunk(_ name: String) -> Bool { name.contains("aaaa") || name.contains("é") }

  /// What an engine brings, but for the junk: pipes cannot be read.
  private func carry(_ device: InProcessDevice, to other: InProcessDevice) throws {
    mkdir(other.records, 0o755)
    for file in Scratch.names(in: device.records) where !isJunk(file) && !file.hasSuffix("~") {
      guard let bytes = Scratch.bytes(at: "\(device.records)/\(file)") else { continue }
      guard Scratch.bytes(at: "\(other.records)/\(file)") != bytes else { continue }
      try Scratch.write(bytes, to: "\(other.records)/\(file)")
    }
    if !other.core.folders.roots.isEmpty { other.look() }
    device.world.settle()
  }

  @Test(arguments: Kind.allCases) func devicesPairAndHandOverThroughJunk(_ kind: Kind) throws {
    let world = try World(inMemory: true)
    let (desktop, laptop) = (try world.device("desktop"), try world.device("laptop"))
    try desktop.addFolder()
    try Scratch.write("one", to: desktop.folder + "/plan.md")
    // Before the second device registers, and on both.
    mkdir(laptop.records, 0o755)
    try fill(laptop.records, with: kind, count: 5000)
    try fill(desktop.records, with: kind, count: 300)
    try carry(desktop, to: laptop)
    try Scratch.write("one", to: laptop.folder + "/plan.md")
    try laptop.addFolder()
    #expect(laptop.core.folders.roots[0].canonical == desktop.core.folders.roots[0].canonical)
    guard case .words(let words) = try desktop.ask(.pair(deviceName: nil)) else { throw CancellationError() }
    try carry(desktop, to: laptop)
    let answer = try laptop.ask(.join(words: words.joined(separator: " "), deviceName: nil))
    guard case .joined = answer else {
      Issue.record("\(answer)")
      return
    }
    try carry(laptop, to: desktop)
    try world.run("the pairing", within: .seconds(20)) {
      desktop.core.store.identity.otherDevices.map(\.name) == ["laptop"]
    }
    try carry(desktop, to: laptop)
    let (editor, viewer) = (try world.connect(to: desktop.core), try world.connect(to: laptop.core))
    editor.hello()
    viewer.hello()
    editor.offer(desktop.folder + "/plan.md", at: 1_000)
    try world.run("the record") { desktop.record?.activities.isEmpty == false }
    try carry(desktop, to: laptop)
    try world.run("the offer", within: .seconds(20)) { viewer.offers.first?.status.arrival == .current }
    let problems = try laptop.status().problems
    #expect(problems.count == 1 && problems[0].contains("files that no device"), "\(problems)")
    for file in Scratch.names(in: laptop.records) where isJunk(file) {
      #expect(remove("\(laptop.records)/\(file)") == 0)
    }
    laptop.look()
    world.settle()
    let left = try laptop.status().problems
    #expect(!left.contains { $0.contains("no device") }, "what was mended is told no longer: \(left)")
  }

  @Test func manyFilesAreLookedThroughInLittleTime() throws {
    let world = try World(inMemory: true)
    let device = try world.device("desktop")
    try device.addFolder()
    try fill(device.records, with: .empty, count: 10_000)
    let presence = try #require(device.core.folders.roots[0].presence)
    let start = Instant.now
    _ = presence.transport.collect()
    _ = try presence.identities.read(own: "f-own.id")
    let took = Instant.now - start
    print("10,000 files in .continuo are looked through in \(took.nanoseconds / 1_000_000) ms")
    #expect(took < .seconds(2))
  }

  /// Does `body` as somebody whom the modes of files concern.
  private func asNobody<Result>(_ body: () -> Result) throws -> Result {
    guard geteuid() == 0 else { return body() }
    let symbol = try #require(dlsym(nil, "setfsuid"))
    let change = unsafeBitCast(symbol, to: (@convention(c) (UInt32) -> Int32).self)
    _ = change(65534)
    defer { _ = change(0) }
    return body()
  }

  @Test func whatCannotBeReadNeitherKeepsTheAgentBusyNorOthersWaiting() throws {
    let scratch = try Scratch()
    chmod(scratch.path, 0o755)
    let folder = try SyncedDirectory(path: Array(scratch.path.utf8))
    let records = try #require(try OwnDirectory.records(in: folder, creating: true))
    let path = scratch.path + "/.continuo"
    chmod(path, 0o755)
    try fill(path, with: .forgedInvitations, count: 600)
    for name in Scratch.names(in: path) { chmod("\(path)/\(name)", 0) }
    let transport = FolderTransport(folder: folder, records: records)
    var calls = 0
    repeat {
      _ = try asNobody { calls == 0 ? transport.collect() : transport.collectRest() }
      calls += 1
    } while transport.hasMore && calls < 10
    #expect(calls == 3 && !transport.hasMore && !transport.isComplete)
    let genuine = Self.forged(.invitation, size: RecordHeader.recordSizes[0])
    try Scratch.write(genuine, to: "\(path)/i-zzz.inv")
    #expect(try asNobody { transport.collect() } == [genuine])
    #expect(!transport.hasMore)
  }

  @Test func theFolderIsListedOnceHoweverManyPartsItIsReadIn() throws {
    let scratch = try Scratch()
    let folder = try SyncedDirectory(path: Array(scratch.path.utf8))
    let records = try #require(try OwnDirectory.records(in: folder, creating: true))
    let path = scratch.path + "/.continuo"
    try fill(path, with: .forgedInvitations, count: 600)
    let count = Scratch.names(in: path).count { $0.hasPrefix("i-") }
    let transport = FolderTransport(folder: folder, records: records)
    #expect(transport.collect().count == 256 && transport.hasMore)
    let late = Self.forged(.invitation, size: RecordHeader.recordSizes[0])
    try Scratch.write(late, to: path + "/i-late.inv")
    #expect(transport.collectRest().count == 256 && transport.hasMore && !transport.isComplete)
    #expect(transport.collectRest().count == count - 512 && !transport.hasMore && transport.isComplete)
    #expect(transport.collect().contains(late))
  }
}
