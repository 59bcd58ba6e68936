// SPDX-License-Identifier: MIT

public import ActivityModel

// state = { 1: issued-at-ms, 2: lifetime-s, 3: [activity], 4: [[device ID, highest sequence seen]] by device,
//           5: boot nonce (16), 6: [claim], 128: reachability? }
// claim = { 1: source device ID, 2: activity ID, 3: request ID, 4: outcome, 5: at-ms, 128: message?,
//           129: changed-at-ms? }
extension DeviceState {
  /// The most acknowledgements: one for each device of a circle.
  public static let acknowledgementLimit = 32
  /// The most claims.
  public static let claimLimit = 64

  /// An activity that a record could not carry, and why: one sentence for a person.
  public struct Dropped: Hashable, Sendable {
    /// What is not offered for that.
    public var activity: ActivityID
    /// Why.
    public var reason: ContinuityError
  }

  /// The payload of a state record, at most 48 KiB, and the activities that it leaves out: those that cannot
  /// travel at all, then the oldest ones (the last) until the rest fits.
  ///
  /// Flags that only mean something on this machine stay here. More than `claimLimit` claims lose the
  /// earliest.
  public func recordPayload() -> (bytes: [UInt8], dropped: [Dropped]) {
    var dropped: [Dropped] = []
    var carried: [(id: ActivityID, cbor: CBOR)] = []
    for activity in activities {
      do throws(ContinuityError) {
        carried.append((activity.id, activity.recorded(try activity.checkedFields())))
      } catch {
        dropped.append(Dropped(activity: activity.id, reason: error))
      }
    }
    while true {
      let state = cbor(carrying: carried.map(\.cbor))
      let isTaken = carried.count <= Self.activityLimit && CBORMeasure(of: state).fits(.record)
      if carried.isEmpty || isTaken { return (state.encoded, dropped) }
      dropped.append(Dropped(activity: carried.removeLast().id, reason: Self.noRoom))
    }
  }

  /// The state that the payload of a state record holds.
  ///
  /// Every activity comes back as eligible for Handoff, for a record carries no other. Throws `invalidBytes`.
  public init(recordPayload bytes: [UInt8]) throws(ContinuityError) {
    try self.init(cbor: CBOR(decoding: bytes, limits: .record))
  }

  /// The state as records carry it, unbounded: `recordPayload` is what keeps to the limits.
  public var cbor: CBOR { cbor(carrying: activities.map { $0.recorded($0.fields) }) }

  private func cbor(carrying activities: [CBOR]) -> CBOR {
    let acknowledgements = acknowledgements.sorted { $0.key < $1.key }.prefix(Self.acknowledgementLimit)
    var fields: CBORMap = [
      1: .unsigned(issuedAt.milliseconds), 2: .unsigned(min(lifetime, Self.lifetimeLimit)),
      3: .array(activities),
      4: .array(acknowledgements.map { .array([.bytes($0.key.bytes), .unsigned($0.value)]) }),
      5: .bytes(bootNonce), 6: .array(claims.suffix(Self.claimLimit).map(\.cbor)),
    ]
    // Earlier releases pass over it.
    if let reachability { fields[128] = reachability.cbor }
    return .map(fields)
  }

  /// The state that `cbor` holds. Throws `invalidBytes`.
  public init(cbor: CBOR) throws(ContinuityError) {
    let fields = try cbor.map("state")
    try fields.closed("state", known: 1...6)
    self.init(
      issuedAt: WallTime(milliseconds: try fields.required(1, field: "issued").unsigned("issued")),
      lifetime: try fields.required(2, field: "lifetime").unsigned("lifetime"),
      bootNonce: try fields.required(5, field: "boot nonce").bytes("boot nonce"))
    guard fields[2] == .unsigned(lifetime) else {
      throw CBOR.mismatch("lifetime", expected: "at most seven days")
    }
    guard bootNonce.count == 16 else { throw CBOR.mismatch("boot nonce", expected: "16 bytes") }
    for activity in try fields.required(3, field: "activities").array("activities", limit: Self.activityLimit)
    {
      activities.append(try Self.recorded(activity))
    }
    acknowledgements = try Self.acknowledgements(fields)
    for claim in try fields.required(6, field: "claims").array("claims", limit: Self.claimLimit) {
      claims.append(try Claim(cbor: claim))
    }
    // What cannot be understood is none: whoever says it is heard all the same.
    reachability = try? fields[128].map { (value) throws(ContinuityError) in try Reachability(cbor: value) }
  }

  private static let noRoom = ContinuityError(
    .invalidRequest, subject: "activities", because: .tooLarge(.record))

  /// An activity as records carry it. Throws `invalidBytes`.
  static func recorded(_ cbor: CBOR) throws(ContinuityError) -> ActivitySnapshot {
    var activity = try ActivitySnapshot(cbor: cbor)
    guard activity.flags.isSubset(of: .recorded) else {
      throw CBOR.mismatch("flags", expected: "flags of a record")
    }
    activity.flags.insert(.handoff)
    return activity
  }

  private static func acknowledgements(
    _ fields: CBORMap
  ) throws(ContinuityError) -> [DeviceID: UInt64] {
    var seen: [DeviceID: UInt64] = [:]
    var last: DeviceID?
    for entry in try fields.required(4, field: "acknowledgements").array(
      "acknowledgements", limit: acknowledgementLimit)
    {
      let pair = try entry.array("acknowledgement", count: 2)
      let device: DeviceID = try pair[0].identifier("acknowledged device")
      if let last, device <= last { throw CBOR.mismatch("acknowledgements", expected: "ascending devices") }
      last = device
      seen[device] = try pair[1].unsigned("acknowledged sequence")
    }
    return seen
  }
}

extension ActivitySnapshot {
  /// Its fields as a record carries them: without the flags of one machine.
  func recorded(_ fields: CBORMap) -> CBOR {
    var fields = fields
    fields[9] = .unsigned(flags.intersection(.recorded).rawValue)
    return .map(fields)
  }
}

extension Claim {
  /// The claim in the format of records.
  public var cbor: CBOR {
    var fields: CBORMap = [
      1: .bytes(source.bytes), 2: .bytes(activity.bytes), 3: .bytes(request.bytes),
      4: .unsigned(outcome.rawValue), 5: .unsigned(at.milliseconds),
    ]
    // Earlier releases pass over it.
    if !message.isEmpty { fields[128] = .text(RecordText.sanitised(message)) }
    if let changedAt { fields[129] = .unsigned(changedAt.milliseconds) }
    return .map(fields)
  }

  /// The claim that `cbor` holds. Throws `invalidBytes`.
  public init(cbor: CBOR) throws(ContinuityError) {
    let fields = try cbor.map("claim")
    try fields.closed("claim", known: 1...5)
    let number = try fields.required(4, field: "outcome").unsigned("outcome")
    guard let outcome = ContinuationOutcome(rawValue: number) else {
      throw CBOR.mismatch("outcome", expected: "a known outcome")
    }
    self.init(
      source: try fields.required(1, field: "source").identifier("source"),
      activity: try fields.required(2, field: "activity").identifier("activity"),
      request: try fields.required(3, field: "request").identifier("request"), outcome: outcome,
      at: WallTime(milliseconds: try fields.required(5, field: "time").unsigned("time")),
      message: try fields[128]?.plainText("message", limit: DisplayText.byteLimit) ?? "",
      changedAt: try fields[129].map { (time) throws(ContinuityError) in
        WallTime(milliseconds: try time.unsigned("changed"))
      })
  }
}
