// SPDX-License-Identifier: MIT

import ConflictVersions
import Glibc
import LinuxSystem
import TestSupport
import Testing

/// New files and names, never onto something.
@Suite("Free names") struct FreeNameTests {
  private let scratch: Scratch
  private var folder: FilePath { FilePath(scratch.path) }
  private var document: FilePath { folder.appending(Array("plan.md".utf8)) }
  private let names = ["plan (copy).md", "plan (copy) 2.md"].map { Array($0.utf8) }

  init() throws {
    scratch = try Scratch("names", inMemory: true)
    try Scratch.write("mine", to: scratch.path + "/plan.md")
  }

  private func create(_ bytes: [UInt8]) throws -> FilePath? {
    try FreeName.create(with: bytes, like: document, in: folder, firstFreeOf: names)
  }

  @Test("a new file gets the first free name, with the document's mode, and takes nobody's place")
  func creating() throws {
    try document.setPermissions(0o640)
    for name in names {
      let made = try #require(try create(Array("theirs".utf8)))
      #expect(made == folder.appending(name))
      #expect(try made.status().permissions == 0o640)
      #expect(try made.open(.readOnly).readToEnd() == Array("theirs".utf8))
    }
    #expect(try create([]) == nil)
    #expect(Scratch.names(in: scratch.path).count == 3)
  }

  @Test("on a full disk, and in a folder that is gone, nothing is left")
  func failures() throws {
    guard mount("tmpfs", scratch.path, "tmpfs", 0, "size=64k") == 0 else {
      return print("skipped: mounting is refused here")
    }
    defer { umount2(scratch.path, CInt(MNT_DETACH)) }
    try Scratch.write("mine", to: scratch.path + "/plan.md")
    let error = #expect(throws: Errno.self) { try create([UInt8](repeating: 1, count: 1 << 20)) }
    #expect(error == .noSpace && Scratch.names(in: scratch.path) == ["plan.md"])
    #expect(throws: Errno.self) {
      try FreeName.create(
        with: [], like: document, in: folder.appending(Array("gone".utf8)), firstFreeOf: names)
    }
  }
}
