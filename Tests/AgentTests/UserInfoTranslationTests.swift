// SPDX-License-Identifier: MIT

import ActivityModel
import Testing

@testable import Agent
@testable import AgentEngine

/// File URLs of one device ⇄ references ⇄ file URLs of another (semantics 33).
@Suite struct UserInfoTranslationTests {
  private let info: UserInfo = [
    .text("document"): .url("file:///home/a/Notes/plan.md"),
    .text("nested"): .array([
      .map([.text("deep"): .set([.url("file:///home/a/Notes/b.md"), .int(1)])]),
      .url("file:///etc/passwd"),
    ]),
    .text("web"): .url("https://example.org/?q=1#f"),
  ]

  @Test func s33a_everyFileURLIsFoundAtAnyDepthOnce() {
    #expect(
      info.fileURLs == ["file:///etc/passwd", "file:///home/a/Notes/b.md", "file:///home/a/Notes/plan.md"])
  }

  @Test func s33a_s33b_indicesTakeThePlaceOfURLsAndOtherURLsOfTheirOwn() {
    let sent = info.translated(["file:///home/a/Notes/plan.md": 0, "file:///home/a/Notes/b.md": 1])
    #expect(sent[.text("document")] == .document(0))
    let there = sent.localised(["file:///srv/n/plan.md", "file:///srv/n/b.md"])
    #expect(
      there == [
        .text("document"): .url("file:///srv/n/plan.md"),
        .text("nested"): .array([.map([.text("deep"): .set([.url("file:///srv/n/b.md"), .int(1)])])]),
        .text("web"): .url("https://example.org/?q=1#f"),
      ])
  }

  @Test func s33b_aSenderCannotMakeALocalURLInAnySpelling() {
    let hostile: UserInfo = [
      .text("a"): .url("file:///etc/passwd"), .text("b"): .url("FILE:///etc/passwd"),
      .text("c"): .url("File:/etc/passwd"), .text("d"): .document(7), .text("e"): .document(-1),
    ]
    #expect(hostile.localised(["file:///srv/n/plan.md"]).isEmpty)
  }

  @Test func s33b_aFileURLOfTheSenderIsNoKeyEither() {
    let hostile: UserInfo = [
      .url("file:///etc/passwd"): .int(1), .document(0): .int(2),
      .text("a"): .map([.url("FILE:/etc/passwd"): .int(3), .text("b"): .int(4)]),
    ]
    #expect(
      hostile.localised(["file:///srv/n/plan.md"]) == [
        .url("file:///srv/n/plan.md"): .int(2), .text("a"): .map([.text("b"): .int(4)]),
      ])
  }

  @Test func s33b_contentAttributesHoldNoFileURLOfTheSender() throws {
    let world = try World()
    let device = try world.device("laptop")
    var snapshot = ActivitySnapshot(
      id: .random(), type: "a.b", appID: "org.a", changedAt: WallTime(milliseconds: 1))
    snapshot.contentAttributes = [
      .text("thumbnailURL"): .url("file:///etc/passwd"), .text("title"): .text("Plan"),
    ]
    let local = device.core.documents.localised(snapshot).activity
    #expect(local.contentAttributes == [.text("title"): .text("Plan")])
  }
}
