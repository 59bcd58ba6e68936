// SPDX-License-Identifier: MIT

import ActivityModel

/// An open document that is not at its path: it is being replaced, has another name, or was deleted. What is
/// known of it is kept while it is there, for the time when it is not.
struct DocumentAbsence: Hashable, Sendable {
  typealias Timing = OpenDocumentMachine.Timing
  typealias Holding = OpenDocumentMachine.Holding

  /// What the document held when it was here last: by this it is found again.
  private enum Last: Hashable {
    case read(FileReading)
    /// An app told of the bytes, and nobody has looked at the file since.
    case told(Holding)

    var holding: Holding {
      switch self {
      case .read(let reading): Holding(reading.digest, size: reading.stamp.size)
      case .told(let holding): holding
      }
    }

    var reading: FileReading? { if case .read(let reading) = self { reading } else { nil } }
  }

  private var last: Last?
  /// Until when the file may be gone within an update.
  private var graceEnd: Instant?
  /// When it was told as deleted.
  private var deletedAt: Instant?
  /// The name that the watcher saw it get.
  private var renamedTo: [[UInt8]]?
  private var searchedAt: Instant?
  /// Whether something happened since it was deleted that another search may explain.
  private(set) var wantsSearch = false

  var isDeleted: Bool { deletedAt != nil }

  /// Whether the document is gone, and every change anywhere may be it.
  var isSought: Bool { isDeleted && last != nil }

  // MARK: What is known of the document

  mutating func record(_ holding: Holding) {
    if last?.holding != holding { last = .told(holding) }
  }

  mutating func record(_ reading: FileReading) { last = .read(reading) }

  /// The watcher saw one name become another: whether that was the document's. Engines take a temporary name
  /// on the way.
  mutating func recordRename(_ from: [[UInt8]], _ to: [[UInt8]], of path: RelativePath) -> Bool {
    let name = renamedTo ?? path.components
    guard name.starts(with: from) else { return false }
    renamedTo = to + name.dropFirst(from.count)
    return true
  }

  /// Whether a file with this stamp may be the document as it was last read.
  func mayBeDocument(_ stamp: FileStamp) -> Bool {
    last?.reading.map { stamp.isSameFile(as: $0.stamp) } ?? true
  }

  /// The path that the watcher saw the document get.
  var candidate: RelativePath? {
    renamedTo.flatMap(RelativePath.init(components:)).flatMap { path in
      SyncNames.isPlausibleDocument(path) ? path : nil
    }
  }

  /// A file's name without its extension.
  static func stem(_ name: [UInt8]) -> ArraySlice<UInt8> {
    name.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 > 0 ? name[..<$0] : nil } ?? name[...]
  }

  // MARK: Gone for a moment

  /// The file is gone. Returns until when it may be, within an update.
  mutating func beginGrace(of path: RelativePath, _ timing: Timing, at now: Instant) -> Instant {
    let end = graceEnd ?? now + (isSurelyRenamed(from: path) ? timing.renamed : timing.grace)
    graceEnd = end
    return end
  }

  /// Something lies there.
  mutating func endGrace() { graceEnd = nil }

  /// The document lies there, or its other place is known.
  mutating func resolve() {
    (graceEnd, deletedAt, renamedTo) = (nil, nil, nil)
    wantsSearch = false
  }

  /// Not what an editor, or a program that rotates files, gives to the old file before it makes the new one.
  private func isSurelyRenamed(from path: RelativePath) -> Bool {
    guard let candidate else { return false }
    return candidate.name == path.name || !candidate.name.starts(with: Self.stem(path.name))
  }

  // MARK: Deleted, and looked for

  /// The document is nowhere: whether that is news.
  mutating func concludeDeleted(at now: Instant) -> Bool {
    graceEnd = nil
    guard deletedAt == nil else { return false }
    deletedAt = now
    return true
  }

  /// Something happened that may be the document: whether it is still looked for.
  mutating func requestSearch(_ timing: Timing, at now: Instant) -> Bool {
    guard isSought, isWithinAfterlife(timing, at: now) else { return false }
    wantsSearch = true
    return true
  }

  func isSearchDue(_ timing: Timing, at now: Instant) -> Bool {
    wantsSearch && isWithinAfterlife(timing, at: now)
  }

  private func isWithinAfterlife(_ timing: Timing, at now: Instant) -> Bool {
    deletedAt.map { now - $0 < timing.afterlife } ?? false
  }

  /// When the next search may begin.
  func searchTime(_ timing: Timing, at now: Instant) -> Instant {
    max(now + timing.settled, searchedAt.map { $0 + timing.searchPause } ?? now)
  }

  /// What to look for; nil when nothing is known of the document.
  mutating func beginSearch(of path: RelativePath, at now: Instant) -> DocumentSearch? {
    wantsSearch = false
    searchedAt = now
    return last.map {
      DocumentSearch(
        path, $0.holding, last: $0.reading?.stamp, lastSeen: $0.reading?.fileTime(at: deletedAt ?? now))
    }
  }
}
