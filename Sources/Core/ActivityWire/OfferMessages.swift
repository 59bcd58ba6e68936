// SPDX-License-Identifier: MIT

import ActivityModel

extension Offer {
  /// As apps of any release read it.
  var cbor: CBOR { .array(parts) }

  /// As the command line reads it, which comes with the agent: with the web page, where there is a short
  /// one.
  var cborWithPage: CBOR {
    guard let page = webpageURL, page.utf8.count <= Self.pageLimit else { return cbor }
    return .array(parts + [.text(page)])
  }

  /// The most bytes of an address that is listed.
  private static var pageLimit: Int { 1024 }

  private var parts: [CBOR] {
    [
      id.cbor, .text(deviceName), .text(type), .text(appID), .text(title), .text(folderName),
      .optional(path) { $0.cbor }, .optional(version) { $0.withoutLineage.cbor }, status.cbor,
      .unsigned(changedAt.milliseconds), .unsigned(flags.rawValue), .optional(team, CBOR.bytes),
      .text(remark),
    ]
  }

  init(cbor: CBOR) throws(ContinuityError) {
    let parts = try cbor.array("offer")
    guard (13...14).contains(parts.count) else { throw CBOR.mismatch("offer", expected: "13 parts or 14") }
    var snapshot = ActivitySnapshot(
      id: try OfferID(cbor: parts[0]).activity, type: try parts[2].text("type"),
      appID: try parts[3].text("app identifier"),
      changedAt: WallTime(milliseconds: try parts[9].unsigned("changed at")))
    snapshot.title = try parts[4].text("title")
    snapshot.flags = ActivityFlags(rawValue: try parts[10].unsigned("flags"))
    snapshot.team = try parts[11].optional { (value) throws(ContinuityError) in try value.team() }
    snapshot.webpageURL = parts.count > 13 ? try parts[13].text("web page") : nil
    self.init(
      id: try OfferID(cbor: parts[0]), deviceName: try parts[1].text("device name"), snapshot: snapshot,
      folderName: try parts[5].text("folder name"), status: try ArrivalStatus(cbor: parts[8]))
    path = try parts[6].optional { (value) throws(ContinuityError) in try value.relativePath("path") }
    version = try parts[7].optional { (value) throws(ContinuityError) in try DocumentVersion(cbor: value) }
    notes = Reason.all(in: try parts[12].text("remark"))
  }
}

extension DocumentVersion {
  /// A list of offers must fit one message, and nobody who looks at an offer needs its ancestors.
  fileprivate var withoutLineage: DocumentVersion {
    DocumentVersion(digest: digest, size: size, generation: generation)
  }
}

extension ArrivalStatus {
  var cbor: CBOR {
    .array([.unsigned(arrival.rawValue), .text(reason), .unsigned(received), .unsigned(expected)])
  }

  init(cbor: CBOR) throws(ContinuityError) {
    let parts = try cbor.array("arrival status", count: 4)
    self.init(
      try parts[0].numbered("arrival"), reason: try parts[1].text("reason"),
      received: try parts[2].unsigned("bytes received"), expected: try parts[3].unsigned("bytes expected"))
  }
}

extension Delivery {
  var cbor: CBOR {
    .array([activity.cbor, .optional(path, CBOR.bytes), status.cbor, .text(deviceName)])
  }

  init(cbor: CBOR) throws(ContinuityError) {
    let parts = try cbor.array("delivery", count: 4)
    self.init(
      activity: try ActivitySnapshot(cbor: parts[0]),
      path: try parts[1].optional { (value) throws(ContinuityError) in try value.bytes("path") },
      status: try ArrivalStatus(cbor: parts[2]), deviceName: try parts[3].text("device name"))
  }
}

extension OwnActivity {
  var cbor: CBOR {
    .array([
      .bytes(id.bytes), .text(type), .text(appID), .text(RecordText.sanitised(title)),
      .unsigned(changedAt.milliseconds), .text(RecordText.sanitised(reason, byteLimit: Self.sentence)),
      .array(remarks.map { .text(RecordText.sanitised($0, byteLimit: Self.sentence)) }),
    ])
  }

  /// The most bytes of a reason or remark.
  private static let sentence = 512

  init(cbor: CBOR) throws(ContinuityError) {
    let parts = try cbor.array("own activity", count: 7)
    var snapshot = ActivitySnapshot(
      id: try parts[0].identifier("activity"),
      type: try parts[1].text("type", limit: ActivitySnapshot.Limits.name),
      appID: try parts[2].text("app", limit: ActivitySnapshot.Limits.name),
      changedAt: WallTime(milliseconds: try parts[4].unsigned("changed at")))
    snapshot.title = try parts[3].text("title", limit: DisplayText.byteLimit)
    self.init(
      snapshot, reason: try parts[5].text("reason", limit: Self.sentence),
      remarks: try parts[6].texts("remarks"))
  }
}

extension AgentStatus {
  var cbor: CBOR {
    .array([
      .unsigned(process), .text(deviceName), .text(deviceID), .array(devices.map(CBOR.text)),
      .array(folders.map(\.cborForCommands)), .array(apps.map(CBOR.text)), .unsigned(watchProcess),
      .array(problems.map(CBOR.text)),
    ])
  }

  init(cbor: CBOR) throws(ContinuityError) {
    let parts = try cbor.array("status", count: 8)
    self.init(
      process: try parts[0].unsigned("process"), deviceName: try parts[1].text("device name"),
      deviceID: try parts[2].text("device ID"))
    devices = try parts[3].texts("devices")
    folders = try parts[4].list("folders") { (part) throws(ContinuityError) in try SyncedRoot(cbor: part) }
    apps = try parts[5].texts("apps")
    watchProcess = try parts[6].unsigned("watch process")
    problems = try parts[7].texts("problems")
  }
}
