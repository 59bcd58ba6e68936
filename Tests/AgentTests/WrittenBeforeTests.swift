// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import TestSupport
import Testing

@testable import Agent
@testable import AgentEngine
import TrustCiphers
@testable import Trust

/// The files of version 0706be6, value by value: every later version reads them and writes the same.
@Suite struct WrittenBeforeTests {
  private let before: WrittenBefore

  init() throws { before = try WrittenBefore() }

  @Test func identityAndStateAreReadAndMeanTheSame() throws {
    for device in ["desktop", "laptop"] {
      let identity = try before.bytes(of: device, "identity")
      #expect(try Identity(encoded: identity, ciphers: StandardCiphers()).encoded == identity)
      #expect(try Identity(encoded: identity, ciphers: StandardCiphers()).name == device)
      let state = try before.bytes(of: device, "state")
      #expect(try AgentState(decoding: state).encoded == state)
      #expect(
        try AgentState(decoding: state).folders.map(\.path) == [Array("\(before.path)/\(device)/Notes".utf8)])
    }
  }

  @Test func whatADeviceLastSaidIsRead() throws {
    let own = try DeviceState(recordPayload: before.bytes(of: "desktop", "own-state"))
    #expect(own.activities.map(\.title) == ["plan.md"])
    #expect(own.activities[0].document?.path == RelativePath("notes/plan.md"))
    #expect(own.activities[0].document?.version.size == 19)
  }

  @Test func savedActivitiesAreReadAndMeanTheSame() throws {
    let bytes = try before.bytes(of: "laptop", "saved-activities")
    let saved = try FormerSavedActivities(decoding: bytes)
    #expect(saved.entries.map(\.snapshot.persistentIdentifier) == ["recipe", "chapter-3"])
    #expect(saved.entries.map(\.snapshot.keywords) == [["soup", "winter"], ["soup", "winter"]])
  }
}
