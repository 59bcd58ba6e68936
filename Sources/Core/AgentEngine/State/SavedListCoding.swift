// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import ActivityWire

// What is remembered of saved activities that devices tell each other.
extension AgentState {
  /// Nil where nothing was said.
  var saidListsCBOR: CBOR? {
    let said = saidLists.sorted { $0.key < $1.key }
    return said.isEmpty ? nil : .array(said.map { .array([.unsigned(UInt64($0.key)), .bytes($0.value)]) })
  }

  /// Throws `invalidBytes` for what no agent writes.
  mutating func takeLists(_ fields: CBORMap) throws(ContinuityError) {
    for entry in try fields[13]?.array("said lists") ?? [] {
      let parts = try entry.array("said list", count: 2)
      let part = Int(clamping: try parts[0].unsigned("part"))
      guard part < SavedActivityList.partCount else { throw CBOR.mismatch("part", expected: "one of four") }
      saidLists[part] = try parts[1].bytes("digest")
    }
    if let value = fields[14] { deletions = try RequestedDeletions(cbor: value) }
  }
}

extension RequestedDeletions {
  /// Nil where nothing is asked for.
  var cbor: CBOR? {
    guard !isEmpty else { return nil }
    return .array(
      inOrder.map { key, request in
        .array([
          key.device.map { .bytes($0.bytes) } ?? .null, .text(key.appID), .text(key.identifier),
          .unsigned(request.changedAt.milliseconds), .unsigned(request.until.milliseconds),
        ])
      })
  }

  /// Throws `invalidBytes` for what no agent writes.
  init(cbor: CBOR) throws(ContinuityError) {
    var requests: [SavedActivity.Key: Request] = [:]
    for entry in try cbor.array("deletions") {
      let parts = try entry.array("deletion", count: 5)
      let key = SavedActivity.Key(
        appID: try parts[1].text("app"), identifier: try parts[2].text("identifier"),
        device: try parts[0].identifier("owner"))
      requests[key] = Request(
        changedAt: WallTime(milliseconds: try parts[3].unsigned("time")),
        until: WallTime(milliseconds: try parts[4].unsigned("time")))
    }
    self.init(requests)
  }
}
