// SPDX-License-Identifier: MIT

import ActivityJSON
import ActivityModel
import Glibc
import Testing
import TestSupport

@testable import fixtures

@Suite("Hand-offs by JSON-RPC", .waiting)
struct ServeHandoffTests {
  /// Before `z`, in each unit.
  private static let columns: [(encoding: String, column: Int64)] = [
    ("utf-8", 11), ("utf-16", 6), ("utf-32", 5),
  ]
  private static let text = "one\naé😀漢\tz\nthree\n"

  @Test("A place goes over and back on the same character, whatever units the two editors count in")
  func places() throws {
    let circle = try ServedCircle()
    try circle.write("plan.md", Self.text)
    for (index, here) in Self.columns.enumerated() {
      let there = Self.columns[(index + 1) % Self.columns.count]
      let desktop = try circle.editor(on: circle.desktop)
      let laptop = try circle.editor(on: circle.laptop)
      #expect(
        try desktop.begin(here.encoding, app: "org.example.here")["positionEncoding"] == .text(here.encoding))
      // An editor of version 1 hears the former word, and one of a version to come hears today's.
      let version = Int64(index + 1)
      let agreed = try laptop.begin(there.encoding, app: "org.example.there\(index)", version: version)
      #expect(agreed["protocolVersion"] == .int(min(version, 2)))
      desktop.update = [
        "place": [
          "position": ["line": 1, "character": .int(here.column)], "selection": ["line": 1, "character": 0],
          "topLine": 1,
        ], "edited": false,
      ]
      let opened = try desktop.open("plan.md")
      #expect(opened["synced"] == true)
      #expect(opened["folder"] == "Notes")
      try desktop.news(of: "activity/update")
      let offer = try laptop.offer("plan.md") {
        $0["status"]?["arrival"] == "current" && $0["leftOpen"] == false
      }
      #expect(offer["uri"] == laptop.uri("plan.md"))
      let request = try laptop.ask("continuation/accept", ["offer": offer["id"]])["request"]
      let restore = try laptop.news(of: "document/restore")
      #expect(restore["request"] == request)
      #expect(restore["uri"] == laptop.uri("plan.md"))
      #expect(restore["readOnly"] == false)
      #expect(restore["certainty"] == (version < 2 ? "exact" : "sure"))
      #expect(
        restore["place"]
          == [
            "position": ["line": 1, "character": .int(there.column)],
            "selection": ["line": 1, "character": 0], "topLine": 1,
          ])
      #expect(try desktop.news(of: "activity/wasContinued")["device"] == "laptop")
      try back(from: laptop, there.column, to: desktop, here.column, circle, round: index)
      try TrafficSchema.check(desktop, laptop, on: circle.desktop)
    }
  }

  /// The laptop types a line above, saves within the round, and moves down by it.
  private func back(
    from laptop: ServedEditor, _ column: Int64, to desktop: ServedEditor, _ other: Int64,
    _ circle: ServedCircle,
    round: Int
  ) throws {
    let path = circle.laptop.folder + "/plan.md"
    let added = (0...round).map { "line \($0)\n" }.joined()
    desktop.forget()
    laptop.forget()
    laptop.update = [
      "place": ["position": ["line": .int(Int64(round) + 2), "character": .int(column)], "topLine": 0],
      "edited": false,
    ]
    var hasSaved = false
    laptop.beforeUpdate = { [unowned laptop] in
      if hasSaved { return }
      hasSaved = true
      try Files.replace(path, with: Array((added + Self.text).utf8))
      try laptop.tell("document/didSave", ["uri": laptop.uri("plan.md")])
    }
    try laptop.open("plan.md")
    try laptop.tell("document/didChange", ["uri": laptop.uri("plan.md"), "edited": true])
    try laptop.news(of: "activity/update")
    let offer = try desktop.offer("plan.md") { $0["status"]?["arrival"] == "behind" }
    try desktop.ask("continuation/accept", ["offer": offer["id"]])
    try desktop.news(of: "continuation/progress")
    try circle.carry()
    let restore = try desktop.news(of: "document/restore")
    #expect(
      restore["place"]
        == ["position": ["line": .int(Int64(round) + 2), "character": .int(other)], "topLine": 0])
    #expect(restore["status"]?["arrival"] == "current")
    try laptop.news(of: "activity/wasContinued")
    // The next round of the test starts from the same text.
    for editor in [desktop, laptop] {
      try editor.ask("document/close", ["uri": editor.uri("plan.md")])
      try editor.ask("shutdown")
      try editor.tell("exit")
      #expect(try editor.exit() == 0)
    }
    try circle.write("plan.md", Self.text)
  }

  @Test("s23c s23d Given up, it is offered again by what the person does, not by what they read")
  func s23c_s23d_baton() throws {
    let circle = try ServedCircle()
    try circle.write("plan.md", Self.text)
    let desktop = try circle.editor(on: circle.desktop)
    let laptop = try circle.editor(on: circle.laptop)
    try desktop.begin("utf-8", app: "org.example.here")
    try laptop.begin("utf-8", app: "org.example.there")
    desktop.update = ["edited": false]
    try desktop.open("plan.md")
    try desktop.news(of: "activity/update")
    let offer = try laptop.offer("plan.md") { $0["status"]?["arrival"] == "current" }
    try laptop.ask("continuation/accept", ["offer": offer["id"]])
    try laptop.news(of: "document/restore")
    let told = try desktop.news(of: "activity/wasContinued")
    #expect(told["givenUp"] == true)
    guard case .int(let moment)? = told["at"] else { throw Failure("a time", lastSeen: "\(told)") }
    #expect(moment > 1_700_000_000_000)
    laptop.forget()

    let change = JSONValue.object(["uri": desktop.uri("plan.md"), "edited": false, "byPerson": false])
    try desktop.tell("document/didChange", change)
    let own = try circle.desktop.continuo("offers", "--own")
    #expect(own.contains("not offered\n          Continued on laptop at "), "\(own)")
    try desktop.tell("document/didChange", ["uri": desktop.uri("plan.md"), "edited": true])
    try laptop.offer("plan.md") { $0["status"]?["arrival"] == "current" }
  }

  @Test("An activity without a document goes over with all kinds of values, and the app takes it by itself")
  func activities() throws {
    let circle = try ServedCircle()
    let desktop = try circle.editor(on: circle.desktop)
    let laptop = try circle.editor(on: circle.laptop)
    for editor in [desktop, laptop] { try editor.begin(types: ["org.example.page"], continues: true) }
    let info: JSONValue = [
      "page": 3, "half": .double(0.5), "on": true, "none": nil, "list": [1, "é😀"], "inner": ["a": ["b": 1]],
      "when": ["$date": .double(1_700_000_000.5)], "bytes": ["$data": "AP8Q"],
      "id": ["$uuid": "0F1F2F3F-4F5F-6F7F-8F9F-AFBFCFDFEFFF"], "link": ["$url": "https://example.org/?q#f"],
      "set": ["$set": [1, 2]], "other": ["$map": [["$key", 1], [2, 3]]],
    ]
    let made = try desktop.ask(
      "activity/create", ["type": "org.example.page", "title": "Page 3", "userInfo": info])
    desktop.update = ["userInfo": info]
    try desktop.ask("activity/becomeCurrent", ["activity": made["activity"]])
    let offer = try laptop.offer("Page 3")
    laptop.handled = ["handled": true]
    try laptop.ask("continuation/accept", ["offer": offer["id"]])
    let delivered = try laptop.news(of: "activity/continue")
    #expect(delivered["activity"]?["userInfo"] == info)
    #expect(delivered["activity"]?["title"] == "Page 3")
    #expect(delivered["uri"] == nil)
    #expect(try desktop.news(of: "activity/wasContinued")["activity"] == made["activity"])
    // A title that changes is one more round, and one that is taken away shows the type.
    try desktop.ask("activity/set", ["activity": made["activity"], "title": .null])
    try laptop.offer("org.example.page")
    try desktop.ask("activity/invalidate", ["activity": made["activity"]])
    try laptop.wait("no offer") {
      laptop.news.last { $0["method"] == "offers/didChange" }?["params"]?["offers"] == [] ? () : nil
    }
    let gone = try desktop.ask("activity/set", ["activity": made["activity"], "title": "Again"])
    #expect(gone["error"]?["data"]?["code"] == "invalidRequest")
    #expect(try desktop.ask("activity/create", ["type": "org.example.other"])["error"]?["code"] == -32803)
    try TrafficSchema.check(desktop, laptop, on: circle.desktop)
  }
}
