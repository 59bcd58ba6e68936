// SPDX-License-Identifier: MIT

import ActivityModel
import Glibc
import LinuxSystem
import SyncedFolders
import TestSupport
import Testing

@testable import FolderAccess

/// Large documents, which are read and copied while the versions come that take their places.
///
/// A process that another test starts has this one's descriptors for a moment, also those that are closed
/// here: what only holds where nobody may write is tried again.
@Suite struct FormerVersionTests {
  private static let one = Scratch.largeBytes
  private static let two = one.map { ~$0 }

  private let scratch: Scratch
  private let directory: SyncedDirectory
  private let replaced: ReplacedDocuments

  init() throws {
    scratch = try Scratch()
    try scratch.folder("synced/.continuo")
    directory = try scratch.directory()
    replaced = ReplacedDocuments(in: scratch.path + "/replaced")
    try write(Self.one)
    // It has been still for longer than a clock ticks.
    try awaitStillness()
  }

  private var tellsEachWrite: Bool {
    if !directory.tellsEachWrite { print("skipped: nothing is read ahead on this file system") }
    return directory.tellsEachWrite
  }

  private var plan: FilePath { FilePath(scratch.path + "/synced/plan.md") }

  private func write(_ bytes: [UInt8]) throws {
    try plan.open([.writeOnly, .create, .truncate], mode: 0o644).writeAll(bytes)
  }

  private func awaitStillness() throws {
    let stamp = try plan.status().stamp
    while stamp.age < HashOutcome.tick * 2 {}
  }

  private func begin(keptIn place: ReplacedDocuments? = nil) throws -> FormerVersion {
    (place ?? replaced).begin(try relative("plan.md"), for: 3_000_000, in: directory)
  }

  private func beginKnown(keptIn replaced: ReplacedDocuments) throws -> FormerVersion {
    let deadline = ContinuousClock.now + .seconds(30)
    while ContinuousClock.now < deadline {
      let former = try begin(keptIn: replaced)
      if try isKnown(former) { return former }
    }
    throw Scratch.Failure(description: "nothing is read ahead")
  }

  private func document() throws -> LaidDocument {
    let (one, two) = (
      try #require(ContentHasher.digest(of: Self.one)), try #require(ContentHasher.digest(of: Self.two))
    )
    var history = DocumentHistory()
    history.record(one)
    return LaidDocument(
      path: try relative("plan.md"),
      version: DocumentVersion(digest: two, size: UInt64(Self.two.count), lineage: [one.prefix]),
      history: history)
  }

  /// The new version, which has come.
  private func received() throws -> ReceivedFile {
    let own = try OwnDirectory.privateDirectory(scratch.path + "/state")
    let received = try own.receive(UInt64(Self.two.count))
    try received.descriptor.writeAll(Self.two)
    return received
  }

  private func lay(over former: FormerVersion) throws -> (outcome: LayingOutcome, stamp: FileStamp?) {
    try directory.lay(
      document(), from: received(), known: { former.digest(of: $0, isCancelled: { false }) },
      keep: { (file, name, digest) throws(ContinuityError) in
        try former.keep(file, called: name, digest: digest)
      })
  }

  private func isKnown(_ former: FormerVersion) throws -> Bool {
    former.digest(of: try plan.status().stamp, isCancelled: { false }) != nil
  }

  private var held: [UInt8]? { Scratch.bytes(at: scratch.path + "/synced/plan.md") }

  private var kept: [[UInt8]] {
    get throws {
      let folder = FilePath(scratch.path + "/replaced")
      // One may be taken away meanwhile.
      return try ((try? folder.names()) ?? []).compactMap {
        try (try? folder.appending($0).open([.readOnly]))?.readToEnd()
      }
    }
  }

  private var keptInTheEnd: [[UInt8]] {
    get throws {
      let deadline = ContinuousClock.now + .seconds(30)
      while try kept.count > 1, ContinuousClock.now < deadline {}
      return try kept
    }
  }

  @Test func whatWasReadAheadIsNeitherReadNorCopiedAgain() throws {
    guard tellsEachWrite else { return }
    let former = try beginKnown(keptIn: replaced)
    let copies = scratch.namelessFiles(in: "replaced")
    #expect(try copies.count == 1 && kept == [], "nothing is kept before it is replaced")
    let (outcome, stamp) = try lay(over: former)
    #expect(outcome == .laid && held == Self.two)
    #expect(try kept == [Self.one])
    let folder = FilePath(scratch.path + "/replaced")
    let name = try #require(folder.names().first)
    let status = try folder.appending(name).status()
    #expect(copies == [status.stamp.inode] && status.permissions == 0o600)
    // What lies there need not be read either.
    #expect(try stamp == nil || stamp == plan.status().stamp)
  }

  /// Another program writes after it was read: that is read when its turn comes, and stays.
  @Test(arguments: [true, false]) func whatIsWrittenMeanwhileStays(isReplaced: Bool) throws {
    guard tellsEachWrite else { return }
    let former = try beginKnown(keptIn: replaced)
    let times = try plan.status()
    let mine = Array(Self.one.dropLast()) + [0]
    if isReplaced {
      try scratch.write("other", "")
      try FilePath(scratch.path + "/other").open([.writeOnly]).writeAll(mine)
      try FilePath(scratch.path + "/other").rename(to: plan)
    } else {
      try write(mine)
    }
    // An engine may give it the time that it had.
    try plan.open([.writeOnly]).setTimes(like: times)
    #expect(try !isKnown(former))
    #expect(try lay(over: former).outcome == .kept)
    #expect(try held == mine && kept == [])
  }

  /// Whoever can write already may do so without another time of change: through a mapping.
  @Test func whatSomebodyMayWriteIsReadWhenItsTurnComes() throws {
    let writer = try plan.open([.readWrite])
    let memory = mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, writer.number, 0)
    defer { munmap(memory, 4096) }
    #expect(try !isKnown(begin()))
    writer.close()
    #expect(try !isKnown(begin()), "a mapping outlives its descriptor")
    // It is laid all the same, over what it was, and that is kept.
    #expect(try lay(over: begin()).outcome == .laid)
    #expect(try kept == [Self.one])
  }

  @Test func whatIsGivenUpSmallOrTooLargeLeavesNothing() throws {
    guard tellsEachWrite else { return }
    var former: FormerVersion? = try beginKnown(keptIn: replaced)
    #expect(!scratch.namelessFiles(in: "replaced").isEmpty)
    former = nil
    let deadline = ContinuousClock.now + .seconds(30)
    while !scratch.namelessFiles(in: "replaced").isEmpty, ContinuousClock.now < deadline {}
    #expect(try scratch.namelessFiles(in: "replaced").isEmpty && kept == [] && former == nil)
    let small = ReplacedDocuments(in: scratch.path + "/small", limit: Self.one.count - 1)
    let refused = try begin(keptIn: small)
    #expect(try !isKnown(refused))
    guard case .failed = try lay(over: refused).outcome else {
      Issue.record("what cannot be kept was replaced")
      return
    }
    #expect(held == Self.one)
    try write([1, 2, 3])
    try awaitStillness()
    #expect(try !isKnown(begin()))
    #expect(replaced.begin(try relative("other.md"), for: 3_000_000, in: directory).isNothing)
  }

  @Test func whatIsTooMuchGoesAfterwards() throws {
    guard tellsEachWrite else { return }
    let few = ReplacedDocuments(in: scratch.path + "/replaced", limit: Self.one.count + 10)
    for _ in 0..<3 {
      #expect(try lay(over: beginKnown(keptIn: few)).outcome == .laid)
      try write(Self.one)
      try awaitStillness()
    }
    #expect(try keptInTheEnd == [Self.one])
  }

  /// It was read before the other one was kept, and kept after it.
  @Test func whatWasKeptLastStays() throws {
    guard tellsEachWrite else { return }
    let few = ReplacedDocuments(in: scratch.path + "/replaced", limit: Self.one.count + 10)
    let former = try beginKnown(keptIn: few)
    try scratch.write("other", String(repeating: "x", count: 100))
    let other = try FilePath(scratch.path + "/other").open([.readOnly])
    let digest = try #require(ContentHasher.digest(of: other.readToEnd()))
    try few.keep(other, called: Array("other".utf8), digest: digest)
    #expect(try lay(over: former).outcome == .laid)
    #expect(try keptInTheEnd == [Self.one])
  }

  /// There a page that was read in a mapping is written without another stamp.
  @Test func inMemoryNothingIsReadAheadAndNothingIsSaidOfWhatWasLaid() throws {
    let memory = try Scratch("former", inMemory: true)
    try memory.folder("synced")
    try memory.folder("synced/.continuo")
    let folder = try memory.directory()
    try FilePath(memory.path + "/synced/plan.md").open([.writeOnly, .create], mode: 0o644).writeAll(Self.one)
    #expect(replaced.begin(try relative("plan.md"), for: 3, in: folder).isNothing)
    let laid = folder.lay(try document(), from: try received(), keep: { _, _, _ in })
    #expect(laid.outcome == .laid && laid.stamp == nil)
  }

  /// The new file is known to hold the version unless somebody wanted to write in it while it got its name.
  @Test(arguments: [false, true]) func whoWantsToWriteMeanwhileIsKeptWaiting(isWritten: Bool) throws {
    guard tellsEachWrite else { return }
    let deadline = ContinuousClock.now + .seconds(30)
    while ContinuousClock.now < deadline {
      try write(Self.one)
      let received = try received()
      var laying = DocumentLaying(
        folder: directory, document: try document(), keep: { (_, _, _) throws(ContinuityError) in },
        isCancelled: { false })
      var refusal: Errno?
      if isWritten { laying.beforeExchange = { refusal = refusalToWrite() } }
      let (outcome, stamp) = laying.lay(received) { _ in }
      #expect(outcome == .laid)
      // It is over with the laying.
      _ = try plan.open([.readWrite, .nonBlocking])
      if isWritten {
        #expect(stamp == nil, "nothing is said of a file that somebody wants to write in")
        if refusal == .wouldBlock { return }
      } else if let stamp {
        #expect(try stamp == plan.status().stamp)
        try write(Self.two)
        #expect(try stamp != plan.status().stamp)
        return
      }
    }
    Issue.record("nobody is kept from writing")
  }

  /// What opening the new file gives before it has its name.
  private func refusalToWrite() -> Errno? {
    let folder = FilePath(scratch.path + "/synced/.continuo")
    guard let name = try? folder.names().first else { return nil }
    do throws(Errno) {
      _ = try folder.appending(name).open([.readWrite, .nonBlocking])
      return nil
    } catch {
      return error
    }
  }
}
