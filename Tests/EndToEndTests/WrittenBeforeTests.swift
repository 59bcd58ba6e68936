// SPDX-License-Identifier: MIT

import LinuxSystem
import ActivityModel
import Glibc
import SyncedFolders
import TestSupport
import Testing
import VersionHistory

@testable import fixtures

/// Today's programs on what version 0706be6 left: nobody pairs again, and no text is lost by an upgrade.
@Suite(.waiting) final class WrittenBeforeTests {
  private let before: WrittenBefore
  private let desktop: Device
  private let laptop: Device

  init() throws {
    signal(SIGPIPE, SIG_IGN)
    before = try WrittenBefore()
    let programs = try Programs()
    desktop = try Device(name: "desktop", below: before.path, programs: programs)
    laptop = try Device(name: "laptop", below: before.path, programs: programs)
  }

  deinit { for device in [desktop, laptop] { device.endAgent() } }

  @Test func aDevicesStateIsReadWithoutALoss() throws {
    for (device, own) in [(desktop, "NV74-XTLL-HZDZ-X4PS"), (laptop, "OQGK-CZP3-KBYK-NBY6")] {
      try device.continuo("status")
      let status = try device.status()
      #expect(status.problems == [])
      #expect(status.folders.map(\.isPresent) == [true])
      #expect(status.deviceName == device.name && status.deviceID.hasPrefix(own))
      let devices = try device.continuo("devices")
      #expect(devices.contains("desktop  NV74-XTLL") && devices.contains("laptop  OQGK-CZP3"))
    }
  }

  @Test func theVersionsOfADocumentAreKnown() throws {
    try desktop.continuo("status")
    let folder = try #require(try desktop.status().folders.first)
    try desktop.continuo("agent", "stop")
    let place = DocumentHistories.Place(
      folder: folder.id, path: try #require(RelativePath("notes/plan.md")))
    let histories = try DocumentHistories(directory: before.path + "/desktop/state/continuo")
    #expect(histories[place].versions.count == 3)
  }

  @Test func whatAKilledEditorKeptComesBack() throws {
    let terminals = try TerminalServer(in: before.path)
    defer { terminals.stop() }
    let screen = try terminals.open(
      "laptop", [laptop.programs["continuo-edit"]], environment: laptop.environment)
    try screen.wait(toShow: "words without a name")
  }

  @Test func theCircleGoesOnHandingOver() throws {
    let file = desktop.folder + "/new.md"
    try Files.replace(file, with: Array("new".utf8))
    let publisher = try desktop.start("publish", file)
    defer { publisher.signal(.kill) }
    let news = try Waiting.wait(
      for: "the offer", by: Deadline(seconds: 30), on: { publisher.descriptors },
      lastState: { self.laptop.logEnd }
    ) { () -> String? in
      for name in Scratch.names(in: desktop.records) where name.hasSuffix(".rec") {
        guard let bytes = Files.read(desktop.records + "/" + name) else { continue }
        try Files.replace(laptop.records + "/" + name, with: bytes)
      }
      let told = try laptop.continuo("offers")
      return told.contains("new.md") ? told : nil
    }
    #expect(news.contains("desktop"))
  }
}
