// SPDX-License-Identifier: MIT

import ActivityModel
import ContinuityTestKit
import Foundation

/// Some devices of one person, for tests of an app's hand-offs: the app runs for real on each, with real
/// files in a temporary folder, and agents and time are simulated (`ManualWorld`). Nothing arrives, and no
/// time passes, unless the test says so, so a test never waits and always ends the same way.
///
/// Main actor only. A process has one application at a time: tests that use a world take turns
/// (`@Suite(.serialized)`, one suite). The folders go away with the last reference to the world and its
/// devices.
@MainActor
public final class TestWorld {
  /// In the order in which they were named, each with an agent that runs and no app.
  public let devices: [TestDevice]
  private let world: ManualWorld

  /// One to six devices, paired, with an empty synced folder each. Throws `invalidRequest` for other numbers
  /// and for names that are empty or stand there twice, and what making the folders throws.
  public init(devices names: [String]) throws {
    let world = try ManualWorld(devices: names)
    self.world = world
    let directory = try ScratchDirectory()
    let turns = Turns(world)
    devices = try world.devices.enumerated().map { number, device in
      let folder = directory.url.appending(path: "device-\(number)/notes", directoryHint: .isDirectory)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      return TestDevice(device, folder: folder, directory: directory, turns: turns)
    }
  }

  /// Lets so much time pass on all devices: what was typed is saved and offered, what arrived is noticed,
  /// what waits for something gives up at its time. First, changes of files are noticed.
  public func pass(_ duration: Duration) {
    for device in devices { device.lookAtFolder() }
    world.pass(duration)
  }

  /// The sync engine carries the state record of each device to all others, as it is now: what is offered,
  /// and what was continued. It is noticed while time passes.
  public func carryRecords() { world.carryRecords() }

  /// The sync engine carries the document at `path` (relative to the folders), as it is now. Throws
  /// `documentMissing` when the sender has no such file, and what writing throws.
  public func carry(_ path: String, from sender: TestDevice, to receiver: TestDevice) throws {
    guard let data = sender.data(of: path) else {
      throw ContinuityError(
        .documentMissing, subject: path,
        description: "\(sender.name) has no \(path) to carry; write it there first, or let its app save it.")
    }
    try receiver.write(data, to: path)
  }

  /// All devices have this text at `path` (relative to the folders), as after an earlier synchronisation.
  /// Throws the error of the file system.
  public func write(_ text: String, to path: String) throws {
    for device in devices { try device.write(text, to: path) }
  }
}

/// Whose application is the process's, and which documents are its controller's.
@MainActor
final class Turns {
  weak var device: TestDevice?
  private let world: ManualWorld

  init(_ world: ManualWorld) { self.world = world }

  /// What nobody does in no time at all: meanwhile the agent hears of it and answers.
  func moment() { world.pass(.milliseconds(100)) }
}

/// A folder that goes away with its last user.
final class ScratchDirectory: Sendable {
  let url: URL

  init() throws {
    let made = FileManager.default.temporaryDirectory.appending(path: "continuo-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: made, withIntermediateDirectories: true)
    url = made.resolvingSymlinksInPath()
  }

  // Nobody could be told that it failed.
  deinit { try? FileManager.default.removeItem(at: url) }
}
