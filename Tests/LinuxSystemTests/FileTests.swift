// SPDX-License-Identifier: MIT

import ActivityModel
import LinuxSystem
import TestSupport
import Testing

/// Paths, descriptors and what is told of files.
@Suite
struct FileTests {
  private static func path(_ scratch: Scratch, _ name: String) -> FilePath {
    FilePath(scratch.path).appending(Array(name.utf8))
  }

  @Test("a path is its bytes, whatever they spell")
  func names() {
    let path = FilePath(bytes: Array("/a/".utf8) + [0xff, 0x41])
    #expect(path.name == [0xff, 0x41])
    #expect(path.parent == FilePath("/a"))
    #expect(path.parent.parent == FilePath("/"))
    #expect(FilePath("/").appending([0x62]) == FilePath("/b"))
    #expect(FilePath("//a/./b").bytes == Array("//a/./b".utf8))
  }

  @Test("what is written over a file can be read back from any place")
  func writing() throws {
    let scratch = try Scratch("files")
    let file = try Self.path(scratch, "note").open([.readWrite, .create, .exclusive], mode: 0o600)
    for text in ["a longer text", "A"] { try file.overwrite(with: Array(text.utf8).span.bytes) }
    #expect(try file.readToEnd() == Array("A longer text".utf8))
    #expect(try file.readToEnd() == [])
    var piece = [UInt8](repeating: 0, count: 4)
    #expect(try file.read(into: &piece, at: 9) == 4)
    #expect(piece == Array("text".utf8))
    #expect(try file.status().size == 13)
    #expect(try file.status().kind == .regular)
    #expect(try file.status().permissions == 0o600)
  }

  @Test("a descriptor that is rewound reads from the first byte again, and a pipe cannot be")
  func rewinding() throws {
    let scratch = try Scratch("rewound")
    let file = try Self.path(scratch, "note").open([.readWrite, .create], mode: 0o600)
    try file.writeAll(Array("told twice".utf8))
    for _ in 0..<2 {
      try file.rewind()
      #expect(try file.readToEnd() == Array("told twice".utf8))
    }
    let pipe = try Pipe.make()
    #expect(throws: Errno.self) { try pipe.read.rewind() }
  }

  @Test("more than the limit shows", arguments: [12, 13, 14])
  func limit(_ limit: Int) throws {
    let scratch = try Scratch("files")
    let file = try Self.path(scratch, "note").open([.writeOnly, .create], mode: 0o600)
    try file.writeAll(Array("thirteen byte".utf8))
    let bytes = try Self.path(scratch, "note").open(.readOnly).readToEnd(limit: limit)
    #expect(bytes.count == min(13, limit + 1))
  }

  @Test("a symbolic link says what it was made with, and has times of its own")
  func symbolicLink() throws {
    let scratch = try Scratch("link")
    let link = Self.path(scratch, "link")
    try link.makeSymbolicLink(to: FilePath("nowhere"))
    #expect(link.linkTarget == FilePath("nowhere"))
    try link.setTimes(nanoseconds: 1_000_000_001)
    #expect(try link.status(followingLinks: false).stamp.modified == 1_000_000_001)
    #expect(throws: Errno.fileExists) { try link.makeSymbolicLink(to: FilePath("elsewhere")) }
  }

  @Test("attributes are listed, read, set and taken away")
  func attributes() throws {
    let scratch = try Scratch("attributes")
    let path = Self.path(scratch, "note")
    let file = try path.open([.readWrite, .create], mode: 0o600)
    let (kept, gone) = (Array("user.kept".utf8), Array("user.gone".utf8))
    // Longer than the room that is added to what was measured.
    let value = [UInt8](repeating: 0x61, count: 1000)
    do throws(Errno) { try file.setAttribute(kept, to: value) } catch {
      guard error == .notSupported || error == .noSpace else { throw error }
      return print("skipped: this file system has no attributes (\(error.text))")
    }
    try file.setAttribute(gone, to: [])
    let isUsers = { (name: [UInt8]) in name.starts(with: "user.".utf8) }
    #expect(try Set(path.attributeNames().filter(isUsers)) == [kept, gone])
    #expect(try path.attribute(kept) == value && path.attribute(gone) == [])
    try file.removeAttribute(gone)
    #expect(try file.attributeNames().filter(isUsers) == [kept])
    #expect(throws: Errno.self) { try path.attribute(gone) }
  }

  @Test("a file can be given to its owner, and says how many names it has")
  func ownerAndNames() throws {
    let scratch = try Scratch("owner")
    let path = Self.path(scratch, "note")
    let file = try path.open([.readWrite, .create], mode: 0o600)
    #expect(try file.status().linkCount == 1)
    try path.link(to: Self.path(scratch, "other"))
    #expect(try file.status().linkCount == 2)
    try file.setOwner(CurrentProcess.user, group: CurrentProcess.group)
    let status = try file.status()
    #expect(status.owner == CurrentProcess.user && status.group == CurrentProcess.group)
  }

  @Test("a rename keeps, replaces or exchanges what is there")
  func renaming() throws {
    let scratch = try Scratch("files")
    let (first, second) = (Self.path(scratch, "first"), Self.path(scratch, "second"))
    for path in [first, second] {
      try path.open([.writeOnly, .create], mode: 0o600).writeAll(path.name)
    }
    #expect(throws: Errno.fileExists) { try first.rename(to: second, mode: .keeping) }
    try first.rename(to: second, mode: .exchanging)
    #expect(try first.open(.readOnly).readToEnd() == Array("second".utf8))
    try first.rename(to: second)
    #expect(try FilePath(scratch.path).names() == [Array("second".utf8)])
  }

  @Test("a lock keeps others out until its last descriptor goes")
  func locks() throws {
    let scratch = try Scratch("files")
    let place = Self.path(scratch, "lock")
    var lock: Descriptor? = try place.open([.readWrite, .create], mode: 0o600)
    try lock?.lock(waiting: false)
    let other = try place.open(.readWrite)
    #expect(throws: Errno.wouldBlock) { try other.lock(waiting: false) }
    lock = nil
    try other.lock(waiting: false)
  }

  @Test("a number that was given away is not closed")
  func releasing() throws {
    var descriptor: Descriptor? = try FilePath("/dev/null").open(.readOnly)
    let number = try #require(descriptor?.release())
    descriptor = nil
    let borrowed = BorrowedDescriptor(number)
    #expect(throws: Never.self) { try borrowed.status() }
    borrowed.close()
    #expect(throws: Errno.self) { try borrowed.status() }
  }

  @Test("a path is resolved as far as its folder goes")
  func resolving() throws {
    let scratch = try Scratch("files")
    let folder = Self.path(scratch, "folder")
    folder.appending([0x61]).makeFolders(mode: 0o700)
    #expect(folder.appending([0x61]).isFolder)
    let real = try FilePath(scratch.path).realPath()
    #expect(Self.path(scratch, "absent").resolved == real.appending(Array("absent".utf8)))
    #expect(Self.path(scratch, "absent/deeper").resolved == nil)
  }

  @Test("failures say what to do, or what the system says")
  func sentences() {
    #expect(Errno.noSpace.clause == "the disk is full; free some space")
    #expect(Errno.noSpace.documentClause == "the disk is full; free some space and try again")
    #expect(Errno.brokenPipe.clause == "Broken pipe")
    #expect(throws: Errno.noSuchFile) { try FilePath("/nowhere/at/all").open(.readOnly) }
  }
}
