// SPDX-License-Identifier: MIT

import ActivityModel

extension FoundActivity {
  var cbor: CBOR {
    var parts: [CBOR] = [
      .text(appID), .text(identifier), .text(title), .text(type), .unsigned(changedAt.milliseconds),
      .text(summary), .optional(path, CBOR.bytes), .optional(webpageURL, CBOR.text),
    ]
    if let device { parts += [.bytes(device.id.bytes), .text(device.name)] }
    return .array(parts)
  }

  init(cbor: CBOR) throws(ContinuityError) {
    let parts = try cbor.array("found activity")
    guard [8, 10].contains(parts.count) else {
      throw CBOR.mismatch("found activity", expected: "eight parts or ten")
    }
    self.init(
      appID: try parts[0].text("app identifier"), identifier: try parts[1].text("identifier"),
      title: DisplayText.shown(try parts[2].text("title"), byteLimit: 1024), type: try parts[3].text("type"),
      changedAt: WallTime(milliseconds: try parts[4].unsigned("time")),
      summary: DisplayText.shown(try parts[5].text("summary"), byteLimit: 512),
      path: try parts[6].optional { (value) throws(ContinuityError) in try value.bytes("path") },
      webpageURL: try parts[7].optional { (value) throws(ContinuityError) in try value.text("page") })
    guard parts.count > 8 else { return }
    device = Device(
      id: try parts[8].identifier("device"), name: DisplayText.shown(try parts[9].text("device name")))
  }
}
