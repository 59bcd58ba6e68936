// SPDX-License-Identifier: MIT

import ActivityModel
import SyncedFolders

/// The identity files in one `.continuo`: `f-….id`, one of each device that gave the folder an ID. Files that
/// were read are not read again, so that thousands of them cost no more than their listing. Loop thread only.
final class IdentityFiles {
  /// What the files say.
  struct Content {
    /// The ID in each file that holds one, by the file's name.
    var ids: [String: FolderID] = [:]
    /// Files that are called as an identity is and hold none.
    var damaged: Set<String> = []

    /// Every ID that a file holds.
    var claimed: Set<FolderID> { Set(ids.values) }
  }

  /// How many files the last `read` found that are called as an identity is and hold none.
  private(set) var junkCount = 0
  private let records: any OwnFiles
  private var known: [String: (stamp: FileStamp, id: FolderID?)] = [:]

  /// The most IDs that are believed: a folder has one of each device that began it alone. This device's own
  /// file is among them, and then the oldest files.
  private static let limit = 1024
  /// The most files that are read for them.
  private static let fileLimit = 1 << 16
  private static let heading = "continuo folder 1\n"
  /// A heading, 32 digits and, as some programs end lines, up to two bytes more and some room.
  private static let sizes: ClosedRange<UInt64> = 50...128

  init(_ records: any OwnFiles) { self.records = records }

  /// Reads what lies there now; `own` is the name of this device's file. Throws `folderUnavailable` when the
  /// folder cannot be read to its end: what it was called may be in the rest.
  func read(own: String) throws(ContinuityError) -> Content {
    var content = Content()
    var candidates: [(name: String, stamp: FileStamp)] = []
    let isWhole = try records.scan { name, observation in
      guard name.suffix(3).elementsEqual(".id".utf8), let text = String(validating: name, as: UTF8.self),
        case .file(let stamp) = observation
      else { return }
      if Self.sizes.contains(stamp.size) {
        candidates.append((text, stamp))
      } else if text == own {
        content.damaged.insert(text)
      }
      if candidates.count >= 2 * Self.fileLimit {
        candidates = Self.first(Self.fileLimit, of: candidates, own)
      }
    }
    guard isWhole else {
      throw ContinuityError(
        .folderUnavailable, subject: records.displayPath,
        description:
          "\(records.displayPath) holds more than \(OwnFilesLimit.scan) files: remove those that are not "
          + "Continuo's.")
    }
    candidates = Self.first(Self.fileLimit, of: candidates, own)
    if !known.isEmpty {
      let names = Set(candidates.map(\.name))
      if !known.keys.allSatisfy(names.contains) { known = known.filter { names.contains($0.key) } }
    }
    for (name, stamp) in candidates where content.ids.count < Self.limit {
      let id: FolderID?
      if let read = known[name], read.stamp == stamp {
        id = read.id
      } else {
        id = read(name)
        if records.age(of: stamp) > stamp.tick { known[name] = (stamp, id) }
      }
      if let id { content.ids[name] = id } else { content.damaged.insert(name) }
    }
    junkCount = content.damaged.count
    return content
  }

  /// Makes `name` hold `id`, whole and on the disk. Throws `folderUnavailable`.
  func write(_ id: FolderID, as name: String) throws(ContinuityError) {
    known[name] = nil
    try records.replace(name, with: Array("\(Self.heading)\(id)\n".utf8), isShared: true)
  }

  /// Takes a file away. Throws `folderUnavailable`.
  func remove(_ name: String) throws(ContinuityError) {
    known[name] = nil
    try records.remove(name)
  }

  /// A file that is no identity, or half of one, is none; so is one that is gone or may not be read.
  private func read(_ name: String) -> FolderID? {
    guard let bytes = try? records.read(name, limit: Int(Self.sizes.upperBound)) else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.hasPrefix(Self.heading) else { return nil }
    return FolderID(hex: text.dropFirst(Self.heading.count).prefix { $0 != "\n" })
  }

  private static func first(
    _ count: Int, of candidates: [(name: String, stamp: FileStamp)], _ own: String
  ) -> [(name: String, stamp: FileStamp)] {
    guard candidates.count > 1 else { return candidates }
    func order(_ file: (name: String, stamp: FileStamp)) -> (Int, Int64, String) {
      (file.name == own ? 0 : file.name.hasPrefix("f-") ? 1 : 2, file.stamp.changed, file.name)
    }
    return Array(candidates.sorted { order($0) < order($1) }.prefix(count))
  }
}
