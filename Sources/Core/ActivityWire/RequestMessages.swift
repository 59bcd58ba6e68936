// SPDX-License-Identifier: MIT

import ActivityModel

extension AgentRequest {
  var cbor: CBOR {
    switch self {
    case .hello(let manifest): .array([0, manifest.cbor])
    case .update(let snapshot, let saved): .array([1, snapshot.cbor, .optional(saved) { $0.cbor }])
    case .withdraw(let activity): .array([2, .bytes(activity.bytes)])
    case .opened(let path, let file): .array([3, .bytes(path), .optional(file) { $0.cbor }])
    case .closed(let path): .array([4, .bytes(path)])
    case .accept(let offer, let request): .array([5, offer.cbor, .bytes(request.bytes)])
    case .extend(let request, let seconds): .array([6, .bytes(request.bytes), .unsigned(seconds)])
    case .cancel(let request): .array([7, .bytes(request.bytes)])
    case .choose(let request, let choice): .array([8, .bytes(request.bytes), .unsigned(choice.rawValue)])
    case .explain(let request, let message): .array([41, .bytes(request.bytes), .text(message)])
    case .outcome(let request, let outcome):
      .array([9, .bytes(request.bytes), .unsigned(outcome.rawValue)])
    case .concluded(let request, let ended):
      .array([
        10, .bytes(request.bytes), ended.offer.cbor, .unsigned(ended.changedAt.milliseconds),
        .unsigned(ended.outcome.rawValue),
      ])
    case .withheld(let activity): .array([20, activity.cbor])
    case .askContentType(let request, let name, let beginning):
      .array([30, .bytes(request.bytes), .bytes(name), .bytes(beginning)])
    case .usedRecently(let path, let program): .array([31, .bytes(path), .bytes(program)])
    case .openStreams(let request, let delivery):
      .array([55, .bytes(request.bytes), .bytes(delivery.bytes)])
    case .answerSave(let request, .saved(let changedAt)):
      .array([56, .bytes(request.bytes), .unsigned(changedAt.milliseconds)])
    case .answerSave(let request, .refused(let message)):
      .array([56, .bytes(request.bytes), .text(message)])
    case .cursorMoved(let activity, let line):
      .array([57, .bytes(activity.bytes), .unsigned(UInt64(line))])
    case .save(let request, let snapshot): .array([11, .bytes(request.bytes), snapshot.cbor])
    case .deleteSaved(let request, let identifiers):
      .array([12, .bytes(request.bytes), .optional(identifiers) { .array($0.map(CBOR.text)) }])
    }
  }

  init(cbor: CBOR) throws(ContinuityError) {
    let (tag, parts) = try cbor.tagged("request")
    switch (tag, parts.count) {
    case (0, 1): self = .hello(try AppManifest(cbor: parts[0]))
    case (1, 2):
      self = .update(try ActivitySnapshot(cbor: parts[0]), saved: try parts[1].optional(FileMark.init(cbor:)))
    case (2, 1): self = .withdraw(try parts[0].identifier("activity"))
    case (3, 2):
      self = .opened(path: try parts[0].bytes("path"), file: try parts[1].optional(FileMark.init(cbor:)))
    case (4, 1): self = .closed(path: try parts[0].bytes("path"))
    case (5, 2): self = .accept(try OfferID(cbor: parts[0]), try parts[1].identifier("request"))
    case (6, 2):
      self = .extend(try parts[0].identifier("request"), seconds: try parts[1].unsigned("seconds"))
    case (7, 1): self = .cancel(try parts[0].identifier("request"))
    case (8, 2): self = .choose(try parts[0].identifier("request"), try parts[1].numbered("choice"))
    case (41, 2):
      self = .explain(
        try parts[0].identifier("request"), RecordText.sanitised(try parts[1].text("message")))
    case (9, 2): self = .outcome(try parts[0].identifier("request"), try parts[1].numbered("outcome"))
    case (10, 4):
      self = .concluded(
        try parts[0].identifier("request"),
        ConcludedContinuation(
          offer: try OfferID(cbor: parts[1]),
          changedAt: WallTime(milliseconds: try parts[2].unsigned("changed at")),
          outcome: try parts[3].numbered("outcome")))
    case (30, 3):
      self = .askContentType(
        try parts[0].identifier("request"), name: try parts[1].bytes("name"),
        beginning: try parts[2].sample())
    case (31, 2):
      self = .usedRecently(path: try parts[0].bytes("path"), program: try parts[1].bytes("program"))
    case (55, 2):
      self = .openStreams(try parts[0].identifier("request"), to: try parts[1].identifier("delivery"))
    case (56, 2): self = .answerSave(try parts[0].identifier("request"), try SaveAnswer(cbor: parts[1]))
    case (57, 2):
      self = .cursorMoved(try parts[0].identifier("activity"), line: try parts[1].line())
    case (20, 1): self = .withheld(try OwnActivity(cbor: parts[0]))
    case (11, 2): self = .save(try parts[0].identifier("request"), try ActivitySnapshot(cbor: parts[1]))
    case (12, 2):
      self = .deleteSaved(
        try parts[0].identifier("request"),
        identifiers: try parts[1].optional { (value) throws(ContinuityError) in
          try value.texts("persistent identifiers")
        })
    default: throw CBOR.mismatch("request", expected: "a known request")
    }
  }
}

extension SaveAnswer {
  fileprivate init(cbor: CBOR) throws(ContinuityError) {
    if case .text(let message) = cbor {
      self = .refused(RecordText.sanitised(message))
    } else {
      self = .saved(changedAt: WallTime(milliseconds: try cbor.unsigned("changed at")))
    }
  }
}

extension CBOR {
  /// The first bytes of a file.
  fileprivate func sample() throws(ContinuityError) -> [UInt8] {
    let bytes = try bytes("beginning")
    guard bytes.count <= AgentRequest.contentSampleLimit else {
      throw CBOR.mismatch("beginning", expected: "at most \(AgentRequest.contentSampleLimit) bytes")
    }
    return bytes
  }
}

extension FileMark {
  var cbor: CBOR {
    let time: CBOR = modified < 0 ? .negative(UInt64(~modified)) : .unsigned(UInt64(modified))
    return .array([.unsigned(inode), .unsigned(size), time])
  }

  init(cbor: CBOR) throws(ContinuityError) {
    let fields = try cbor.array("file", count: 3)
    self.init(
      inode: try fields[0].unsigned("inode"), size: try fields[1].unsigned("size"),
      modified: try fields[2].signed("modified"))
  }
}

extension AgentCommand {
  var cbor: CBOR {
    switch self {
    case .addFolder(let path, let name, let isNew):
      // As former releases say it, but for what they do not know.
      .array([0, .bytes(path), .optional(name, CBOR.text)] + (isNew ? [.bool(true)] : []))
    case .listFolders: .array([1])
    case .removeFolder(let name): .array([2, .text(name)])
    case .pair(let deviceName): .array([3, .optional(deviceName, CBOR.text)])
    case .cancelPairing: .array([4])
    case .join(let words, let deviceName):
      .array([5, .text(words), .optional(deviceName, CBOR.text)])
    case .offers: .array([6])
    case .resume(let id): .array([7, .optional(id, CBOR.text)])
    case .status: .array([8])
    case .stop: .array([9])
    case .watchOffers: .array([10])
    case .ownActivities: .array([20])
    case .devices: .array([21])
    case .revoke(let name): .array([22, .text(name)])
    case .renameDevice(let name): .array([23, .text(name)])
    case .describe(let offer): .array([24, offer.cbor])
    case .reset: .array([40])
    case .openOffer(let offer, let agreed): .array([41, offer.cbor, .bool(agreed)])
    case .explain(let app, let skipped): .array([42, .optional(app, CBOR.text), .unsigned(skipped)])
    case .examine: .array([43])
    case .apps: .array([44])
    case .lan(let command): .array([50, command.cbor])
    case .fetch(let offer): .array([51, offer.cbor])
    case .setFolder(let name, let documents): .array([52, .text(name), .unsigned(documents.rawValue)])
    case .setPresence(let name, let isShared): .array([57, .text(name), .bool(isShared)])
    case .copies: .array([53])
    case .placeCopy(let path): .array([54, .bytes(path)])
    case .find(let words, let limit): .array([58, .optional(words, CBOR.text), .unsigned(limit)])
    case .restoreSaved(let key, let onTerminal):
      .array(
        [59, .text(key.appID), .text(key.identifier), .bool(onTerminal)]
          + (key.device.map { [.bytes($0.bytes)] } ?? []))
    }
  }

  init(cbor: CBOR) throws(ContinuityError) {
    let (tag, parts) = try cbor.tagged("command")
    func name(_ part: CBOR) throws(ContinuityError) -> String? {
      try part.optional { (value) throws(ContinuityError) in try value.text("name") }
    }
    switch (tag, parts.count) {
    case (0, 2...3):
      self = .addFolder(
        path: try parts[0].bytes("path"), name: try name(parts[1]),
        newIdentity: parts.count > 2 ? try parts[2].bool("new identity") : false)
    case (1, 0): self = .listFolders
    case (2, 1): self = .removeFolder(try parts[0].text("folder"))
    case (3, 1): self = .pair(deviceName: try name(parts[0]))
    case (4, 0): self = .cancelPairing
    case (5, 2): self = .join(words: try parts[0].text("words"), deviceName: try name(parts[1]))
    case (6, 0): self = .offers
    case (7, 1): self = .resume(try name(parts[0]))
    case (8, 0): self = .status
    case (9, 0): self = .stop
    case (10, 0): self = .watchOffers
    case (20, 0): self = .ownActivities
    case (21, 0): self = .devices
    case (40, 0): self = .reset
    case (41, 2): self = .openOffer(try OfferID(cbor: parts[0]), agreed: try parts[1].bool("agreed"))
    case (42, 2): self = .explain(app: try name(parts[0]), skipping: try parts[1].unsigned("skipped"))
    case (43, 0): self = .examine
    case (44, 0): self = .apps
    case (50, 1): self = .lan(try LanCommand(cbor: parts[0]))
    case (51, 1): self = .fetch(try OfferID(cbor: parts[0]))
    case (52, 2):
      self = .setFolder(try parts[0].text("folder"), try parts[1].numbered("documents over the LAN"))
    case (57, 2):
      self = .setPresence(try parts[0].text("folder"), isShared: try parts[1].bool("presence"))
    case (53, 0): self = .copies
    case (54, 1): self = .placeCopy(try parts[0].bytes("path"))
    case (58, 2):
      self = .find(
        words: try parts[0].optional { (value) throws(ContinuityError) in try value.text("words") },
        atMost: try parts[1].unsigned("limit"))
    case (59, 3...4):
      self = .restoreSaved(
        SavedActivity.Key(
          appID: try parts[0].text("app"), identifier: try parts[1].text("identifier"),
          device: parts.count > 3 ? try parts[3].identifier("device") : nil),
        onTerminal: try parts[2].bool("terminal"))
    case (22, 1): self = .revoke(try parts[0].text("device"))
    case (23, 1): self = .renameDevice(try parts[0].text("device name"))
    case (24, 1): self = .describe(try OfferID(cbor: parts[0]))
    default: throw CBOR.mismatch("command", expected: "a known command")
    }
  }
}

extension OfferID {
  var cbor: CBOR { .array([.bytes(device.bytes), .bytes(activity.bytes)]) }

  init(cbor: CBOR) throws(ContinuityError) {
    let parts = try cbor.array("offer ID", count: 2)
    self.init(
      device: try parts[0].identifier("offering device"), activity: try parts[1].identifier("activity"))
  }
}

extension AppManifest {
  var cbor: CBOR {
    .array([
      .text(appID), .text(name), .array(activityTypes.map(CBOR.text)), .array(documentTypes.map(\.cbor)),
      .optional(team, CBOR.bytes),
    ])
  }

  init(cbor: CBOR) throws(ContinuityError) {
    let parts = try cbor.array("manifest", count: 5)
    self.init(
      appID: try parts[0].text("app identifier"), name: try parts[1].text("app name"),
      activityTypes: try parts[2].texts("activity types"),
      documentTypes: try parts[3].list("document types") { (part) throws(ContinuityError) in
        try DocumentType(cbor: part)
      })
    team = try parts[4].optional { (value) throws(ContinuityError) in try value.team() }
  }
}

extension AppManifest.DocumentType {
  var cbor: CBOR {
    .array([
      .text(name), .text(role.rawValue), .array(extensions.map(CBOR.text)), .array(mimeTypes.map(CBOR.text)),
      .array(contentTypes.map(CBOR.text)), .optional(documentClass, CBOR.text),
      .optional(activityType, CBOR.text),
    ])
  }

  init(cbor: CBOR) throws(ContinuityError) {
    let parts = try cbor.array("document type", count: 7)
    guard let role = AppManifest.Role(rawValue: try parts[1].text("role")) else {
      throw CBOR.mismatch("role", expected: "Editor, Viewer or None")
    }
    self.init(name: try parts[0].text("type name"), role: role)
    extensions = try parts[2].texts("extensions")
    mimeTypes = try parts[3].texts("MIME types")
    contentTypes = try parts[4].texts("content types")
    documentClass = try parts[5].optional { (value) throws(ContinuityError) in try value.text("class") }
    activityType = try parts[6].optional { (value) throws(ContinuityError) in try value.text("activity type")
    }
  }
}

extension CBOR {
  /// The 32 bytes of a declared team.
  func team() throws(ContinuityError) -> [UInt8] {
    let team = try bytes("team")
    guard team.count == 32 else { throw CBOR.mismatch("team", expected: "32 bytes") }
    return team
  }

  func texts(_ field: String) throws(ContinuityError) -> [String] {
    try list(field) { (part) throws(ContinuityError) in try part.text(field) }
  }
}
