// SPDX-License-Identifier: MIT

import ActivityModel
import SyncedFolders
import VersionHistory

/// Documents and versions by number: the same in each run.
enum Samples {
  static func digest(_ number: Int) -> ContentDigest {
    var generator = Random(state: UInt64(number))
    guard let digest = ContentDigest(bytes: (0..<32).map { _ in UInt8(truncatingIfNeeded: generator.next()) })
    else { preconditionFailure("32 bytes are a digest") }
    return digest
  }

  static func folder(_ number: Int) -> FolderID {
    var generator = Random(state: UInt64(number))
    return FolderID(using: &generator)
  }

  static func place(_ number: Int, in folder: Int = 1) -> DocumentHistories.Place {
    guard let path = RelativePath("notes/of-a-year/document-\(number).md") else {
      preconditionFailure("these are names")
    }
    return DocumentHistories.Place(folder: Self.folder(folder), path: path)
  }

  static func sighting(_ number: Int, _ source: VersionSources = .published) -> VersionSighting {
    VersionSighting(digest(number), size: UInt64(number), source: source)
  }
}

/// SplitMix64: a test that failed fails again.
struct Random: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

extension DocumentHistories {
  /// A save of version `number`.
  func save(_ number: Int, at place: Place) {
    change(place, because: Samples.sighting(number), at: WallTime(milliseconds: UInt64(number))) {
      $0.record(Samples.digest(number))
    }
  }
}
