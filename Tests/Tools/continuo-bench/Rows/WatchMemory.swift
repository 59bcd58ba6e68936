// SPDX-License-Identifier: MIT

import FoundationEssentials

/// What the watch process holds for each watched folder beyond what the library holds for it.
@MainActor enum WatchMemory {
  private static let folders = 100_000

  static var row: Row {
    Row(
      name: "memory per watched folder beyond the library's", unit: "bytes",
      peerName: "libinotifytools alone", rounds: 2, target: .ours(atMost: 150)
    ) {
      let folder = try WatchedFolder()
      do {
        try folder.makeDeep(folders)
      } catch {
        folder.remove()
        throw error
      }
      return Contest(
        ours: { (try ours(folder) - LibraryAlone.watch(folder.path).bytes) / Double(folders) },
        peer: { try LibraryAlone.watch(folder.path).bytes / Double(folders) }, end: folder.remove)
    }
  }

  private static func ours(_ folder: WatchedFolder) throws -> Double {
    let watcher = try OurWatcher()
    defer { watcher.stop() }
    let before = try ProcessFigures.memory(of: watcher.process)
    try watcher.watch(folder.path)
    return try ProcessFigures.memory(of: watcher.process) - before
  }
}

/// What the kernel counts of a process.
enum ProcessFigures {
  /// The memory that is its own, in bytes.
  static func memory(of process: Int32) throws -> Double {
    try number("RssAnon:", in: "/proc/\(process)/status") * 1024
  }

  /// How often its threads have gone to sleep by themselves, which each wake-up ends with.
  static func sleeps(of process: Int32) throws -> Double {
    let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")
    return try threads.reduce(0) { sum, thread in
      try sum + number("voluntary_ctxt_switches:", in: "/proc/\(process)/task/\(thread)/status")
    }
  }

  /// Bytes that it has read from files, pipes and sockets.
  static func bytesRead(by process: Int32) throws -> Double {
    try number("rchar:", in: "/proc/\(process)/io")
  }

  private static func number(_ field: String, in file: String) throws -> Double {
    let text = String(decoding: try Data(contentsOf: URL(filePath: file)), as: UTF8.self)
    let line = text.split(separator: "\n").first { $0.hasPrefix(field) }
    let words = line?.split { $0 == " " || $0 == "\t" } ?? []
    guard words.count > 1, let number = Double(words[1]) else { throw Failure("\(file) has no \(field)") }
    return number
  }
}
