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
    var addresses: [[UInt8]] = []
    for address in try fields[0].array("addresses", limit: Self.addressLimit) {
      addresses.append(try address.bytes("address"))
    }
    guard let port = UInt16(exactly: try fields[1].unsigned("port")),
      let reachability = Self(addresses: addresses, port: port, period: try fields[2].unsigned("period"))
    else { throw CBOR.mismatch("reachability", expected: "addresses of 4 or 16 bytes, and a port from 1024") }
    self = reachability
  }
}
