// SPDX-License-Identifier: MIT

import ActivityModel
import Glibc
import LinuxSystem
import SyncedFolders
import TestSupport
import Testing

@testable import FolderAccess

/// Files that end, block or fail otherwise than files do.
@Suite struct HostileFileTests {
  @Test("a disk that gives an error gives a reason, and no digest")
  func inputOutputError() throws {
    // The first page of a process is never mapped: reading it is a real EIO.
    let processes = try SyncedDirectory(path: Array("/proc/self".utf8))
    let outcome = processes.hash(try relative("mem"))
    guard case .failed(let why) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(why == Errno.inputOutput.clause)
  }

  @Test("a file that says it is empty and is not is unstable, and read no further than one piece")
  func processFiles() throws {
    let processes = try SyncedDirectory(path: Array("/proc/self".utf8))
    var read: UInt64 = 0
    let outcome = processes.hash(try relative("status"), progress: { read = max(read, $0) })
    #expect(outcome == .unstable)
    #expect(read == 0)
  }

  @Test(
    "a pipe or a device that takes the file's place while it is read makes it unstable, and blocks nothing")
  func pipeMeanwhile() throws {
    let scratch = try Scratch()
    let path = "\(scratch.path)/synced/plan.md"
    for isRemoved in [true, false] {
      unlink(path)
      try scratch.write("synced/plan.md", "alpha")
      mkfifo("\(scratch.path)/synced/pipe", 0o644)
      let outcome = try scratch.directory().hash(
        relative("plan.md"),
        progress: { _ in
          if isRemoved { unlink(path) }
          rename("\(scratch.path)/synced/pipe", path)
        })
      #expect(outcome == .unstable)
      #expect(try scratch.directory().hash(relative("plan.md")) == .failed("it is a named pipe, not a file"))
    }
  }

  @Test("permission that is lost while a file is read does not end the reading in a claim")
  func permissionLost() throws {
    let scratch = try Scratch()
    try scratch.write("synced/plan.md", "alpha")
    let path = "\(scratch.path)/synced/plan.md"
    let outcome = try scratch.directory().hash(relative("plan.md"), progress: { _ in chmod(path, 0) })
    #expect(outcome == .unstable, "the inode changed")
    guard geteuid() != 0 else { return print("root may read it all the same: the second half is left out") }
    guard case .failed = try scratch.directory().hash(relative("plan.md")) else {
      Issue.record("what may not be read has no digest")
      return
    }
  }

  @Test("a large file that is written while it is read is not read to its end")
  func earlyEnd() throws {
    let scratch = try Scratch()
    try scratch.write("synced/plan.iso", "")
    let path = "\(scratch.path)/synced/plan.iso"
    #expect(truncate(path, 1 << 30) == 0)
    var read: UInt64 = 0
    let outcome = try scratch.directory().hash(
      relative("plan.iso"),
      progress: { bytes in
        read = bytes
        guard bytes == UInt64(4 * ContentHasher.pieceSize) else { return }
        let file = Glibc.open(path, O_WRONLY)
        pwrite(file, "x", 1, 5)
        close(file)
      })
    #expect(outcome == .unstable)
    #expect(read == UInt64(4 * ContentHasher.pieceSize))
  }

  @Test("of a file that is as long as it will be, only what was written counts")
  func presized() throws {
    let scratch = try Scratch()
    try scratch.folder("synced/notes")
    let path = "\(scratch.path)/synced/notes/.syncthing.plan.iso.tmp"
    try scratch.write("synced/notes/.syncthing.plan.iso.tmp", "")
    #expect(truncate(path, 50 << 20) == 0)
    let directory = try scratch.directory()
    let before = try #require(directory.partialSize(of: try relative("notes/plan.iso")))
    #expect(before < 1 << 20)
    let file = Glibc.open(path, O_WRONLY)
    let piece = [UInt8](repeating: 7, count: 8 << 20)
    #expect(pwrite(file, piece, piece.count, 4 << 20) == piece.count)
    fsync(file)
    close(file)
    let after = try #require(directory.partialSize(of: try relative("notes/plan.iso")))
    #expect(after >= 8 << 20 && after < 9 << 20)
  }
}
