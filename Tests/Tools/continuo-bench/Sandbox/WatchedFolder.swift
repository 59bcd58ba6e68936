// SPDX-License-Identifier: MIT

import LinuxSystem

/// A folder of the bench's own that watchers are set on.
@MainActor final class WatchedFolder {
  let path: String

  /// Below `$TMPDIR`, or in memory where the disk shall not matter.
  init(inMemory: Bool = false) throws {
    let shared = "/dev/shm"
    guard inMemory, FilePath(shared).allows(.write) else {
      path = try Files.makeTemporaryDirectory()
      return
    }
    path = try Files.makeTemporaryDirectory(in: shared)
  }

  func remove() { Files.remove(path) }

  /// Empties it, and makes the sub-folders `d0`, `d1` and so on.
  func makeFlat(_ count: Int) throws {
    Files.remove(path)
    try make(path)
    for number in 0..<count { try make("\(path)/d\(number)") }
  }

  /// `count` folders in all, this one among them: of each 33, one holds the others, and one file.
  func makeDeep(_ count: Int) throws {
    var made = 1
    func another(_ name: String) throws -> Bool {
      guard made < count else { return false }
      made += 1
      try make(name)
      return true
    }
    var number = 0
    while made < count {
      let top = "\(path)/a\(number)"
      guard try another(top) else { break }
      for middle in 0..<33 {
        guard try another("\(top)/b\(middle)") else { break }
        try Files.write("", to: "\(top)/b\(middle)/file.txt")
        for low in 0..<32 {
          guard try another("\(top)/b\(middle)/c\(low)") else { break }
        }
      }
      number += 1
    }
  }

  /// Starts the writer of files `f0`, `f1` and so on over the sub-folders, and of `end` last.
  func startWriter(files: Int, folders: Int, pause microseconds: Int = 0) throws -> ChildProcess {
    try ChildProcess(
      [try Programs.own("watch-floor"), "write", path, "\(files)", "\(folders)", "\(microseconds)"],
      environment: Programs.environment)
  }

  /// Waits for the writer's end. Gives the moment just before each file was closed.
  func finish(_ writer: ChildProcess, files: Int) throws -> [Int: UInt64] {
    let arrivals = Arrivals(writer.output)
    _ = try arrivals.readAll("the writer's end")
    writer.waitForEnd()
    let closed = Moments.read(arrivals.lines().map(\.text), after: "CLOSED")
    guard closed.count == files else { throw Failure("only \(closed.count) of \(files) files were written") }
    return closed
  }

  private func make(_ folder: String) throws {
    do throws(Errno) { try FilePath(folder).makeFolder(mode: 0o700) } catch {
      throw Failure("\(folder): \(error.text)")
    }
  }
}
