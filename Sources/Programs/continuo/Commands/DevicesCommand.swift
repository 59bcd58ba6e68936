// SPDX-License-Identifier: MIT

import ActivityModel
import AgentClient
import ArgumentParser
import FoundationEssentials

struct DevicesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices", abstract: "List the devices of the circle, and those that were removed from it.",
    discussion: CommandEnd.help())

  @Flag(help: "Print a JSON array.")
  var json = false

  func run() throws {
    try Failure.told { () throws(ContinuityError) in
      guard case .devices(let devices) = try AgentSession().ask(.devices) else { return }
      if json { return JSONOutput.say(devices.map(DeviceRow.init)) }
      for device in devices { Terminal.say(Self.line(device)) }
    }
  }

  private static func line(_ device: CircleDevice) -> String {
    var line = "\(device.name)  \(device.shownID)"
    if device.isThisDevice { line += "  (this device)" }
    if let removal = device.removal {
      let at = Date(timeIntervalSince1970: Double(removal.at.milliseconds) / 1000)
      line += "  removed \(at.formatted(.iso8601)) by \(removal.remover)"
    }
    return line
  }
}

/// One device as `devices --json` prints it.
struct DeviceRow: Encodable {
  var name: String
  var id: String
  var isThisDevice: Bool
  var removedAt: String?
  var removedBy: String?

  init(_ device: CircleDevice) {
    name = device.name
    id = device.shownID
    isThisDevice = device.isThisDevice
    removedAt = device.removal.map { JSONOutput.date($0.at) }
    removedBy = device.removal?.remover
  }
}

/// What was done to the circle, and which devices it has since then, for programs.
struct DevicesRow: Encodable {
  var message: String
  var devices: [DeviceRow]

  /// The sentence alone where no JSON is wanted.
  static func say(_ sentence: String, json: Bool, _ session: AgentSession) throws(ContinuityError) {
    guard json else { return Terminal.say(sentence) }
    guard case .devices(let devices) = try session.ask(.devices) else { return }
    JSONOutput.say(DevicesRow(message: DisplayText.shown(sentence), devices: devices.map(DeviceRow.init)))
  }
}

struct DeviceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "device", abstract: "Change what this device is called.", subcommands: [Rename.self])

  struct Rename: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Call this device by another name, here and on the other devices.",
      discussion: CommandEnd.help(
        "Names are for people: two devices of one name are told apart by the beginning of their ID."))

    @Argument(help: "The new name, at most 64 bytes.")
    var name: String

    @Flag(help: "Print a JSON object.")
    var json = false

    func run() throws {
      try Failure.told { () throws(ContinuityError) in
        let session = try AgentSession()
        guard case .done(let sentence) = try session.ask(.renameDevice(name)) else { return }
        try DevicesRow.say(sentence, json: json, session)
      }
    }
  }
}

struct RevokeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "revoke", abstract: "Take a lost device out of the circle, for good.",
    discussion: CommandEnd.help(
      """
      From then on it cannot read what is offered, and the other devices ignore what it says. Each of them \
      does so as soon as its copy of a synced folder is up to date. What the removed device already received \
      stays there. If it comes back, pair it again. A device that removes itself leaves the circle.
      """))

  @Argument(
    help: "The device's name, or the beginning of its ID, as `continuo devices` shows them.",
    completion: Completions.devices)
  var device: String

  @Flag(help: "Print a JSON object.")
  var json = false

  func run() throws {
    try Failure.told { () throws(ContinuityError) in
      let session = try AgentSession()
      guard case .done(let sentence) = try session.ask(.revoke(device)) else { return }
      try DevicesRow.say(sentence, json: json, session)
    }
  }
}
