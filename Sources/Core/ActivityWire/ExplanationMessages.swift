// SPDX-License-Identifier: MIT

import ActivityModel

extension Explanation {
  var cbor: CBOR {
    .array([
      .unsigned(subject.rawValue), .text(id), .text(title), .text(deviceName), .text(appID), .text(type),
      .optional(path, CBOR.bytes), .bool(isWell), .optional(since) { .unsigned($0.milliseconds) },
      .array(statements.map { .array([.text($0.name), .text($0.sentence)]) }),
    ])
  }

  init(cbor: CBOR) throws(ContinuityError) {
    let parts = try cbor.array("explanation", count: 10)
    self.init(
      try parts[0].numbered("subject"), id: try parts[1].text("ID"), title: try parts[2].text("title"),
      deviceName: try parts[3].text("device name"), appID: try parts[4].text("app identifier"),
      type: try parts[5].text("type"),
      path: try parts[6].optional { (value) throws(ContinuityError) in try value.bytes("path") },
      isWell: try parts[7].bool("well"), since: try parts[8].moment("since"),
      statements: try parts[9].list("statements") { (part) throws(ContinuityError) in
        let pair = try part.array("statement", count: 2)
        return Statement(name: try pair[0].text("reason"), sentence: try pair[1].text("sentence"))
      })
  }
}

extension HealthFacts {
  var cbor: CBOR {
    .array([
      .array(peers.map(\.cbor)), .array(folders.map(\.cbor)),
      .optional(said) { .array([.unsigned($0.sequence), .unsigned($0.at.milliseconds)]) }, .bool(isCopied),
      .bool(hasDesktop), .array(problems.map(CBOR.text)),
    ])
  }

  init(cbor: CBOR) throws(ContinuityError) {
    let parts = try cbor.array("health", count: 6)
    self.init()
    peers = try parts[0].list("peers") { (part) throws(ContinuityError) in try Peer(cbor: part) }
    folders = try parts[1].list("folders") { (part) throws(ContinuityError) in try Folder(cbor: part) }
    said = try parts[2].optional { (value) throws(ContinuityError) in
      let pair = try value.array("own record", count: 2)
      return (
        sequence: try pair[0].unsigned("sequence"), at: WallTime(milliseconds: try pair[1].unsigned("time"))
      )
    }
    isCopied = try parts[3].bool("copied")
    hasDesktop = try parts[4].bool("desktop")
    problems = try parts[5].texts("problems").map { DisplayText.shown($0) }
  }
}

extension HealthFacts.Peer {
  var cbor: CBOR {
    .array([
      .text(name), .optional(saidAt) { .unsigned($0.milliseconds) },
      .optional(heardAt) { .unsigned($0.milliseconds) }, .optional(acknowledged, CBOR.unsigned),
      .bool(isCopied),
    ])
  }

  init(cbor: CBOR) throws(ContinuityError) {
    let parts = try cbor.array("peer", count: 5)
    self.init(name: try parts[0].text("device name"))
    saidAt = try parts[1].moment("said")
    heardAt = try parts[2].moment("heard")
    acknowledged = try parts[3].optional { (value) throws(ContinuityError) in
      try value.unsigned("acknowledged")
    }
    isCopied = try parts[4].bool("copied")
  }
}

extension HealthFacts.Folder {
  var cbor: CBOR {
    .array([.text(name), .bytes(path), .bool(isUsed), .text(polling), .unsigned(heard)])
  }

  init(cbor: CBOR) throws(ContinuityError) {
    let parts = try cbor.array("folder", count: 5)
    self.init(
      name: try parts[0].text("folder name"), path: try parts[1].bytes("folder path"),
      isUsed: try parts[2].bool("used"), polling: try parts[3].text("polling"),
      heard: try parts[4].unsigned("heard"))
  }
}

extension CBOR {
  fileprivate func moment(_ field: String) throws(ContinuityError) -> WallTime? {
    try optional { (value) throws(ContinuityError) in WallTime(milliseconds: try value.unsigned(field)) }
  }
}
