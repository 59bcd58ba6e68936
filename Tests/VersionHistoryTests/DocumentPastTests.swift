// SPDX-License-Identifier: MIT

import ActivityModel
import SyncedFolders
import Testing
import TestSamples

@testable import VersionHistory

/// What is known of a version stays with it, whatever happens to the history.
@Suite struct DocumentPastTests {
  private let wall = WallTime(milliseconds: 7)

  @Test(arguments: 0..<8) func randomChangesKeepEachVersionsOwnSizeAndTheHistorysOrder(_ seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    var plain = DocumentHistory()
    var past = DocumentPast()
    var other = DocumentHistory()
    var sizes: [DigestPrefix: UInt64] = [:]
    for step in 0..<700 {
      let number = Int.random(in: 0..<600, using: &generator)
      let digest = Samples.digest(number)
      if Int.random(in: 0..<4, using: &generator) > 0 {
        plain.record(digest)
        past.change(Samples.sighting(number), at: wall) { $0.record(digest) }
      } else {
        other.record(digest)
        let version = other.version(digest, size: UInt64(number))
        plain.adopt(version)
        past.change(Samples.sighting(number, .received), at: wall) { $0.adopt(version) }
      }
      sizes[digest.prefix] = UInt64(number)
      #expect(past.history == plain, "step \(step)")
      #expect(past.rows.map(\.version.prefix) == plain.versions, "step \(step)")
      let positions = past.rows.map(\.position)
      #expect(zip(positions, positions.dropFirst()).allSatisfy { $0 > $1 }, "step \(step)")
    }
    for version in past.rows.map(\.version) {
      if let size = version.size { #expect(sizes[version.prefix] == size) }
      if let digest = version.digest { #expect(digest.prefix == version.prefix) }
    }
    #expect(past.rows.contains { $0.version.size != nil })
    #expect(DocumentPast(rows: past.rows, generation: past.history.generation) == past)
  }

  @Test func whatSavesOneAfterTheOtherIsWrittenAsOneNewRow() {
    var past = DocumentPast()
    for number in 0..<100 {
      let before = Set(past.rows)
      past.change(Samples.sighting(number), at: wall) { $0.record(Samples.digest(number)) }
      #expect(Set(past.rows).subtracting(before).count == 1)
    }
  }

  @Test func theFirstToNameAVersionIsWhereItComesFrom() throws {
    let desktop = KnownVersion.Device(id: .random(), name: "desktop")
    let changed = WallTime(milliseconds: 1)
    func received(_ number: Int) -> VersionSighting {
      VersionSighting(
        Samples.digest(number), size: UInt64(number), source: .received, device: desktop, changed: changed)
    }
    var past = DocumentPast()
    // Found on the disk, then named by a record, then announced by the app that continued it.
    for sighting in [Samples.sighting(1, .onDisk), received(1), Samples.sighting(1)] {
      past.change(sighting, at: wall) { $0.record(sighting.digest) }
    }
    // Saved here, and heard of again from the device that continued it.
    for sighting in [Samples.sighting(2), received(2)] {
      past.change(sighting, at: wall) { $0.record(sighting.digest) }
    }
    #expect(past.rows.map(\.version.device) == [nil, desktop])
    #expect(past.rows.map(\.version.changed) == [nil, changed])
    #expect(past.rows.map(\.version.sources) == [.published, [.onDisk, .received, .published]])
    #expect(past.rows.map(\.version.generation) == [2, 1])
  }

  @Test func ancestorsOfAnotherDevicesVersionAreKnownAsItsLineage() {
    let desktop = KnownVersion.Device(id: .random(), name: "desktop")
    let version = DocumentVersion(
      digest: Samples.digest(3), size: 3, generation: 3,
      lineage: [2, 1].map { Samples.digest($0).prefix })
    var past = DocumentPast()
    past.change(Samples.sighting(1), at: wall) { $0.record(Samples.digest(1)) }
    let sighting = VersionSighting(version.digest, size: 3, source: .received, device: desktop)
    past.change(sighting, at: wall) { $0.adopt(version) }
    #expect(past.history.versions == [3, 2, 1].map { Samples.digest($0).prefix })
    #expect(past.rows.map(\.version.sources) == [.received, .lineage, .published])
    #expect(past.rows.map(\.version.digest) == [Samples.digest(3), nil, Samples.digest(1)])
    #expect(past.rows.map(\.version.device) == [desktop, desktop, nil])
  }
}
