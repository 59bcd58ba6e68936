// SPDX-License-Identifier: MIT

/// What the command line asks of the links to other devices; each is answered by `AgentAnswer.lan`.
public enum LanCommand: Hashable, Sendable {
  /// Listen and dial, at this port; nil for the one that is set. Answered when others can connect.
  case on(port: UInt16?)
  /// End every link, and listen no longer.
  case off
  /// Tell how things stand.
  case status
  /// Remember a computer, and dial it: any device of the circle may be there.
  case connect(TypedHost)
  /// Forget a computer of that name.
  case forget(String)
  /// Tell the circle the addresses that this device has on that interface, or none of them.
  case network(String, isOn: Bool)
}

/// How the links to other devices stand, for `continuo lan`.
public struct LanStatus: Hashable, Sendable {
  /// Another device.
  public struct Link: Hashable, Sendable {
    /// How it stands.
    public var link: DeviceLink
    /// Why there is no link, and what to do; nil where it is linked, being tried, or the LAN is off here.
    public var cause: Reason?

    /// A link that stands so; its name is cleaned for display.
    public init(_ link: DeviceLink, because cause: Reason? = nil) {
      self.link = DeviceLink(
        device: link.device, name: DisplayText.shown(link.name), state: link.state)
      self.cause = cause
    }
  }

  /// Whether others may connect.
  public var isOn = false
  /// Where; 0 while they may not.
  public var port: UInt16 = 0
  /// The addresses that the circle is told; each 4 bytes of IPv4 or 16 of IPv6.
  public var addresses: [[UInt8]] = []
  /// The other devices of the circle.
  public var links: [Link] = []
  /// Computers that were named by hand.
  public var typed: [TypedHost] = []
  /// Interfaces whose addresses the circle is not told, in order.
  public var offNetworks: [String] = []
  /// The network process; 0 while there is none.
  public var process: UInt64 = 0
  /// Whether the kernel keeps every path from that process; nil while that is not known.
  public var isConfined: Bool?
  /// What keeps others from being reached, with what to do; nil where nothing does.
  public var problem: String?

  /// Off.
  public init() {}
}
