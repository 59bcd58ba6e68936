// SPDX-License-Identifier: MIT

import ActivityModel
import FolderAccess
import Glibc
import LinuxSystem
import SyncedFolders
import TestSupport
import Testing

@testable import Agent
@testable import AgentEngine

/// Reading beside the loop: who is first, what is shared, and what stops.
@Suite(.serialized) struct HashQueueTests {
  /// A folder, a loop, and a queue that reads one file at a time.
  private final class Stage {
    let world: World
    let folder: String
    let directory: SyncedDirectory
    let queue: HashQueue
    var outcomes: [String: HashOutcome] = [:]
    var order: [String] = []
    var progress: [String: UInt64] = [:]

    init() throws {
      world = try World()
      folder = try world.scratch.folder("synced")
      directory = try SyncedDirectory(path: Array(folder.utf8))
      var timing = HashingMachine.Timing()
      timing.progress = .milliseconds(5)
      let ports = AgentPorts.real(
        loop: world.loop, directory: try OwnDirectory.privateDirectory(world.scratch.path + "/state"))
      ports.readers = ReadingThreads(loop: world.loop, limit: 1)
      queue = HashQueue(ports: ports, timing: timing)
    }

    /// A file without blocks: reading it costs no disk.
    func make(_ name: String, _ size: Int) throws {
      try Scratch.write("", to: "\(folder)/\(name)")
      try #require(truncate("\(folder)/\(name)", size) == 0)
    }

    func document(_ name: String) throws -> HashQueue.Document {
      let path = try #require(RelativePath(name))
      guard case .file(let stamp) = directory.observe(path) else {
        throw Scratch.Failure(description: "\(name) is not there")
      }
      return HashQueue.Document(path: path, folder: directory, stamp: stamp)
    }

    func ask(_ name: String, as key: String? = nil) throws -> HashTicket? {
      let key = key ?? name
      return queue.hash(try document(name), progress: { [weak self] in self?.progress[key] = $0 }) {
        [weak self] in
        self?.outcomes[key] = $0
        self?.order.append(key)
      }
    }

    /// The file's descriptors that are open in this process.
    func descriptors(of name: String) -> Int {
      let target = "\(folder)/\(name)"
      return Scratch.names(in: "/proc/self/fd").count { number in
        var place = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/fd/\(number)", &place, place.count)
        let bytes = place.prefix(max(0, count)).map { UInt8(bitPattern: $0) }
        return String(decoding: bytes, as: UTF8.self) == target
      }
    }
  }

  /// Says what every file holds, and keeps nothing.
  private final class KnowingKeeper: ReplacedFiles {
    let known: ContentDigest?

    init(_ known: ContentDigest?) { self.known = known }

    func digest(of stamp: FileStamp, isCancelled: () -> Bool) -> ContentDigest? { known }
    func keep(_ file: any OpenFile, called name: [UInt8], digest: ContentDigest) throws(ContinuityError) {}
  }

  private func digest(_ text: String) throws -> ContentDigest {
    try #require(ContentHasher.digest(of: Array(text.utf8)))
  }

  /// Where a version is laid, what is known of the file that lies there is not read in it.
  @Test func whatIsKnownOfTheFormerFileIsNotRead() throws {
    let stage = try Stage()
    let (one, two, other) = (try digest("one"), try digest("two"), try digest("another"))
    _ = try stage.world.scratch.folder("synced/.continuo")
    var history = DocumentHistory()
    history.record(one)
    let version = DocumentVersion(digest: two, size: 3, lineage: [one.prefix])
    let document = LaidDocument(
      path: try #require(RelativePath("plan.md")), version: version, history: history)
    try Scratch.write("two", to: stage.world.scratch.path + "/received")
    let cases: [(ContentDigest?, LayingOutcome)] = [(other, .kept), (nil, .laid)]
    for (known, expected) in cases {
      try Scratch.write("one", to: stage.folder + "/plan.md")
      let received = try FilePath(stage.world.scratch.path + "/received").open([.readOnly])
      var outcome: LayingOutcome?
      stage.queue.lay(document, from: received, in: stage.directory, keeping: KnowingKeeper(known)) {
        outcome = $0
      }
      try stage.world.run("the outcome") { outcome != nil }
      #expect(outcome == expected)
      #expect(Scratch.bytes(at: stage.folder + "/plan.md") == Array((expected == .laid ? "two" : "one").utf8))
    }
  }

  @Test func aSmallFileIsReadBeforeALargeOneThatWasBegunEarlier() throws {
    let stage = try Stage()
    try stage.make("plan.iso", 1 << 30)
    try stage.make("plan.pdf", 4 << 20)
    _ = try stage.ask("plan.iso")
    try stage.world.run("a beginning") { stage.progress["plan.iso"] != nil }
    _ = try stage.ask("plan.pdf")
    try stage.world.run("both", within: .seconds(60)) { stage.outcomes.count == 2 }
    #expect(stage.order == ["plan.pdf", "plan.iso"])
    #expect(stage.queue.known.bytesRead == (1 << 30) + (4 << 20), "nothing is read twice")
  }

  @Test func aCancelledReadingOfAGigabyteEndsWithThePieceUnderWayAndClosesTheFile() throws {
    let stage = try Stage()
    try stage.make("plan.iso", 1 << 30)
    let ticket = try #require(try stage.ask("plan.iso"))
    try stage.world.run("a beginning") { stage.progress["plan.iso"] != nil }
    #expect(stage.descriptors(of: "plan.iso") == 1)
    ticket.cancel()
    try stage.world.run("the end") { stage.queue.known.filesRead == 1 }
    #expect(stage.descriptors(of: "plan.iso") == 0)
    #expect(stage.queue.known.bytesRead < 1 << 30)
    #expect(stage.outcomes.isEmpty, "nobody is answered")

    let worker = HashWorker()
    let path = try #require(RelativePath("plan.iso"))
    let outcome = stage.queue.known.hash(path, nil, in: stage.directory, StoppedReading(worker: worker))
    #expect(outcome == .cancelled && worker.bytes == 10 << 20)
  }

  @Test func whatPausesGoesOnAndWhatIsCancelledWhilePausedEnds() throws {
    let stage = try Stage()
    try stage.make("plan.iso", 1 << 30)
    try stage.make("plan.mov", 512 << 20)
    let first = try #require(try stage.ask("plan.iso"))
    try stage.world.run("a beginning") { stage.progress["plan.iso"] != nil }
    let second = try #require(try stage.ask("plan.mov"))
    try stage.world.run("the other's beginning") { stage.progress["plan.mov"] != nil }
    first.cancel()
    second.cancel()
    try stage.world.run("the end of both") { stage.queue.known.filesRead == 2 }
    #expect(stage.descriptors(of: "plan.iso") + stage.descriptors(of: "plan.mov") == 0)
  }

  @Test func severalWhoAskForOneFileShareAReadingAndALaterOneIsAnsweredFromMemory() throws {
    let stage = try Stage()
    try stage.make("plan.pdf", 64 << 20)
    stage.world.settle()
    for key in ["offer", "wait", "open"] { _ = try stage.ask("plan.pdf", as: key) }
    try stage.world.run("the answers", within: .seconds(30)) { stage.outcomes.count == 3 }
    #expect(stage.queue.known.filesRead == 1)
    #expect(try stage.ask("plan.pdf", as: "later") == nil)
    #expect(stage.outcomes.count == 4 && stage.queue.known.filesRead == 1)

    // What is handed over is read all the same.
    var document = try stage.document("plan.pdf")
    document.file = try stage.directory.open(document.path).descriptor
    var isRead = false
    _ = stage.queue.hash(document) { isRead = $0 == stage.outcomes["offer"] || !isRead }
    try stage.world.run("the reading", within: .seconds(30)) { isRead }
    #expect(stage.queue.known.filesRead == 2)

    let file = open("\(stage.folder)/plan.pdf", O_WRONLY)
    pwrite(file, "x", 1, 0)
    close(file)
    _ = try stage.ask("plan.pdf", as: "changed")
    try stage.world.run("the new bytes", within: .seconds(30)) { stage.outcomes["changed"] != nil }
    #expect(stage.queue.known.filesRead == 3)
    guard case .stable(let new, _, _) = stage.outcomes["changed"],
      case .stable(let old, _, _) = stage.outcomes["offer"]
    else {
      Issue.record("both are stable")
      return
    }
    #expect(new != old)
  }

  @Test func aThousandSmallFilesDoNotHoldUpTheLoop() throws {
    let stage = try Stage()
    for number in 0..<1000 { try stage.make("\(number).txt", 200_000) }
    let start = Instant.now
    for number in 0..<1000 { _ = try stage.ask("\(number).txt") }
    let asking = Instant.now - start
    let atOnce = stage.outcomes.count
    #expect(atOnce > 0 && atOnce < 1000, "some at once, the rest beside the loop")
    var turns: UInt64 = 0
    try stage.world.run("all", within: .seconds(60)) {
      turns += 1
      return stage.outcomes.count == 1000
    }
    print("1,000 files of 200 kB: asked in \(asking), \(atOnce) at once, the rest in \(turns) turns")
    #expect(turns > 1)
    #expect(stage.outcomes.values.allSatisfy { if case .stable = $0 { true } else { false } })
  }

  @Test func aFolderThatGoesAwayAnswersWhoWaitsAndStopsReading() throws {
    let stage = try Stage()
    try stage.make("plan.iso", 1 << 30)
    _ = try stage.ask("plan.iso")
    try stage.world.run("a beginning") { stage.progress["plan.iso"] != nil }
    var copies: [ConflictCopy]?
    let path = try #require(RelativePath("plan.iso"))
    let ticket = stage.queue.conflictCopies(of: path, in: stage.directory, awaitedSize: 1 << 30) {
      copies = $0
    }
    stage.queue.keep([])
    #expect(stage.outcomes["plan.iso"] == .unstable && copies == [])
    try stage.world.run("the end") { stage.queue.known.filesRead == 1 }
    #expect(stage.queue.known.bytesRead < 1 << 30 && stage.descriptors(of: "plan.iso") == 0)
    ticket.cancel()
  }

  @Test func aSearchThatIsCancelledReadsNoFurther() throws {
    let stage = try Stage()
    try stage.make("plan.iso", 1 << 30)
    try stage.make("plan.sync-conflict-20240101-120000-ABCDEFG.iso", 1 << 30)
    let path = try #require(RelativePath("plan.iso"))
    let worker = HashWorker()
    let folder = SearchedFolder(folder: stage.directory, control: worker, known: stage.queue.known)
    worker.stop()
    #expect(folder.conflictCopies(of: path, awaitedSize: 1 << 30).isEmpty)
    #expect(stage.queue.known.bytesRead == 0)
    var isAnswered = false
    let ticket = stage.queue.conflictCopies(of: path, in: stage.directory, awaitedSize: 1 << 30) { _ in
      isAnswered = true
    }
    ticket.cancel()
    stage.world.settle()
    #expect(!isAnswered && stage.queue.known.bytesRead < 1 << 30)
  }
}

/// Stops a reading after ten mebibytes.
private struct StoppedReading: ReadingControl {
  let worker: HashWorker

  func mayGoOn() -> Bool { worker.mayGoOn() }

  func report(_ bytes: UInt64) {
    worker.report(bytes)
    if bytes == 10 << 20 { worker.stop() }
  }
}
