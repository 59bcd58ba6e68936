// SPDX-License-Identifier: MIT

// Between a case and what stands in its template's slots.
extension Reason {
  var parts: (kind: Kind, fields: Fields) {
    switch self {
    case .looking: (.looking, [:])
    case .behind(let document, let device, let way): (.behind, Self.about(document, device) + way.fields)
    case .missing(let document, let device, let way): (.missing, Self.about(document, device) + way.fields)
    case .ahead(let document, let device): (.ahead, Self.about(document, device))
    case .diverged(let document, let device, let near):
      (.diverged, Self.about(document, device) + near.fields)
    case .unreadable(let document, let why): (.unreadable, Self.about(document) + [.why: Value(why)])
    case .replaced(let document, let folder): (.replaced, Self.about(document) + [.folder: .text(folder)])
    case .written(let document, let device, let folder, let progress):
      (.written, Self.about(document, device) + [.folder: .text(folder)] + (progress?.fields ?? [:]))
    case .otherSize(let document, let device, let size, let expected):
      (.otherSize, Self.about(document, device) + [.size: .amount(size), .expected: .amount(expected)])
    case .reading(let document, let progress): (.reading, Self.about(document) + progress.fields)
    case .moved(let document, let path, let folder):
      (.moved, Self.about(document) + [.path: .text(path), .folder: .text(folder)])
    case .folderUnknown(let document, let folder):
      (.folderUnknown, Self.about(document) + [.folder: Value(folder)])
    case .folderAway(let document, let folder): (.folderAway, Self.about(document) + [.folder: .text(folder)])
    case .folderReplaced(let folder, let path):
      (.folderReplaced, [.folder: .text(folder), .path: .text(path)])
    case .folderShared(let shared): (.folderShared, shared.fields)
    case .absent: (.absent, [:])
    case .folderGone: (.folderGone, [:])
    case .changedWhileOpened(let document): (.changedWhileOpened, Self.about(document))
    case .overtaken: (.overtaken, [:])
    case .unopenable(let document, let why): (.unopenable, Self.about(document) + [.why: .text(why)])
    case .othersLeftOut(let count): (.othersLeftOut, Self.several(count))
    case .overdue(let state): (.overdue, [:] + [.state: state.map(Value.reason)])
    case .neverArrived(let late): (.neverArrived, late.fields)
    case .untyped: (.untyped, [:])
    case .notEligible: (.notEligible, [:])
    case .requiredKeyMissing(let key): (.requiredKeyMissing, [.key: .text(key)])
    case .expired: (.expired, [:])
    case .unchanged: (.unchanged, [:])
    case .outsideFolders(let path): (.outsideFolders, [.path: .text(path)])
    case .tooMany(let count): (.tooMany, [.count: .number(count)])
    case .removed(let device): (.removed, [:] + [.device: Value(device)])
    default: besideParts
    }
  }

  /// What is said beside an activity, and how a continuation ends.
  private var besideParts: (kind: Kind, fields: Fields) {
    switch self {
    case .copied: (.copied, [:])
    case .addressesLeftOut(let key, let second):
      (.addressesLeftOut, [.key: .text(key)] + [.secondKey: Value(second)])
    case .filesLeftOut(let count): (.filesLeftOut, Self.several(count))
    case .continued(let device, let moment):
      (.continued, [.device: .text(device)] + [.time: Value(moment?.time), .date: Value(moment?.date)])
    case .notTaken(let device): (.notTaken, [.device: .text(device)])
    case .notShownThere(let device, let message):
      (.notShownThere, [.device: .text(device)] + [.message: Value(message)])
    case .appEnded(let app): (.appEnded, [.app: .text(app)])
    case .notStarted(let app, let message):
      (.notStarted, [.app: .text(app)] + [.message: Value(message)])
    case .neverConnected(let app): (.neverConnected, [.app: .text(app)])
    case .appSilent(let app): (.appSilent, [:] + [.app: Value(app)])
    case .declined(let app): (.declined, [:] + [.app: Value(app)])
    case .notShown(let app, let message): (.notShown, [:] + [.app: Value(app), .message: Value(message)])
    case .moreOffers(let count): (.moreOffers, [.count: .number(count)])
    case .moreActivities(let count): (.moreActivities, [.count: .number(count)])
    case .offerGone: (.offerGone, [:])
    case .cancelled: (.cancelled, [:])
    case .givenUp: (.givenUp, [:])
    case .deviceRemoved(let device): (.deviceRemoved, [.device: .text(device)])
    case .ended: (.ended, [:])
    case .superseded: (.superseded, [:])
    case .agentUnreachable: (.agentUnreachable, [:])
    default: explainedParts
    }
  }

  /// What `continuo why` says besides.
  private var explainedParts: (kind: Kind, fields: Fields) {
    switch self {
    case .offered(let devices): (.offered, devices.isEmpty ? [:] : [.devices: .names(devices)])
    case .notCurrent(let app, let document): (.notCurrent, Self.about(document) + [.app: .text(app)])
    case .notOpen(let document): (.notOpen, Self.about(document))
    case .tooLarge(let excess): (.tooLarge, excess.fields)
    case .noApp(let type, let maker): (.noApp, [.type: .text(type), .other: .text(maker)])
    case .otherTeam(let app, let maker): (.otherTeam, [.app: .text(app), .other: .text(maker)])
    case .continuable(let app): (.continuable, [.app: .text(app)])
    case .continuedHere: (.continuedHere, [:])
    case .silent(let device): (.silent, [.device: .text(device)])
    case .untrusted(let count, let folder): (.untrusted, Self.several(count) + [.folder: .text(folder)])
    case .newerFormat: (.newerFormat, [:])
    case .deviceCopied(let device): (.deviceCopied, [:] + [.device: Value(device)])
    case .recordsLeftOut(let folder): (.recordsLeftOut, [.folder: .text(folder)])
    case .recordsUnread(let device): (.recordsUnread, [.device: .text(device)])
    case .recordsMissing(let device, let other):
      (.recordsMissing, [.device: .text(device), .other: .text(other)])
    case .keptBack(let document): (.keptBack, Self.about(document))
    case .nested(let document, let folder, let outer):
      (.nested, Self.about(document) + [.folder: .text(folder), .other: .text(outer)])
    case .since(let state, let time): (.since, [.state: .reason(state), .time: .text(time)])
    default: linkParts
    }
  }

  /// Why there is no link, and what one brought.
  private var linkParts: (kind: Kind, fields: Fields) {
    switch self {
    case .noNetwork: (.noNetwork, [:])
    case .linkOff(let device): (.linkOff, [.device: .text(device)])
    case .linkUnanswered(let device, let port):
      (.linkUnanswered, [.device: .text(device), .port: .number(port)])
    case .linkOutdated(let device): (.linkOutdated, [.device: .text(device)])
    case .linkApart(let device): (.linkApart, [.device: .text(device)])
    case .linkRefused(let device): (.linkRefused, [.device: .text(device)])
    case .sentOverLink(let document, let device, let folder):
      (.sentOverLink, Self.about(document, device) + [.folder: .text(folder)])
    case .beingSaved(let document, let device): (.beingSaved, Self.about(document, device))
    case .notSaved(let document, let device, let message):
      (.notSaved, Self.about(document, device) + [.message: Value(message)])
    case .savedBefore(let document, let device): (.savedBefore, Self.about(document, device))
    case .changedSinceKept(let document): (.changedSinceKept, Self.about(document))
    case .draftOutOfReach(let document, let device): (.draftOutOfReach, Self.about(document, device))
    case .looking, .behind, .missing, .ahead, .diverged, .unreadable, .replaced, .written, .otherSize,
      .reading, .moved, .folderUnknown, .folderAway, .folderReplaced, .folderShared, .absent, .folderGone,
      .changedWhileOpened, .overtaken, .unopenable, .othersLeftOut, .overdue, .neverArrived, .untyped,
      .notEligible, .requiredKeyMissing, .expired, .unchanged, .outsideFolders, .tooMany, .removed,
      .copied, .addressesLeftOut, .filesLeftOut, .notTaken, .notShownThere, .appEnded, .notStarted,
      .continued, .neverConnected, .appSilent, .declined, .notShown, .moreOffers, .moreActivities, .offerGone,
      .cancelled, .givenUp, .deviceRemoved, .ended, .superseded, .agentUnreachable, .offered, .notCurrent,
      .notOpen, .tooLarge, .noApp, .otherTeam, .continuable, .continuedHere, .silent, .untrusted,
      .newerFormat, .deviceCopied, .recordsLeftOut, .recordsUnread, .recordsMissing, .keptBack, .nested,
      .since, .told:
      (.told, [:])
    }
  }

  private static func about(_ document: String) -> Fields { [.document: .text(document)] }
  private static func about(_ document: String, _ device: String) -> Fields {
    [.document: .text(document), .device: .text(device)]
  }
  /// One has a sentence of its own.
  private static func several(_ count: UInt64) -> Fields { count == 1 ? [:] : [.count: .number(count)] }

  // MARK: Back

  /// The case with these fields; what one lacks is empty.
  init(_ kind: Kind, _ fields: Fields) {
    let (document, device, folder) = (fields.text(.document), fields.text(.device), fields.text(.folder))
    self =
      switch kind {
      case .looking: .looking
      case .behind: .behind(document: document, device: device, Coming(fields))
      case .missing: .missing(document: document, device: device, Coming(fields))
      case .ahead: .ahead(document: document, device: device)
      case .diverged: .diverged(document: document, device: device, Beside(fields))
      case .unreadable: .unreadable(document: document, why: fields[.why]?.text)
      case .replaced: .replaced(document: document, folder: folder)
      case .written: .written(document: document, device: device, folder: folder, Progress(fields))
      case .otherSize:
        .otherSize(
          document: document, device: device, size: fields.amount(.size), expected: fields.amount(.expected))
      case .reading:
        .reading(document: document, Progress(fields.amount(.here).bytes, of: fields.amount(.size).bytes))
      case .moved: .moved(document: document, path: fields.text(.path), folder: folder)
      case .folderUnknown: .folderUnknown(document: document, folder: fields[.folder]?.text)
      case .folderAway: .folderAway(document: document, folder: folder)
      case .folderReplaced: .folderReplaced(folder: folder, path: fields.text(.path))
      case .folderShared: .folderShared(SharedFolder(fields))
      case .absent: .absent
      case .folderGone: .folderGone
      case .changedWhileOpened: .changedWhileOpened(document: document)
      case .overtaken: .overtaken
      case .unopenable: .unopenable(document: document, why: fields.text(.why))
      case .othersLeftOut: .othersLeftOut(fields.number(.count))
      case .overdue: .overdue(fields[.state]?.reason)
      case .neverArrived: .neverArrived(LateVersion(fields))
      default: Self.beside(kind, fields)
      }
  }

  private static func beside(_ kind: Kind, _ fields: Fields) -> Reason {
    let (device, app, message) = (fields.text(.device), fields[.app]?.text, fields[.message]?.text)
    return switch kind {
    case .untyped: .untyped
    case .notEligible: .notEligible
    case .requiredKeyMissing: .requiredKeyMissing(fields.text(.key))
    case .expired: .expired
    case .unchanged: .unchanged
    case .outsideFolders: .outsideFolders(path: fields.text(.path))
    case .tooMany: .tooMany(fields.number(.count))
    case .removed: .removed(by: fields[.device]?.text)
    case .copied: .copied
    case .addressesLeftOut: .addressesLeftOut(fields.text(.key), and: fields[.secondKey]?.text)
    case .filesLeftOut: .filesLeftOut(fields.number(.count))
    case .continued:
      .continued(
        device: device, at: fields[.time]?.text.map { ShownMoment(time: $0, date: fields[.date]?.text) })
    case .notTaken: .notTaken(device: device)
    case .notShownThere: .notShownThere(device: device, message: message)
    case .appEnded: .appEnded(app: fields.text(.app))
    case .notStarted: .notStarted(app: fields.text(.app), message: message)
    case .neverConnected: .neverConnected(app: fields.text(.app))
    case .appSilent: .appSilent(app: app)
    case .declined: .declined(app: app)
    case .notShown: .notShown(app: app, message: message)
    case .moreOffers: .moreOffers(fields.number(.count))
    case .moreActivities: .moreActivities(fields.number(.count))
    case .offerGone: .offerGone
    case .cancelled: .cancelled
    case .givenUp: .givenUp
    case .deviceRemoved: .deviceRemoved(device: device)
    case .ended: .ended
    case .superseded: .superseded
    case .agentUnreachable: .agentUnreachable
    default: explained(kind, fields)
    }
  }

  private static func explained(_ kind: Kind, _ fields: Fields) -> Reason {
    let (document, folder, app) = (fields.text(.document), fields.text(.folder), fields.text(.app))
    return switch kind {
    case .offered: .offered(to: fields.names(.devices))
    case .notCurrent: .notCurrent(app: app, document: document)
    case .notOpen: .notOpen(document: document)
    case .tooLarge: .tooLarge(TooLarge(fields))
    case .noApp: .noApp(type: fields.text(.type), maker: fields.text(.other))
    case .otherTeam: .otherTeam(app: app, maker: fields.text(.other))
    case .continuable: .continuable(app: app)
    case .continuedHere: .continuedHere
    case .silent: .silent(device: fields.text(.device))
    case .untrusted: .untrusted(fields.number(.count), folder: folder)
    case .newerFormat: .newerFormat
    case .deviceCopied: .deviceCopied(device: fields[.device]?.text)
    case .recordsLeftOut: .recordsLeftOut(folder: folder)
    case .recordsUnread: .recordsUnread(device: fields.text(.device))
    case .recordsMissing: .recordsMissing(device: fields.text(.device), readBy: fields.text(.other))
    case .keptBack: .keptBack(document: document)
    case .nested: .nested(document: document, folder: folder, outer: fields.text(.other))
    case .since: .since(fields[.state]?.reason ?? .told(""), time: fields.text(.time))
    default: unlinked(kind, fields)
    }
  }

  private static func unlinked(_ kind: Kind, _ fields: Fields) -> Reason {
    let (document, device) = (fields.text(.document), fields.text(.device))
    return switch kind {
    case .noNetwork: .noNetwork
    case .linkOff: .linkOff(device: device)
    case .linkUnanswered: .linkUnanswered(device: device, port: fields.number(.port))
    case .linkOutdated: .linkOutdated(device: device)
    case .linkApart: .linkApart(device: device)
    case .linkRefused: .linkRefused(device: device)
    case .sentOverLink:
      .sentOverLink(document: document, device: device, folder: fields.text(.folder))
    case .beingSaved: .beingSaved(document: document, device: device)
    case .notSaved: .notSaved(document: document, device: device, message: fields[.message]?.text)
    case .savedBefore: .savedBefore(document: document, device: device)
    case .changedSinceKept: .changedSinceKept(document: document)
    case .draftOutOfReach: .draftOutOfReach(document: document, device: device)
    default: .told("")
    }
  }
}

extension Reason.Progress {
  fileprivate var fields: Reason.Fields { [.here: .amount(here), .size: .amount(size)] }

  fileprivate init?(_ fields: Reason.Fields) {
    guard fields[.here] != nil else { return nil }
    self.init(fields.amount(.here).bytes, of: fields.amount(.size).bytes)
  }
}

extension Reason.Coming {
  fileprivate var fields: Reason.Fields {
    switch self {
    case .copy(let name): [.copy: .text(name)]
    case .through(let folder, let progress): [.folder: .text(folder)] + (progress?.fields ?? [:])
    }
  }

  fileprivate init(_ fields: Reason.Fields) {
    let copy = fields[.copy]?.text
    self = copy.map(Self.copy) ?? .through(folder: fields.text(.folder), Reason.Progress(fields))
  }
}

extension Reason.TooLarge {
  fileprivate var fields: Reason.Fields {
    switch self {
    case .payload(let size, let limit, let largest):
      [.count: .number(size), .limit: .number(limit), .largest: .text(largest)]
    case .userInfo(let size, let limit, let largest):
      [.count: .number(size), .limit: .number(limit), .ofUserInfo: .mark]
        + [.largest: Reason.Value(largest)]
    case .record: [:]
    }
  }

  fileprivate init(_ fields: Reason.Fields) {
    let (size, limit) = (fields.number(.count), fields.number(.limit))
    self =
      switch (fields[.limit], fields[.ofUserInfo]) {
      case (nil, _): .record
      case (_, nil): .payload(size, limit: limit, largest: fields.text(.largest))
      default: .userInfo(size, limit: limit, largest: fields[.largest]?.text)
      }
  }
}

extension Reason.Beside {
  fileprivate var fields: Reason.Fields {
    switch self {
    case .nothing: [:]
    case .copies(let names): names.isEmpty ? [:] : [.copies: .names(names)]
    case .version(let copy): [.copy: .text(copy)]
    case .markers: [.markers: .mark]
    }
  }

  fileprivate init(_ fields: Reason.Fields) {
    self =
      switch (fields[.copies], fields[.copy]) {
      case (.names(let names)?, _): .copies(names)
      case (_, .text(let name)?): .version(copy: name)
      default: fields[.markers] == nil ? .nothing : .markers
      }
  }
}

extension Reason.SharedFolder {
  fileprivate var fields: Reason.Fields {
    [
      .folder: .text(folder), .path: .text(path), .other: .text(other), .copy: .text(copy),
      .otherPath: .text(copyPath),
    ] + [.isFirst: isOtherFirst ? .mark : nil]
  }

  fileprivate init(_ fields: Reason.Fields) {
    self.init(
      folder: fields.text(.folder), path: fields.text(.path), other: fields.text(.other),
      isOtherFirst: fields[.isFirst] != nil, copy: fields.text(.copy), copyPath: fields.text(.otherPath))
  }
}

extension Reason.LateVersion {
  fileprivate var fields: Reason.Fields {
    let remedy: Reason.Fields =
      switch remedy {
      case .sync(let folder, let canOpen): [.folder: .text(folder)] + [.canOpen: canOpen ? .mark : nil]
      case .makeReadable: [.makeReadable: .mark]
      case .wait: [:]
      }
    return [.document: .text(document), .device: .text(device), .seconds: .number(seconds)]
      + [.state: state.map(Reason.Value.reason)] + remedy
  }

  fileprivate init(_ fields: Reason.Fields) {
    let sync = fields[.folder]?.text.map { Remedy.sync(folder: $0, canOpen: fields[.canOpen] != nil) }
    self.init(
      document: fields.text(.document), device: fields.text(.device), seconds: fields.number(.seconds),
      state: fields[.state]?.reason, remedy: sync ?? (fields[.makeReadable] == nil ? .wait : .makeReadable))
  }
}

extension Reason.Value {
  fileprivate var text: String? { if case .text(let text) = self { text } else { nil } }
  fileprivate var reason: Reason? { if case .reason(let reason) = self { reason } else { nil } }
}

extension Reason.Fields {
  fileprivate func text(_ slot: Reason.Slot) -> String { self[slot]?.text ?? "" }

  /// One, where it is not written out.
  fileprivate func number(_ slot: Reason.Slot) -> UInt64 {
    if case .number(let number)? = self[slot] { number } else { 1 }
  }

  fileprivate func names(_ slot: Reason.Slot) -> [String] {
    if case .names(let names)? = self[slot] { names } else { [] }
  }

  fileprivate func amount(_ slot: Reason.Slot) -> ByteAmount {
    if case .amount(let amount)? = self[slot] { amount } else { ByteAmount(0) }
  }

  /// Both; a field that is nil is not filled.
  fileprivate static func + (fields: Self, others: [Reason.Slot: Reason.Value?]) -> Self {
    fields.merging(others.compactMapValues { $0 }) { _, later in later }
  }
}
