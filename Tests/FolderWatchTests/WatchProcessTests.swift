// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import Foundation
import Glibc
import TestSupport
import Testing

@Suite("The watch process on a real folder", .waiting, .serialized)
struct WatchProcessTests {
  let folder: TemporaryFolder
  let process: WatchProcess
  let root = RootNumber(rawValue: 0)

  init() throws {
    folder = try TemporaryFolder()
    process = try WatchProcess()
  }

  private func changes(_ hints: [FolderHint], _ kind: FolderHint.Change) -> Set<[[UInt8]]> {
    Set(
      hints.compactMap { hint in
        if case .changed(root, let path, kind) = hint { path } else { nil }
      })
  }

  @Test("Creating, writing, renaming and deleting are told, and the cookie is not")
  func ordinaryChanges() throws {
    try process.watch(folder)
    try folder.write("a".names)
    try folder.move("a".names, "b".names)
    folder.remove("b".names)
    let hints = try process.hintsUpToNow(folder)
    #expect(
      hints == [
        .changed(root, path: "a".names, change: .created), .changed(root, path: "a".names, change: .written),
        .moved(root, from: "a".names, to: "b".names, isFolder: false),
        .changed(root, path: "b".names, change: .deleted), .synchronized(root, cookie: [1]),
      ])
    #expect(try process.hintsUpToNow(folder) == [.synchronized(root, cookie: [2])])
  }

  @Test("A cookie in .continuo counts as one in the root does")
  func cookiePlaces() throws {
    try folder.make(".continuo".names)
    try process.watch(folder)
    try folder.write(".continuo".names + [WatchCookie.name(for: [7])])
    #expect(try process.hints { _ in true } == [.synchronized(root, cookie: [7])])
  }

  @Test("A deep tree made at once is told in full")
  func deepTreeAtOnce() throws {
    try process.watch(folder)
    var made: Set<[[UInt8]]> = []
    for round in 0..<50 {
      var path: [[UInt8]] = []
      for level in 0..<8 {
        path.append(Array("\(round).\(level)".utf8))
        try folder.make(path)
        made.insert(path)
      }
      try folder.write(path + "leaf".names)
      made.insert(path + "leaf".names)
    }
    #expect(changes(try process.hintsUpToNow(folder), .created) == made)
  }

  @Test(
    "A folder made in an empty one while all are being followed is watched, too",
    arguments: ["/dev/shm/", NSTemporaryDirectory()])
  func foldersMadeMeanwhile(place: String) throws {
    let folder = try TemporaryFolder(in: place)
    for number in 0..<2000 { try folder.make("\(number)".names) }
    let path = folder.path
    let made = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      for number in 0..<2000 { mkdir("\(path)/\(number)/new", 0o755) }
      made.signal()
    }
    try process.watch(folder)
    made.wait()
    _ = try process.hintsUpToNow(folder)
    for number in 0..<2000 { try folder.write("\(number)/new/file".names) }
    let created = changes(try process.hintsUpToNow(folder), .created)
    #expect(created == Set((0..<2000).map { "\($0)/new/file".names }))
  }

  @Test("The creation of a file that stays open is told without its closing")
  func openFile() throws {
    try process.watch(folder)
    let file = open(folder.path + "/open", O_CREAT | O_WRONLY | O_CLOEXEC, 0o644)
    try #require(file >= 0)
    defer { close(file) }
    let hint = FolderHint.changed(root, path: "open".names, change: .created)
    #expect(try process.hints { $0 == hint } == [hint])
  }

  @Test("A folder with a thousand files that is moved in is told file by file")
  func folderMovedIn() throws {
    let other = try TemporaryFolder()
    try other.make("in".names)
    for number in 0..<1000 { try other.write("in/\(number)".names) }
    try process.watch(folder)
    guard rename(other.text("in".names), folder.text("in".names)) == 0 else {
      throw TemporaryFolder.Failed("rename")
    }
    let hints = try process.hintsUpToNow(folder)
    #expect(changes(hints, .movedIn) == ["in".names])
    #expect(changes(hints, .created).count == 1000)
    try folder.write("in/7".names)
    #expect(changes(try process.hintsUpToNow(folder), .written) == ["in/7".names])
  }

  @Test("A renamed folder tells under its new name, its old name is free")
  func renamedFolder() throws {
    try folder.make("a".names)
    for number in 0..<200 { try folder.make("a/\(number)".names) }
    try process.watch(folder)
    try folder.move("a".names, "b".names)
    try folder.make("a".names)
    _ = try process.hintsUpToNow(folder)
    for number in 0..<200 { try folder.write("b/\(number)/f".names) }
    try folder.write("a/f".names)
    let written = changes(try process.hintsUpToNow(folder), .written)
    #expect(written == Set((0..<200).map { "b/\($0)/f".names } + ["a/f".names]))
  }

  @Test("L4: temporary files that vanish during the listing leave no folder unwatched")
  func l4_vanishingFiles() throws {
    for number in 0..<300 { try folder.make("\(number)".names) }
    let storm = TemporaryFileStorm(folder.path)
    for round in 0..<5 {
      try process.watch(folder)
      _ = try process.hintsUpToNow(folder)
      for number in 0..<300 { try folder.write("\(number)/\(round)".names) }
      let created = changes(try process.hintsUpToNow(folder), .created)
      #expect(created.isSuperset(of: (0..<300).map { "\($0)/\(round)".names }))
    }
    #expect(storm.stop() > 100)
  }

  @Test("More events than the queue holds lead to a rescan, and everything is watched again")
  func overflow() throws {
    let setting = try String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)
    let limit = Int(setting.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 16384
    try folder.make("old".names)
    for name in ["old/0", "old/1"] { try folder.write(name.names) }
    try process.watch(folder)
    kill(process.process.processIdentifier, SIGSTOP)
    for number in 0..<limit + 500 { try folder.touch("old/\(number % 2)".names) }
    try folder.make("new".names)
    try folder.move("old".names, "renamed".names)
    kill(process.process.processIdentifier, SIGCONT)
    let hints = try process.hints { $0 == .rescan(root, path: []) }
    #expect(hints.count > limit / 2)
    try folder.write("new/f".names)
    try folder.write("renamed/f".names)
    #expect(changes(try process.hintsUpToNow(folder), .written) == ["new/f".names, "renamed/f".names])
  }

  @Test("A deleted root is lost, and is followed again when it is back")
  func lostRoot() throws {
    try process.watch(folder)
    folder.remove([])
    let hints = try process.hints { if case .rootLost = $0 { true } else { false } }
    #expect(hints.count == 1)
    try process.send(.watch(root, path: folder.bytes))
    _ = try process.hints { if case .rootLost = $0 { true } else { false } }
    try folder.make([])
    // Without a further command.
    _ = try process.hints { if case .watching = $0 { true } else { false } }
    try folder.write("f".names)
    #expect(changes(try process.hintsUpToNow(folder), .created) == ["f".names])
  }

  @Test("Names are bytes: newlines and invalid UTF-8 arrive as they are")
  func rawNames() throws {
    let names: [[UInt8]] = [Array("new\nline".utf8), [0x62, 0xff, 0xfe], Array(repeating: 0x7a, count: 255)]
    try process.watch(folder)
    for name in names {
      try folder.make([name])
      try folder.write([name, name])
    }
    #expect(changes(try process.hintsUpToNow(folder), .created) == Set(names.flatMap { [[$0], [$0, $0]] }))
  }

  @Test("A path longer than any system call takes is followed")
  func longPath() throws {
    try process.watch(folder)
    let name = Array("a-name-of-twenty-byte".utf8)
    var each = open(folder.text([]), O_RDONLY | O_DIRECTORY)
    for _ in 0..<300 {
      let text = name.map { CChar(bitPattern: $0) } + [0]
      guard mkdirat(each, text, 0o700) == 0 else { throw TemporaryFolder.Failed("mkdirat") }
      let next = openat(each, text, O_RDONLY | O_DIRECTORY)
      close(each)
      each = next
    }
    _ = try process.hintsUpToNow(folder)
    close(openat(each, "f", O_WRONLY | O_CREAT, 0o600))
    close(each)
    let created = changes(try process.hintsUpToNow(folder), .created)
    #expect(created == [Array(repeating: name, count: 300) + "f".names])
  }

  @Test("Symbolic links are told and never followed")
  func symbolicLinks() throws {
    let other = try TemporaryFolder()
    try process.watch(folder)
    guard symlink(other.text([]), folder.text("link".names)) == 0 else {
      throw TemporaryFolder.Failed("symlink")
    }
    _ = try process.hintsUpToNow(folder)
    try other.write("f".names)
    #expect(try process.hintsUpToNow(folder) == [.synchronized(root, cookie: [2])])
  }

  @Test("An unwatched root is silent, another root goes on")
  func unwatchedRoot() throws {
    let other = try TemporaryFolder()
    try process.watch(folder)
    try process.watch(other, as: 1)
    try process.send(.unwatch(root))
    try process.send(.watch(RootNumber(rawValue: 2), path: other.bytes))
    _ = try process.hints { if case .watching = $0 { true } else { false } }
    try folder.write("f".names)
    try other.write("g".names)
    let hints = try process.hints {
      $0 == .changed(RootNumber(rawValue: 2), path: "g".names, change: .written)
    }
    #expect(!hints.contains { $0.root == root })
    #expect(hints.contains { $0.root == RootNumber(rawValue: 1) })
  }

  @Test("It ends with its input, and when its reader is gone")
  func ends() throws {
    try process.watch(folder)
    try process.closeInput()
    #expect(try process.waitForEnd().code == 0)
    let second = try WatchProcess()
    try second.watch(folder)
    try second.closeOutput()
    #expect(try second.waitForEnd().code == 0)
  }
}

/// Makes and deletes temporary files in numbered folders on a thread of its own until it is ended.
private final class TemporaryFileStorm: @unchecked Sendable {
  // Guarded by `lock`.
  private var ended = false
  private var made = 0
  private let lock = NSCondition()

  init(_ path: String) {
    let thread = Thread { [self] in
      var number = 0
      while !lock.withLock({ ended }) {
        let name = "\(path)/\(number % 300)/.storm.\(number).tmp"
        close(open(name, O_WRONLY | O_CREAT, 0o600))
        unlink(name)
        number += 1
      }
      lock.withLock {
        made = number
        lock.broadcast()
      }
    }
    thread.start()
  }

  /// How many files there were.
  func stop() -> Int {
    lock.withLock {
      ended = true
      while made == 0 { lock.wait() }
      return made
    }
  }
}
