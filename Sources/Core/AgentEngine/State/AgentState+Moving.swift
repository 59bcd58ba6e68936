// SPDX-License-Identifier: MIT

import ActivityModel

// What a device knows when it goes on to another computer.
extension AgentState {
  /// So many numbers stay to the old computer, for its last word.
  static let lastNumbers: UInt64 = 1024

  /// What goes along. Apps that were being started here are not, nor are private copies.
  package var leaving: AgentState {
    var state = self
    state.reservedSequence = min(reservedSequence + Self.lastNumbers, Self.highestReserved)
    (state.startedApps, state.copies) = ([:], [])
    return state
  }

  /// What the device goes on with here, where `self` is known already. Folders that are registered here stay,
  /// and those below the old computer's `home` are looked for below this one's.
  func takingOver(
    _ moved: AgentState, home: (old: [UInt8], new: [UInt8])
  ) -> AgentState {
    var state = moved
    state.reservedSequence = max(reservedSequence, moved.reservedSequence)
    state.toldClaims.formUnion(toldClaims)
    state.continued.merge(continued) { max($0, $1) }
    (state.copied, state.startedApps, state.copies) = (nil, [:], copies)
    // Where others listen is known to both; this computer's port and what was typed here are its own.
    state.links.places.merge(links.places) { theirs, _ in theirs }
    (state.links.typed, state.links.port) = (links.typed, links.port)
    state.folders = folders
    for var folder in moved.folders {
      folder.path = Self.rebased(folder.path, from: home.old, to: home.new)
      guard !state.folders.contains(where: { $0.id == folder.id || $0.path == folder.path }) else { continue }
      let name = folder.name
      var number = 2
      while state.folders.contains(where: { $0.name == folder.name }) {
        folder.name = "\(name) \(number)"
        number += 1
      }
      state.folders.append(folder)
    }
    return state
  }

  private static func rebased(_ path: [UInt8], from old: [UInt8], to new: [UInt8]) -> [UInt8] {
    let slash = UInt8(ascii: "/")
    guard old.count > 1, path.starts(with: old + [slash]) else { return path }
    return new + path.dropFirst(old.count)
  }
}
