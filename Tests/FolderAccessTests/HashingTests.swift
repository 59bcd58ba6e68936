// SPDX-License-Identifier: MIT

import ActivityModel
import Glibc
import LinuxSystem
import SyncedFolders
import TestSupport
import Testing

@testable import FolderAccess

@Suite struct HashingTests {
  @Test("a quiet file hashes to its bytes, and its position stays where it was")
  func quietFile() throws {
    let scratch = try Scratch()
    try scratch.write("synced/plan.md", "abc")
    let document = try scratch.directory().open(relative("plan.md"))
    lseek(document.descriptor.number, 2, SEEK_SET)
    guard case .stable(let digest, let stamp, _) = try scratch.directory().hash(document) else {
      Issue.record("a quiet file is stable")
      return
    }
    #expect(digest.description == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(stamp == document.stamp)
    #expect(lseek(document.descriptor.number, 0, SEEK_CUR) == 2)
  }

  @Test("where stamps are exact, each change after a look gives another stamp, however soon it comes")
  func exactStamps() throws {
    let scratch = try Scratch()
    try scratch.write("synced/plan.md", "abc")
    let directory = try scratch.directory()
    guard directory.stampTrust == .always else { return print("skipped: this kernel stamps by its ticks") }
    let path = "\(scratch.path)/synced/plan.md"
    for _ in 0..<1000 {
      let before = directory.observe(try relative("plan.md"))
      Self.poke(path)
      #expect(directory.observe(try relative("plan.md")) != before)
    }
  }

  @Test("a file that is written, cut, or lengthened while it is read is unstable")
  func writtenMeanwhile() throws {
    let scratch = try Scratch()
    let path = "\(scratch.path)/synced/plan.md"
    let changes: [(String, () -> Void)] = [
      ("written", { Self.poke(path) }), ("cut", { truncate(path, 1000) }),
      ("lengthened", { truncate(path, 9_000_000) }),
    ]
    for (name, change) in changes {
      try scratch.write("synced/plan.md", "")
      #expect(truncate(path, 2_000_000) == 0)
      var isDone = false
      let outcome = try scratch.directory().hash(
        relative("plan.md"),
        progress: { _ in
          guard !isDone else { return }
          isDone = true
          change()
        })
      #expect(isDone)
      #expect(outcome == .unstable, "\(name)")
    }
  }

  @Test("a file that is replaced or removed while it is read is unstable")
  func replacedMeanwhile() throws {
    let scratch = try Scratch()
    let path = "\(scratch.path)/synced/plan.md"
    let directory = try scratch.directory()
    for isRemoved in [true, false] {
      try scratch.write("synced/plan.md", "alpha")
      try scratch.write("synced/next", "alpha")
      let outcome = directory.hash(
        try relative("plan.md"),
        progress: { _ in
          _ = isRemoved ? unlink(path) : rename("\(scratch.path)/synced/next", path)
        })
      #expect(outcome == .unstable)
    }
    unlink(path)
    #expect(directory.hash(try relative("plan.md")) == .unstable)
  }

  @Test(
    "a file whose folder is moved away while it is read is unstable, though the file itself is not touched")
  func movedMeanwhile() throws {
    let scratch = try Scratch()
    try scratch.folder("synced/notes")
    try scratch.write("synced/notes/plan.md", "alpha")
    let outcome = try scratch.directory().hash(
      relative("notes/plan.md"),
      progress: { _ in
        _ = rename("\(scratch.path)/synced/notes", "\(scratch.path)/synced/other")
      })
    #expect(outcome == .unstable)
  }

  @Test("a descriptor alone, without a path, is unstable when its file is written meanwhile")
  func descriptorAlone() throws {
    let scratch = try Scratch()
    try scratch.write("synced/plan.md", "alpha")
    let document = try scratch.directory().open(relative("plan.md"))
    let outcome = ContentHasher.hash(
      document.descriptor, progress: { _ in Self.poke("\(scratch.path)/synced/plan.md") })
    #expect(outcome == .unstable)
  }

  @Test("hashing a big file can be stopped between two pieces, and tells its progress")
  func cancelling() throws {
    let scratch = try Scratch()
    try scratch.write("synced/plan.md", "")
    #expect(truncate("\(scratch.path)/synced/plan.md", 4 << 20) == 0)
    var asked = 0
    var read: UInt64 = 0
    let outcome = try scratch.directory().hash(relative("plan.md")) {
      asked += 1
      return asked > 3
    } progress: {
      read = $0
    }
    #expect(outcome == .cancelled)
    #expect(read == UInt64(3 * ContentHasher.pieceSize))
  }

  @Test("a file that was just changed is told from one that lay still")
  func quietTime() throws {
    let scratch = try Scratch()
    try scratch.write("synced/plan.md", "alpha")
    guard case .stable(_, _, let quiet) = try scratch.directory().hash(relative("plan.md")) else {
      Issue.record("a quiet file is stable")
      return
    }
    #expect(quiet < .seconds(5))
    let old = try SyncedDirectory(path: Array("/".utf8))
    guard geteuid() == 0, case .stable(_, _, let age) = old.hash(try relative("etc/debian_version")) else {
      return print("skipped: no old file of this user at hand")
    }
    #expect(age > .seconds(1))
  }

  private static func poke(_ path: String) {
    let file = Glibc.open(path, O_WRONLY)
    pwrite(file, "x", 1, 0)
    close(file)
  }
}
