// SPDX-License-Identifier: MIT

import ActivityModel
import LocalNetwork
import Trust

/// The links as they are kept here; a value.
struct LinkTable {
  /// One connection, and what is known of its other end.
  struct Link {
    let role: LinkProof.Role
    /// The key that secures it.
    let epoch: EpochKey
    /// Whom it was dialled for, or who has proved to be there.
    var device: DeviceID?
    var exporter: [UInt8] = []
    /// Nil until both ends have proved who they are.
    var transport: LinkTransport?
  }

  private var links: [LinkNumber: Link] = [:]

  subscript(number: LinkNumber) -> Link? {
    get { links[number] }
    set { links[number] = newValue }
  }

  var isEmpty: Bool { links.isEmpty }

  /// In the order of numbers.
  var transports: [LinkTransport] { links.sorted { $0.key < $1.key }.compactMap(\.value.transport) }

  /// The links whose both ends are proved, and who is there.
  var devices: [LinkNumber: DeviceID] { links.compactMapValues { $0.transport?.device } }

  /// The numbers of those that are meant, ascending.
  func numbers(where isMeant: (Link) -> Bool) -> [LinkNumber] {
    links.filter { isMeant($0.value) }.keys.sorted()
  }
}
