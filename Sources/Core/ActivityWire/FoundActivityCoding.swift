// SPDX-License-Identifier: MIT

import ActivityModel

extension FoundActivity {
  var cbor: CBOR {
    .array([
      .text(appID), .text(identifier), .text(title), .text(type), .unsigned(changedAt.milliseconds),
      .text(summary), .optional(path, CBOR.bytes), .optional(webpageURL, CBOR.text),
    ])
  }

  init(cbor: CBOR) throws(ContinuityError) {
    let parts = try cbor.array("found activity", count: 8)
    self.init(
      appID: try parts[0].text("app identifier"), identifier: try parts[1].text("identifier"),
      title: DisplayText.shown(try parts[2].text("title"), byteLimit: 1024), type: try parts[3].text("type"),
      changedAt: WallTime(milliseconds: try parts[4].unsigned("time")),
      summary: DisplayText.shown(try parts[5].text("summary"), byteLimit: 512),
      path: try parts[6].optional { (value) throws(ContinuityError) in try value.bytes("path") },
      webpageURL: try parts[7].optional { (value) throws(ContinuityError) in try value.text("page") })
  }
}
