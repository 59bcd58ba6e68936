// SPDX-License-Identifier: MIT

/// How this device and another one of the circle stand to each other on the network.
public struct DeviceLink: Hashable, Sendable {
  /// What a link is, or why there is none.
  public enum State: String, Hashable, Sendable, CaseIterable {
    /// Records go both ways.
    case linked
    /// It is being tried.
    case dialling
    /// Nobody answered at any of its addresses; it is tried again later.
    case unreachable
    /// Whoever answered is another one, or does not take this device for a member of the circle.
    case refused
    /// The other device says of no network that it is reached there.
    case off
  }

  /// The other device.
  public var device: DeviceID
  /// What people call it.
  public var name: String
  /// How it stands.
  public var state: State

  /// A link to `device`.
  public init(device: DeviceID, name: String, state: State) {
    (self.device, self.name, self.state) = (device, name, state)
  }
}
