// SPDX-License-Identifier: MIT

import ActivityModel
import SyncedFolders
import VersionHistory
import TestSamples

/// Documents and versions by number: the same in each run.
enum Samples {
  static func digest(_ number: Int) -> ContentDigest {
    var generator = SeededGenerator(seed: UInt64(number))
    guard let digest = ContentDigest(bytes: (0..<32).map { _ in UInt8(truncatingIfNeeded: generator.next()) })
    else { preconditionFailure("32 bytes are a digest") }
    return digest
  }

  static func folder(_ number: Int) -> FolderID {
    var generator = SeededGenerator(seed: UInt64(number))
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

extension DocumentHistories {
  /// A save of version `number`.
  func save(_ number: Int, at place: Place) {
    change(place, because: Samples.sighting(number), at: WallTime(milliseconds: UInt64(number))) {
      $0.record(Samples.digest(number))
    }
  }
}
