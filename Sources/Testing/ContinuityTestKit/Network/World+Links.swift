// SPDX-License-Identifier: MIT

import ActivityModel
import AgentEngine

// The network of a world, and what has to hold of it in the end.
extension World {
  /// Some devices stay without the LAN, which must do without nobody; some have documents laid ahead of the
  /// engine.
  func plugIn() {
    guard let wires else { return }
    for device in devices where wires.random.chance(10) { device.isOnNetwork = false }
    for device in devices where wires.random.chance(40) { device.install(.always) }
    wires.planFaults(devices: devices.count)
  }

  /// L1: devices that reach each other are linked, and know it, and nobody else is.
  func checkLinks() {
    guard wires != nil, !isRestless else { return }
    let faithful = faithful.filter { $0.isOnNetwork && !oracle.cloned.contains($0.id) }
    for device in faithful {
      guard let core = device.agent?.core else { continue }
      for other in faithful where other.id != device.id {
        guard other.agent != nil else { continue }
        let state = core.links.states.first { $0.device == other.id }?.state
        if state != .linked {
          violate(
            .offeredInTime,
            "device \(device.number) is not linked with device \(other.number) after 120 s: "
              + "\(state?.rawValue ?? "unknown")")
        }
        count(.links)
      }
    }
    for device in devices where !device.isOnNetwork {
      guard let links = device.agent?.core.links, links.states.contains(where: { $0.state != .off }) else {
        continue
      }
      violate(.confinement, "device \(device.number) has links, and the LAN is off")
    }
  }
}
