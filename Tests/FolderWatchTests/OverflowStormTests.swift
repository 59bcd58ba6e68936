// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import Foundation
import Glibc
import Testing

/// The reader is stopped while 60,000 events happen, more than the kernel's queue holds.
@Suite("Overflow storm", .serialized)
struct OverflowStormTests {
  /// In memory, so that the storm is the kernel's and not the disk's.
  private static let place = access("/dev/shm", W_OK) == 0 ? "/dev/shm/" : NSTemporaryDirectory()

  private static var rounds: Int {
    ProcessInfo.processInfo.environment["CONTINUO_STORMS"].flatMap(Int.init) ?? 5
  }

  @Test("Case 18: after a storm, whoever looks only where hints say knows what a fresh scan finds")
  func case18_storms() throws {
    for round in 1...Self.rounds {
      let start = ContinuousClock.now
      let folder = try TemporaryFolder(in: Self.place)
      for number in 0..<10 { try folder.make("old\(number)".names) }
      let process = try WatchProcess()
      var view = HintedFolder(folder)
      for hint in try process.watch(folder) { view.take(hint) }
      kill(process.process.processIdentifier, SIGSTOP)
      try storm(in: folder, seed: round)
      kill(process.process.processIdentifier, SIGCONT)
      for hint in try process.hints(until: { $0 == .rescan(RootNumber(rawValue: 0), path: []) }) {
        view.take(hint)
      }
      // What happens after the storm is told as ever, also in folders that were made in its midst.
      for name in ["new3", "old3", "renamed", "late"] { try folder.write("\(name)/after".names) }
      folder.remove("old1/5".names)
      for hint in try process.hintsUpToNow(folder) { view.take(hint) }
      let truth = HintedFolder.scan(folder)
      #expect(view.files.count > 19_000)
      print("storm \(round): \(ContinuousClock.now - start)")
      #expect(view.files == truth, "storm \(round) of \(Self.rounds)")
      if view.files != truth { return }
    }
    print("\(Self.rounds) storms of 60,000 events: the state equals a fresh scan after each")
  }

  /// 20,000 files with three events each, of which some are deleted, renamed, and in folders that are new or
  /// renamed.
  private func storm(in folder: TemporaryFolder, seed: Int) throws {
    for number in 0..<10 { try folder.make("new\(number)".names) }
    for number in 0..<20_000 {
      let above = number % 3 == 0 ? "new" : "old"
      let path = "\(folder.path)/\(above)\(number % 10)/\(number)"
      let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
      guard file >= 0 else { throw TemporaryFolder.Failed("open") }
      futimens(file, nil)
      close(file)
      if number % 97 == seed % 97 { unlink(path) }
      if number == 15_000 { try folder.move("old3".names, "renamed".names) }
      if number == 15_001 { try folder.make("old3".names) }
      if number == 19_000 { try folder.make("late".names) }
    }
  }
}

/// What a reader of hints knows of a real folder: it looks only where a hint says.
struct HintedFolder {
  private(set) var files: [String: UInt64] = [:]
  private let folder: TemporaryFolder

  init(_ folder: TemporaryFolder) { self.folder = folder }

  mutating func take(_ hint: FolderHint) {
    switch hint {
    case .watching, .rescan: look(below: paths(hint))
    case .changed(_, let path, .deleted), .changed(_, let path, .movedOut):
      forget(below: text(path))
      look(at: text(path))
    case .changed(_, let path, _): look(at: text(path))
    case .moved(_, let from, let to, let isFolder):
      forget(below: text(from))
      look(at: text(from))
      if isFolder { look(below: text(to)) } else { look(at: text(to)) }
    case .rootLost: files = [:]
    case .watchLimit, .polling, .synchronized: break
    }
  }

  private func paths(_ hint: FolderHint) -> String {
    if case .rescan(_, let path) = hint { text(path) } else { "" }
  }

  private func text(_ path: [[UInt8]]) -> String {
    path.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "/")
  }

  private mutating func forget(below path: String) {
    for known in files.keys where known.hasPrefix(path + "/") { files[known] = nil }
  }

  private mutating func look(at path: String) {
    files[path] = nil
    guard !path.contains(".continuo-cookie-") else { return }
    var status = stat()
    if lstat(folder.path + "/" + path, &status) == 0, status.st_mode & S_IFMT == S_IFREG {
      files[path] = UInt64(status.st_ino)
    }
  }

  private mutating func look(below path: String) {
    for known in files.keys where path.isEmpty || known == path || known.hasPrefix(path + "/") {
      files[known] = nil
    }
    files.merge(Self.scan(folder, below: path)) { $1 }
  }

  /// Every file and its inode, by reading the folders.
  static func scan(_ folder: TemporaryFolder, below path: String = "") -> [String: UInt64] {
    var found: [String: UInt64] = [:]
    var left = [path]
    while let next = left.popLast() {
      guard let directory = opendir(folder.path + "/" + next) else { continue }
      defer { closedir(directory) }
      while let entry = readdir(directory) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if name == "." || name == ".." || name.hasPrefix(".continuo-cookie-") { continue }
        let below = next.isEmpty ? name : next + "/" + name
        if Int(entry.pointee.d_type) == Int(DT_DIR) {
          left.append(below)
        } else {
          found[below] = UInt64(entry.pointee.d_ino)
        }
      }
    }
    return found
  }
}
