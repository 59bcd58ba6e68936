// SPDX-License-Identifier: MIT

import LinuxSystem

/// How fast a full queue is told: the watcher is stopped, files are written until 16,200 events are queued,
/// and it goes on. Counted are events of the kernel until the last file was told.
@MainActor enum Drain {
  private static let folders = 100

  static var race: Race {
    Race(
      name: "drain of 16,200 queued events",
      figures: [
        Race.Figure(
          name: "", unit: "M events/s", target: .oursAtLeast(1), targetPeer: Peer.raw.rawValue)
      ], rounds: 7
    ) {
      let folder = try WatchedFolder(inMemory: true)
      return Race.Field(entrants: Peer.field(Peer.allCases) { try run($0, folder) }, end: folder.remove)
    }
  }

  /// What one file puts into the queue: the creation and the closing; watchman's mask has the writing for the
  /// closing, and watchdog's has opening and writing, too.
  private static func eventsPerFile(_ peer: Peer?) -> Int { peer == .watchdog ? 4 : 2 }

  private static func run(_ peer: Peer?, _ folder: WatchedFolder) throws -> [Double] {
    let files = 16_200 / eventsPerFile(peer)
    try folder.makeFlat(folders)
    let watcher = try peer?.start(folder.path) ?? OurWatcher(folder.path)
    defer { watcher.stop() }
    Signal.stop.send(to: watcher.process)
    // In a failure, a stopped process would not end.
    defer { Signal.resume.send(to: watcher.process) }
    let writer = try folder.startWriter(files: files, folders: folders)
    _ = try folder.finish(writer, files: files)
    let start = now()
    Signal.resume.send(to: watcher.process)
    let seen = try watcher.sightings()
    guard seen.count == files, let last = seen.values.max() else {
      throw Failure("only \(seen.count) of \(files) files were told")
    }
    return [Double(files * eventsPerFile(peer)) / Double(last - start) * 1000]
  }
}
