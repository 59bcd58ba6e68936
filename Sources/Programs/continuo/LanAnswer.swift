// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import AgentClient
import LinuxSystem
import LocalNetwork
import SettingsFile

/// What commands do with the LAN, and say of it.
enum LanAnswer {
  /// Asks the agent. Throws what it answers, and a sentence where it is of a release without a LAN.
  static func ask(_ command: LanCommand, _ session: AgentSession) throws(ContinuityError) -> LanStatus {
    guard case .lan(let status) = try session.ask(.lan(command)) else {
      throw ContinuityError(
        .agentUnavailable,
        description: "The agent is of another release: run `continuo agent stop`, and this again.")
    }
    return status
  }

  /// Has the agent listen, and remembers it for the next one: in this order, so that what cannot be is not
  /// set.
  static func switchOn(port: UInt16?, _ session: AgentSession) throws(ContinuityError) -> LanStatus {
    let status = try ask(.on(port: port), session)
    if let problem = status.problem, !status.isOn {
      throw ContinuityError(.agentUnavailable, subject: "lan", description: problem)
    }
    do throws(ContinuityError) {
      try SettingsFile.ofThisUser().edit { (file) throws(SettingsProblem) in
        if let port { try file.set(.lanPort, to: .other("\(port)")) }
        try file.set(.lanEnabled, to: .boolean(true))
      }
    } catch {
      throw ContinuityError(
        error.code, subject: error.subject,
        description: "The LAN is on until the agent ends, for it could not be set: \(error.description)")
    }
    return status
  }

  /// Has nothing listen any more, now and from now on. Where the latter cannot be set, the former is done all
  /// the same, and the error says so. No agent is started for it.
  static func switchOff() throws(ContinuityError) -> LanStatus {
    var refusal: ContinuityError?
    do throws(ContinuityError) {
      try SettingsFile.ofThisUser().edit { (file) throws(SettingsProblem) in
        try file.set(.lanEnabled, to: nil)
      }
    } catch {
      refusal = error
    }
    var status = LanStatus()
    if let session = try? AgentSession(startsAgent: false) { status = try ask(.off, session) }
    guard let refusal else { return status }
    throw ContinuityError(
      refusal.code, subject: refusal.subject,
      description: "The LAN is off until the agent is started again, for it could not be set: "
        + refusal.description)
  }

  /// Interfaces of this computer that lead to networks, in order.
  static func networks() -> [String] {
    let all = ((try? NetworkInterfaces.addresses()) ?? []).filter(\.leadsToNetwork)
    return Set(all.map(\.interface)).sorted()
  }

  /// What a person is told who switched it on.
  static func tellSwitchedOn(_ status: LanStatus) {
    Terminal.say("The LAN is on: your other devices can connect at TCP port \(status.port).")
    if status.links.isEmpty {
      Terminal.hint(
        "There is no other device yet: `continuo pair` here and `continuo join` there make them know each "
          + "other.")
    }
    if status.addresses.isEmpty { Terminal.hint(Reason.noNetwork.sentence) }
    if let problem = status.problem { Terminal.hint(problem) }
    Terminal.hint("Where a firewall runs here, let it take connections at that port.")
  }

  /// One row of `continuo status`.
  static func summary(of status: LanStatus) -> String {
    guard status.isOn else { return "off" }
    let named = status.links.map { "\($0.link.name) \($0.link.state.rawValue)" }
    return "on, port \(status.port)\(named.isEmpty ? "" : ": ")\(named.joined(separator: ", "))"
  }

  /// What `continuo lan status` prints.
  static func lines(of status: LanStatus, networks: [String]) -> [String] {
    var lines = [
      "LAN      \(status.isOn ? "on, port \(status.port)" : "off: `continuo lan on` switches it on")"
    ]
    lines += status.addresses.map { "Address  \(HostText.shown($0))" }
    for network in Set(networks + status.offNetworks).sorted() {
      lines.append("Network  \(network)\(status.offNetworks.contains(network) ? "  off" : "")")
    }
    for link in status.links {
      lines.append("Device   \(link.link.name)  \(link.link.state.rawValue)")
      if let cause = link.cause { lines.append("         \(cause.sentence)") }
    }
    for host in status.typed {
      let port = host.port.map { "  port \($0)" } ?? ""
      let places = host.addresses.map(HostText.shown).joined(separator: ", ")
      lines.append("Host     \(host.name)\(port)  \(places)")
    }
    if status.isConfined == false {
      lines.append("Mind     \(HealthVerdict.unconfinedNetwork)")
    }
    if let problem = status.problem { lines.append("Problem  \(problem)") }
    return lines
  }

}

/// How the LAN stands, as `lan --json` prints it.
struct LanRow: Encodable {
  var on: Bool
  /// 0 while it is off.
  var port: UInt16
  /// Those that the circle is told.
  var addresses: [String]
  var links: [LinkRow]
  /// Computers that were named by hand.
  var hosts: [HostRow]
  /// Interfaces that are switched off.
  var offNetworks: [String]
  /// The network process; 0 while there is none.
  var process: UInt64
  /// Whether the kernel keeps every path from that process.
  var isConfined: Bool?
  var problem: String?

  init(_ status: LanStatus) {
    (on, port, process) = (status.isOn, status.port, status.process)
    addresses = status.addresses.map(HostText.shown)
    links = status.links.map(LinkRow.init)
    hosts = status.typed.map(HostRow.init)
    offNetworks = status.offNetworks
    (isConfined, problem) = (status.isConfined, status.problem)
  }
}

/// Another device.
struct LinkRow: Encodable {
  /// What people call it.
  var device: String
  var id: String
  /// `linked`, `dialling`, `unreachable`, `refused` or `off`.
  var state: String
  /// Why there is no link.
  var reason: WhyReason?

  init(_ link: LanStatus.Link) {
    (device, state) = (link.link.name, link.link.state.rawValue)
    id = link.link.device.description
    reason = link.cause.map { WhyReason(Explanation.Statement($0)) }
  }
}

/// A computer that was named by hand.
struct HostRow: Encodable {
  var name: String
  var port: UInt16?
  var addresses: [String]

  init(_ host: TypedHost) {
    (name, port, addresses) = (host.name, host.port, host.addresses.map(HostText.shown))
  }
}
