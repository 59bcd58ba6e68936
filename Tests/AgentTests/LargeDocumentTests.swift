// SPDX-License-Identifier: MIT

import ActivityModel
import AgentClient
import Glibc
import LinuxSystem
import SyncedFolders
import TestSupport
import Testing
import Trust

@testable import Agent
@testable import AgentEngine

/// Documents that take long to read, in a whole agent: nobody waits behind them, and none is read in vain.
@Suite(.serialized) struct LargeDocumentTests {
  private static let size = 256 << 20

  /// The desktop offers a large document besides; the laptop has its record and not the file.
  private static func offerLarge(_ pair: Pair, _ name: String = "plan.iso", size: Int = size) throws
    -> OfferID
  {
    let (editor, id) = (try pair.world.connect(to: pair.desktop.core), ActivityID.random())
    editor.hello("org.continuo.pictures")
    try make(pair.desktop.folder + "/" + name, size)
    editor.offer(pair.desktop.folder + "/" + name, id: id, at: 900)
    try pair.world.run("its digest", within: .seconds(60)) {
      pair.desktop.record?.activities.contains { $0.id == id } == true
    }
    try pair.desktop.carry(to: pair.laptop)
    withExtendedLifetime(editor) {}
    return OfferID(device: pair.desktop.core.store.identity.id, activity: id)
  }

  /// Without blocks: reading it costs no disk.
  private static func make(_ path: String, _ size: Int) throws {
    try Scratch.write("", to: path + "~new")
    try #require(truncate(path + "~new", size) == 0 && rename(path + "~new", path) == 0)
  }

  /// From the coming of the document to its delivery, with a person waiting; `before` is done just before.
  private static func timeToDeliver(
    _ text: String, at time: UInt64, _ pair: Pair, before: () throws -> Void
  ) throws -> Duration {
    try pair.offer(text, at: time)
    let (request, waits, count) = (RequestID.random(), pair.viewer.waits, pair.viewer.delivered.count)
    pair.viewer.link.send(.accept(pair.offerID, request), descriptor: nil)
    try pair.world.run("progress") { pair.viewer.waits > waits }
    try before()
    let start = Instant.now
    try pair.write(text)
    try pair.world.run("the delivery") { pair.viewer.delivered.count > count }
    defer { pair.viewer.link.send(.outcome(request, .opened), descriptor: nil) }
    return .now - start
  }

  private static func status(_ offer: OfferID, _ device: InProcessDevice) -> ArrivalStatus? {
    device.core.allOffers().first { $0.id == offer }?.status
  }

  @Test func aSmallDocumentIsDeliveredWhileAGigabyteIsBeingRead() throws {
    let pair = try Pair()
    let large = try Self.offerLarge(pair, size: 1 << 30)
    let without = try Self.timeToDeliver("one more", at: 950, pair) {}
    var start = Instant.now
    let with = try Self.timeToDeliver("two", at: 1_000, pair) {
      try Self.make(pair.laptop.folder + "/plan.iso", 1 << 30)
      pair.laptop.look()
      start = .now
    }
    #expect(pair.viewer.delivered.map(\.bytes) == [Array("one more".utf8), Array("two".utf8)])
    #expect(Self.status(large, pair.laptop)?.arrival != .current, "the large one is still being read")
    var told: Set<Reason> = []
    try pair.world.run("the large one", within: .seconds(60)) {
      let status = Self.status(large, pair.laptop)
      if let cause = status?.cause, cause.kind == .reading { told.insert(cause) }
      return status?.arrival == .current
    }
    print("small: \(without) alone, \(with) beside 1 GB, which took \(Instant.now - start)")
    let size = ByteAmount(1 << 30)
    #expect(
      told.allSatisfy {
        if case .reading("plan.iso", let progress) = $0 { progress.size == size } else { false }
      })
    #expect(pair.laptop.core.hasher.known.bytesRead < (1 << 30) + 10_000)
  }

  @Test func aDeliveryThatIsCancelledIsReadNoFurther() throws {
    let pair = try Pair()
    let large = try Self.offerLarge(pair)
    try Self.make(pair.laptop.folder + "/plan.iso", Self.size)
    pair.laptop.look()
    try pair.world.run("the version", within: .seconds(60)) {
      Self.status(large, pair.laptop)?.arrival == .current
    }
    let viewer = try pair.world.connect(to: pair.laptop.core)
    viewer.hello("org.continuo.pictures")
    let known = pair.laptop.core.hasher.known
    for ending in ["cancelled", "gone"] {
      let (before, files, request) = (known.bytesRead, known.filesRead, RequestID.random())
      viewer.link.send(.accept(large, request), descriptor: nil)
      try pair.world.run("the reading") { pair.laptop.core.deliveries.isReading(for: request) }
      if ending == "cancelled" {
        viewer.link.send(.cancel(request), descriptor: nil)
      } else {
        viewer.link.disconnect()
      }
      try pair.world.run("the end of reading") { known.filesRead != files }
      #expect(known.bytesRead - before < UInt64(Self.size), "\(ending)")
      #expect(!pair.laptop.core.deliveries.isReading(for: request) && viewer.delivered.isEmpty)
    }
  }

  @Test func whatWaitsForALargeDocumentToBeHandedOverIsToldHowFarItIs() throws {
    let pair = try Pair()
    let large = try Self.offerLarge(pair)
    try Self.make(pair.laptop.folder + "/plan.iso", Self.size)
    pair.laptop.look()
    try pair.world.run("the version", within: .seconds(90)) {
      Self.status(large, pair.laptop)?.arrival == .current
    }
    let viewer = try pair.world.connect(to: pair.laptop.core)
    viewer.hello("org.continuo.pictures")
    viewer.link.send(.accept(large, .random()), descriptor: nil)
    try pair.world.run("progress", within: .seconds(90)) { viewer.waits > 0 }
    let reasons = viewer.reports.compactMap {
      if case .progress(_, let status) = $0 { status.cause } else { nil }
    }
    #expect(
      reasons.allSatisfy {
        guard case .reading("plan.iso", let progress) = $0 else { return false }
        return progress.size == ByteAmount(UInt64(Self.size))
      }, "\(reasons)")
    #expect(!reasons.isEmpty)
  }

  @Test func anOfferThatIsWithdrawnStopsItsReading() throws {
    let pair = try Pair()
    let large = try Self.offerLarge(pair)
    try Self.make(pair.laptop.folder + "/plan.iso", Self.size)
    pair.laptop.look()
    let known = pair.laptop.core.hasher.known
    let before = known.filesRead
    try pair.world.run("a beginning") { Self.status(large, pair.laptop)?.received ?? 0 > 0 }
    pair.laptop.core.tracker.untrack(large)
    try pair.world.run("the end of reading") { known.filesRead > before }
    #expect(known.bytesRead < UInt64(Self.size))
  }

  @Test(arguments: ["offers", "opens", "closes"])
  func whatAnAppAskedForIsReadNoFurtherWhenItGoes(_ deed: String) throws {
    let world = try World()
    let desktop = try world.device("desktop")
    try desktop.addFolder()
    let path = desktop.folder + "/plan.iso"
    try Self.make(path, Self.size)
    let client = try world.connect(to: desktop.core)
    client.hello()
    if deed == "offers" { client.offer(path, at: 900) }
    if deed != "offers" { client.link.send(.opened(path: Array(path.utf8)), descriptor: nil) }
    let known = desktop.core.hasher.known
    try world.run("the beginning of reading") { desktop.core.hasher.isReading }
    if deed == "closes" {
      client.link.send(.closed(path: Array(path.utf8)), descriptor: nil)
    } else {
      client.link.disconnect()
    }
    try world.run("the end of reading") { known.filesRead == 1 }
    #expect(known.bytesRead < UInt64(Self.size))
  }

  @Test func aFileThatIsWrittenInPlaceForLongIsNotReadOverAndOver() throws {
    let size = 256 << 20
    let pair = try Pair()
    let large = try Self.offerLarge(pair, size: size)
    let path = pair.laptop.folder + "/plan.iso"
    // Other bytes of the right size: `rsync --inplace` writes the right ones over them, piece by piece.
    try Self.make(path, size)
    let zeros = [UInt8](repeating: 0, count: 1 << 20)
    let ones = [UInt8](repeating: 1, count: 1 << 20)
    func write(_ bytes: [UInt8], at offset: Int) {
      let file = open(path, O_WRONLY)
      pwrite(file, bytes, bytes.count, off_t(offset))
      close(file)
    }
    let known = pair.laptop.core.hasher.known
    let (bytes, files) = (known.bytesRead, known.filesRead)
    var isRight = false
    for piece in 0..<128 {
      // The last writes are far enough apart for a reading to begin in between.
      write(ones, at: piece << 20)
      pair.laptop.look()
      let end = Instant.now + .milliseconds(piece % 32 == 31 ? 400 : 15)
      var isOver = false
      pair.world.loop.schedule(at: end) { isOver = true }
      while !isOver { pair.world.loop.turn() }
      isRight = isRight || Self.status(large, pair.laptop)?.arrival == .current
    }
    #expect(!isRight, "the bytes were never the ones announced")
    for piece in 0..<128 { write(zeros, at: piece << 20) }
    pair.laptop.look()
    try pair.world.run("the version", within: .seconds(60)) {
      Self.status(large, pair.laptop)?.arrival == .current
    }
    let read = known.bytesRead - bytes
    print("128 writes in place: \(known.filesRead - files) readings, \(read >> 20) MiB read of \(size >> 20)")
    // A fast machine is through within each of the four long pauses.
    #expect(read < 6 * UInt64(size), "once for good, and a part between two writes now and then")
  }

  @Test func anAgentReadsOnlyWhatIsOfferedHoweverManyFilesTheFolderHolds() throws {
    let pair = try Pair(inMemory: true)
    let many = pair.laptop.folder + "/many"
    try #require(mkdir(many, 0o755) == 0)
    for number in 0..<100_000 {
      let file = open("\(many)/\(number).txt", O_WRONLY | O_CREAT, 0o644)
      // The sizes of the offered documents, too.
      Glibc.write(file, "three bytes", number % 3 + 1)
      close(file)
    }
    for (number, name) in ["a.txt", "b.txt"].enumerated() {
      _ = try Self.offerLarge(pair, name, size: number + 1)
      try Self.make(pair.laptop.folder + "/" + name, number + 1)
    }
    try pair.offer("two")
    try pair.write("two")
    pair.world.settle()
    try pair.laptop.restart()
    pair.laptop.look()
    try pair.world.run("three documents", within: .seconds(30)) {
      let offers = pair.laptop.core.allOffers()
      return offers.count == 3 && offers.allSatisfy { $0.status.arrival == .current }
    }
    pair.world.settle()
    let known = pair.laptop.core.hasher.known
    print("100,000 files, three offers: \(known.filesRead) files read, \(known.bytesRead) bytes")
    #expect(known.bytesRead <= 3 * 6, "each document once, and once more while its stamp is young")
  }
}
