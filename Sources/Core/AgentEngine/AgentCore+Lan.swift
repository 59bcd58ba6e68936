// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import LocalNetwork

// What `continuo lan` asks, and how the links stand.
extension AgentCore {
  /// Answers once: when the network process answers others, where that is switched on.
  func perform(
    _ command: LanCommand, answer: @escaping (AgentAnswer) -> Void
  ) throws(ContinuityError) {
    switch command {
    case .on(let port):
      try lan.switchOn(port: port)
      return lan.whenReady { [weak self] isReady in
        guard let self else { return }
        answer(isReady ? .lan(self.lanStatus) : .failed(Self.silence))
      }
    case .off: lan.switchOff()
    case .status: break
    case .connect(let host): try links.connect(to: host)
    case .forget(let name): try links.forget(host: name)
    case .network(let interface, let isOn): lan.setNetwork(interface, isOn: isOn)
    }
    answer(.lan(lanStatus))
  }

  private static let silence = ContinuityError(
    .agentUnavailable, subject: "continuo-lan",
    description: "continuo-lan does not answer: the agent's log has what it says.")

  /// How the LAN and each link stand.
  var lanStatus: LanStatus {
    var status = LanStatus()
    status.isOn = links.port != nil
    status.port = links.port ?? 0
    status.addresses = links.addresses.map(\.bytes)
    status.links = linkStandings
    status.typed = links.typedHosts
    status.offNetworks = lan.settings.offInterfaces.sorted()
    status.process = ports.network.process
    status.isConfined = status.process == 0 ? nil : ports.network.isWithoutPaths
    status.problem = lan.problem.map { DisplayText.shown($0) }
    return status
  }

  /// Every other device; the reasons only while the LAN is on.
  var linkStandings: [LanStatus.Link] {
    let isOn = links.port != nil
    let reports = exchange.machine.deviceReports
    return links.states.map { link in
      guard isOn else { return LanStatus.Link(link) }
      // Whichever clock is wrong: a record that is read anew is no fresh one.
      let report = reports.first { $0.device == link.device }
      let ages = [report?.issuedAt, report?.heardAt].compactMap { $0.map { ports.wall.elapsed(since: $0) } }
      let diagnosis = LinkDiagnosis(
        own: links.addresses.map(\.bytes), reachability: links.places[link.device] ?? nil,
        age: ages.max())
      return LanStatus.Link(link, because: diagnosis.cause(of: link))
    }
  }
}

extension WallTime {
  /// Zero where the other moment is not past.
  fileprivate func elapsed(since other: WallTime) -> Duration {
    .milliseconds(milliseconds > other.milliseconds ? milliseconds - other.milliseconds : 0)
  }
}
