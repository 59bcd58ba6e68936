// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import TestSamples
import TestSupport
import Testing

@testable import ActivityIndex

/// What is read of a row is what was written, whatever it was written by.
@Suite struct StoredFormTests {
  private let expiry = WallTime(milliseconds: 1_800_000_000_000)

  private func snapshot(
    _ identifier: String?, document: String? = nil, page: String? = nil, type: String = "org.example.reading",
    weekBefore: Bool = true
  ) -> ActivitySnapshot {
    let week = 1000 * ActivitySnapshot.lifetime
    var snapshot = ActivitySnapshot(
      id: .random(), type: type, appID: "org.example.reader",
      changedAt: WallTime(milliseconds: expiry.milliseconds - week - (weekBefore ? 0 : 1)))
    snapshot.persistentIdentifier = identifier
    snapshot.userInfo[.text(NSUserActivityDocumentURLKey)] = document.map { .url($0) }
    snapshot.webpageURL = page
    return snapshot
  }

  private func comesBack(_ snapshot: ActivitySnapshot, of appID: String = "org.example.reader") throws {
    let form = StoredForm(of: appID, expiry: expiry)
    #expect(try form.snapshot(of: form.bytes(of: snapshot)) == snapshot)
  }

  @Test(arguments: [
    "file:///home/a/plan.md", "/home/a/plan.md", "plan.md", "md", "", "other",
    "handed-over:document:file:///home/a/plan.md",
    "file:///home/a/plan.m", "xile:///home/a/plan.md", "é",
  ])
  func anIdentifierBesideItsAddress(identifier: String) throws {
    try comesBack(snapshot(identifier, document: "file:///home/a/plan.md"))
    try comesBack(snapshot(identifier, page: "file:///home/a/plan.md", weekBefore: false))
    try comesBack(snapshot(identifier, document: "", page: "https://a.org/é"))
    try comesBack(snapshot(nil, document: "file:///home/a/plan.md"))
  }

  /// An identifier may end in the middle of a character of its address.
  @Test func addressesArePartedBetweenBytes() throws {
    try comesBack(snapshot("caf\u{e9}.markdown", document: "file:///caf\u{e9}.markdown"))
    try comesBack(snapshot("\u{301}.markdown", document: "file:///cafe\u{301}.markdown"))
    try comesBack(snapshot("Ω-page-\u{3c9}", page: "age-\u{3c9}"))
  }

  @Test(arguments: [
    "org.example.reader", "org.example.reader.reading", "org.example", "org", "", "com.example.reader",
    "org.éxample",
    "org.example.reade\u{301}",
  ])
  func aTypeBesideItsApp(type: String) throws {
    guard !type.isEmpty else { return }
    try comesBack(snapshot("a", type: type))
    try comesBack(snapshot("a", type: type), of: "org.other")
    try comesBack(snapshot("a", type: type), of: "org.example.reade\u{302}")
  }

  @Test func everyFieldComesBack() throws {
    var full = snapshot("identifier", document: "file:///a/b.md", page: "https://a.org", weekBefore: false)
    full.title = "Title"
    full.team = [UInt8](repeating: 3, count: 32)
    full.flags = [.search, .handoff, .handedOver]
    full.expiresAt = expiry
    (full.keywords, full.targetContentIdentifier, full.referrerURL) = (["a", "b"], "target", "https://b.org")
    (full.requiredUserInfoKeys, full.typedPayload) = (["page"], [1, 2, 3])
    full.userInfo[.text("page")] = .map([
      .int(1): .set([.bytes([1]), .uuid([UInt8](repeating: 1, count: 16))])
    ])
    full.userInfo[.int(1)] = .array([.null, .bool(true), .double(0.5), .date(7)])
    full.userInfo[.text("title")] = .text("not an attribute's")
    full.contentAttributes = [
      .text("contentDescription"): .text("words"), .text("domainIdentifier"): .text("mail"),
      .text("keywords"): .array([.text("c")]), .text("made up"): .text("by the app"), .int(2): .int(3),
    ]
    try comesBack(full)
    (full.contentAttributes, full.userInfo) = ([:], [:])
    for flags: ActivityFlags in [.search, [.search, .handoff], []] {
      full.flags = flags
      try comesBack(full)
    }
  }

  /// What SQLite gives back of a damaged file ends nothing.
  @Test func anyBytesAreAnActivityOrNone() {
    let form = StoredForm(of: "org.example.reader", expiry: expiry)
    let sound = form.bytes(of: snapshot("/home/a/plan.md", document: "file:///home/a/plan.md"))
    var generator = SeededGenerator(seed: 11)
    for round in 0..<20_000 {
      var bytes = sound
      for _ in 0...round % 3 {
        bytes[Int.random(in: bytes.indices, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
      }
      if round % 7 == 0 { bytes.removeLast(Int.random(in: 1...bytes.count, using: &generator)) }
      _ = try? form.snapshot(of: bytes)
    }
  }

  /// 100,000 activities take 20 MB less than their records.
  @Test func whatGoesWithoutSayingTakesNoBytes() {
    var plain = snapshot("/home/a/notes/plan.md", document: "file:///home/a/notes/plan.md")
    plain.flags = [.search, .handoff]
    plain.contentAttributes = [.text("contentDescription"): .text("words")]
    #expect(StoredForm(of: "org.example.reader", expiry: expiry).bytes(of: plain).count <= 80)
    #expect(plain.cbor.encoded.count > 220)
  }
}
