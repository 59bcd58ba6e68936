// SPDX-License-Identifier: MIT

public import ActivityModel

/// A circle of paired devices in which only agents and watch processes act by themselves: time passes, and
/// records and documents arrive, when a test says so. The agents are those of simulated histories; no sync
/// engine and no fault is at work beside the test.
///
/// Pure: no clock, no files, no threads. An app takes part through the `AgentLink` of its device. Neither
/// this nor its devices may be used from two threads at once.
public final class ManualWorld {
  /// In the order in which they were named.
  public let devices: [ManualDevice]
  private let world: ScriptedWorld

  /// More ticks than this at one moment, and an app's deadline is taken for one that it forgot to move.
  private static let patience = 1000

  /// One to six switched-on devices with these names, each with an empty synced folder and an agent. Throws
  /// `invalidRequest` for other numbers, and for names that are empty or stand there twice.
  public init(devices names: [String]) throws(ContinuityError) {
    guard (1...6).contains(names.count), Set(names).count == names.count, !names.contains("") else {
      throw ContinuityError(
        .invalidRequest, subject: "devices",
        description:
          "\"\(names.joined(separator: "\", \""))\" are not one to six different names; give each device one."
      )
    }
    let world = ScriptedWorld(devices: names, folderName: "notes")
    self.world = world
    devices = world.devices.map { ManualDevice($0, in: world) }
  }

  /// Lets time pass on all devices. Everything that falls due happens in its order, the deadlines of apps
  /// included.
  public func pass(_ duration: Duration) {
    let end = world.now + duration
    var ticks = (at: world.now, count: 0)
    while true {
      if ticks.at != world.now { ticks = (world.now, 0) }
      let due = ticks.count < Self.patience ? nextDeadline : nil
      if let due, due.moment <= world.now {
        ticks.count += 1
        due.device.tick()
      } else if !world.step(until: min(due?.moment ?? end, end)), due.map({ $0.moment > end }) ?? true {
        return
      }
    }
  }

  /// The sync engine carries the state record of each device to all others: offers, and what was continued.
  public func carryRecords() {
    for sender in devices {
      for receiver in devices where receiver !== sender { receiver.receive(recordOf: sender) }
    }
  }

  private var nextDeadline: (moment: Instant, device: ManualDevice)? {
    var first: (moment: Instant, device: ManualDevice)?
    for device in devices {
      guard let moment = device.nextDeadline() else { continue }
      if first.map({ moment < $0.moment }) ?? true { first = (moment, device) }
    }
    return first
  }
}
