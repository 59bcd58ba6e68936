// SPDX-License-Identifier: MIT

public import ActivityModel

/// What there is to say of a file that a person names: how it stands here, and to what others offer.
public struct NamedFileAnswer: Hashable, Sendable {
  /// What lies at the path.
  public enum Finding: Hashable, Sendable {
    /// A regular file.
    case file
    /// Nothing, or what is no document; with the sentence that says so.
    case none(Explanation.Statement)
  }

  /// What is said of the file itself, the most important first; empty where its rows say all.
  public var statements: [Explanation.Statement]
  /// What is done with it here, and what others offer of it.
  public var rows: [Explanation]

  /// The answer for the document at an absolute path whose links were followed. `isKeptBack` tells whether a
  /// place in a folder belongs to an engine or to Continuo itself.
  public init(
    path: [UInt8], finding: Finding, roots: [SyncedRoot], among all: [Explanation],
    isKeptBack: (RelativePath) -> Bool
  ) {
    rows = all.filter { $0.path == path && $0.subject != .folder }
    statements = []
    let name = DisplayText.shown(path.split(separator: UInt8(ascii: "/")).last.map(Array.init) ?? path)
    let holders = roots.compactMap { root in root.relativePath(of: path).map { (root, $0) } }
      .sorted { $0.0.path.count > $1.0.path.count }
    guard let (root, place) = holders.first else {
      // Where an app has it, its row says so.
      if rows.isEmpty { say(.outsideFolders(path: DisplayText.shown(path))) }
      if case .none(let statement) = finding { statements.insert(statement, at: 0) }
      return
    }
    if isKeptBack(place) {
      say(.keptBack(document: name))
    } else if !root.isPresent {
      say(root.refused ?? .folderAway(document: name, folder: DisplayText.shown(root.name)))
    } else if case .none(let statement) = finding, !rows.contains(where: { $0.subject == .offer }) {
      statements.append(statement)
    } else if !rows.contains(where: { $0.subject != .offer }), case .file = finding {
      say(.notOpen(document: name))
    }
    if holders.count > 1, !isKeptBack(place) {
      say(
        .nested(
          document: name, folder: DisplayText.shown(root.name), outer: DisplayText.shown(holders[1].0.name)))
    }
  }

  private mutating func say(_ reason: Reason) { statements.append(Explanation.Statement(reason)) }
}
