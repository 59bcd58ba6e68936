// SPDX-License-Identifier: MIT

import ActivityModel

/// The search for a document that is not under its own name, and what it found (semantics 48, R6, R10).
struct RenameSearch: Hashable, Sendable {
  /// Where the document was found instead of under the reference's own path.
  private(set) var found: RelativePath?
  /// What the document looked like when it was last here, and by the file system's clock when that was.
  private var last: FileStamp?
  private var lastSeen: Int64?
  private var searchedAt: Instant?

  /// Whether this device ever had the document: only then other bytes like it may be the document, moved. A
  /// copy of another document that was announced and has not come yet is not that other document.
  func wasHere(_ past: KnownPast) -> Bool { last != nil || past.hasVersions }

  /// The document is here, as `reading` tells.
  mutating func recordDocument(_ reading: FileReading, at now: Instant) {
    last = reading.stamp
    lastSeen = reading.fileTime(at: now)
  }

  /// When the next search may begin, if the last one is less than `pause` ago.
  func pauseEnd(_ pause: Duration, at now: Instant) -> Instant? {
    searchedAt.flatMap { now - $0 < pause ? $0 + pause : nil }
  }

  /// What to look for; nil when that is of no use.
  mutating func begin(for reference: DocumentReference, past: KnownPast, at now: Instant) -> DocumentSearch? {
    let search = DocumentSearch(reference, wasHere: wasHere(past), last: last, lastSeen: lastSeen)
    guard search.isWorthwhile else { return nil }
    searchedAt = now
    return search
  }

  /// The document lies at `path`; nil: under its own name or nowhere.
  mutating func end(found path: RelativePath?) { found = path }

  /// Another path has another past.
  mutating func forget() { (found, last, lastSeen) = (nil, nil, nil) }
}
