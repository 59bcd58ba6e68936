// SPDX-License-Identifier: MIT

public import ActivityModel

extension OwnAddress {
  private static let containers = ["docker", "br-", "veth", "virbr", "podman", "cni"]

  /// Whether another computer may reach it: neither of this computer or this wire alone, nor of the bridge to
  /// containers and virtual machines.
  public var isReachable: Bool {
    guard kind != .loopback, kind != .bridge, !Self.containers.contains(where: interface.hasPrefix) else {
      return false
    }
    switch bytes.count {
    case 4: return bytes[0] != 127 && bytes[0] != 0 && bytes[0..<2] != [169, 254]
    case 16: return !(bytes[0] == 0xfe && bytes[1] & 0xc0 == 0x80) && bytes.dropLast().contains { $0 != 0 }
    default: return false
    }
  }
}
