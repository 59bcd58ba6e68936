// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import Foundation
import TestSupport
import Testing

@testable import fixtures

/// What whoever stores the folder can read of the activities in it: nothing.
@Suite(.waiting) struct SecrecyTests {
  @Test func aThousandRandomTitlesAndNamesCannotBeReadInTheFolder() throws {
    let home = try Home()
    try home.addFolder()
    var generator = SystemRandomNumberGenerator()
    let words = (0..<1000).map { _ in
      String((0..<12).map { _ in Self.letters.randomElement(using: &generator) ?? "q" })
    }
    let records = home.device.folder + "/.continuo"
    let changes = try FolderEvents([records])
    let before = Self.contents(of: records)
    try publish(words, on: home.device)
    try changes.wait(for: "a record of 8 activities", lastState: { Self.contents(of: records).keys.joined() })
    {
      let now = Self.contents(of: records)
      return now.contains { $0.value.count >= 16460 && before[$0.key] != $0.value } ? () : nil
    }
    let found = Self.contents(of: records)
    #expect(!found.isEmpty)
    for word in words {
      for (name, bytes) in found {
        #expect(bytes.range(of: Data(word.utf8)) == nil, "\(word) can be read in \(name)")
        #expect(!name.contains(word))
      }
    }
    let log = Files.text(home.device.log) ?? ""
    #expect(words.allSatisfy { !log.contains($0) }, "the log tells titles")
  }

  private static let letters = Array("abcdefghijklmnopqrstuvwxyz")

  /// Eight activities, all that a record holds, with the words as titles, document names and user info.
  private func publish(_ words: [String], on device: Device) throws {
    let connection = try #require(try WireConnection(socketPath: device.socket))
    var manifest = AppManifest(appID: "org.example.secret", name: "Secret")
    manifest.activityTypes = ["org.example.secret.writing"]
    connection.send(.request(.hello(manifest)))
    for index in 0..<8 {
      let own = words[index * 125..<(index + 1) * 125]
      let name = own.first.map { $0 + ".md" } ?? "a.md"
      try Files.replace(device.folder + "/" + name, with: Array(own.joined().utf8))
      var activity = ActivitySnapshot(
        id: .random(), type: "org.example.secret.writing", appID: "org.example.secret",
        changedAt: WallTime(milliseconds: wallNow()))
      activity.title = own.prefix(19).joined(separator: " ")
      for word in own { activity.userInfo[.text(word)] = .text(word) }
      let url = "file://" + device.folder + "/" + name
      activity.userInfo[.text(NSUserActivityDocumentURLKey)] = .url(url)
      connection.send(.request(.update(activity, saved: nil)))
    }
    _ = try device.status()
  }

  private static func contents(of directory: String) -> [String: Data] {
    Dictionary(
      uniqueKeysWithValues: Files.list(directory).map { ($0, Data(Files.read(directory + "/" + $0) ?? [])) })
  }
}
