// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import Foundation
import Glibc
import LinuxSystem
import TestSupport
import Testing

@testable import fixtures

/// What somebody who stores the folder, and has no key, learns of two devices at work: measured, and just
/// what docs/security.md tells of it.
@Suite(.waiting, .timeLimit(.minutes(20))) struct FolderReaderTests {
  @Test func whatIsLearntIsWhatThePageTells() throws {
    let devices = try TwoDevices()
    let (desktop, laptop) = (devices.desktop.device, devices.laptop.device)
    let reader = FolderReader([desktop.records, laptop.records])
    for step in Self.steps {
      try offer(step, on: desktop, reader)
      try devices.player.carrying().deliverRecords()
      reader.look()
    }
    var figures = reader.figuresOfRecords()
    _ = try PairingSteps.invitation(of: desktop)
    figures += try reader.figuresOfPairing { _ = try desktop.continuo("pair", "--cancel") }
    let changes = try FolderEvents([desktop.records])
    _ = try desktop.continuo("revoke", "laptop")
    try changes.wait(for: "new names", lastState: { "\(Files.list(desktop.records))" }) { () -> Void? in
      reader.look()
      return reader.newNames.isSuperset(of: ["d", "r"]) ? () : nil
    }
    figures.append(.init(of: "new names after a removal", is: "each `d`, each `r`"))
    reader.expectNothingElse()
    #expect(figures == Self.told, "\(figures)")
  }

  /// How many activities, and how many bytes of user info each: from the smallest record to the largest.
  private static let steps = [(1, 0), (1, 700), (1, 3000), (2, 6000), (8, 7000), (1, 0)]

  /// Returns when the desktop's folder holds a record of them.
  private func offer(_ step: (count: Int, bytes: Int), on device: Device, _ reader: FolderReader) throws {
    let changes = try FolderEvents([device.records])
    let connection = try #require(try WireConnection(socketPath: device.socket))
    var manifest = AppManifest(appID: "org.example.measured", name: "Measured")
    manifest.activityTypes = ["org.example.measured.writing"]
    connection.send(.request(.hello(manifest)))
    for _ in 0..<step.count {
      var activity = ActivitySnapshot(
        id: .random(), type: "org.example.measured.writing", appID: "org.example.measured",
        changedAt: WallTime(milliseconds: wallNow()))
      activity.title = "Plan"
      activity.userInfo[.text("text")] = .text(String(repeating: "a", count: step.bytes))
      connection.send(.request(.update(activity, saved: nil)))
    }
    let size = RecordHeader.recordSizes.first { $0 > step.count * (step.bytes + 90) + 200 }
    try changes.wait(for: "a record of \(step)", lastState: { reader.sizes.description }) { () -> Void? in
      reader.look()
      return reader.newest("d", in: device.records)?.bytes.count == size ? () : nil
    }
  }

  /// The rows of the table: what is seen, and the figure.
  private static var told: [FolderReader.Figure] {
    let root = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()
    let page = Files.text(root + "/docs/security.md") ?? ""
    let section = page.components(separatedBy: "## What somebody who reads the folder learns").last ?? ""
    let rows = section.components(separatedBy: "\n## ")[0].split(separator: "\n")
    return rows.filter { $0.hasPrefix("| ") }.dropFirst(2).map { row in
      let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      return FolderReader.Figure(of: cells[0], is: cells[1])
    }
  }
}

/// Looks into folders of records as whoever stores them does, again and again.
final class FolderReader {
  /// A row of the page.
  struct Figure: Hashable, CustomStringConvertible {
    let subject: String
    let value: String

    init(of subject: String, is value: String) { (self.subject, self.value) = (subject, value) }
    var description: String { "| \(subject) | \(value) |" }
  }

  /// One state of one file.
  struct Sight: Hashable {
    let folder: String
    let name: String
    let bytes: [UInt8]
    /// Nanoseconds.
    let modified: Int

    var kind: String { String(name.prefix(1)) }
    /// What is between kind and ending.
    var digits: String { String(name.dropFirst(2).prefix { $0 != "." }) }
    /// Nil for the folder's ID, which is no record.
    var header: RecordHeader? { try? RecordHeader(record: bytes) }
  }

  private let folders: [String]
  /// All that was ever seen, in the order of looking.
  private(set) var sights: [Sight] = []

  init(_ folders: [String]) { self.folders = folders }

  /// What is there now.
  func there(_ folder: String) -> [Sight] {
    Files.list(folder).compactMap { name in
      let path = folder + "/" + name
      var status = stat()
      guard let bytes = Files.read(path), lstat(path, &status) == 0, !name.hasSuffix("~") else { return nil }
      let modified = status.st_mtim.tv_sec * 1_000_000_000 + status.st_mtim.tv_nsec
      return Sight(folder: folder, name: name, bytes: bytes, modified: modified)
    }
  }

  func look() {
    for sight in folders.flatMap(there) where !sights.contains(sight) { sights.append(sight) }
  }

  func newest(_ kind: String, in folder: String) -> Sight? {
    there(folder).filter { $0.kind == kind }.max { $0.modified < $1.modified }
  }

  var sizes: Set<Int> { Set(sights.map(\.bytes.count)) }

  /// What the first folder's owner calls its own files; another one's come through the engine.
  private var own: String { sights.first { $0.kind == "f" && $0.folder == folders[0] }?.digits ?? "" }

  /// Kinds of files that have a name now which none of the kind had when the folder was looked at first.
  var newNames: Set<String> {
    let known = Set(sights.prefix(1).map(\.digits) + [own] + firstNames)
    return Set(there(folders[0]).filter { !known.contains($0.digits) && $0.kind != "i" }.map(\.kind))
  }

  private var firstNames: [String] { sights.filter { $0.header?.epoch ?? 1 <= 1 }.map(\.digits) }

  // MARK: Figures

  func figuresOfRecords() -> [Figure] {
    let kinds = there(folders[0]).filter { $0.digits == own }.map { "1 `\($0.kind)`" }.sorted()
    let records = sights.filter { $0.digits == own && $0.folder == folders[0] && $0.header != nil }
    let states = records.filter { $0.kind == "d" }
    let times = states.map(\.modified).sorted()
    let pause = zip(times.dropFirst(), times).map { $0 - $1 }.min() ?? 0
    let numbers = Set(states.dropFirst().compactMap { $0.header?.sequence }).sorted()
    let steps = Set(zip(numbers.dropFirst(), numbers).map { $0 - $1 }).sorted()
    return [
      Figure(of: "files of a device, of one name", is: kinds.joined(separator: ", ")),
      Figure(
        of: "sizes of its state",
        is: Set(states.map(\.bytes.count)).sorted().map { "\($0)" }.joined(separator: ", ")),
      // A file has the time at which a busy machine wrote it, which is later than when it was to be written.
      Figure(of: "pause between two states", is: pause >= 1_600_000_000 ? "2 s or more" : "\(pause) ns"),
      Figure(of: "numbers of the states that follow", is: steps.map { "+\($0)" }.joined(separator: ", ")),
    ]
  }

  /// With an invitation that waits, which `end` closes.
  func figuresOfPairing(_ end: () throws -> Void) throws -> [Figure] {
    look()
    let open = there(folders[0])
    try end()
    let closed = Set(there(folders[0]).map(\.name))
    let extra = open.filter { !closed.contains($0.name) }.map { "1 `\($0.kind)`" }
    return [Figure(of: "files while somebody is invited", is: extra.joined(separator: ", "))]
  }

  /// All that the page does not list is as random: names, and what is sealed.
  func expectNothingElse() {
    #expect(sights.allSatisfy { $0.name.wholeMatch(of: /[drif]-[a-z2-7]{26}\.(rec|rst|inv|id)/) != nil })
    let records = Dictionary(grouping: sights.filter { $0.header != nil }, by: \.bytes).keys
    let headers = records.compactMap { try? RecordHeader(record: $0) }
    let epochs = Dictionary(grouping: headers.filter { $0.kind != .invitation }, by: \.epoch)
    for (epoch, headers) in epochs { #expect(Set(headers.map(\.circleTag)).count == 1, "epoch \(epoch)") }
    #expect(Set(epochs.values.compactMap { $0.first?.circleTag }).count == epochs.count)
    #expect(Set(headers.map(\.random)).count == headers.count)
    var counts = [Int](repeating: 0, count: 256)
    var blocks: Set<[UInt8]> = []
    for record in records {
      let sealed = record.dropFirst(RecordHeader.size)
      for byte in sealed { counts[Int(byte)] += 1 }
      for start in stride(from: sealed.startIndex, to: sealed.endIndex - 15, by: 16) {
        #expect(blocks.insert(Array(sealed[start..<start + 16])).inserted, "two blocks are alike")
      }
    }
    let mean = Double(counts.reduce(0, +)) / 256
    #expect(counts.allSatisfy { abs(Double($0) - mean) < 7 * mean.squareRoot() }, "\(counts)")
  }
}
