// SPDX-License-Identifier: MIT

import ActivityModel
import SyncedFolders
import Testing

/// What needs answers that come late, which the scripts' folder never gives.
@Suite struct ArrivalMachineTests {
  private let new = ArrivalScript.digest("new")
  private let now = Instant(nanoseconds: 1_000_000_000_000)
  private let plan: RelativePath
  private let other: RelativePath

  init() throws {
    plan = try #require(RelativePath("notes/plan.md"))
    other = try #require(RelativePath("notes/other.md"))
  }

  private func reference(_ digest: ContentDigest, at path: String = "notes/plan.md") throws
    -> DocumentReference
  {
    DocumentReference(
      folder: try #require(FolderID(bytes: [UInt8](repeating: 7, count: 16))),
      path: try #require(RelativePath(path)), version: DocumentVersion(digest: digest, size: 12))
  }

  private func stamp(_ changed: Int64, size: UInt64 = 12) -> FileStamp {
    FileStamp(device: 1, inode: 1, size: size, modified: changed, changed: changed)
  }

  private func read(_ digest: ContentDigest, _ stamp: FileStamp, quiet: Duration = .seconds(60))
    -> ArrivalMachine.Event
  { .hashed(.stable(digest, stamp, quiet: quiet)) }

  /// A machine that has just been told to hash a file.
  private func hashing() throws -> ArrivalMachine {
    var machine = ArrivalMachine(reference: try reference(new), deviceName: "desktop")
    #expect(machine.handle(.folder(.here(name: "Notes")), at: now) == [.observe(plan)])
    #expect(machine.handle(.observed(.file(stamp(1))), at: now) == [.hash(plan, stamp(1))])
    return machine
  }

  @Test("a file that was hinted at while it was read is looked at again before anything is concluded")
  func s47a_hintWhileHashing() throws {
    var machine = try hashing()
    #expect(machine.handle(.hint, at: now).isEmpty)
    #expect(machine.handle(read(new, stamp(1)), at: now) == [.observe(plan)])
    #expect(machine.status == nil)
    #expect(machine.handle(.observed(.file(stamp(2))), at: now) == [.hash(plan, stamp(2))])
    #expect(machine.status == nil)
  }

  @Test("the same file is not read twice, unless its stamp may be too coarse to tell")
  func rereading() throws {
    for (quiet, isReadAgain) in [(Duration.seconds(60), false), (.milliseconds(3), true)] {
      var machine = try hashing()
      _ = machine.handle(read(new, stamp(1), quiet: quiet), at: now)
      #expect(machine.status?.arrival == .current)
      #expect(machine.handle(.hint, at: now) == [.observe(plan)])
      let actions = machine.handle(.observed(.file(stamp(1))), at: now)
      #expect(actions == (isReadAgain ? [.hash(plan, stamp(1))] : []))
    }
  }

  @Test("an answer about another path, or about a folder that was away meanwhile, is worth nothing")
  func outdatedAnswers() throws {
    var moved = try hashing()
    #expect(moved.handle(.reference(try reference(new, at: "notes/other.md")), at: now) == [.cancel])
    #expect(moved.handle(read(new, stamp(1)), at: now) == [.observe(other)])
    #expect(moved.status == nil)

    var elsewhere = ArrivalMachine(reference: try reference(new), deviceName: "desktop")
    _ = elsewhere.handle(.folder(.here(name: "Notes")), at: now)
    _ = elsewhere.handle(.reference(try reference(new, at: "notes/other.md")), at: now)
    #expect(elsewhere.handle(.observed(.absent), at: now) == [.observe(other)])
    #expect(elsewhere.status == nil)

    var away = try hashing()
    _ = away.handle(.folder(.away(name: "Notes")), at: now)
    #expect(away.handle(.folder(.here(name: "Notes")), at: now).isEmpty)
    #expect(away.handle(.reading(4), at: now).isEmpty)
    #expect(away.handle(read(new, stamp(1)), at: now) == [.observe(plan)])
    #expect(away.status?.arrival == .folderUnknown)
  }

  @Test("an answer that nobody asked for changes nothing")
  func strayAnswers() throws {
    var machine = ArrivalMachine(reference: try reference(new), deviceName: "desktop")
    #expect(machine.handle(read(new, stamp(1)), at: now).isEmpty)
    #expect(machine.handle(.observed(.absent), at: now).isEmpty)
    #expect(machine.handle(.siblings([]), at: now).isEmpty)
    #expect(machine.status == nil)
  }

  @Test("equal sizes and silence never make a file arrive")
  func s47a_wrongBytes() throws {
    var machine = try hashing()
    _ = machine.handle(read(ArrivalScript.digest("wrong"), stamp(1)), at: now)
    #expect(machine.status?.arrival == .diverged)
    for minute in 1...60 {
      let later = now + .seconds(60 * minute)
      var actions = machine.handle(.hint, at: later)
      if actions.contains(.observe(plan)) { actions += machine.handle(.observed(.file(stamp(1))), at: later) }
      #expect(!actions.contains { if case .hash = $0 { true } else { false } })
    }
    #expect(machine.status?.arrival == .diverged)
  }

  @Test("nobody waiting, no timer: an hour of silence wakes nobody")
  func idle() throws {
    var machine = try hashing()
    _ = machine.handle(read(ArrivalScript.digest("wrong"), stamp(1)), at: now)
    #expect(machine.handle(.timer, at: now + .seconds(3600)).isEmpty)
    #expect(machine.handle(.accepted(.seconds(90)), at: now).contains(.wake(at: now + .seconds(30))))
    #expect(machine.waitingSince == now)
    _ = machine.handle(.observed(.file(stamp(1))), at: now)
    #expect(machine.handle(.ended, at: now) == [.wake(at: nil)])
  }
}
