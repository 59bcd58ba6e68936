// SPDX-License-Identifier: MIT

import LinuxSystem
import ActivityModel
import Foundation
import TestSupport
import Testing

@testable import fixtures

/// The cases of docs/contributors/nasty-cases.md that only whole hand-offs show: real files, agents, watch
/// processes, and engines.
@Suite(.waiting, .timeLimit(.minutes(20))) struct NastyCaseTests {
  private static let size = 600 << 10

  /// The desktop has announced bytes of the same size as those that lie on the laptop, where an app waits for
  /// them.
  private func waiting(on devices: TwoDevices) throws -> (old: [UInt8], new: [UInt8]) {
    let desktop = devices.desktop.device
    let old = Files.madeUpBytes(Self.size, seed: 1)
    let new = Files.madeUpBytes(Self.size, seed: 2)
    try Files.replace(desktop.folder + "/plan.bin", with: old)
    let now = WallTime(milliseconds: wallNow())
    try devices.desktop.publish("plan.bin", line: 1, column: 1)
    try devices.player.carrying().deliverEverything()
    try devices.laptop.app.see("plan.bin", "current", since: now)

    try Files.replace(desktop.folder + "/plan.bin", with: new)
    let later = WallTime(milliseconds: wallNow())
    try devices.desktop.publish("plan.bin", line: 1, column: 1)
    try devices.player.carrying().deliverRecords()
    _ = devices.flow()
    try devices.laptop.app.see("plan.bin", "behind", since: later)
    try devices.laptop.app.resume("plan.bin", since: later)
    try devices.laptop.app.expectWaiting(for: "plan.bin", because: ExpectedReason(name: "behind"))
    return (old, new)
  }

  private func expectDelivery(of bytes: [UInt8], on devices: TwoDevices) throws {
    #expect(try devices.laptop.app.expectDelivery(of: "plan.bin").bytes == bytes)
  }

  /// Everything that happened before is looked at when an offer that comes after it is seen.
  private func fence(_ devices: TwoDevices, _ name: String) throws {
    try devices.write(name, name)
    let now = WallTime(milliseconds: wallNow())
    try devices.desktop.publish(name, line: 1, column: 1)
    try devices.player.carrying().deliverRecords()
    try devices.player.carrying().deliver(name)
    try devices.laptop.app.see(name, "current", since: now)
  }

  private func expectStillWaiting(_ devices: TwoDevices, after name: String) throws {
    try fence(devices, name)
    let continuation = try #require(devices.laptop.app.continuation)
    #expect(continuation.isOpen && continuation.delivered == nil, "\(devices.laptop.app.state)")
  }

  @Test func case01_aWriterInPlaceIsKilledInTheMiddle() throws {
    let devices = try TwoDevices()
    let (old, new) = try waiting(on: devices)
    let file = devices.laptop.device.folder + "/plan.bin"
    let writer = try PieceWriter(file, piecesIn: devices.laptop.device.root)
    try writer.write(new.prefix(Self.size / 2))
    try writer.kill()
    let left = try #require(Files.read(file))
    #expect(left.count == Self.size && left != old && left != new, "the right size, and neither version")
    try devices.laptop.app.see("plan.bin", "diverged", since: WallTime(milliseconds: 0))
    try devices.laptop.app.expectWaiting(for: "plan.bin", because: ExpectedReason(name: "diverged"))
    try expectStillWaiting(devices, after: "fence.md")

    let next = try PieceWriter(file, piecesIn: devices.laptop.device.root)
    try next.write(new)
    try next.kill()
    try expectDelivery(of: new, on: devices)
  }

  @Test func case02_aDeltaOfEqualSizeIsWrittenInPlace() throws {
    let devices = try TwoDevices()
    let (_, new) = try waiting(on: devices)
    let writer = try PieceWriter(
      devices.laptop.device.folder + "/plan.bin", piecesIn: devices.laptop.device.root)
    for (number, start) in stride(from: 0, to: Self.size, by: Self.size / 3).enumerated() {
      try expectStillWaiting(devices, after: "fence\(number).md")
      try writer.write(new[start..<min(start + Self.size / 3, Self.size)])
    }
    try writer.kill()
    try expectDelivery(of: new, on: devices)
  }

  @Test func case02_aTemporaryFileHasItsFinalSizeFirst() throws {
    let devices = try TwoDevices()
    let (old, new) = try waiting(on: devices)
    let folder = devices.laptop.device.folder
    let temporary = folder + "/.syncthing.plan.bin.tmp"
    try Files.writeInPlace(temporary, [UInt8](repeating: 0, count: Self.size))
    try expectStillWaiting(devices, after: "fence.md")
    let writer = try PieceWriter(temporary, piecesIn: devices.laptop.device.root)
    try writer.write(new.prefix(Self.size - 1))
    try expectStillWaiting(devices, after: "fence2.md")
    #expect(Files.read(folder + "/plan.bin") == old)
    try writer.write(new.suffix(1))
    try writer.kill()
    try Files.remove(folder + "/plan.bin")
    try Files.move(temporary, to: folder + "/plan.bin")
    try expectDelivery(of: new, on: devices)
  }

  // MARK: - With the engines themselves

  private static let scripts =
    URL(filePath: #filePath + "/../../../Fixtures/engines").standardized.path

  /// Plays a script of `Fixtures/engines` with one of the engines that it names.
  private func play(_ name: String, _ engine: String...) throws {
    let script = try Script(path: "\(Self.scripts)/\(name).script")
    let casting = try #require(script.castings.first { $0.engine == engine }, "\(name) names no \(engine)")
    let player = try Player(casting)
    defer {
      for each in player.cast.values {
        for publisher in each.publishing.values { publisher.signal(.kill) }
        each.device.endAgent()
      }
      player.sandbox.close(keepingFiles: false, endingProcesses: false)
    }
    try player.play(script)
  }

  @Test func case01_rsyncIsKilledInTheMiddle() throws {
    try play("killed-in-the-middle-of-a-file", "rsync", "--inplace")
  }

  @Test func case10_rcloneTakesThePlainNameAway() throws {
    try play("a-conflict-takes-the-name-away", "rclone")
  }

  @Test func case10_gitPutsMarkersIntoTheText() throws {
    try play("a-conflict-puts-markers-into-the-text", "git")
  }

  @Test func case10_unisonDoesNothingAtAll() throws { try play("a-conflict-is-skipped", "unison") }

  @Test func case11_theAnnouncedVersionLandsUnderAConflictName() throws {
    try play("a-conflict-copy-of-the-announced-version", "syncthing")
  }

  @Test func case12_anEditThatKeepsSizeAndTimeNeverArrives() throws {
    try play("an-edit-that-no-engine-notices", "rsync")
  }

  @Test func case13_theEngineRenamesTheFileOnTheSenderToo() throws {
    try play("a-decomposed-name", "syncthing")
  }
}
