// SPDX-License-Identifier: MIT

import ActivityModel
import Glibc
import LinuxSystem
import SyncedFolders
import Synchronization
import TestSupport
import Testing

@testable import FolderAccess

@Suite(.serialized) struct SyncedDirectoryTests {
  static let ways: [Beneath.Way] = [.kernel, .walk]

  @Test("a document is opened and observed alike", arguments: ways)
  func opening(way: Beneath.Way) throws {
    let scratch = try Scratch()
    try scratch.folder("synced/notes")
    try scratch.write("synced/notes/plan.md", "alpha")
    let directory = try scratch.directory(way)
    let document = try directory.open(relative("notes/plan.md"))
    #expect(text(of: document) == "alpha")
    #expect(directory.observe(try relative("notes/plan.md")) == .file(document.stamp))
    #expect(document.stamp.size == 5 && document.stamp.linkCount == 1)
    #expect(directory.observe(try relative("notes/other.md")) == .absent)
    #expect(directory.observe(try relative("gone/other.md")) == .absent)
    #expect(directory.observe(try relative("notes")) == .other(.folder))
    #expect(throws: ContinuityError.self) { try directory.open(relative("notes")) }
  }

  @Test("a symbolic link is not followed: file, folder, absolute, chained, and inside", arguments: ways)
  func symbolicLinks(way: Beneath.Way) throws {
    let scratch = try Scratch()
    try scratch.folder("outside")
    try scratch.folder("synced/real")
    try scratch.write("outside/secret", "secret")
    try scratch.write("synced/real/plan.md", "alpha")
    try scratch.link("synced/file", to: "../outside/secret")
    try scratch.link("synced/absolute", to: "\(scratch.path)/outside/secret")
    try scratch.link("synced/folder", to: "../outside")
    try scratch.link("synced/chained", to: "folder/secret")
    try scratch.link("synced/inside", to: "real")
    let directory = try scratch.directory(way)
    for name in ["file", "absolute", "chained"] {
      #expect(directory.observe(try relative(name)) == .other(.symbolicLink), "\(name)")
    }
    for name in ["file", "absolute", "chained", "folder/secret", "inside/plan.md"] {
      let error = try #require(throws: ContinuityError.self) { try directory.open(relative(name)) }
      #expect(error.code == .documentUnreadable, "\(name): \(error)")
      #expect(error.description.contains("symbolic link"), "\(name): \(error)")
    }
    for name in ["folder/secret", "inside/plan.md"] {
      guard case .unreadable(let why) = directory.observe(try relative(name)) else {
        Issue.record("\(name) was observed through a link")
        continue
      }
      #expect(why.contains("symbolic link"), "\(name): \(why)")
    }
  }

  @Test("a pipe or socket in place of a file is refused at once", arguments: ways)
  func pipes(way: Beneath.Way) throws {
    let scratch = try Scratch()
    #expect(mkfifo("\(scratch.path)/synced/pipe", 0o600) == 0)
    let directory = try scratch.directory(way)
    let clock = ContinuousClock()
    let spent = try clock.measure {
      #expect(directory.observe(try relative("pipe")) == .other(.pipe))
      let error = try #require(throws: ContinuityError.self) { try directory.open(relative("pipe")) }
      #expect(error.description.contains("a named pipe"), "\(error)")
    }
    #expect(spent < .seconds(1))
  }

  @Test("a hard link shows in the stamp, and another user's file is refused")
  func ownership() throws {
    let scratch = try Scratch()
    try scratch.write("synced/plan.md", "alpha")
    #expect(link("\(scratch.path)/synced/plan.md", "\(scratch.path)/twin") == 0)
    let directory = try scratch.directory()
    #expect(try directory.open(relative("plan.md")).stamp.linkCount == 2)
    guard geteuid() == 0 else { return print("skipped: giving a file away needs root") }
    #expect(chown("\(scratch.path)/synced/plan.md", 12345, 12345) == 0)
    #expect(directory.observe(try relative("plan.md")) == .unreadable("it belongs to another user"))
    #expect(throws: ContinuityError.self) { try directory.open(relative("plan.md")) }
  }

  @Test("the folder is not in place when its path leads elsewhere")
  func place() throws {
    let scratch = try Scratch()
    try scratch.write("synced/plan.md", "alpha")
    let directory = try scratch.directory()
    #expect(directory.isInPlace)
    #expect(rename("\(scratch.path)/synced", "\(scratch.path)/moved") == 0)
    #expect(!directory.isInPlace)
    guard case .unreadable(let why) = directory.observe(try relative("plan.md")) else {
      Issue.record("a folder that is away says nothing about its documents")
      return
    }
    #expect(why.contains("bring it back"))
    try scratch.folder("synced")
    try scratch.write("synced/plan.md", "another folder's")
    #expect(!directory.isInPlace)
    guard case .unreadable = directory.observe(try relative("plan.md")) else {
      Issue.record("another folder at the path is taken for this one")
      return
    }
    #expect(throws: ContinuityError.self) { try directory.open(relative("plan.md")) }
    #expect(throws: ContinuityError.self) { try directory.list(nil) }
    #expect(rename("\(scratch.path)/synced", "\(scratch.path)/other") == 0)
    #expect(rename("\(scratch.path)/moved", "\(scratch.path)/synced") == 0)
    #expect(directory.isInPlace)
    #expect(try text(of: directory.open(relative("plan.md"))) == "alpha")
  }

  @Test("a folder that was deleted and made again is another one, also with the same inode number")
  func madeAgain() throws {
    let scratch = try Scratch()
    var reused = 0
    for _ in 0..<50 {
      let directory = try scratch.directory()
      let records = try #require(try OwnDirectory.records(in: directory, creating: true))
      let before = inode("\(scratch.path)/synced")
      #expect(rmdir("\(scratch.path)/synced/.continuo") == 0 && rmdir("\(scratch.path)/synced") == 0)
      try scratch.folder("synced")
      try scratch.folder("synced/.continuo")
      if inode("\(scratch.path)/synced") == before { reused += 1 }
      #expect(!directory.isInPlace && !records.isInPlace)
      #expect(throws: ContinuityError.self) { try records.replace("d-x.rec", with: [1]) }
    }
    print("inode numbers that were given out again: \(reused) of 50")
  }

  private func inode(_ path: String) -> UInt64 {
    var status = stat()
    return stat(path, &status) == 0 ? UInt64(status.st_ino) : 0
  }

  @Test("nothing is touched while the file system does not answer")
  func mayNotTouch() throws {
    let scratch = try Scratch()
    try scratch.write("synced/plan.md", "alpha")
    let asked = Mutex((count: 0, answer: true))
    let directory = try SyncedDirectory(path: Array("\(scratch.path)/synced".utf8)) {
      asked.withLock {
        $0.count += 1
        return $0.answer
      }
    }
    let records = try #require(try OwnDirectory.records(in: directory, creating: true))
    asked.withLock { $0.answer = false }
    #expect(!directory.isInPlace && !records.isInPlace)
    let before = asked.withLock { $0.count }
    guard case .unreadable(let why) = directory.observe(try relative("plan.md")) else {
      Issue.record("it was touched")
      return
    }
    #expect(why.contains("does not answer"))
    #expect(throws: ContinuityError.self) { try records.replace("d-x.rec", with: [1]) }
    #expect(asked.withLock { $0.count } == before + 2)
  }

  @Test("a folder is listed with kinds, up to a limit; conflict copies and partial files are found")
  func listing() throws {
    let scratch = try Scratch()
    let copy = "plan.sync-conflict-20260102-030405-ABCDEF7.md"
    try scratch.folder("synced/notes")
    try scratch.write("synced/notes/plan.md", "mine")
    try scratch.write("synced/notes/\(copy)", "theirs")
    try scratch.write("synced/notes/.syncthing.plan.md.tmp", "the")
    try scratch.link("synced/notes/link", to: "plan.md")
    let directory = try scratch.directory()
    let listing = try directory.list(relative("notes"))
    #expect(listing.isComplete && listing.entries.count == 4)
    #expect(listing.entries.first { $0.name == Array("link".utf8) }?.kind == .symbolicLink)
    #expect(try !directory.list(relative("notes"), limit: 2).isComplete)
    let copies = directory.conflictCopies(of: try relative("notes/plan.md"), awaitedSize: 6)
    #expect(
      copies == [ConflictCopy(name: Array(copy.utf8), digest: ContentHasher.digest(of: Array("theirs".utf8)))]
    )
    #expect(directory.partialSize(of: try relative("notes/plan.md")) == 3)
    #expect(throws: ContinuityError.self) { try directory.list(relative("gone")) }
  }
}
