// SPDX-License-Identifier: MIT

import ActivityModel

/// What tells that a sync engine met two versions: the conflict copies beside a document, and the conflict
/// markers that a merge left in it.
struct ConflictEvidence: Hashable, Sendable {
  /// The conflict copies of the document, by name.
  private(set) var copies: [ConflictCopy] = []
  private var expectsCopies = false
  /// The file that was asked for conflict markers, and the one that has them.
  private var asked: FileStamp?
  private var marked: FileStamp?

  mutating func expectCopies() { expectsCopies = true }

  /// Takes the answer in: whether it was asked for. Unless it is `wanted`, it changes nothing.
  mutating func receive(_ found: [ConflictCopy], wanted: Bool) -> Bool {
    guard expectsCopies else { return false }
    expectsCopies = false
    if wanted { copies = found.sorted() }
    return wanted
  }

  mutating func forgetCopies() { copies = [] }

  /// Whether the file is to be asked for markers: once as it is, for reading it again would tell the same.
  mutating func askForMarkers(in stamp: FileStamp) -> Bool {
    guard asked != stamp else { return false }
    asked = stamp
    return true
  }

  mutating func receive(markers found: Bool) { marked = found ? asked : nil }

  /// Whether the file with this stamp holds both versions between markers.
  func isMarked(_ stamp: FileStamp?) -> Bool { marked != nil && marked == stamp }
}
