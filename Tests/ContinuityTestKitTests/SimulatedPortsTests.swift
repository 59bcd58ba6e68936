// SPDX-License-Identifier: MIT

import ActivityModel
import AgentEngine
import SyncedFolders
import Testing
import Trust

@testable import ContinuityTestKit

/// The ports on which the product's agent stands in a world.
@Suite struct SimulatedPortsTests {
  private let world: World
  private let device: Device
  private let process: AgentProcess

  init() throws {
    world = World(devices: ["desktop", "laptop"], folderName: "Notes", seed: 1, realCiphers: nil)
    device = try #require(world.devices.first)
    process = AgentProcess(device)
    _ = try device.folder.make(RecordFiles.names, isFolder: true)
  }

  private func records() throws -> any OwnFiles {
    let folder = try SimulatedDisks(process).open(folder: EditorApp.root)
    return try #require(try folder.ownFiles(creating: false))
  }

  @Test func timersComeByTheirMomentAndInTheOrderInWhichTheyWereAskedFor() {
    let scheduler = SimulatedScheduler(process)
    var heard: [Int] = []
    let start = scheduler.now
    scheduler.schedule(at: start + .seconds(2)) { heard.append(3) }
    scheduler.schedule(at: start + .seconds(1)) { heard.append(1) }
    let cancelled = scheduler.schedule(at: start + .seconds(1)) { heard.append(9) }
    scheduler.schedule(at: start + .seconds(1)) { heard.append(2) }
    scheduler.cancel(cancelled)
    while world.proceed(until: (start + .seconds(3)).nanoseconds) {}
    #expect(heard == [1, 2, 3])
  }

  @Test func noTimerOfAKilledProcessComes() {
    let scheduler = SimulatedScheduler(process)
    var heard = false
    let start = scheduler.now
    scheduler.schedule(at: start + .seconds(1)) { heard = true }
    process.isDead = true
    while world.proceed(until: (start + .seconds(3)).nanoseconds) {}
    #expect(!heard)
  }

  @Test func aFullDiskRefusesAndKeepsWhatItHad() throws {
    let files = StateFiles(process)
    try files.replace("state", with: [1], isShared: false)
    device.storeIsFull = true
    #expect(throws: ContinuityError.self) { try files.replace("state", with: [2], isShared: false) }
    #expect(try files.read("state", limit: 10) == [1])
  }

  @Test func nothingIsWrittenOnceThePowerIsGone() throws {
    let files = StateFiles(process)
    device.operationsLeft = 0
    try? files.replace("state", with: [1], isShared: false)
    #expect(!device.hasPower && device.disk.files["state"] == nil)
    #expect(throws: ContinuityError.self) { try self.records().replace("d-a.rec", with: [1], isShared: true) }
  }

  @Test func aRecordIsReplacedWholeAndLeavesNothingBeside() throws {
    let records = try records()
    try records.replace("d-a.rec", with: [1, 2], isShared: true)
    device.folder.isFull = true
    #expect(throws: ContinuityError.self) { try records.replace("d-a.rec", with: [3], isShared: true) }
    device.folder.isFull = false
    #expect(try records.read("d-a.rec", limit: 10) == [1, 2])
    #expect(throws: ContinuityError.self) { try records.read("d-a.rec", limit: 1) }
    var names: [[UInt8]] = []
    #expect(try records.scan { name, _ in names.append(name) })
    #expect(names == [Array("d-a.rec".utf8)])
  }

  @Test func versionsOutliveTheProcessAndOnlySavedOnesALossOfPower() throws {
    let log = MemoryVersionLog(process)
    let place = DocumentPlace(folder: World.folder, path: try #require(RelativePath("plan.md")))
    let digests = [
      world.contents.digest(of: .empty), try #require(ContentDigest(bytes: [UInt8](repeating: 7, count: 32))),
    ]
    for digest in digests {
      log.change(place, because: VersionSighting(digest, size: 1, source: .onDisk), at: device.wall) {
        $0.record(digest)
      }
      if digest == digests[0] { try log.save() }
    }
    #expect(MemoryVersionLog(AgentProcess(device))[place].contains(digests[1]))
    device.disk.losePower()
    #expect(log[place].contains(digests[0]) && !log[place].contains(digests[1]))
  }

  @Test func quickCiphersOpenWhatWasSealedAndNothingElse() throws {
    let ciphers = QuickCiphers()
    let (key, nonce) = ([UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 12))
    let sealed = try #require(ciphers.seal([5, 6], key: key, nonce: nonce, header: [7]))
    #expect(sealed.count == 18)
    #expect(ciphers.open(sealed, key: key, nonce: nonce, header: [7]) == [5, 6])
    #expect(ciphers.open(sealed, key: key, nonce: nonce, header: [8]) == nil)
    #expect(ciphers.open(sealed.reversed(), key: key, nonce: nonce, header: [7]) == nil)
    let signature = try #require(ciphers.signature(of: [1], bySeed: key))
    let publicKey = try #require(ciphers.signingKey(ofSeed: key))
    #expect(signature.count == 64 && ciphers.isValid(signature, of: [1], by: publicKey))
    #expect(!ciphers.isValid(signature, of: [2], by: publicKey))
    let agreement = try #require(ciphers.agreementKey(ofSeed: key))
    let wrapped = try #require(ciphers.wrap(key, for: agreement, info: [3]))
    #expect(wrapped.count == 80 && ciphers.unwrap(wrapped, withSeed: key, info: [3]) == key)
    #expect(ciphers.unwrap(wrapped, withSeed: key, info: [4]) == nil)
  }
}
