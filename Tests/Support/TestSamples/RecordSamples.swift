// SPDX-License-Identifier: MIT

package import ActivityModel

/// Values that use every field, and random ones.
package enum RecordSamples {
  package static func reference(
    _ path: String = "Notes/plan.md", generator: inout SeededGenerator
  ) -> DocumentReference {
    guard
      let digest = ContentDigest(bytes: (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }),
      let path = RelativePath(path)
    else { preconditionFailure("a sample's path is none") }
    let lineage = (0..<3).compactMap { _ in
      DigestPrefix(bytes: (0..<6).map { _ in UInt8.random(in: 0...255, using: &generator) })
    }
    return DocumentReference(
      folder: FolderID(using: &generator), path: path,
      version: DocumentVersion(digest: digest, size: 4711, generation: 3, lineage: lineage))
  }

  package static func fullSnapshot(generator: inout SeededGenerator) -> ActivitySnapshot {
    var snapshot = ActivitySnapshot(
      id: ActivityID(using: &generator), type: "public.text-editing", appID: "org.continuo.edit",
      changedAt: WallTime(milliseconds: 1_753_000_000_000))
    snapshot.team = [UInt8](repeating: 9, count: 32)
    snapshot.title = "Grüße, 計画"
    snapshot.document = reference(generator: &generator)
    snapshot.translatedDocuments = [reference("Notes/other.md", generator: &generator)]
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

  package static func fullState(generator: inout SeededGenerator) -> DeviceState {
    var state = DeviceState(
      issuedAt: WallTime(milliseconds: 1_753_000_000_500), lifetime: 600,
      bootNonce: [UInt8](repeating: 5, count: 16))
    state.activities = [fullSnapshot(generator: &generator), fullSnapshot(generator: &generator)]
    state.acknowledgements = [DeviceID(using: &generator): 7, DeviceID(using: &generator): .max]
    state.claims = [
      Claim(
        source: DeviceID(using: &generator), activity: ActivityID(using: &generator),
        request: RequestID(using: &generator), outcome: .opened, at: WallTime(milliseconds: 3),
        changedAt: WallTime(milliseconds: 2))
    ]
    return state
  }

  package static func value(depth: Int, generator: inout SeededGenerator) -> UserInfoValue {
    switch Int.random(in: 0..<(depth > 0 ? 13 : 10), using: &generator) {
    case 0: return .null
    case 1: return .bool(Bool.random(using: &generator))
    case 2: return .int(Int64(bitPattern: generator.next()) >> Int64.random(in: 0...63, using: &generator))
    case 3: return .double(Double.random(in: -1e9...1e9, using: &generator))
    case 4: return .text(text(generator: &generator))
    case 5: return .bytes((0..<5).map { _ in UInt8.random(in: 0...255, using: &generator) })
    case 6: return .date(Double.random(in: 0...2e9, using: &generator))
    case 7: return .url("https://example.org/" + text(generator: &generator))
    case 8: return .document(Int.random(in: 0..<32, using: &generator))
    case 9: return .uuid((0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) })
    case 10: return .array((0..<3).map { _ in value(depth: depth - 1, generator: &generator) })
    case 11: return .set(Set((0..<3).map { _ in value(depth: depth - 1, generator: &generator) }))
    default:
      let pairs = (0..<3).map { _ in
        (value(depth: 0, generator: &generator), value(depth: depth - 1, generator: &generator))
      }
      return .map(UserInfo(pairs) { first, _ in first })
    }
  }

  package static func text(generator: inout SeededGenerator) -> String {
    let alphabet: [Character] = ["a", "Z", "é", "e\u{301}", "計", "👩‍👩‍👧", "\u{202e}", "\n", " "]
    return String(
      (0..<Int.random(in: 0...12, using: &generator)).map { _ in
        alphabet.randomElement(using: &generator) ?? "a"
      })
  }
}
