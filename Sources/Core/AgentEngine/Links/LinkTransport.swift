// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import LocalNetwork

/// Records over the link to one device: the same bytes as in a folder, in milliseconds. What comes is
/// believed as little as what lies in a folder, and is to be signed by the device that says it.
///
/// Loop thread only.
final class LinkTransport: Transport {
  /// So many records wait to be read; a device that says more without being read is ended.
  static let frameLimit = 64

  /// Who is at the other end.
  let device: DeviceID
  private let number: LinkNumber
  private let network: any LocalNetworking
  private var received: [[UInt8]] = []

  init(_ number: LinkNumber, to device: DeviceID, through network: any LocalNetworking) {
    (self.number, self.device, self.network) = (number, device, network)
  }

  /// See `Transport`. Never throws: a link that does not take it ends, and tells so.
  func publish(_ record: [UInt8], named name: String) throws(ContinuityError) {
    network.send(.send(number, .record, record))
  }

  /// See `Transport`. Nothing of it lies anywhere: the next record takes its place.
  func retract(_ name: String) throws(ContinuityError) {}

  /// See `Transport`.
  func collect() -> [[UInt8]] {
    defer { received = [] }
    return received
  }

  /// Takes what came; false where too much waits.
  func take(_ record: [UInt8]) -> Bool {
    guard received.count < Self.frameLimit else { return false }
    received.append(record)
    return true
  }

  /// A record is read again by the next `collect`.
  func keep(_ record: [UInt8]) { received.append(record) }
}
