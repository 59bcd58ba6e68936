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

  // links = [[[device ID, circle tag, reachability]], [[name, port?, [address]]], port?]
  var cbor: CBOR? {
    guard self != KnownLinks() else { return nil }
    let places = places.sorted { $0.key < $1.key }.map { device, place in
      CBOR.array([.bytes(device.bytes), .bytes(place.circleTag), place.reachability.cbor])
    }
    let typed = typed.map { host in
      CBOR.array([
        .text(host.name), host.port.map { .unsigned(UInt64($0)) } ?? .null,
        .array(host.addresses.map { .bytes($0) }),
      ])
    }
    return .array([.array(places), .array(typed), port.map { .unsigned(UInt64($0)) } ?? .null])
  }

  /// Throws `invalidBytes` for what no agent writes.
  init(cbor: CBOR) throws(ContinuityError) {
    let fields = try cbor.array("links", count: 3)
    for entry in try fields[0].array("places") {
      let parts = try entry.array("place", count: 3)
      places[try parts[0].identifier("device")] = Place(
        circleTag: try parts[1].bytes("circle tag"), reachability: try Reachability(cbor: parts[2]))
    }
    for entry in try fields[1].array("typed hosts") {
      let parts = try entry.array("typed host", count: 3)
      var addresses: [[UInt8]] = []
      for address in try parts[2].array("addresses") { addresses.append(try address.bytes("address")) }
      typed.append(
        TypedHost(name: try parts[0].text("host"), port: try Self.port(parts[1]), addresses: addresses))
    }
    port = try Self.port(fields[2])
  }

  private static func port(_ value: CBOR) throws(ContinuityError) -> UInt16? {
    try value.optional { (value) throws(ContinuityError) in
      guard let port = UInt16(exactly: try value.unsigned("port")) else {
        throw CBOR.mismatch("port", expected: "a port")
      }
      return port
    }
  }
}
