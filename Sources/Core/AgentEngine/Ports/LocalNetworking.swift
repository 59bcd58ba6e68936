// SPDX-License-Identifier: MIT

package import ActivityModel
package import LocalNetwork

/// The network, as whoever keeps the links sees it: orders go in, and what became of them comes back. Loop
/// thread only. Reports come in turns of the loop after the call that they answer.
package protocol LocalNetworking: AnyObject {
  /// Told what happened to links, one after the other.
  var onReport: (LinkReport) -> Void { get set }
  /// Told that there is no link any more, and that nobody is answered before `receive` keys are said anew, of
  /// new periods: what is known of used identities is gone.
  var onEnd: () -> Void { get set }
  /// Told this computer's own addresses from `followAddresses` on, and whenever they have changed.
  var onAddresses: ([OwnAddress]) -> Void { get set }
  /// Told right after this computer has slept, as long as addresses are followed.
  var onResume: () -> Void { get set }
  /// Told when `problem` or `isWithoutPaths` has become another one.
  var onStateChange: () -> Void { get set }
  /// The process that has the links, for people; zero while there is none.
  var process: UInt64 { get }
  /// What keeps others from being reached, if anything does.
  var problem: String? { get }
  /// Whether the kernel keeps every path from the process; nil while that is not known.
  var isWithoutPaths: Bool? { get }

  /// Gives an order, other than to dial or to listen. One for a link that is gone comes to nothing.
  func send(_ order: LinkOrder)
  /// Gives an order to send the file, or to receive into it.
  func send(_ order: LinkOrder, with file: any OpenFile)
  /// Connects to another device. `number` is one that was not used before; a `closed` report tells it when
  /// that fails, always after this call.
  func dial(_ number: LinkNumber, to address: NetworkAddress, identity: [UInt8], key: [UInt8])
  /// Lets others connect at `port`, or any free one for 0, until `stop()`; which port that is. Throws
  /// `agentUnavailable` where nobody can listen there.
  func listen(port: UInt16) throws(ContinuityError) -> UInt16
  /// Tells own addresses from now on, the first time before this returns. Throws `agentUnavailable`.
  func followAddresses() throws(ContinuityError)
  /// Ends every link, listening, and following.
  func stop()
}

/// Where there is no network: nothing is heard, and nobody can be reached.
package final class AbsentNetwork: LocalNetworking {
  package var onReport: (LinkReport) -> Void = { _ in }
  package var onEnd: () -> Void = {}
  package var onAddresses: ([OwnAddress]) -> Void = { _ in }
  package var onResume: () -> Void = {}
  package var onStateChange: () -> Void = {}
  package let process: UInt64 = 0
  package let problem: String? = nil
  package let isWithoutPaths: Bool? = nil

  package init() {}

  package func send(_ order: LinkOrder) {}
  package func send(_ order: LinkOrder, with file: any OpenFile) {}
  package func dial(_ number: LinkNumber, to address: NetworkAddress, identity: [UInt8], key: [UInt8]) {}
  /// Throws `agentUnavailable`, always.
  package func listen(port: UInt16) throws(ContinuityError) -> UInt16 { throw Self.absence }
  /// Throws `agentUnavailable`, always.
  package func followAddresses() throws(ContinuityError) { throw Self.absence }
  package func stop() {}

  private static let absence = ContinuityError(
    .agentUnavailable, subject: "lan", description: "This agent has no network.")
}
