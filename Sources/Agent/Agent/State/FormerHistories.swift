// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import FolderAccess
import LinuxSystem
import SyncedFolders
import VersionHistory

/// The file in which older releases kept all histories: read once, and taken over into the database.
struct FormerHistories {
  /// The one that was untouched longest first.
  private(set) var entries: [(place: DocumentHistories.Place, history: DocumentHistory)] = []

  private static let limits = CBOR.Limits(depth: 8, entries: 4096, items: 1 << 18, bytes: 16 << 20)

  init(decoding bytes: [UInt8]) throws(ContinuityError) {
    for element in try CBOR(decoding: bytes, limits: Self.limits).array("histories") {
      let parts = try element.array("history", count: 4)
      var components: [[UInt8]] = []
      for part in try parts[1].array("path") { components.append(try part.bytes("path")) }
      guard let path = RelativePath(components: components) else {
        throw CBOR.mismatch("path", expected: "a path")
      }
      let prefixes = try parts[2].bytes("versions")
      let versions = stride(from: 0, to: prefixes.count, by: 6).compactMap {
        DigestPrefix(bytes: prefixes[$0..<min($0 + 6, prefixes.count)])
      }
      let history = DocumentHistory(versions: versions, generation: try parts[3].unsigned("generation"))
      let folder: FolderID = try parts[0].identifier("folder")
      entries.append((DocumentHistories.Place(folder: folder, path: path), history))
    }
  }

  /// Where releases before 0013 kept them.
  static let fileName = "histories"

  /// Takes over what an older release remembered, once: its file goes when the database has it.
  static func takeOver(from directory: OwnDirectory, into histories: DocumentHistories) {
    do throws(ContinuityError) {
      guard let bytes = try directory.read(fileName, limit: 16 << 20) else { return }
      for (place, history) in try FormerHistories(decoding: bytes).entries {
        histories.adopt(history, of: place)
      }
      try histories.save()
      try directory.remove(fileName)
    } catch {
      // A disk that refuses is told by `problem`; the file stays, and is taken over at the next start.
      guard error.code == .agentUnavailable || error.code == .invalidBytes else { return }
      let kept = "\(directory.displayPath)/\(fileName)"
      try? FilePath(kept).rename(to: FilePath(kept + ".damaged"))
      histories.noteLoss(
        "The documents' histories of an older release were damaged and are kept as \(kept).damaged: an older "
          + "copy may be told as diverged for a while.")
    }
  }
}
