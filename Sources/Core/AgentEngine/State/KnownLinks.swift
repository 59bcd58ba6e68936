// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire

/// What the agent must still know of links after a crash: while no engine carries records, nobody else knows
/// where the others are.
struct KnownLinks: Hashable, Sendable {
  /// Where a device is reached, as it said last.
  struct Place: Hashable, Sendable {
    /// The tag of the key under which it said so: under another one it is not reached.
    var circleTag: [UInt8]
    var reachability: Reachability
  }

  /// By device.
  var places: [DeviceID: Place] = [:]
  /// Hosts that a person typed, in that order.
  var typed: [TypedHost] = []
  /// Where this device listened last.
  var port: UInt16?

  init() {}

  // links = [[[device ID, circle tag, reachability]], [host], port?]
  var cbor: CBOR? {
    guard self != KnownLinks() else { return nil }
    let places = places.sorted { $0.key < $1.key }.map { device, place in
      CBOR.array([.bytes(device.bytes), .bytes(place.circleTag), place.reachability.cbor])
    }
    return .array([.array(places), .array(typed.map(\.cbor)), port.map { .unsigned(UInt64($0)) } ?? .null])
  }

  /// Throws `invalidBytes` for what no agent writes.
  init(cbor: CBOR) throws(ContinuityError) {
    let fields = try cbor.array("links", count: 3)
    for entry in try fields[0].array("places") {
      let parts = try entry.array("place", count: 3)
      places[try parts[0].identifier("device")] = Place(
        circleTag: try parts[1].bytes("circle tag"), reachability: try Reachability(cbor: parts[2]))
    }
    for host in try fields[1].array("typed hosts") { typed.append(try TypedHost(cbor: host)) }
    port = try fields[2].optional { (value) throws(ContinuityError) in try value.port() }
  }
}
