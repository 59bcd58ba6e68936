// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import TestSamples

/// What a record of a device's state holds: read twice, it is the same, and its paths stay in their folders.
struct StateTarget: FuzzTarget {
  static let name = "state"
  static let longest = 4096
  static let words = CBORWords.all

  func seeds() throws -> [[UInt8]] {
    let empty = DeviceState(
      issuedAt: WallTime(milliseconds: 1), lifetime: 600, bootNonce: [UInt8](repeating: 5, count: 16))
    return [empty.recordPayload().bytes] + (1...3).map { SampleState.full(seed: $0).recordPayload().bytes }
  }

  func check(_ input: [UInt8]) throws {
    guard let state = try? DeviceState(recordPayload: input) else { return }
    let again = state.cbor.encoded
    try expect((try? DeviceState(recordPayload: again)) == state, "a state is another one when read again")
    try expect(
      (try? DeviceState(recordPayload: again))?.cbor.encoded == again, "a state is written in two ways")
    for activity in state.activities {
      for document in [activity.document].compactMap(\.self) + activity.translatedDocuments {
        try PathTarget.checkNames(document.path)
      }
    }
    let carried = state.recordPayload()
    try expect(carried.bytes.count <= CBOR.Limits.record.bytes, "a payload is longer than its limit")
    try expect((try? DeviceState(recordPayload: carried.bytes)) != nil, "a payload cannot be read")
  }
}

/// Values with all their fields.
enum SampleState {
  static func reference(_ path: String, _ generator: inout SeededGenerator) -> DocumentReference? {
    guard let digest = ContentDigest(bytes: generator.bytes(32)), let path = RelativePath(path) else {
      return nil
    }
    let lineage = (0..<3).compactMap { _ in DigestPrefix(bytes: generator.bytes(6)) }
    return DocumentReference(
      folder: FolderID(using: &generator), path: path,
      version: DocumentVersion(digest: digest, size: 4711, generation: 3, lineage: lineage))
  }

  static func snapshot(_ generator: inout SeededGenerator) -> ActivitySnapshot {
    var snapshot = ActivitySnapshot(
      id: ActivityID(using: &generator), type: "public.text-editing", appID: "org.continuo.edit",
      changedAt: WallTime(milliseconds: 1_753_000_000_000))
    snapshot.team = [UInt8](repeating: 9, count: 32)
    snapshot.title = "Grüße, 計画"
    snapshot.document = reference("Notes/plan.md", &generator)
    snapshot.translatedDocuments = [reference("Notes/other.md", &generator)].compactMap(\.self)
    snapshot.userInfo = [
      .text("line"): .int(12), .text("ratio"): .double(0.5), .text("beside"): .document(0),
      .int(-3): .array([.null, .bool(true), .bytes([1, 2]), .date(1.5), .url("https://example.org/?a#b")]),
      .text("set"): .set([.int(1), .text("a"), .uuid([UInt8](repeating: 3, count: 16))]),
      .text("map"): .map([.text("x"): .map([:])]),
    ]
    snapshot.requiredUserInfoKeys = ["line"]
    snapshot.webpageURL = "https://example.org/plan"
    snapshot.flags = [.handoff, .unsavedChanges, .search]
    snapshot.expiresAt = WallTime(milliseconds: 1_753_000_100_000)
    snapshot.keywords = ["plan", "notes"]
    snapshot.targetContentIdentifier = "plan"
    snapshot.persistentIdentifier = "saved-plan"
    snapshot.referrerURL = "https://example.org/"
    snapshot.typedPayload = [1, 2, 3]
    snapshot.contentAttributes = [.text("kind"): .text("note")]
    return snapshot
  }

  static func full(seed: UInt64) -> DeviceState {
    var generator = SeededGenerator(seed: seed)
    var state = DeviceState(
      issuedAt: WallTime(milliseconds: 1_753_000_000_500), lifetime: 600, bootNonce: generator.bytes(16))
    state.activities = [snapshot(&generator)]
    state.acknowledgements = [DeviceID(using: &generator): 7, DeviceID(using: &generator): .max]
    state.claims = [
      Claim(
        source: DeviceID(using: &generator), activity: ActivityID(using: &generator),
        request: RequestID(using: &generator), outcome: .opened, at: WallTime(milliseconds: 3),
        changedAt: WallTime(milliseconds: 2))
    ]
    return state
  }
}
