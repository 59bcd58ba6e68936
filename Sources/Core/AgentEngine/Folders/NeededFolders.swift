// SPDX-License-Identifier: MIT

import ActivityModel

/// The folders of documents that are offered or open. They are asked for after each event of the exchange,
/// and another one seldom.
struct NeededFolders {
  /// How often that from which they follow was changed.
  struct Changes: Equatable {
    var awaited: UInt64
    var opened: UInt64
    var folders: UInt64
  }

  /// Folders of one root.
  typealias Needed = (root: RootNumber, paths: Set<[[UInt8]]>)

  private var known: [Needed] = []
  private var changes: Changes?

  /// Those of each root as of `changes`; `find` is called where they are not known.
  mutating func all(as changes: Changes, find: () -> [Needed]) -> [Needed] {
    if self.changes != changes { (known, self.changes) = (find(), changes) }
    return known
  }
}
