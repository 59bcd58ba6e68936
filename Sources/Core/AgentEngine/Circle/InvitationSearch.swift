// SPDX-License-Identifier: MIT

import ActivityWire
import Trust

/// Looks through the folders for the invitations that certain words open, a part at a time: junk may lie
/// there by the thousand. Loop thread only.
final class InvitationSearch {
  private let tags: Set<[UInt8]>
  private var readers: [ObjectIdentifier: FolderTransport] = [:]
  /// Those for the words.
  private(set) var found: [[UInt8]] = []
  /// Whether there are some for other words.
  private(set) var hasOthers = false
  /// Whether a part of the files is still to be looked at.
  private(set) var hasMore = false

  init(for words: [PairingWords]) { tags = Set(words.map(\.circleTag)) }

  func look(in folders: [FolderRegistry.Presence]) {
    hasMore = false
    for folder in folders {
      let key = ObjectIdentifier(folder.records as AnyObject)
      let reader = readers[key] ?? FolderTransport(folder: folder.directory, records: folder.records)
      readers[key] = reader
      for record in reader.hasMore ? reader.collectRest() : reader.collect() {
        // What is no record is no invitation.
        guard let header = try? RecordHeader(record: record), header.kind == .invitation else { continue }
        if tags.contains(header.circleTag) { found.append(record) } else { hasOthers = true }
      }
      if reader.hasMore { hasMore = true }
    }
  }
}
