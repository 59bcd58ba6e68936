// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import Trust

extension AgentCore {
  /// What the agent knows that decides about the health of this device, for `continuo doctor`.
  func healthFacts() -> HealthFacts {
    presence.check()
    let reports = exchange.machine.deviceReports
    var facts = HealthFacts()
    facts.peers = store.identity.otherDevices.map { device in
      var peer = HealthFacts.Peer(name: circle.name(of: device.id))
      guard let report = reports.first(where: { $0.device == device.id }) else { return peer }
      (peer.saidAt, peer.heardAt) = (report.issuedAt, report.heardAt)
      peer.acknowledged = report.acknowledgements[store.id]
      peer.isCopied = report.isCopied
      return peer
    }
    facts.folders = folders.roots.map { root in
      HealthFacts.Folder(
        name: root.registered.name, path: root.registered.path, isUsed: root.presence != nil,
        polling: presence.pollingReason(of: root.number) ?? "",
        heard: UInt64(root.presence?.transport.heard.count ?? 0))
    }
    facts.said = records.publisher.said
    facts.isCopied = records.isCopied
    facts.hasDesktop = ports.desktop.canTell
    facts.problems = problems()
    return facts
  }
}
