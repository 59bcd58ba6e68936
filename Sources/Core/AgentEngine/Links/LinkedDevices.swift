// SPDX-License-Identifier: MIT

package import ActivityModel

/// The links to other devices on the network: off until `switchOn`. Loop thread only.
package final class LinkedDevices {
  private let ports: AgentPorts

  init(ports: AgentPorts) {
    self.ports = ports
  }

  /// Where others connect; nil while the LAN is off.
  package private(set) var port: UInt16?

  /// The addresses that the circle is told.
  package private(set) var addresses: [NetworkAddress] = []

  /// What keeps links from being made, if anything does.
  package var problem: String? { ports.network.problem }

  /// Listens, tells the circle where, and dials the others; which port that is. May be repeated, with other
  /// settings as well. Throws `agentUnavailable` where nobody can listen there, and `invalidRequest` for a
  /// port below `Reachability.lowestPort`; what was on stays on then.
  @discardableResult
  package func switchOn(_ settings: NetworkSettings) throws(ContinuityError) -> UInt16 {
    try ports.network.listen(port: settings.port)
  }

  /// Ends every link, and tells no address any more; nothing when it is off.
  package func switchOff() { ports.network.stop() }

  /// The machine has slept: whoever was linked is met again.
  package func resumed() {}

  /// How every other device of the circle stands, in the order of their IDs; all `off` while the LAN is.
  package var states: [DeviceLink] { [] }

  // MARK: Hosts that were typed

  /// Hosts that a person typed, in the order of typing.
  package var typedHosts: [TypedHost] { [] }

  /// Remembers a host, and dials it: whoever of the circle is there. One of that name is replaced. Throws
  /// `invalidRequest` for too many hosts, or where nothing of it may be dialled, and what the disk refuses.
  package func connect(to host: TypedHost) throws(ContinuityError) {}

  /// Forgets a host; links that stand stay. Throws `invalidRequest` where none has that name, and what the
  /// disk refuses.
  package func forget(host name: String) throws(ContinuityError) {}
}
