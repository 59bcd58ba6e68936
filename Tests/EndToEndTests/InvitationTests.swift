// SPDX-License-Identifier: MIT

import ActivityModel
import TestSupport
import Testing

@testable import fixtures

/// Invitations that are closed, and words that open nothing any more.
@Suite(.waiting, .timeLimit(.minutes(20))) struct InvitationTests {
  @Test func aCancelledInvitationIsTakenAwayAndItsWordsOpenNothing() throws {
    let home = try Home()
    let desktop = home.device
    let laptop = try home.sandbox.add("laptop")
    let engine = PlayedEngine(home.sandbox.devices)
    try home.addFolder()
    #expect(try desktop.continuo("pair", "--cancel") == "No invitation was open.\n")

    let cancelled = try PairingSteps.invitation(of: desktop)
    #expect(Self.invitations(of: desktop).count == 1)
    let told = try desktop.continuo("pair", "--cancel")
    #expect(told.contains("closed"), "\(told)")
    #expect(Self.invitations(of: desktop).isEmpty)

    // Only with another invitation in the folder are words known to be wrong, and not just early.
    let open = try PairingSteps.invitation(of: desktop)
    #expect(open != cancelled)
    try engine.deliverRecords()
    try laptop.continuo("folder", "add", laptop.folder, "--name", "Notes")
    let refused = try ChildProcess(
      laptop.programs["continuo"], ["join", "--words-file", "-"], environment: laptop.environment,
      input: cancelled + "\n")
    try refused.waitForExit()
    expectSentence(refused, saying: "invit")
    #expect(try laptop.status().devices.count == 1)

    try laptop.continuo("join", "--words-file", "-", "--device-name", "laptop", input: open + "\n")
    try PairingSteps.waitForMember("laptop", of: desktop) { try engine.deliverRecords() }
  }

  private static func invitations(of device: Device) -> [String] {
    Files.list(device.folder + "/.continuo").filter { $0.hasSuffix(".inv") }
  }
}
