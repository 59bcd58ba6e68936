// SPDX-License-Identifier: MIT

import ActivityModel

/// The words by which an activity is found, as the columns of the index hold them.
///
/// What is said to FTS5 when an activity goes is worked out again from the activity: whatever changes here,
/// or in `SearchText.indexed`, wants another `SearchText.version`.
struct IndexedWords: Hashable {
  var title: String
  var keywords: String
  var description: String
  /// The document's name, and the address of the page.
  var place: String

  init(_ snapshot: ActivitySnapshot) {
    let attributes = snapshot.contentAttributes ?? [:]
    func text(_ name: String) -> String? {
      if case .text(let text)? = attributes[.text(name)] { text } else { nil }
    }
    func joined(_ parts: [String?]) -> String {
      SearchText.indexed(parts.compactMap(\.self).filter { !$0.isEmpty }.joined(separator: "\n"))
    }
    var words = snapshot.keywords.sorted()
    if case .array(let values)? = attributes[.text("keywords")] {
      words += values.compactMap { if case .text(let word) = $0 { word } else { nil } }
    }
    title = joined([snapshot.title, text("title"), text("displayName")])
    keywords = joined(words)
    description = joined([text("contentDescription")])
    place = joined([Self.documentName(snapshot), snapshot.webpageURL])
  }

  private static func documentName(_ snapshot: ActivitySnapshot) -> String? {
    let path = snapshot.documentPath.flatMap { $0.split(separator: UInt8(ascii: "/")).last.map(Array.init) }
    return (path ?? snapshot.document?.path.name).map { String(decoding: $0, as: UTF8.self) }
  }
}
