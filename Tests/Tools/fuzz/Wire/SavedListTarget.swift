// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import TestSamples

/// What a record of a device's saved activities holds: read twice, it is the same; all of it is to be kept
/// for search, and its paths stay in their folders.
struct SavedListTarget: FuzzTarget {
  static let name = "saved-list"
  static let longest = 4096
  static let words = CBORWords.all

  func seeds() throws -> [[UInt8]] {
    let lists = (1...3).map { RecordSamples.savedList(seed: $0) }
    let halves = lists.flatMap {
      [SavedActivityList(activities: $0.activities), SavedActivityList(deletions: $0.deletions)]
    }
    // What is none to be kept, as nobody writes it.
    let others = lists.map { list in
      var list = list
      for index in list.activities.indices { list.activities[index].flags.remove(.search) }
      return list.cbor.encoded
    }
    return ([SavedActivityList()] + lists + halves).map(\.recordPayload) + others
  }

  func check(_ input: [UInt8]) throws {
    guard let list = try? SavedActivityList(recordPayload: input) else { return }
    let again = list.cbor.encoded
    try expect(
      (try? SavedActivityList(recordPayload: again)) == list, "a list is another one when read again")
    try expect(list.activities.allSatisfy(\.isToBeKept), "an activity in a list is none to be kept")
    for activity in list.activities {
      for document in [activity.document].compactMap(\.self) + activity.translatedDocuments {
        try PathTarget.checkNames(document.path)
      }
    }
    let carried = list.recordPayload
    try expect(carried.count <= CBOR.Limits.record.bytes, "a payload is longer than its limit")
    try expect((try? SavedActivityList(recordPayload: carried)) != nil, "a payload cannot be read")
  }
}

extension RecordSamples {
  /// A list of what `state(seed:)` has, kept for search, and of deletions.
  static func savedList(seed: UInt64) -> SavedActivityList {
    let state = state(seed: seed)
    let device = DeviceID(bytes: [UInt8](repeating: UInt8(truncatingIfNeeded: seed), count: 16))
    var list = SavedActivityList()
    for (number, activity) in state.activities.enumerated() {
      var kept = activity
      kept.flags.insert(.search)
      kept.persistentIdentifier = "kept-\(number)"
      list.activities.append(kept)
      let key = SavedActivity.Key(appID: kept.appID, identifier: "gone-\(number)", device: device)
      list.deletions.append(SavedActivityList.Deletion(of: key, changedAt: kept.changedAt))
    }
    return list
  }
}
