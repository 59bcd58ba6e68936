// SPDX-License-Identifier: MIT

import FolderAccess
import ActivityModel
import LinuxSystem
import SyncedFolders

/// After lost events: the watcher is stopped, more files are written than the kernel's queue holds, and it
/// goes on. Measured is the time until all are known. Ours says that events were lost, and its reader lists
/// the folders, as the agent does; watchman tells of each file.
@MainActor enum AfterOverflow {
  private static let files = 20_000
  private static let folders = 100

  static var race: Race {
    Race(
      name: "20,000 files known after an overflow",
      figures: [Race.Figure(name: "", unit: "ms", target: .ratio(atMost: 1))], rounds: 5
    ) {
      let folder = try WatchedFolder(inMemory: true)
      return Race.Field(entrants: Peer.field([.watchman]) { try run($0, folder) }, end: folder.remove)
    }
  }

  private static func run(_ peer: Peer?, _ folder: WatchedFolder) throws -> [Double] {
    try folder.makeFlat(folders)
    let watcher = try peer?.start(folder.path) ?? OurWatcher(folder.path)
    defer { watcher.stop() }
    Signal.stop.send(to: watcher.process)
    defer { Signal.resume.send(to: watcher.process) }
    let writer = try folder.startWriter(files: files, folders: folders)
    _ = try folder.finish(writer, files: files)
    let start = now()
    Signal.resume.send(to: watcher.process)
    let (known, end): (Int, UInt64)
    if let ours = watcher as? OurWatcher {
      try ours.waitForRescan()
      known = try list(folder.path)
      end = now()
    } else {
      let seen = try watcher.sightings()
      (known, end) = (seen.count, seen.values.max() ?? 0)
    }
    guard known == files else { throw Failure("only \(known) of \(files) files are known") }
    return [milliseconds(from: start, to: end)]
  }

  /// How many of the files a walk finds.
  private static func list(_ path: String) throws -> Int {
    let root = try SyncedDirectory(path: Array(path.utf8))
    var found = 0
    var waiting: [RelativePath?] = [nil]
    while let folder = waiting.popLast() {
      for entry in try root.list(folder, limit: 1 << 20).entries {
        if entry.kind == .folder {
          waiting.append(RelativePath(components: (folder?.components ?? []) + [entry.name]))
        } else if entry.name.first == UInt8(ascii: "f") {
          found += 1
        }
      }
    }
    return found
  }
}
