// SPDX-License-Identifier: MIT

import ActivityIndex
import ActivityModel
import FoundationEssentials
import LinuxSystem

/// 100,000 saved activities, beside recoll with the same texts, a file each: how fast they are found and
/// saved, and what they take. Our searches are calls, as an agent makes them; recoll's are `recollq`, a
/// process each.
@MainActor final class SavedActivities {
  private static let count = 100_000
  private static let queries = 200
  /// As many as both list.
  private static let listed = 20
  /// Activities that are saved together.
  private static let together = 100

  static var race: Race {
    Race(
      name: "100,000 saved activities",
      figures: [
        Race.Figure(name: "found, median", unit: "ms"),
        Race.Figure(name: "found, 95 of 100", unit: "ms", target: .ours(atMost: 10)),
        Race.Figure(name: "each beside its text", unit: "bytes", target: .ours(atMost: 200)),
        Race.Figure(name: "saved, 100 at once", unit: "a second", target: .oursAtLeast(5_000)),
      ], rounds: 3
    ) {
      let folder = try Files.makeTemporaryDirectory()
      do {
        let saved = try SavedActivities(in: folder)
        return Race.Field(
          entrants: [
            Race.Entrant(name: "", run: saved.ours), Race.Entrant(name: "recoll", run: saved.recoll),
          ], end: { Files.remove(folder) })
      } catch {
        Files.remove(folder)
        throw error
      }
    }
  }

  /// As apps save them: one by one, each on the disk before the next one. Beside a file that is written to as
  /// often.
  static var oneByOne: Row {
    Row(
      name: "saved activities, one by one", unit: "a second", peerName: "write and sync", rounds: 5,
      target: nil
    ) {
      let folder = try Files.makeTemporaryDirectory()
      var made = MadeUpActivities()
      let index = try ActivityIndex(directory: folder)
      return Contest(
        ours: {
          let activities = (0..<200).map { _ in made.next() }
          return try perSecond(activities.count) {
            for activity in activities { try index.save([activity], at: made.wall) }
          }
        },
        peer: {
          let texts = (0..<200).map { _ in Array(made.next().text.utf8) }
          let file = try FilePath(folder + "/written").open(
            [.writeOnly, .create, .append], mode: 0o600)
          return try perSecond(texts.count) {
            for text in texts {
              try file.writeAll(text)
              try file.synchronize()
            }
          }
        },
        end: {
          index.close()
          Files.remove(folder)
        })
    }
  }

  private let index: ActivityIndex
  private let peer: RecollIndex
  private let wall: WallTime
  private let asked: [MadeUpActivities.Query]
  private let oursMade: [Double]
  private let recollMade: [Double]

  private init(in folder: String) throws {
    var made = MadeUpActivities()
    let activities = (0..<Self.count).map { _ in made.next() }
    wall = made.wall
    asked = (0..<Self.queries).map { made.query($0, among: activities) }
    var limits = SavedActivityLimits()
    (limits.count, limits.bytes, limits.totalBytes) = (2 * Self.count, 1 << 30, 1 << 30)
    let own = folder + "/own"
    try Files.makeDirectory(own)
    let index = try ActivityIndex(directory: own, limits: limits)
    self.index = index
    let speed = try Self.perSecond(activities.count) { [wall] in
      for start in stride(from: 0, to: activities.count, by: Self.together) {
        try index.save(Array(activities[start..<min(start + Self.together, activities.count)]), at: wall)
      }
    }
    // It is opened again by the next search; until then its log is in its file.
    index.close()
    let text = activities.reduce(0) { $0 + $1.text.utf8.count }
    oursMade = [Double(try Files.size(below: own) - text) / Double(activities.count), speed]
    peer = try RecollIndex(in: folder + "/recoll")
    for (number, activity) in activities.enumerated() { try peer.write(activity.text, number) }
    let peerSpeed = try Self.perSecond(activities.count, peer.make)
    recollMade = [Double(try peer.size) / Double(activities.count), peerSpeed]
  }

  private func ours() throws -> [Double] {
    try figures(\.ours) { _ = try index.search($0, of: nil, atMost: Self.listed, at: wall) } + oursMade
  }

  private func recoll() throws -> [Double] {
    try figures(\.recoll) { try peer.find($0, atMost: Self.listed) } + recollMade
  }

  /// The time in the middle, and that of the 95th of a hundred.
  private func figures(
    _ words: KeyPath<MadeUpActivities.Query, String>, _ find: (String) throws -> Void
  ) throws -> [Double] {
    let times = try asked.map { query in
      let start = now()
      try find(query[keyPath: words])
      return milliseconds(from: start, to: now())
    }.sorted()
    return [times[times.count / 2], times[times.count * 95 / 100]]
  }

  private static func perSecond(_ count: Int, _ work: () throws -> Void) rethrows -> Double {
    let start = now()
    try work()
    return Double(count) / milliseconds(from: start, to: now()) * 1000
  }
}

/// An index of recoll's, with a configuration of its own.
@MainActor private final class RecollIndex {
  private let folder: String
  private let environment: [String: String]

  init(in folder: String) throws {
    self.folder = folder
    environment = ["PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": folder, "LANG": "C.UTF-8"]
    try Files.makeDirectory(folder + "/.recoll")
    // At our priority, and without words about each file.
    try Files.write(
      "topdirs = \(folder)/texts\nidxniceprio = 0\nloglevel = 1\nidxlogfilename = /dev/null\n",
      to: folder + "/.recoll/recoll.conf")
  }

  func write(_ text: String, _ number: Int) throws {
    let shelf = "\(folder)/texts/\(number / 1000)"
    if number.isMultiple(of: 1000) { try Files.makeDirectory(shelf) }
    let file = try FilePath("\(shelf)/\(number).txt").open([.writeOnly, .create, .exclusive], mode: 0o600)
    try file.writeAll(Array(text.utf8))
  }

  func make() throws { _ = try ChildProcess.run(["recollindex"], environment: environment) }

  var size: Int {
    get throws {
      let size = try Files.size(below: folder + "/.recoll/xapiandb")
      if size == 0 { throw Failure("recollindex made nothing") }
      return size
    }
  }

  func find(_ words: String, atMost limit: Int) throws {
    let found = try ChildProcess.run(
      ["recollq", "-n", String(limit), words], environment: environment)
    guard found.contains("results") else { throw Failure("recollq said nothing of \(words): \(found)") }
  }
}
