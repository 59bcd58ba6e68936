// SPDX-License-Identifier: MIT

import ActivityModel
import TestSupport
import Testing

@testable import continuo_desktop

/// Titles, devices and apps of all hostile names, from the words of a notification to what a server on a real
/// bus gets.
@Suite("Hostile names in notifications", .serialized) struct HostileNotificationTests {
  /// What markup of a body stands for; nil where it is more than text.
  private func text(of markup: String) -> String? {
    let isPlain = !markup.contains { "<>".contains($0) }
    let parts = markup.split(separator: "&", omittingEmptySubsequences: false)
    var text = String(parts[0])
    for part in parts.dropFirst() {
      guard let entity = Self.entities.first(where: { part.hasPrefix($0.name + ";") }) else { return nil }
      text += entity.text + part.dropFirst(entity.name.count + 1)
    }
    return isPlain ? text : nil
  }

  private static let entities: [(name: String, text: String)] = [
    ("lt", "<"), ("gt", ">"), ("amp", "&"), ("quot", "\""), ("apos", "'"), ("#39", "'"),
  ]

  @Test func aNameIsTextInEveryPartOfANotification() throws {
    let desktop = try ServedDesktop()
    let (service, stage) = try desktop.notifying()
    for (number, bytes) in try HostileNames.all().enumerated() {
      let name = String(decoding: bytes, as: UTF8.self)
      let told = OfferNotification.Told(
        title: name, deviceName: name, appName: name, changedAt: WallTime(milliseconds: 0),
        target: .defaultApp(name: name))
      let words = OfferNotification.one(told).text(in: .english) { _ in "10:42" }
      let actions = words.buttons.flatMap { [$0.key.rawValue, $0.label] }
      try service.send([
        ["show", "\(number)", words.summary, words.body, "", "0", "", "\(actions.count / 2)"] + actions
      ])
      let call = try stage.next("Notify")
      let body = try #require(
        text(of: call[5]), "\(name.debugDescription) is markup: \(call[5].debugDescription)")
      #expect(body == words.body, "\(name.debugDescription)")
      for part in [call[4], body, call[6]] {
        #expect(!HostileNames.steers(part), "\(name.debugDescription) is shown as \(part.debugDescription)")
      }
      #expect(try service.next() == ["shown", "\(number)"])
      try service.send("withdraw", "\(number)")
      _ = try stage.next("CloseNotification")
    }
    #expect(HostileNames.traces(below: desktop.scratch.path) == [])
  }
}
