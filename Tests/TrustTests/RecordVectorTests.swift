// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import Foundation
import Testing
import TestSamples

@testable import Trust

/// Records with fixed keys and fixed randomness. The files in `Fixtures/records/v1` were written once and are
/// compared ever after: a byte that changes here is a record that an installed version could not read.
@Suite struct RecordVectorTests {
  @Test func everyVectorIsWrittenAsItWasTheFirstTime() throws {
    let vectors = try RecordVector.all()
    // Set by whoever adds a vector; an existing one is never written again.
    if ProcessInfo.processInfo.environment["CONTINUO_WRITE_VECTORS"] != nil {
      try vectors.forEach { try $0.write() }
    }
    for vector in vectors {
      #expect(try vector.storedRecord() == vector.record, "\(vector.name).rec")
      #expect(try vector.storedFields() == vector.fields, "\(vector.name).json")
    }
  }

  @Test func everyVectorIsRead() throws {
    for vector in try RecordVector.all() {
      let stored = try vector.storedFields()
      func bytes(_ key: String) throws -> [UInt8] { try #require([UInt8](hexadecimal: stored[key] ?? "-")) }
      let keys = try DeviceKeys(
        signingSeed: bytes("signing seed"), agreementSeed: bytes("agreement seed"), ciphers: standard)
      let number = try #require(UInt32(stored["epoch"] ?? ""))
      let epoch = try #require(EpochKey(number: number, secret: bytes("epoch key"), ciphers: standard))
      let opened = try SealedRecord.open(vector.storedRecord(), under: [epoch]) { _, _, _ in keys.publicKeys }
      #expect(try opened.payload == bytes("payload"))
      #expect(opened.device.description == stored["device"])
      #expect("\(opened.sequence)" == stored["sequence"])
    }
  }

  @Test func noFileLiesInTheFolderUnused() throws {
    let names = Set(try RecordVector.all().flatMap { ["\($0.name).rec", "\($0.name).json"] })
    #expect(Set(try FileManager.default.contentsOfDirectory(atPath: RecordVector.folder.path)) == names)
  }
}

struct RecordVector {
  let name: String
  let record: [UInt8]
  let fields: [String: String]

  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Fixtures/records/v1")

  static func all() throws -> [RecordVector] {
    var circle = TestCircle(seed: 2026)
    var desk = try circle.device("desk")
    let invitation = try desk.invite(at: circle.now, sequence: 65, using: &circle.generator)
    var laptop = try circle.device("laptop")
    _ = try laptop.join(
      invitation.words, records: [invitation.file.bytes], at: circle.now, sequence: 1,
      using: &circle.generator)
    let answer = try #require(laptop.pairing?.file)
    _ = try desk.takeAnswer(answer.bytes, at: circle.now, using: &circle.generator)
    let words = invitation.words.epochKey
    let epoch = desk.circle.currentEpoch
    var vectors = [
      try vector("invitation", invitation.file, by: desk, under: words, words: invitation.words),
      try vector("answer", answer, by: laptop, under: words, words: invitation.words),
      try vector(
        "roster-of-two", desk.rosterFile(sequence: 66, using: &circle.generator), by: desk, under: epoch
      ),
    ]
    let states: [(String, DeviceState)] = [
      ("state-empty", emptyState(circle.now)), ("state-one-document", try documentState(circle.now, 0)),
      ("state-four-kibibytes", try documentState(circle.now, 2000)),
      ("state-sixteen-kibibytes", try documentState(circle.now, 9000)),
    ]
    for (index, (name, state)) in states.enumerated() {
      let payload = state.recordPayload().bytes
      let file = try desk.stateFile(payload, sequence: 67 + UInt64(index), using: &circle.generator)
      vectors.append(try vector(name, file, by: desk, under: epoch))
    }
    // A new key is sealed with the system's random numbers: its statement has no vector.
    try desk.circle.roster.remove(
      laptop.id, lastGoodSequence: 64, by: desk.keys, at: circle.now.adding(seconds: 60))
    let roster = try desk.rosterFile(sequence: 80, using: &circle.generator)
    vectors.append(try vector("roster-with-removal", roster, by: desk, under: epoch))
    return vectors
  }

  private static func emptyState(_ now: WallTime) -> DeviceState {
    DeviceState(issuedAt: now, lifetime: 3600, bootNonce: Array(1...16))
  }

  private static func documentState(_ now: WallTime, _ data: Int) throws -> DeviceState {
    var state = emptyState(now)
    var snapshot = ActivitySnapshot(
      id: try #require(ActivityID(bytes: Array(17...32))), type: "public.text-editing",
      appID: "org.continuo.edit", changedAt: now)
    snapshot.title = "plan.md"
    snapshot.userInfo = [.text("line"): .int(12), .text("column"): .int(7)]
    if data > 0 { snapshot.userInfo[.text("data")] = .bytes([UInt8](repeating: 0x55, count: data)) }
    snapshot.document = DocumentReference(
      folder: try #require(FolderID(bytes: Array(33...48))),
      path: try #require(RelativePath("Notes/plan.md")),
      version: DocumentVersion(
        digest: try #require(ContentDigest(bytes: Array(1...32))), size: 1234, generation: 2,
        lineage: [try #require(DigestPrefix(bytes: Array(1...6)))]))
    state.activities = [snapshot]
    return state
  }

  private static func vector(
    _ name: String, _ file: RecordFile, by device: Identity, under epoch: EpochKey, words: PairingWords? = nil
  ) throws -> RecordVector {
    let header = try RecordHeader(record: file.bytes)
    let opened = try SealedRecord.open(file.bytes, under: [epoch]) { _, _, _ in device.keys.publicKeys }
    var fields = [
      "signing seed": device.keys.signingSeed.hexadecimal,
      "agreement seed": device.keys.agreementSeed.hexadecimal,
      "device": opened.device.description, "epoch": "\(header.epoch)", "epoch key": epoch.secret.hexadecimal,
      "kind": "\(header.kind.rawValue)", "circle tag": header.circleTag.hexadecimal,
      "sequence": "\(header.sequence)", "random": header.random.hexadecimal,
      "sealed length": "\(header.sealedLength)", "payload": opened.payload.hexadecimal,
      "file name": file.name,
    ]
    fields["words"] = words?.text
    return RecordVector(name: name, record: file.bytes, fields: fields)
  }

  private func file(_ suffix: String) -> URL { Self.folder.appendingPathComponent("\(name).\(suffix)") }

  func storedRecord() throws -> [UInt8] { Array(try Data(contentsOf: file("rec"))) }

  func storedFields() throws -> [String: String] {
    try JSONDecoder().decode([String: String].self, from: Data(contentsOf: file("json")))
  }

  func write() throws {
    guard !FileManager.default.fileExists(atPath: file("rec").path) else { return }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
    try Data(record).write(to: file("rec"))
    try (encoder.encode(fields) + Data("\n".utf8)).write(to: file("json"))
  }
}
