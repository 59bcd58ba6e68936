// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import Foundation
import Testing
import TestSamples

@testable import Trust

/// docs/records.md says what the code writes: offsets, sizes, keys of maps, and limits, in both directions.
@Suite struct RecordsPageTests {
  private let page: RecordsPage
  private let maps: [String: (least: CBOR, most: CBOR)]

  init() throws {
    page = try RecordsPage()
    maps = try FormatSamples().maps
  }

  @Test func everyMapHasTheKeysThatThePageDraws() throws {
    #expect(Set(page.keys.keys) == Set(maps.keys))
    for (name, samples) in maps {
      let drawn = page.keys[name] ?? []
      #expect(try keys(samples.most) == Set(drawn.map(\.number)), "\(name)")
      let required = drawn.filter { !$0.isOptional }.map(\.number)
      #expect(try keys(samples.least) == Set(required), "\(name) without what may be absent")
    }
  }

  private func keys(_ cbor: CBOR) throws -> Set<UInt64> {
    guard case .map(let fields) = cbor else {
      throw ContinuityError(.invalidBytes, description: "This is no map.")
    }
    return Set(fields.map(\.key))
  }

  @Test func fieldsOfTheHeaderStandWhereThePageSays() throws {
    let fields = page.table(below: "offset").compactMap { row in
      Int(row[0]).flatMap { start in Int(row[1]).map { (start: start, count: $0) } }
    }
    let length = RecordHeader.sealedLengths[2]
    let header = RecordHeader(
      kind: .roster, circleTag: [UInt8](repeating: 0xc1, count: 16), epoch: 0xe0e1_e2e3,
      sequence: 0x5051_5253_5455_5657, random: [UInt8](repeating: 0xa7, count: 16), sealedLength: length)
    let expected: [[UInt8]] = [
      [0x89, 0x43, 0x54, 0x59, 0x0d, 0x0a, 0x1a, 0x0a], [1], [2], [0, 0],
      [UInt8](repeating: 0xc1, count: 16), [0xe0, 0xe1, 0xe2, 0xe3],
      [0x50, 0x51, 0x52, 0x53, 0x54, 0x55, 0x56, 0x57], [UInt8](repeating: 0xa7, count: 16),
      [0, 0, 0x10, 0x10],
    ]
    #expect(fields.count == expected.count)
    for (field, bytes) in zip(fields, expected) {
      #expect(Array(header.bytes[field.start..<field.start + field.count]) == bytes, "offset \(field.start)")
    }
    #expect(fields.reduce(0) { $0 + $1.count } == RecordHeader.size)
    #expect(page.text.contains("*n* is \(Self.list(RecordHeader.sealedLengths, "or"))"))
    #expect(page.text.contains("the sizes \(Self.list(RecordHeader.recordSizes, "and"))"))
  }

  private static func list(_ numbers: some Sequence<some BinaryInteger>, _ word: String) -> String {
    let texts = numbers.map { "\($0)" }
    return texts.dropLast().joined(separator: ", ") + " \(word) " + (texts.last ?? "")
  }

  @Test func filesAreNamedAsThePageSays() throws {
    let epoch = EpochKey(number: 1, derivedFrom: [1], info: "test", ciphers: standard)
    var circle = TestCircle(seed: 7)
    let device = try circle.device("desk")
    let names = RecordFileKind.allCases.map { kind in
      let name = epoch.fileName(kind, of: device.keys.publicKeys)
      return String(name.prefix(2)) + "…" + String(name.dropFirst(2 + 26))
    }
    #expect(Set(page.table(below: "name").map { $0[0].filter { $0 != "`" } }) == Set(names))
  }

  @Test func limitsAreThoseOfTheCode() {
    let ofContainers: [String: [Int]] = [
      "containers inside each other": [CBOR.Limits.record.depth, Roster.limits.depth],
      "entries of one container": [CBOR.Limits.record.entries, Roster.limits.entries],
      "items in all": [CBOR.Limits.record.items, Roster.limits.items],
      "bytes in all": [CBOR.Limits.record.bytes, Roster.limits.bytes],
    ]
    let single: [String: Int] = [
      "activities": DeviceState.activityLimit, "acknowledgements": DeviceState.acknowledgementLimit,
      "claims": DeviceState.claimLimit, "addresses of a device": Reachability.addressLimit,
      "lifetime in seconds": Int(DeviceState.lifetimeLimit),
      "bytes of a type, an app ID or a keyword": ActivitySnapshot.Limits.name,
      "bytes of a title": DisplayText.byteLimit,
      "bytes of an address": ActivitySnapshot.Limits.address,
      "bytes of an identifier or a required key": ActivitySnapshot.Limits.identifier,
      "keywords": ActivitySnapshot.Limits.keywords,
      "required keys": ActivitySnapshot.Limits.requiredKeys,
      "documents of the user info": ActivitySnapshot.Limits.documents,
      "bytes of user info, of content attributes, of a typed payload": UserInfo.byteLimit,
      "digests of a lineage": DocumentVersion.lineageLimit,
      "deletions of a saved list": SavedActivityList.deletionLimit,
      "devices": Roster.deviceLimit, "statements": Roster.statementLimit,
      "statements that add": Roster.additionLimit, "bytes of a device's name": Roster.nameLimit,
      "by how much an epoch may be ahead of one's own": Int(Roster.epochStride),
    ]
    let drawn = page.tables(below: "limit").flatMap { $0 }.map { row in
      (row[0], row.dropFirst().map { Int($0) ?? 0 })
    }
    let expected = ofContainers.merging(single.mapValues { [$0] }) { own, _ in own }
    #expect(Dictionary(drawn) { own, _ in own } == expected)
    #expect(page.text.contains("number, 2 to \(SealedEpoch.highest)"))
  }

  @Test func kindsOfUserInfoAreThoseOfTheCode() throws {
    let rows = page.table(below: "kind").compactMap { row in UInt64(row[0]).map { ($0, row[1]) } }
    let values: [UserInfoValue] = [
      .array([]), .map([:]), .set([]), .date(0), .url("a:b"), .document(0),
      .uuid([UInt8](repeating: 1, count: 16)),
    ]
    let words = ["array", "map", "set", "date", "URL", "index", "UUID"]
    #expect(rows.count == values.count)
    for (row, (value, word)) in zip(rows, zip(values, words)) {
      guard case .array(let parts) = value.cbor else { continue }
      #expect(parts.first == .unsigned(row.0) && row.1.hasPrefix(word), "kind \(row.0)")
    }
  }

  @Test func aPageThatDriftedIsFound() throws {
    var drifted = page
    drifted.text = drifted.text.replacing("| 12 | app ID, text |\n", with: "")
    #expect(drifted.keys["activity"]?.contains { $0.number == 12 } == false)
    #expect(page.keys["activity"]?.contains { $0.number == 12 } == true)
  }
}

/// The tables of docs/records.md.
private struct RecordsPage {
  var text: String

  init() throws {
    text = try String(
      contentsOf: URL(filePath: #filePath + "/../../../docs/records.md").standardized, encoding: .utf8)
  }

  /// The keys that are drawn below each heading of a map.
  var keys: [String: [(number: UInt64, isOptional: Bool)]] {
    var keys: [String: [(number: UInt64, isOptional: Bool)]] = [:]
    var heading = ""
    var isMap = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("#") { heading = String(line.drop { $0 == "#" || $0 == " " }) }
      if line.hasPrefix("| key |") { isMap = true }
      if !line.hasPrefix("|") { isMap = false }
      let cell = cells(line).first ?? ""
      guard isMap, let number = UInt64(cell.filter { $0 != "?" }) else { continue }
      keys[heading, default: []].append((number, cell.hasSuffix("?")))
    }
    return keys
  }

  /// The rows of every table whose first column has that heading.
  func tables(below heading: String) -> [[[String]]] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.indices.filter { lines[$0].hasPrefix("| \(heading) |") }.map { start in
      lines[(start + 2)...].prefix { $0.hasPrefix("|") }.map(cells)
    }
  }

  func table(below heading: String) -> [[String]] { tables(below: heading).first ?? [] }

  private func cells(_ line: Substring) -> [String] {
    line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
  }
}

/// Each map of the format with nothing that may be absent, and with all of it.
private struct FormatSamples {
  var maps: [String: (least: CBOR, most: CBOR)] = [:]

  init() throws {
    try states()
    try circles()
  }

  private mutating func states() throws {
    let now = WallTime(milliseconds: 1)
    let state = DeviceState(issuedAt: now, bootNonce: [UInt8](repeating: 1, count: 16))
    let id = [UInt8](repeating: 2, count: 16)
    let activity = try #require(ActivityID(bytes: id))
    let reference = DocumentReference(
      folder: try #require(FolderID(bytes: id)), path: try #require(RelativePath("plan.md")),
      version: DocumentVersion(
        digest: try #require(ContentDigest(bytes: [UInt8](repeating: 3, count: 32))), size: 1, generation: 1,
        lineage: []))
    let least = ActivitySnapshot(id: activity, type: "a.b", appID: "a", changedAt: now)
    var most = least
    (most.document, most.translatedDocuments) = (reference, [reference])
    (most.userInfo, most.contentAttributes) = ([.text("a"): .document(0)], [:])
    most.draft = ContentDigest(bytes: [UInt8](repeating: 7, count: 32)).map {
      Draft(digest: $0, size: 5, changedAt: WallTime(milliseconds: 9))
    }
    (most.requiredUserInfoKeys, most.keywords) = (["a"], ["a"])
    (most.webpageURL, most.referrerURL) = ("https://example.org", "https://example.org")
    (most.targetContentIdentifier, most.persistentIdentifier) = ("a", "a")
    (most.expiresAt, most.typedPayload) = (now, [1])
    let claim = Claim(
      source: try #require(DeviceID(bytes: id)), activity: activity,
      request: try #require(RequestID(bytes: id)), outcome: .opened, at: now)
    var told = claim
    (told.message, told.changedAt) = ("why", now)
    var reached = state
    reached.reachability = Reachability(addresses: [[10, 0, 0, 1]], port: 4000, period: 1)
    maps["state"] = (state.cbor, reached.cbor)
    maps["activity"] = (least.cbor, most.cbor)
    maps["document"] = (reference.cbor, reference.cbor)
    maps["claim"] = (claim.cbor, told.cbor)
    let owner = try #require(DeviceID(bytes: id))
    let key = SavedActivity.Key(appID: "a", identifier: "a", device: owner)
    let deletion = SavedActivityList.Deletion(of: key, changedAt: now)
    maps["saved list"] = (SavedActivityList().cbor, SavedActivityList(deletions: [deletion]).cbor)
    maps["deletion"] = (deletion.cbor, deletion.cbor)
  }

  private mutating func circles() throws {
    var circle = TestCircle(seed: 2026)
    var (desk, laptop) = try circle.pair()
    let invitation = try desk.invite(at: circle.now, sequence: 3, using: &circle.generator)
    let words = invitation.words
    let content = try InvitationContent(record: invitation.file.bytes, words: words)
    add("invitation", try CBOR(decoding: content.encoded, limits: Roster.limits))
    let answer = AnswerContent(
      invitation: content.id, digest: [UInt8](repeating: 1, count: 32), joiner: laptop.keys.publicKeys,
      name: "laptop")
    add("answer", try CBOR(decoding: answer.encoded, limits: Roster.limits))
    _ = try desk.revoke(laptop.id, lastGoodSequence: 1, at: circle.now, using: &circle.generator)
    let roster = desk.circle.roster
    add("roster", roster.cbor)
    add("device keys", desk.keys.publicKeys.cbor)
    for statement in roster.statements {
      add("statement", statement.cbor)
      guard case .map(let fields) = statement.cbor, case .bytes(let bytes)? = fields[1] else { continue }
      let name =
        switch statement.content {
        case .added: "added"
        case .removed: "removed"
        case .epoch: "epoch"
        }
      add(name, try CBOR(decoding: bytes, limits: Roster.limits))
    }
  }

  private mutating func add(_ name: String, _ cbor: CBOR) { maps[name] = (cbor, cbor) }
}
