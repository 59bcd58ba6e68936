// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel

/// One device's machine with a clock that the test turns, and what the machine asked for.
struct ExchangeWorld {
  var machine = ExchangeMachine(bootNonce: [UInt8](repeating: 1, count: 16))
  var now = Instant(nanoseconds: 1_000_000_000)
  var wall = WallTime(milliseconds: 1_800_000_000_000)

  let editor = ClientNumber(rawValue: 1)
  let other = ClientNumber(rawValue: 2)
  let desktop = id(0xd0, DeviceID.self)
  let activity = id(0xac, ActivityID.self)
  let request = id(0x01, RequestID.self)
  let folder = id(0xf0, FolderID.self)

  static let type = "public.text-editing"

  var offer: OfferID { OfferID(device: desktop, activity: activity) }

  static func id<Kind>(_ byte: UInt8, _: Identifier<Kind>.Type) -> Identifier<Kind> {
    guard let id = Identifier<Kind>(bytes: [UInt8](repeating: byte, count: 16)) else { preconditionFailure() }
    return id
  }

  static func manifest(_ appID: String = "org.continuo.edit", types: [String] = [type]) -> AppManifest {
    AppManifest(appID: appID, name: "Editor", activityTypes: types)
  }

  func version(_ byte: UInt8 = 7) -> DocumentVersion {
    guard let digest = ContentDigest(bytes: [UInt8](repeating: byte, count: 32)) else {
      preconditionFailure()
    }
    return DocumentVersion(digest: digest, size: 10)
  }

  func snapshot(version: DocumentVersion? = nil, type: String = type) -> ActivitySnapshot {
    var snapshot = ActivitySnapshot(id: activity, type: type, appID: "org.continuo.edit", changedAt: wall)
    guard let path = RelativePath("notes/plan.md") else { preconditionFailure() }
    snapshot.document = version.map { DocumentReference(folder: folder, path: path, version: $0) }
    return snapshot
  }

  func state(_ activities: [ActivitySnapshot], claims: [Claim] = []) -> DeviceState {
    var state = DeviceState(issuedAt: wall, bootNonce: [UInt8](repeating: 2, count: 16))
    state.activities = activities
    state.claims = claims
    return state
  }

  mutating func handle(_ event: ExchangeMachine.Event) -> [ExchangeMachine.Action] {
    machine.handle(event, at: now, wall: wall)
  }

  mutating func pass(_ duration: Duration) {
    now = now + duration
    wall = WallTime(milliseconds: wall.milliseconds + UInt64(duration.components.seconds) * 1000)
  }

  /// An editor here and an offer of the desktop whose document is `arrival`.
  mutating func offered(_ arrival: Arrival, sequence: UInt64 = 1) {
    _ = handle(.connected(editor, Self.manifest()))
    _ = handle(.received(desktop, name: "desktop", sequence: sequence, state([snapshot(version: version())])))
    _ = handle(.arrival(offer, ArrivalStatus(arrival, reason: "test")))
  }
}

extension [ExchangeMachine.Action] {
  var reports: [AgentReport] {
    compactMap { action in if case .report(_, let report) = action { report } else { nil } }
  }
  var published: DeviceState? {
    for case .publish(let state) in self { return state }
    return nil
  }
  var opened: Bool { contains { if case .open = $0 { true } else { false } } }
  var failure: ContinuityError? {
    for case .fail(_, let error) in reports { return error }
    return nil
  }
  var offers: [Offer]? {
    for case .offers(let offers) in reports { return offers }
    return nil
  }
  var wake: Instant? {
    for case .wake(let moment) in self { return moment }
    return nil
  }
}
