// SPDX-License-Identifier: MIT

import ActivityModel
import LinuxSystem
import LocalNetwork
import TestSupport
import Testing

@testable import Agent

/// Documents over a link between two real network processes.
@Suite(.waiting) struct LanTransferTests {
  private let world: World
  private let desktop: LanDevice
  private let laptop: LanDevice

  init() throws {
    world = try World()
    (desktop, laptop) = (try LanDevice(1, in: world), try LanDevice(2, in: world))
  }

  private func path(_ name: String) -> FilePath { FilePath(world.scratch.path + "/" + name) }

  private func file(_ name: String, holding bytes: [UInt8]) throws -> Descriptor {
    try Scratch.write(bytes, to: path(name).shown)
    return try path(name).open(.readOnly)
  }

  private func end(of transfer: UInt32, at device: LanDevice) -> TransferEnd? {
    device.reports.lazy.compactMap { report -> TransferEnd? in
      switch report {
      case .fileReceived(_, transfer.number, let end), .fileSent(_, transfer.number, let end): end
      default: nil
      }
    }.first
  }

  @Test func aDocumentGoesWholeAndASmallOnePassesIt() throws {
    let (number, accepted) = try world.link(desktop, laptop)
    let large = (0..<8_000_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) }
    for (transfer, bytes) in [(UInt32(1), large), (2, [5, 6, 7])] {
      let target = try path("came \(transfer)").open([.writeOnly, .create], mode: 0o600)
      let size = UInt64(bytes.count)
      laptop.network.send(.receiveFile(accepted, transfer.number, size: size), beside: target)
      let source = try file("goes \(transfer)", holding: bytes)
      desktop.network.send(.sendFile(number, transfer.number, size: size), beside: source)
    }
    try world.run("both documents") {
      end(of: 1, at: laptop) != nil && end(of: 2, at: laptop) != nil && end(of: 1, at: desktop) != nil
    }
    #expect(end(of: 1, at: laptop) == .whole && end(of: 2, at: laptop) == .whole)
    #expect(end(of: 1, at: desktop) == .whole)
    #expect(Scratch.bytes(at: path("came 1").shown) == large)
    #expect(Scratch.bytes(at: path("came 2").shown) == [5, 6, 7])
    let order = laptop.reports.compactMap { report -> UInt32? in
      if case .fileReceived(_, let transfer, _) = report { transfer.rawValue } else { nil }
    }
    #expect(order == [2, 1], "the small one was not held up")
  }

  @Test func aFullDiskAShorterFileAndAStoppedOneAreTold() throws {
    let (number, accepted) = try world.link(desktop, laptop)
    let full = try FilePath("/dev/full").open(.writeOnly)
    laptop.network.send(.receiveFile(accepted, UInt32(1).number, size: 9), beside: full)
    let nine = try file("nine", holding: [UInt8](repeating: 1, count: 9))
    desktop.network.send(.sendFile(number, UInt32(1).number, size: 9), beside: nine)
    try world.run("a full disk") { end(of: 1, at: laptop) == .unwritable }

    let target = try path("came").open([.writeOnly, .create], mode: 0o600)
    laptop.network.send(.receiveFile(accepted, UInt32(2).number, size: 12), beside: target)
    let shorter = try path("nine").open(.readOnly)
    desktop.network.send(.sendFile(number, UInt32(2).number, size: 12), beside: shorter)
    try world.run("a shorter file") { end(of: 2, at: laptop) == .early && end(of: 2, at: desktop) == .early }

    // One that would never end.
    laptop.network.send(.receiveFile(accepted, UInt32(3).number, size: 1 << 40), beside: target)
    let zeros = try FilePath("/dev/zero").open(.readOnly)
    desktop.network.send(.sendFile(number, UInt32(3).number, size: 1 << 40), beside: zeros)
    try world.run("some bytes") { (try? target.status().stamp.size).map { $0 > 1 << 20 } ?? false }
    laptop.network.send(.send(accepted, .request, [1]))
    try world.run("a word beside it") { !desktop.received.isEmpty }
    desktop.network.send(.stopSending(number, UInt32(3).number))
    try world.run("the end") { end(of: 3, at: laptop) == .early }
    #expect(desktop.end(of: number) == nil && laptop.end(of: accepted) == nil, "the link goes on")
  }
}

extension UInt32 {
  fileprivate var number: TransferNumber { TransferNumber(rawValue: self) }
}
