// SPDX-License-Identifier: MIT

public import ActivityModel

// saved list = { 1: [activity], 2: [deletion] }
// deletion = { 1: device ID of the owner, 2: app ID, 3: persistent identifier, 4: changed-at-ms }
extension SavedActivityList {
  /// The most deletions that one record asks for.
  public static let deletionLimit = 64
  /// What an array of many may need more than one of none.
  private static let heads = 4

  /// The payload of a record, at most 48 KiB: the first deletions, then the newest activities that fit. Those
  /// that cannot travel at all are left out.
  public var recordPayload: [UInt8] {
    var told = self
    told.deletions = Array(deletions.prefix(Self.deletionLimit))
    told.activities = []
    let limits = CBOR.Limits.record
    let measure = CBORMeasure(of: told.cbor)
    var (bytes, items) = (measure.bytes + Self.heads, measure.items)
    var carried: [CBOR] = []
    for activity in activities where carried.count < limits.entries {
      guard let fields = try? activity.checkedFields() else { continue }
      let cbor = activity.recorded(fields)
      let size = CBORMeasure(of: cbor)
      guard bytes + size.bytes <= limits.bytes, items + size.items <= limits.items else { continue }
      (bytes, items) = (bytes + size.bytes, items + size.items)
      carried.append(cbor)
    }
    return told.cbor(carrying: carried).encoded
  }

  /// What the payload of a record says.
  ///
  /// Every activity comes back as eligible for Handoff, for no other is told. Throws `invalidBytes`.
  public init(recordPayload bytes: [UInt8]) throws(ContinuityError) {
    let fields = try CBOR(decoding: bytes, limits: .record).map("saved list")
    try fields.closed("saved list", known: 1...2)
    self.init()
    for activity in try fields.required(1, field: "activities").array("activities") {
      let told = try DeviceState.recorded(activity)
      guard told.isToBeKept else { throw CBOR.mismatch("activities", expected: "activities to be found") }
      activities.append(told)
    }
    for deletion in try fields.required(2, field: "deletions").array("deletions", limit: Self.deletionLimit) {
      deletions.append(try Deletion(cbor: deletion))
    }
  }

  /// The part as records carry it, unbounded: `recordPayload` is what keeps to the limits.
  public var cbor: CBOR { cbor(carrying: activities.map { $0.recorded($0.fields) }) }

  private func cbor(carrying activities: [CBOR]) -> CBOR {
    .map([1: .array(activities), 2: .array(deletions.map(\.cbor))])
  }
}

extension SavedActivityList.Deletion {
  /// The deletion in the format of records.
  public var cbor: CBOR {
    var fields: CBORMap = [
      2: .text(key.appID), 3: .text(key.identifier), 4: .unsigned(changedAt.milliseconds),
    ]
    fields[1] = key.device.map { .bytes($0.bytes) }
    return .map(fields)
  }

  init(cbor: CBOR) throws(ContinuityError) {
    let fields = try cbor.map("deletion")
    try fields.closed("deletion", known: 1...4)
    let key = SavedActivity.Key(
      appID: try fields.required(2, field: "app").plainText("app", limit: ActivitySnapshot.Limits.name),
      identifier: try fields.required(3, field: "identifier").text(
        "identifier", limit: ActivitySnapshot.Limits.identifier),
      device: try fields.required(1, field: "owner").identifier("owner"))
    let changed = try fields.required(4, field: "changed").unsigned("changed")
    self.init(of: key, changedAt: WallTime(milliseconds: changed))
  }
}
