// SPDX-License-Identifier: MIT

import ActivityModel
import Glibc
import SyncedFolders
import TestSupport
import Testing

@testable import FolderAccess
@testable import LinuxSystem

extension OwnDirectory {
  fileprivate func names() throws -> [[UInt8]] {
    var names: [[UInt8]] = []
    #expect(try scan(limit: .max) { name, _ in names.append(name) })
    return names
  }
}

@Suite struct OwnDirectoryTests {
  @Test("every name is looked at, none is followed, and a limit is told")
  func scanning() throws {
    let scratch = try Scratch()
    let path = "\(scratch.path)/state"
    let directory = try OwnDirectory.privateDirectory(path)
    for number in 0..<5000 { close(open("\(path)/\(number)", O_CREAT | O_WRONLY, 0o600)) }
    #expect(mkdir("\(path)/folder", 0o700) == 0 && mkfifo("\(path)/pipe", 0o600) == 0)
    #expect(symlink("/etc/passwd", "\(path)/link") == 0)
    try directory.replace("file", with: [1, 2, 3])
    #expect(directory.makeEmpty(Array("being-written~".utf8)))
    var seen: [String: FileObservation] = [:]
    #expect(try directory.scan(limit: .max) { seen[String(decoding: $0, as: UTF8.self)] = $1 })
    #expect(seen.count == 5004 && seen["folder"] == .other(.folder) && seen["pipe"] == .other(.pipe))
    #expect(seen["link"] == .other(.symbolicLink))
    guard case .file(let stamp)? = seen["file"] else { throw CancellationError() }
    #expect(stamp.size == 3)
    var count = 0
    #expect(try !directory.scan(limit: 100) { _, _ in count += 1 } && count <= 100)
  }

  @Test("a file is replaced whole, with exactly its mode, and nothing is left over")
  func replacing() throws {
    let scratch = try Scratch()
    let directory = try OwnDirectory.privateDirectory("\(scratch.path)/state/deep")
    try directory.replace("counter", with: Array("one".utf8))
    try directory.replace("counter", with: Array("two".utf8), mode: 0o640)
    #expect(try directory.read("counter", limit: 3) == Array("two".utf8))
    #expect(try directory.names() == [Array("counter".utf8)])
    #expect(try directory.read("gone", limit: 3) == nil)
    var status = stat()
    #expect(stat("\(scratch.path)/state/deep/counter", &status) == 0 && status.st_mode & 0o777 == 0o640)
    #expect(stat("\(scratch.path)/state", &status) == 0 && status.st_mode & 0o777 == 0o700)
    try directory.remove("counter")
    try directory.remove("counter")
    #expect(try directory.names().isEmpty)
  }

  @Test(
    "wherever the process dies, the name leads to the old bytes or the new",
    arguments: DurableFile.Step.allCases, [true, false])
  func crashing(after step: DurableFile.Step, mayBeNameless: Bool) throws {
    let scratch = try Scratch()
    let directory = try OwnDirectory.privateDirectory("\(scratch.path)/state")
    try directory.replace("counter", with: Array("old".utf8))
    var file = DurableFile(in: try directory.open(), name: Array("counter".utf8))
    file.mayBeNameless = mayBeNameless
    try file.replace(with: Array("newer".utf8), mode: 0o600, dyingAfter: step)
    let isNew = step >= .rename
    #expect(scratch.text("state/counter") == (isNew ? "newer" : "old"))
    #expect(try directory.names().count == 1)
    #expect(directory.removeLeftovers(olderThan: .seconds(3600)) == 0)
    // Without a name there is nothing to leave.
    let hasName = step == .link || !(mayBeNameless && Self.knowsNamelessFiles(scratch.path)) && !isNew
    #expect(directory.removeLeftovers() == (hasName ? 1 : 0))
    #expect(scratch.text("state/counter") == (isNew ? "newer" : "old"))
  }

  private static func knowsNamelessFiles(_ path: String) -> Bool {
    let file = open(path, O_WRONLY | 0o20_000_000 | O_DIRECTORY, 0o600)
    if file >= 0 { close(file) }
    return file >= 0
  }

  @Test("a record has no name before all of it is on the disk", arguments: [true, false])
  func namesMeanwhile(mayBeNameless: Bool) throws {
    let scratch = try Scratch()
    guard Self.knowsNamelessFiles(scratch.path) else {
      return print("skipped: this file system knows no nameless files")
    }
    for last in DurableFile.Step.allCases {
      let directory = try OwnDirectory.privateDirectory("\(scratch.path)/after \(last)")
      let place = try directory.open()
      var file = DurableFile(in: place, name: Array("d-x.rec".utf8))
      file.mayBeNameless = mayBeNameless
      try file.replace(with: [7], mode: 0o644, dyingAfter: last)
      let names = try FolderListing.read(place, limit: .max).entries.map(\.name)
      // No call puts a nameless file in another's place, so between two calls it has a temporary name.
      let isNamed = last < .rename && (!mayBeNameless || last == .link)
      #expect(names.contains { DurableFile.isTemporaryName($0) } == isNamed, "after \(last)")
    }
  }

  @Test("a link under the name is replaced, and what it led to is untouched")
  func links() throws {
    let scratch = try Scratch()
    let directory = try OwnDirectory.privateDirectory("\(scratch.path)/state")
    try scratch.write("victim", "precious")
    try scratch.link("state/soft", to: "../victim")
    #expect(link("\(scratch.path)/victim", "\(scratch.path)/state/hard") == 0)
    #expect(throws: ContinuityError.self) { try directory.read("soft", limit: 100) }
    try directory.replace("soft", with: [1])
    try directory.replace("hard", with: [1])
    #expect(scratch.text("victim") == "precious")
    #expect(try directory.read("soft", limit: 1) == [1])
  }

  @Test("a full disk leaves the old file and no half one, and says so")
  func fullDisk() throws {
    let scratch = try Scratch()
    try scratch.folder("small")
    let place = "\(scratch.path)/small"
    guard mount("tmpfs", place, "tmpfs", 0, "size=64k,mode=0700") == 0 else {
      return print("skipped: mounting a 64 KiB tmpfs is refused here (errno \(errno))")
    }
    defer {
      umount2(place, CInt(MNT_DETACH))
      withExtendedLifetime(scratch) {}
    }
    let directory = try OwnDirectory.privateDirectory(place)
    try directory.replace("record", with: [UInt8](repeating: 1, count: 20_000))
    let error = try #require(throws: ContinuityError.self) {
      try directory.replace("record", with: [UInt8](repeating: 2, count: 60_000))
    }
    #expect(error.description.contains("free some space"), "\(error)")
    #expect(try directory.read("record", limit: 100_000) == [UInt8](repeating: 1, count: 20_000))
    #expect(directory.removeLeftovers() == 0)
  }

  @Test("a read-only folder is told as such, and receiving goes on")
  func readOnly() throws {
    let scratch = try Scratch()
    let place = "\(scratch.path)/synced"
    guard mount("tmpfs", place, "tmpfs", 0, "mode=0700") == 0 else {
      return print("skipped: mounting a tmpfs is refused here (errno \(errno))")
    }
    defer {
      umount2(place, CInt(MNT_DETACH))
      withExtendedLifetime(scratch) {}
    }
    let directory = try scratch.directory()
    let records = try #require(try OwnDirectory.records(in: directory, creating: true))
    try records.replace("d-x.rec", with: [7], mode: 0o644)
    #expect(mount("tmpfs", place, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), nil) == 0)
    let error = try #require(throws: ContinuityError.self) { try records.replace("d-x.rec", with: [8]) }
    #expect(error.description.contains("read-only"), "\(error)")
    #expect(try records.read("d-x.rec", limit: 10) == [7])
  }

  @Test("records are not created where none are wanted, nor behind a link")
  func records() throws {
    let scratch = try Scratch()
    let directory = try scratch.directory()
    #expect(try OwnDirectory.records(in: directory, creating: false) == nil)
    #expect(try OwnDirectory.records(in: directory, creating: true) != nil)
    #expect(try OwnDirectory.records(in: directory, creating: true) != nil)
    #expect(rmdir("\(scratch.path)/synced/.continuo") == 0)
    try scratch.folder("outside")
    try scratch.link("synced/.continuo", to: "../outside")
    #expect(throws: ContinuityError.self) { try OwnDirectory.records(in: directory, creating: true) }
  }

  @Test("a private directory that others may enter, or a file too long, is refused")
  func refusals() throws {
    let scratch = try Scratch()
    try scratch.folder("open")
    let error = try #require(throws: ContinuityError.self) {
      try OwnDirectory.privateDirectory("\(scratch.path)/open")
    }
    #expect(error.description.contains("chmod 700"), "\(error)")
    #expect(throws: ContinuityError.self) { try OwnDirectory.privateDirectory("relative") }
    let directory = try OwnDirectory.privateDirectory("\(scratch.path)/state")
    try scratch.write("state/long", "12345")
    let tooLong = try #require(throws: ContinuityError.self) { try directory.read("long", limit: 4) }
    #expect(tooLong.code == .invalidBytes)
    #expect(throws: ContinuityError.self) { try directory.replace("../escape", with: []) }
    #expect(mkfifo("\(scratch.path)/state/pipe", 0o600) == 0)
    #expect(throws: ContinuityError.self) { try directory.read("pipe", limit: 4) }
  }
  @Test("a document is received where there is room for it, and some is left")
  func room() throws {
    let scratch = try Scratch()
    let directory = try OwnDirectory.privateDirectory("\(scratch.path)/state")
    let free = try #require(try directory.open().freeSpace)
    _ = try directory.receive(1)
    for size in [free, UInt64.max] {
      let error = try #require(throws: ContinuityError.self) { _ = try directory.receive(size) }
      #expect(error.code == .folderUnavailable)
      #expect(error.description.contains("no room for two copies of \(size) bytes"))
    }
  }
}
