// SPDX-License-Identifier: MIT

import ActivityModel

extension LanCommand {
  /// No interface of Linux has a longer name than 15 bytes; what a person set may.
  private static let networkNameLimit = 64

  var cbor: CBOR {
    switch self {
    case .on(let port): .array([0, .optional(port) { .unsigned(UInt64($0)) }])
    case .off: .array([1])
    case .status: .array([2])
    case .connect(let host): .array([3, host.cbor])
    case .forget(let name): .array([4, .text(name)])
    case .network(let name, let isOn): .array([5, .text(name), .bool(isOn)])
    }
  }

  init(cbor: CBOR) throws(ContinuityError) {
    let (tag, parts) = try cbor.tagged("LAN command")
    switch (tag, parts.count) {
    case (0, 1):
      self = .on(port: try parts[0].optional { (value) throws(ContinuityError) in try value.port() })
    case (1, 0): self = .off
    case (2, 0): self = .status
    case (3, 1): self = .connect(try TypedHost(cbor: parts[0]))
    case (4, 1): self = .forget(try parts[0].plainText("host", limit: HostText.nameLimit))
    case (5, 2):
      self = .network(
        try parts[0].plainText("network", limit: Self.networkNameLimit), isOn: try parts[1].bool("on"))
    default: throw CBOR.mismatch("LAN command", expected: "a known command")
    }
  }
}

extension LanStatus {
  var cbor: CBOR {
    .array([
      .bool(isOn), .unsigned(UInt64(port)), .array(addresses.map(CBOR.bytes)), .array(links.map(\.cbor)),
      .array(typed.map(\.cbor)), .array(offNetworks.map(CBOR.text)), .unsigned(process),
      .optional(isConfined, CBOR.bool), .optional(problem, CBOR.text),
    ])
  }

  init(cbor: CBOR) throws(ContinuityError) {
    let parts = try cbor.array("LAN status", count: 9)
    self.init()
    (isOn, port) = (try parts[0].bool("on"), try parts[1].port())
    addresses = try parts[2].addresses(limit: Reachability.addressLimit)
    links = try parts[3].list("links") { (part) throws(ContinuityError) in try Link(cbor: part) }
    typed = try parts[4].list("hosts") { (part) throws(ContinuityError) in try TypedHost(cbor: part) }
    offNetworks = try parts[5].texts("networks").map { DisplayText.shown($0) }
    process = try parts[6].unsigned("process")
    isConfined = try parts[7].optional { (value) throws(ContinuityError) in try value.bool("confined") }
    problem = try parts[8].optional { (value) throws(ContinuityError) in
      DisplayText.shown(try value.text("problem"))
    }
  }
}

extension LanStatus.Link {
  var cbor: CBOR {
    .array([
      .bytes(link.device.bytes), .text(link.name), .text(link.state.rawValue),
      .optional(cause) { .text($0.sentence) },
    ])
  }

  init(cbor: CBOR) throws(ContinuityError) {
    let parts = try cbor.array("link", count: 4)
    guard let state = DeviceLink.State(rawValue: try parts[2].text("state")) else {
      throw CBOR.mismatch("state", expected: "a known state")
    }
    self.init(
      DeviceLink(
        device: try parts[0].identifier("device"), name: try parts[1].text("device name"), state: state),
      because: try parts[3].optional { (value) throws(ContinuityError) in Reason(try value.text("cause")) })
  }
}
