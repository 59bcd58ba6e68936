// SPDX-License-Identifier: MIT

public import ActivityModel

extension OwnAddress {
  private static let containers = ["docker", "br-", "veth", "virbr", "podman", "cni"]

  /// Whether its interface leads to other computers: neither to this one, nor to its containers and virtual
  /// machines.
  public var leadsToNetwork: Bool {
    kind != .loopback && kind != .bridge && !Self.containers.contains(where: interface.hasPrefix)
  }

  /// Whether another computer may reach it.
  public var isReachable: Bool { leadsToNetwork && AddressRules.isRoutable(bytes) }
}
