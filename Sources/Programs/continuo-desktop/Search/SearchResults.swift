// SPDX-License-Identifier: MIT

import ActivityModel

/// Saved activities as the desktop's search shows them.
///
/// GNOME Shell asks for names of results first and then what each is; KRunner for all at once. Both give back
/// a name when a person wants that result, perhaps to another process than told it, so a name says all: which
/// app, and under which identifier.
struct SearchResults {
  /// What a search bar shows of one program.
  static let limit: UInt64 = 5
  /// Nobody types more than this; the agent is not asked.
  static let longestQuery = 512
  private static let icon = "org.continuo.edit"
  /// So many are told later what they are.
  private static let memory = 64

  private var known: [(name: String, activity: FoundActivity)] = []

  /// The words to look for; nil where there are none, or too much.
  static func words(_ terms: [String]) -> String? {
    let words = terms.joined(separator: " ")
    let isBlank = words.allSatisfy(\.isWhitespace)
    return isBlank || words.utf8.count > longestQuery ? nil : words
  }

  /// The names of what was found, for `org.gnome.Shell.SearchProvider2`.
  mutating func names(of found: [FoundActivity]) -> [String] {
    let named = found.map { ($0.key.name, $0) }
    known.removeAll { entry in named.contains { $0.0 == entry.name } }
    known = (known + named).suffix(Self.memory)
    return named.map(\.0)
  }

  /// What those are that were found; others are passed over.
  func details(of names: [String]) -> BusValue {
    let found = names.compactMap { name in known.last { $0.name == name } }
    return .array(
      of: "a{sv}",
      found.map { name, activity in
        .dictionary([
          ("id", .text(name)), ("name", .text(DisplayText.shown(activity.title))),
          ("description", .text(Self.subtext(of: activity))), ("gicon", .text(Self.icon)),
        ])
      })
  }

  /// What was found, best first, for `org.kde.krunner1`.
  static func matches(_ found: [FoundActivity]) -> BusValue {
    .array(
      of: "(sssida{sv})",
      found.enumerated().map { place, activity in
        .tuple([
          .text(activity.key.name), .text(DisplayText.shown(activity.title)), .text(icon),
          .integer(possibleMatch), .real(1 - Double(place) / 10),
          .dictionary([("subtext", .text(subtext(of: activity))), ("actions", .texts([]))]),
        ])
      })
  }

  /// `Plasma::QueryMatch::PossibleMatch`.
  private static let possibleMatch: Int32 = 30

  private static func subtext(of activity: FoundActivity) -> String {
    let text = activity.summary.isEmpty ? activity.webpageURL ?? "" : activity.summary
    let shown = activity.summary.isEmpty ? activity.path.map { DisplayText.shown($0) } : nil
    let parts = [activity.device.map { DisplayText.shown($0.name) }, shown ?? DisplayText.shown(text)]
    return parts.compactMap(\.self).filter { !$0.isEmpty }.joined(separator: ": ")
  }
}
