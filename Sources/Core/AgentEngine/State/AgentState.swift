// SPDX-License-Identifier: MIT

import ActivityExchange
package import ActivityModel
import ActivityWire
import SyncedFolders

/// What the agent must still know after a crash, apart from keys and document histories.
package struct AgentState: Hashable, Sendable {
  /// The registered folders, in the order of registration.
  var folders: [RegisteredFolder] = []
  /// Sequences below this may have been used; the next block starts here.
  var reservedSequence: UInt64 = 1
  /// A state that says more is nobody's.
  static let highestReserved = 2 * SequenceCounter.limit - 1
  /// Per device and kind of record: the highest accepted sequence and the hash of its bytes (records.md 7).
  var highWater: [HighWaterKey: HighWaterMark] = [:]
  /// Claims that were told to their app.
  var toldClaims: Set<RequestID> = []
  /// What this device continued, and in which state of the activity.
  var continued: [OfferID: WallTime] = [:]
  /// The identity that turned out to be used by two computers: this device says nothing under it any more.
  var copied: DeviceID?
  /// When a device's record came that it dates so far ahead that no clock here would end it.
  var early: [DeviceID: EarlyRecord] = [:]

  /// Apps that were started and had not connected yet, by what they are to be handed.
  var startedApps: [RequestID: StartedApp] = [:]

  /// Where other devices are met on networks.
  var links = KnownLinks()

  /// What each part of this device's list of saved activities said last, see `SavedListMachine`.
  var saidLists: [Int: [UInt8]] = [:]

  /// What other devices are asked to delete of theirs.
  var deletions = RequestedDeletions()

  /// Documents that apps opened before their folders had them.
  var copies: [PrivateCopy] = []

  struct EarlyRecord: Hashable, Sendable {
    var sequence: UInt64
    var arrivedAt: WallTime
  }

  struct RegisteredFolder: Hashable, Sendable {
    var id: FolderID
    /// Cleaned for display: it is typed as it is shown.
    var name: String
    var path: [UInt8]
    var documentsOverLan = DocumentsOverLan.proven
    var sharesPresence = false

    init(id: FolderID, name: String, path: [UInt8]) {
      self.id = id
      self.name = DisplayText.shown(name)
      self.path = path
    }
  }

  struct HighWaterKey: Hashable, Sendable, Comparable {
    var device: DeviceID
    var kind: UInt64
    static func < (left: Self, right: Self) -> Bool { (left.device, left.kind) < (right.device, right.kind) }
  }

  struct HighWaterMark: Hashable, Sendable {
    var sequence: UInt64
    var hash: [UInt8]
    var epoch: UInt32 = 1
  }

  private static let limits = CBOR.Limits(depth: 8, entries: 65536, items: 1 << 20, bytes: 8 << 20)

  /// As it is kept.
  package var encoded: [UInt8] {
    var fields: CBORMap = [
      1: .array(folders.map { .array([.bytes($0.id.bytes), .text($0.name), .bytes($0.path)]) }),
      2: .unsigned(reservedSequence),
      3: .array(
        highWater.sorted { $0.key < $1.key }.map { key, mark in
          .array([
            .bytes(key.device.bytes), .unsigned(key.kind), .unsigned(mark.sequence), .bytes(mark.hash),
            .unsigned(UInt64(mark.epoch)),
          ])
        }),
      4: .array(toldClaims.sorted().suffix(1024).map { .bytes($0.bytes) }),
      5: .array(
        continued.sorted { $0.value < $1.value }.suffix(1024).map { offer, time in
          .array([
            .bytes(offer.device.bytes), .bytes(offer.activity.bytes), .unsigned(time.milliseconds),
          ])
        }),
    ]
    fields[6] = copied.map { .bytes($0.bytes) }
    let early = early.sorted { $0.key < $1.key }.map { device, record in
      CBOR.array([
        .bytes(device.bytes), .unsigned(record.sequence), .unsigned(record.arrivedAt.milliseconds),
      ])
    }
    fields[7] = early.isEmpty ? nil : .array(early)
    let started = startedApps.sorted { $0.key < $1.key }.suffix(64).map { request, started in
      CBOR.array([
        .bytes(request.bytes), .bytes(started.offer.device.bytes), .bytes(started.offer.activity.bytes),
        .text(started.app.appID), .text(started.app.name), started.app.team.map { .bytes($0) } ?? .null,
        .unsigned(started.startedAt.milliseconds),
      ])
    }
    fields[8] = started.isEmpty ? nil : .array(started)
    fields[9] = links.cbor
    let set = folders.filter { $0.documentsOverLan != .proven }
    fields[10] =
      set.isEmpty
      ? nil : .array(set.map { .array([.bytes($0.id.bytes), .unsigned($0.documentsOverLan.rawValue)]) })
    let shared = folders.filter(\.sharesPresence)
    fields[12] = shared.isEmpty ? nil : .array(shared.map { .bytes($0.id.bytes) })
    fields[11] = copies.isEmpty ? nil : .array(copies.map(\.cbor))
    (fields[13], fields[14]) = (saidListsCBOR, deletions.cbor)
    return CBOR.map(fields).encoded
  }

  init() {}

  /// Throws `invalidBytes` for what no agent writes.
  package init(decoding bytes: [UInt8]) throws(ContinuityError) {
    let fields = try CBOR(decoding: bytes, limits: Self.limits).map("state")
    for entry in try fields.required(1, field: "folders").array("folders") {
      let parts = try entry.array("folder", count: 3)
      folders.append(
        RegisteredFolder(
          id: try parts[0].identifier("folder ID"), name: try parts[1].text("folder name"),
          path: try parts[2].bytes("folder path")))
    }
    reservedSequence = try fields.required(2, field: "sequence").unsigned("sequence")
    // No counter comes near it, and one that began there would end the agent at each start.
    guard reservedSequence <= Self.highestReserved else {
      throw CBOR.mismatch("sequence", expected: "a number that a counter reaches")
    }
    for entry in try fields.required(3, field: "high-water marks").array("high-water marks") {
      let parts = try entry.array("high-water mark")
      guard [4, 5].contains(parts.count) else {
        throw CBOR.mismatch("high-water mark", expected: "four parts or five")
      }
      let key = HighWaterKey(device: try parts[0].identifier("device"), kind: try parts[1].unsigned("kind"))
      // Releases before revocation knew one key only.
      let epoch = parts.count > 4 ? UInt32(clamping: try parts[4].unsigned("epoch")) : 1
      highWater[key] = HighWaterMark(
        sequence: try parts[2].unsigned("sequence"), hash: try parts[3].bytes("hash"), epoch: epoch)
    }
    for entry in try fields.required(4, field: "claims").array("claims") {
      toldClaims.insert(try entry.identifier("claim"))
    }
    for entry in try fields.required(5, field: "continued").array("continued") {
      let parts = try entry.array("continued", count: 3)
      let offer = OfferID(
        device: try parts[0].identifier("device"), activity: try parts[1].identifier("activity"))
      continued[offer] = WallTime(milliseconds: try parts[2].unsigned("time"))
    }
    if let value = fields[6] { copied = try value.identifier("copied") }
    for entry in try fields[8]?.array("started apps") ?? [] {
      let parts = try entry.array("started app", count: 7)
      var app = AppManifest(
        appID: try parts[3].text("app identifier"), name: try parts[4].text("app name"))
      app.team = try parts[5].optional { (value) throws(ContinuityError) in try value.bytes("team") }
      let offer = OfferID(
        device: try parts[1].identifier("device"), activity: try parts[2].identifier("activity"))
      startedApps[try parts[0].identifier("request")] = StartedApp(
        offer: offer, app: app, startedAt: WallTime(milliseconds: try parts[6].unsigned("time")))
    }
    if let value = fields[9] { links = try KnownLinks(cbor: value) }
    try takeSettings(ofFolders: fields)
    try takeLists(fields)
    for entry in try fields[11]?.array("private copies") ?? [] { copies.append(try PrivateCopy(cbor: entry)) }
    for entry in try fields[7]?.array("early records") ?? [] {
      let parts = try entry.array("early record", count: 3)
      early[try parts[0].identifier("device")] = EarlyRecord(
        sequence: try parts[1].unsigned("sequence"),
        arrivedAt: WallTime(milliseconds: try parts[2].unsigned("time")))
    }
  }

  /// What a person set for the folders, which are read by then.
  private mutating func takeSettings(ofFolders fields: CBORMap) throws(ContinuityError) {
    for entry in try fields[10]?.array("set folders") ?? [] {
      let parts = try entry.array("set folder", count: 2)
      let id: FolderID = try parts[0].identifier("folder ID")
      guard let index = folders.firstIndex(where: { $0.id == id }) else { continue }
      folders[index].documentsOverLan = try parts[1].numbered("documents over the LAN")
    }
    for entry in try fields[12]?.array("folders with presence") ?? [] {
      let id: FolderID = try entry.identifier("folder ID")
      if let index = folders.firstIndex(where: { $0.id == id }) { folders[index].sharesPresence = true }
    }
  }
}
