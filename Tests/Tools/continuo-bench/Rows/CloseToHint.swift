// SPDX-License-Identifier: MIT

/// From the moment just before a file is closed to the moment at which the reader of the hints has it: one
/// file at a time, some milliseconds apart.
@MainActor enum CloseToHint {
  private static let files = 40
  private static let folders = 100

  static var race: Race {
    Race(
      name: "close to hint",
      figures: [
        Race.Figure(name: "median", unit: "us", target: .ratio(atMost: 2.5), targetPeer: Peer.raw.rawValue),
        Race.Figure(name: "95 of 100", unit: "us"),
      ], rounds: 7
    ) {
      let folder = try WatchedFolder()
      return Race.Field(entrants: Peer.field(Peer.allCases) { try run($0, folder) }, end: folder.remove)
    }
  }

  private static func run(_ peer: Peer?, _ folder: WatchedFolder) throws -> [Double] {
    try folder.makeFlat(folders)
    let watcher = try peer?.start(folder.path) ?? OurWatcher(folder.path)
    defer { watcher.stop() }
    let writer = try folder.startWriter(files: files, folders: folders, pause: 50_000)
    let seen = try watcher.sightings()
    let closed = try folder.finish(writer, files: files)
    let delays = try closed.map { file, moment in
      guard let sighting = seen[file] else { throw Failure("f\(file) was never told") }
      // A watcher that tells of the file before its end was quick, not early.
      return Double(Int64(sighting) - Int64(moment)) / 1000
    }.sorted()
    return [Summary(delays).median, delays[delays.count * 95 / 100]]
  }
}
