// SPDX-License-Identifier: MIT

public import ActivityModel

// reachability = [[address (4 or 16 bytes)], port, period]
extension Reachability {
  /// As records carry it, and as agents keep it.
  public var cbor: CBOR {
    .array([.array(addresses.map { .bytes($0) }), .unsigned(UInt64(port)), .unsigned(period)])
  }

  /// From `cbor`. Throws `invalidBytes` for what no device says.
  public init(cbor: CBOR) throws(ContinuityError) {
    // A later release may say more, behind this.
    let fields = try cbor.array("reachability")
    guard fields.count >= 3 else { throw CBOR.mismatch("reachability", expected: "three parts") }
    guard
      let reachability = Self(
        addresses: try fields[0].addresses(limit: Self.addressLimit), port: try fields[1].port(),
        period: try fields[2].unsigned("period"))
    else { throw CBOR.mismatch("reachability", expected: "addresses of 4 or 16 bytes, and a port from 1024") }
    self = reachability
  }
}

// host = [name, port?, [address (4 or 16 bytes)]]
extension TypedHost {
  /// As messages carry it, and as agents keep it.
  public var cbor: CBOR {
    .array([
      .text(name), .optional(port) { .unsigned(UInt64($0)) }, .array(addresses.map(CBOR.bytes)),
    ])
  }

  /// From `cbor`. Throws `invalidBytes` for what nobody types.
  public init(cbor: CBOR) throws(ContinuityError) {
    let parts = try cbor.array("host", count: 3)
    self.init(
      name: try parts[0].plainText("host", limit: HostText.nameLimit),
      port: try parts[1].optional { (value) throws(ContinuityError) in try value.port() },
      addresses: try parts[2].addresses(limit: Self.limit))
  }
}

extension CBOR {
  /// A port of TCP. Throws `invalidBytes`.
  public func port() throws(ContinuityError) -> UInt16 {
    guard let port = UInt16(exactly: try unsigned("port")) else {
      throw CBOR.mismatch("port", expected: "a port of TCP")
    }
    return port
  }

  /// Addresses, each of 4 or 16 bytes. Throws `invalidBytes`, also for more than `limit`.
  func addresses(limit: Int) throws(ContinuityError) -> [[UInt8]] {
    var found: [[UInt8]] = []
    for part in try array("addresses", limit: limit) {
      let address = try part.bytes("address")
      guard address.count == 4 || address.count == 16 else {
        throw CBOR.mismatch("address", expected: "4 or 16 bytes")
      }
      found.append(address)
    }
    return found
  }
}
