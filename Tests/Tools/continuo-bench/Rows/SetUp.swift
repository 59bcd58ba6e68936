// SPDX-License-Identifier: MIT

/// From being asked to watch a folder until every folder below it is watched; the names are in the cache.
@MainActor enum SetUp {
  static func race(folders: Int, rounds: Int) -> Race {
    let isLarge = folders >= 100_000
    return Race(
      name: "set-up, \(folders) folders",
      figures: [
        Race.Figure(
          name: "", unit: "ms", target: isLarge ? .ratio(atMost: 1.3) : nil, targetPeer: Peer.raw.rawValue)
      ], rounds: rounds
    ) {
      let folder = try WatchedFolder()
      do {
        try folder.makeDeep(folders)
      } catch {
        folder.remove()
        throw error
      }
      var entrants = Peer.field([.raw, .inotifywait, .watchman, .watchdog]) { peer in
        let watcher = try peer?.start(folder.path) ?? OurWatcher(folder.path)
        defer { watcher.stop() }
        return [Double(watcher.readyAfter) / 1_000_000]
      }
      entrants.append(
        Race.Entrant(name: "libinotifytools alone") { [try LibraryAlone.watch(folder.path).milliseconds] })
      return Race.Field(entrants: entrants, end: folder.remove)
    }
  }
}

/// The library as it is meant to be used, in a program of its own.
@MainActor enum LibraryAlone {
  /// How long watching everything below took, and the memory that it holds after that.
  static func watch(_ folder: String) throws -> (milliseconds: Double, bytes: Double) {
    let program = try Programs.own("watch-library")
    let child = try ChildProcess([program, folder], environment: Programs.environment)
    defer { child.kill() }
    let arrivals = Arrivals(child.output)
    try arrivals.read(until: [UInt8(ascii: "\n")], "that the library is ready")
    let words = arrivals.lines().first?.text.split(separator: " ") ?? []
    guard words.count == 3, let time = Double(words[1]), let bytes = Double(words[2]) else {
      throw Failure("watch-library does not say that it is ready")
    }
    return (time / 1_000_000, bytes)
  }
}
