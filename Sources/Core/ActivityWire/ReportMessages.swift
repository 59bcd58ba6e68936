// SPDX-License-Identifier: MIT

import ActivityModel

extension AgentReport {
  var cbor: CBOR {
    switch self {
    case .roots(let roots): .array([0, .array(roots.map(\.cbor))])
    case .offers(let offers): .array([1, .array(offers.map(\.cbor))])
    case .documentChanged(let path, let change): .array([2, .bytes(path), change.cbor])
    case .willContinue(let request, let offer): .array([3, .bytes(request.bytes), offer.cbor])
    case .progress(let request, let status): .array([4, .bytes(request.bytes), status.cbor])
    case .deliver(let request, let delivery): .array([5, .bytes(request.bytes), delivery.cbor])
    case .fail(let request, let error): .array([6, .bytes(request.bytes), error.cbor])
    case .continued(let activity, let receipt): receipt.cbor(of: activity)
    case .contentType(let request, let types, let error):
      .array([30, .bytes(request.bytes), .array(types.map(CBOR.text)), .optional(error) { $0.cbor }])
    case .kept(let request, let error): .array([8, .bytes(request.bytes), .optional(error) { $0.cbor }])
    case .streams(let request, let report): .array([55, .bytes(request.bytes), report.cbor])
    case .saveNow(let request, let activity, let device):
      .array([56, .bytes(request.bytes), .bytes(activity.bytes), .text(device)])
    case .presence(let activity, let others):
      .array([57, .bytes(activity.bytes), .array(others.map(\.cbor))])
    }
  }

  init(cbor: CBOR) throws(ContinuityError) {
    let (tag, parts) = try cbor.tagged("report")
    switch (tag, parts.count) {
    case (0, 1): self = .roots(try parts[0].roots())
    case (1, 1): self = .offers(try parts[0].offers())
    case (2, 2):
      self = .documentChanged(path: try parts[0].bytes("path"), try DocumentChange(cbor: parts[1]))
    case (3, 2): self = .willContinue(try parts[0].identifier("request"), offer: try Offer(cbor: parts[1]))
    case (4, 2): self = .progress(try parts[0].identifier("request"), try ArrivalStatus(cbor: parts[1]))
    case (5, 2): self = .deliver(try parts[0].identifier("request"), try Delivery(cbor: parts[1]))
    case (30, 3):
      self = .contentType(
        try parts[0].identifier("request"), try parts[1].texts("MIME types"),
        try parts[2].optional { (value) throws(ContinuityError) in try ContinuityError(cbor: value) })
    case (6, 2): self = .fail(try parts[0].identifier("request"), try ContinuityError(cbor: parts[1]))
    case (7, 2):
      self = .continued(
        try parts[0].identifier("activity"), ContinuationReceipt(device: try parts[1].text("device")))
    case (45, 4):
      self = .continued(
        try parts[0].identifier("activity"),
        ContinuationReceipt(
          device: try parts[1].text("device"), at: WallTime(milliseconds: try parts[2].unsigned("time")),
          changedAt: try parts[3].optional { (value) throws(ContinuityError) in
            WallTime(milliseconds: try value.unsigned("changed"))
          }))
    case (8, 2):
      self = .kept(
        try parts[0].identifier("request"),
        try parts[1].optional { (value) throws(ContinuityError) in try ContinuityError(cbor: value) })
    case (55, 2): self = .streams(try parts[0].identifier("request"), try StreamsReport(cbor: parts[1]))
    case (56, 3):
      self = .saveNow(
        try parts[0].identifier("request"), try parts[1].identifier("activity"),
        device: try parts[2].text("device"))
    case (57, 2):
      var others: [DocumentPresence] = []
      for other in try parts[1].array("presence") { others.append(try DocumentPresence(cbor: other)) }
      self = .presence(try parts[0].identifier("activity"), others)
    default: throw CBOR.mismatch("report", expected: "a known report")
    }
  }
}

extension DocumentPresence {
  fileprivate var cbor: CBOR {
    .array([offer.cbor, .text(deviceName), .optional(line) { .unsigned(UInt64($0)) }])
  }

  fileprivate init(cbor: CBOR) throws(ContinuityError) {
    let parts = try cbor.array("presence", count: 3)
    self.init(
      offer: try OfferID(cbor: parts[0]), deviceName: try parts[1].text("device name"),
      line: try parts[2].optional { (value) throws(ContinuityError) in try value.line() })
  }
}

extension StreamsReport {
  fileprivate var cbor: CBOR {
    switch self {
    case .opened: .array([0])
    case .offered(let activity, let device): .array([1, .bytes(activity.bytes), .text(device)])
    case .ended: .array([2])
    case .failed(let error): .array([3, error.cbor])
    case .prepared: .array([4])
    }
  }

  fileprivate init(cbor: CBOR) throws(ContinuityError) {
    let (tag, parts) = try cbor.tagged("streams")
    switch (tag, parts.count) {
    case (0, 0): self = .opened
    case (1, 2): self = .offered(try parts[0].identifier("activity"), device: try parts[1].text("device"))
    case (2, 0): self = .ended
    case (3, 1): self = .failed(try ContinuityError(cbor: parts[0]))
    case (4, 0): self = .prepared
    default: throw CBOR.mismatch("streams", expected: "a known report")
    }
  }
}

extension ContinuationReceipt {
  /// Without a time it is what apps of any release read.
  fileprivate func cbor(of activity: ActivityID) -> CBOR {
    guard let at else { return .array([7, .bytes(activity.bytes), .text(device)]) }
    return .array([
      45, .bytes(activity.bytes), .text(device), .unsigned(at.milliseconds),
      .optional(changedAt) { .unsigned($0.milliseconds) },
    ])
  }
}

extension AgentAnswer {
  var cbor: CBOR {
    switch self {
    case .done(let sentence): .array([0, .text(sentence)])
    case .failed(let error): .array([1, error.cbor])
    case .folders(let roots): .array([2, .array(roots.map(\.cborForCommands))])
    case .words(let words): .array([3, .array(words.map(CBOR.text))])
    case .joined(let inviter, let devices): .array([4, .text(inviter), .array(devices.map(CBOR.text))])
    case .offers(let offers): .array([5, .array(offers.map(\.cborWithPage))])
    case .handedOver(let appName): .array([6, .text(appName)])
    case .noApp(let offer, let path): .array([7, offer.cborWithPage, .optional(path, CBOR.bytes)])
    case .asksFirst(let address): .array([41, .text(address)])
    case .explained(let explanations, let total):
      .array([42, .array(explanations.map(\.cbor)), .unsigned(total)])
    case .examined(let facts): .array([43, facts.cbor])
    case .apps(let apps): .array([44, .array(apps.map(\.cbor))])
    case .lan(let status): .array([50, status.cbor])
    case .fetched(let size): .array([51, .unsigned(size)])
    case .copies(let copies): .array([53, .array(copies.map(\.cbor))])
    case .found(let activities): .array([58, .array(activities.map(\.cbor))])
    case .status(let status): .array([8, status.cbor])
    case .activities(let activities): .array([20, .array(activities.map(\.cbor))])
    case .devices(let devices): .array([21, .array(devices.map(\.cbor))])
    case .offered(let snapshot): .array([22, snapshot.cbor])
    }
  }

  init(cbor: CBOR) throws(ContinuityError) {
    let (tag, parts) = try cbor.tagged("answer")
    switch (tag, parts.count) {
    case (0, 1): self = .done(try parts[0].text("sentence"))
    case (1, 1): self = .failed(try ContinuityError(cbor: parts[0]))
    case (2, 1): self = .folders(try parts[0].roots())
    case (3, 1): self = .words(try parts[0].texts("words"))
    case (4, 2): self = .joined(inviter: try parts[0].text("inviter"), devices: try parts[1].texts("devices"))
    case (5, 1): self = .offers(try parts[0].offers())
    case (6, 1): self = .handedOver(appName: try parts[0].text("app name"))
    case (7, 2):
      self = .noApp(
        try Offer(cbor: parts[0]),
        path: try parts[1].optional { (value) throws(ContinuityError) in try value.bytes("path") })
    case (8, 1): self = .status(try AgentStatus(cbor: parts[0]))
    case (41, 1): self = .asksFirst(address: try parts[0].text("address"))
    case (42, 2):
      self = .explained(
        try parts[0].list("explanations") { (part) throws(ContinuityError) in try Explanation(cbor: part) },
        total: try parts[1].unsigned("total"))
    case (43, 1): self = .examined(try HealthFacts(cbor: parts[0]))
    case (44, 1):
      self = .apps(
        try parts[0].list("apps") { (part) throws(ContinuityError) in try ClientApp(cbor: part) })
    case (50, 1): self = .lan(try LanStatus(cbor: parts[0]))
    case (51, 1): self = .fetched(size: try parts[0].unsigned("size"))
    case (53, 1):
      self = .copies(
        try parts[0].list("copies") { (part) throws(ContinuityError) in try DocumentCopy(cbor: part) })
    case (58, 1):
      self = .found(
        try parts[0].list("activities") { (part) throws(ContinuityError) in try FoundActivity(cbor: part) })
    case (20, 1):
      self = .activities(
        try parts[0].list("activities") { (part) throws(ContinuityError) in try OwnActivity(cbor: part) })
    case (21, 1):
      self = .devices(
        try parts[0].list("devices") { (part) throws(ContinuityError) in try CircleDevice(cbor: part) })
    case (22, 1): self = .offered(try ActivitySnapshot(cbor: parts[0]))
    default: throw CBOR.mismatch("answer", expected: "a known answer")
    }
  }
}

extension CBOR {
  fileprivate func roots() throws(ContinuityError) -> [SyncedRoot] {
    try list("folders") { (part) throws(ContinuityError) in try SyncedRoot(cbor: part) }
  }

  fileprivate func offers() throws(ContinuityError) -> [Offer] {
    try list("offers") { (part) throws(ContinuityError) in try Offer(cbor: part) }
  }
}

extension CircleDevice {
  var cbor: CBOR {
    .array([
      .text(name), .text(shownID), .bool(isThisDevice),
      .optional(removal) { .array([.unsigned($0.at.milliseconds), .text($0.remover)]) },
    ])
  }

  init(cbor: CBOR) throws(ContinuityError) {
    let parts = try cbor.array("device", count: 4)
    self.init(
      name: try parts[0].text("device name"), shownID: try parts[1].text("device ID"),
      isThisDevice: try parts[2].bool("this device"),
      removal: try parts[3].optional { (value) throws(ContinuityError) in
        let pair = try value.array("removal", count: 2)
        return Removal(
          at: WallTime(milliseconds: try pair[0].unsigned("time")), remover: try pair[1].text("remover"))
      })
  }
}

extension DocumentCopy {
  var cbor: CBOR {
    .array([
      .bytes(path), .optional(document, CBOR.bytes), .text(folderName), .bool(isChanged), .bool(isOpen),
      .optional(problem, CBOR.text),
    ])
  }

  init(cbor: CBOR) throws(ContinuityError) {
    let parts = try cbor.array("copy", count: 6)
    self.init(
      path: try parts[0].bytes("path"),
      document: try parts[1].optional { (value) throws(ContinuityError) in try value.bytes("document") },
      folderName: RecordText.sanitised(try parts[2].text("folder name")),
      isChanged: try parts[3].bool("changed"), isOpen: try parts[4].bool("open"),
      problem: try parts[5].optional { (value) throws(ContinuityError) in
        RecordText.sanitised(try value.text("problem"))
      })
  }
}

extension ClientApp {
  var cbor: CBOR {
    .array([
      .text(appID), .text(name), .optional(team, CBOR.bytes),
      .optional(program) {
        .array([.unsigned($0.process), .bytes($0.executable), .optional($0.sandbox) { $0.cbor }])
      },
    ])
  }

  init(cbor: CBOR) throws(ContinuityError) {
    let parts = try cbor.array("app", count: 4)
    self.init(
      appID: try parts[0].text("app identifier"), name: try parts[1].text("app name"),
      team: try parts[2].optional { (value) throws(ContinuityError) in try value.team() },
      program: try parts[3].optional { (value) throws(ContinuityError) in
        let fields = try value.array("program", count: 3)
        return ClientProgram(
          process: try fields[0].unsigned("process"), executable: try fields[1].bytes("executable"),
          sandbox: try fields[2].optional(AppSandbox.init(cbor:)))
      })
  }
}

extension AppSandbox {
  fileprivate var cbor: CBOR {
    switch self {
    case .flatpak(let id): .array([0, .optional(id, CBOR.text)])
    case .snap(let name): .array([1, .text(name)])
    }
  }

  fileprivate init(cbor: CBOR) throws(ContinuityError) {
    let (tag, parts) = try cbor.tagged("sandbox")
    switch (tag, parts.count) {
    case (0, 1):
      self = .flatpak(
        try parts[0].optional { (value) throws(ContinuityError) in try value.text("app in Flatpak") })
    case (1, 1): self = .snap(try parts[0].text("snap"))
    default: throw CBOR.mismatch("sandbox", expected: "a known sandbox")
    }
  }
}

extension SyncedRoot {
  /// As apps of any release read it.
  var cbor: CBOR { .array([.bytes(id.bytes), .text(name), .bytes(path), .bool(isPresent)]) }

  /// As the command line reads it, which comes with the agent: with why it is refused, where it is, and with
  /// what a person set.
  var cborForCommands: CBOR {
    guard case .array(var parts) = cbor else { return cbor }
    let isSet = documentsOverLan != .proven || sharesPresence
    if isSet || refusal != nil { parts.append(.optional(refusal, CBOR.text)) }
    if isSet { parts.append(.unsigned(documentsOverLan.rawValue)) }
    if sharesPresence { parts.append(.bool(true)) }
    return .array(parts)
  }

  init(cbor: CBOR) throws(ContinuityError) {
    let parts = try cbor.array("folder")
    guard (4...7).contains(parts.count) else {
      throw CBOR.mismatch("folder", expected: "four to seven parts")
    }
    self.init(
      id: try parts[0].identifier("folder ID"), name: try parts[1].text("folder name"),
      path: try parts[2].bytes("folder path"), isPresent: try parts[3].bool("folder present"))
    if parts.count == 5 || parts.count > 5 && parts[4] != .null {
      refused = Reason(try parts[4].text("refusal"))
    }
    if parts.count > 5 { documentsOverLan = try parts[5].numbered("documents over the LAN") }
    if parts.count > 6 { sharesPresence = try parts[6].bool("presence") }
  }
}

extension DocumentChange {
  var cbor: CBOR {
    switch self {
    case .changed(let version): .array([0, .optional(version) { $0.cbor }])
    case .moved(let path): .array([1, .bytes(path)])
    case .deleted: .array([2])
    case .conflict(let copies): .array([3, .array(copies.map(CBOR.bytes))])
    }
  }

  init(cbor: CBOR) throws(ContinuityError) {
    let (tag, parts) = try cbor.tagged("document change")
    switch (tag, parts.count) {
    case (0, 1):
      self = .changed(
        try parts[0].optional { (value) throws(ContinuityError) in try DocumentVersion(cbor: value) })
    case (1, 1): self = .moved(to: try parts[0].bytes("path"))
    case (2, 0): self = .deleted
    case (3, 1):
      self = .conflict(
        copies: try parts[0].list("copies") { (part) throws(ContinuityError) in try part.bytes("copy") })
    default: throw CBOR.mismatch("document change", expected: "a known change")
    }
  }
}

extension ContinuityError {
  var cbor: CBOR { .array([.unsigned(code.rawValue), .text(subject), .text(description)]) }

  init(cbor: CBOR) throws(ContinuityError) {
    let parts = try cbor.array("error", count: 3)
    self.init(
      Code(rawValue: try parts[0].unsigned("error code")), subject: try parts[1].text("error subject"),
      because: Reason(try parts[2].text("error description")))
  }
}
