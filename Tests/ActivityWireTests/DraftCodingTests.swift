// SPDX-License-Identifier: MIT

import ActivityModel
import Testing

@testable import ActivityWire

/// A draft in an activity: what an earlier release passes over.
@Suite struct DraftCodingTests {
  private let digest = ContentDigest(bytes: [UInt8](repeating: 7, count: 32))

  private func activity(_ draft: CBOR?) throws -> CBOR {
    var snapshot = ActivitySnapshot(
      id: try #require(ActivityID(bytes: [UInt8](repeating: 1, count: 16))), type: "org.example.page",
      appID: "org.example", changedAt: WallTime(milliseconds: 9))
    snapshot.flags = .draft
    guard case .map(var fields) = snapshot.cbor else { return .null }
    fields[128] = draft
    return .map(fields)
  }

  @Test(arguments: [1, Draft.byteLimit])
  func aDraftIsReadAsItWasWritten(size: UInt64) throws {
    var snapshot = try ActivitySnapshot(cbor: activity(nil))
    let digest = try #require(digest)
    snapshot.draft = Draft(digest: digest, size: size, changedAt: WallTime(milliseconds: 8))
    let read = try ActivitySnapshot(cbor: CBOR(decoding: snapshot.cbor.encoded))
    #expect(read == snapshot && read.draft?.size == size)
    #expect(read.hasTextAfter, "it is of an earlier state")
  }

  @Test func moreParts() throws {
    let parts: [CBOR] = [
      .bytes([UInt8](repeating: 7, count: 32)), .unsigned(5), .unsigned(9), .text("later"),
    ]
    #expect(try ActivitySnapshot(cbor: activity(.array(parts))).continuedDraft?.size == 5)
  }

  @Test(arguments: [
    CBOR.null, .text("draft"), .array([]), .array([.bytes([1]), .unsigned(5), .unsigned(9)]),
    .array([.bytes([UInt8](repeating: 7, count: 32)), .unsigned(0), .unsigned(9)]),
    .array([.bytes([UInt8](repeating: 7, count: 32)), .unsigned(Draft.byteLimit + 1), .unsigned(9)]),
    .array([.bytes([UInt8](repeating: 7, count: 32)), .unsigned(5), .text("now")]),
  ])
  func whateverElseStandsThereCountsAsAbsent(_ junk: CBOR) throws {
    let read = try ActivitySnapshot(cbor: activity(junk))
    #expect(read.draft == nil && read.needsDraft && read.continuedDigest == nil)
  }
}
