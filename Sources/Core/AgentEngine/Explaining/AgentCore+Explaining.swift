// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import SyncedFolders
import Trust

// Why things stand as they do: what `continuo why` prints. Whatever this device passes over has its row here.
extension AgentCore {
  /// Answers with what stands behind the first `skipped`: for one app, or for all. Waits a moment where a
  /// large version is on its way, so that it is said how much of it has come.
  func explain(
    _ app: String?, skipping skipped: UInt64, answer: @escaping (AgentAnswer) -> Void
  ) throws(ContinuityError) {
    if let app, !isKnown(app) {
      throw ContinuityError(
        .invalidRequest, subject: app,
        description:
          "No app here has the ID \(app), and none of that ID made what is offered: name a file by its path; "
          + "`continuo why` lists everything.")
    }
    // Files that were refused are counted by reading all of them once more.
    if skipped == 0 {
      for root in folders.roots {
        root.presence?.transport.forget()
        collector.collect(root.number)
      }
    }
    let end = ports.now + Self.measuring
    if skipped == 0, isAwaitingSizes { tracker.isWatched = true }
    tell(until: end) { [weak self] in
      guard let self else { return }
      let all = explanations(for: app)
      answer(.explained(Array(all.dropFirst(Int(clamping: skipped))), total: UInt64(all.count)))
      tracker.isWatched = clients.isWatchingOffers
    }
  }

  /// At once, or when it is known how much of each version has come, or at `end`.
  private func tell(until end: Instant, _ tell: @escaping () -> Void) {
    guard tracker.isWatched, isAwaitingSizes, ports.now < end else { return tell() }
    ports.scheduler.schedule(at: ports.now + .milliseconds(50)) { [weak self] in
      self?.tell(until: end, tell)
    }
  }

  /// An unfinished copy is measured once in a second at most, and this long is waited for that.
  private static let measuring = Duration.milliseconds(1200)

  /// Whether a large version is on its way, and it is not known how much of it has come.
  private var isAwaitingSizes: Bool { allOffers().contains(where: \.isOnItsWayUnmeasured) }

  /// Everything there is to say, this device's own first.
  func explanations(for app: String? = nil) -> [Explanation] {
    let own = ownExplanations()
    let known = apps.filter { app == nil || $0.appID == app }
    let offers = offerExplanations(among: known)
    guard let app else { return own + offers + deviceExplanations() + folderExplanations() }
    return own.filter { $0.appID == app } + offers.filter { !known.isEmpty || $0.appID == app }
  }

  /// Every app that could continue something: connected ones, and those that can be started.
  private var apps: [AppManifest] {
    let connected = clients.apps.map(\.manifest)
    return connected
      + ports.desktop.startableApps().filter { app in
        !connected.contains { $0.appID == app.appID && $0.team == app.team }
      }
  }

  private func isKnown(_ app: String) -> Bool {
    apps.contains { $0.appID == app } || ownExplanations().contains { $0.appID == app }
      || offerExplanations(among: []).contains { $0.appID == app }
  }

  // MARK: What this device does

  /// Of each activity of this device, and of each document that is open without one.
  private func ownExplanations() -> [Explanation] {
    let open = opened.all.compactMap { each in
      clients.manifest(of: each.client).map { OpenHere(app: $0, path: each.path) }
    }
    var explained = ownActivities(atMost: .max).map { explanation(of: $0, open: open) }
    for document in open {
      guard !explained.contains(where: { $0.appID == document.app.appID && $0.path == document.path })
      else { continue }
      explained.append(explanation(of: document))
    }
    return explained
  }

  /// A document that an app has open.
  private struct OpenHere {
    var app: AppManifest
    var path: [UInt8]
    var name: String {
      DisplayText.shown(path.split(separator: UInt8(ascii: "/")).last.map(Array.init) ?? [])
    }
  }

  private func explanation(of activity: OwnActivity, open: [OpenHere]) -> Explanation {
    let reasons = [activity.cause ?? .offered(to: readers)] + activity.notes
    return Explanation(
      .own, id: activity.id.description, title: activity.title, appID: activity.appID, type: activity.type,
      path: path(of: activity, open: open), isWell: activity.isOffered,
      statements: reasons.map(Explanation.Statement.init))
  }

  /// The devices that have told that they read this one's last record.
  private var readers: [String] {
    guard let said = records.publisher.said else { return [] }
    return exchange.machine.deviceReports.filter { $0.acknowledgements[store.id] ?? 0 >= said.sequence }
      .map(\.name)
  }

  /// Where the document of an activity lies. An app that keeps one to itself does not say: it is the one that
  /// it has open, where there is one, or one of that name.
  private func path(of activity: OwnActivity, open: [OpenHere]) -> [UInt8]? {
    if let snapshot = exchange.machine.ownSnapshot(of: activity.id) {
      return snapshot.document.flatMap { documents.expectedPath(of: $0, at: $0.path) }
        ?? snapshot.documentPath
    }
    let own = open.filter { $0.app.appID == activity.appID }
    let named = own.filter { $0.name == activity.title }
    return own.count == 1 ? own[0].path : named.count == 1 ? named[0].path : nil
  }

  private func explanation(of document: OpenHere) -> Explanation {
    let isOutside = documents.place(of: document.path) == nil && copies.file(at: document.path) == nil
    let refusal = documents.refusal(of: document.path)
    let outside = isOutside ? Reason.outsideFolders(path: DisplayText.shown(document.path)) : nil
    let reason = refusal ?? outside ?? .notCurrent(app: document.app.name, document: document.name)
    return Explanation(
      .document, id: "", title: document.name, appID: document.app.appID, path: document.path,
      statements: [Explanation.Statement(reason)])
  }

  // MARK: What others offer

  /// Of each activity of another device: shown here, or passed over.
  private func offerExplanations(among apps: [AppManifest]) -> [Explanation] {
    let hidden =
      keptBack.sorted { $0.key < $1.key }.flatMap(\.value)
      + exchange.machine.hiddenOffers(wall: ports.wall)
    return allOffers().map { explanation(of: $0, among: apps) } + hidden.map(explanation)
  }

  private func explanation(of offer: Offer, among apps: [AppManifest]) -> Explanation {
    let fit = appChoice.reason(for: offer, among: apps)
    let isCurrent = offer.status.arrival == .current
    let state = isCurrent ? nil : offer.status.cause
    var reasons = (fit.kind == .continuable ? [] : [fit]) + [state].compactMap { $0 } + offer.notes
    if reasons.isEmpty { reasons = [fit] }
    let document = exchange.machine.snapshot(of: offer.id)?.document
    return Explanation(
      .offer, id: offer.id.description, title: offer.displayTitle, deviceName: offer.deviceName,
      appID: offer.appID, type: offer.type,
      path: document.flatMap {
        documents.expectedPath(of: $0, at: tracker.location(of: offer.id) ?? $0.path)
      },
      isWell: fit.kind == .continuable && (isCurrent || offer.status.arrival == .ahead),
      since: isCurrent || state == .looking ? nil : exchange.machine.since(offer.id),
      statements: reasons.map(Explanation.Statement.init))
  }

  private func explanation(of hidden: HiddenOffer) -> Explanation {
    let snapshot = hidden.snapshot
    let offer = Offer(
      id: hidden.id, deviceName: hidden.deviceName, snapshot: snapshot, folderName: "",
      status: ArrivalStatus(.current))
    return Explanation(
      .offer, id: hidden.id.description, title: offer.displayTitle, deviceName: hidden.deviceName,
      appID: snapshot.appID, type: snapshot.type,
      path: snapshot.document.flatMap { documents.expectedPath(of: $0, at: $0.path) },
      statements: [Explanation.Statement(hidden.cause)])
  }

  // MARK: Who is not heard

  /// What is the matter with this device and the others, as far as it keeps offers from being shown.
  private func deviceExplanations() -> [Explanation] {
    let own = circle.name(of: store.id)
    let here = ([circle.removal].compactMap { $0 } + records.problems).map { (own, $0) }
    let copied = exchange.machine.copiedDevices.map {
      (circle.name(of: $0), Reason.deviceCopied(device: circle.name(of: $0)))
    }
    let over = Set(exchange.machine.deviceReports.filter(\.isOver).map(\.device))
      .union(records.reader.outlived)
    let silent = over.sorted().map { (circle.name(of: $0), Reason.silent(device: circle.name(of: $0))) }
    let removed = circle.devices.filter { $0.removal != nil && !$0.isThisDevice }.map {
      ($0.name, Reason.deviceRemoved(device: $0.name))
    }
    let gaps = recordGaps.map { (circle.name(of: $0.device), $0.reason) }
    let unlinked = linkStandings.compactMap { link in link.cause.map { (link.link.name, $0) } }
    return (here + copied + silent + removed + gaps + unlinked).map { name, reason in
      Explanation(.device, id: name, title: name, statements: [Explanation.Statement(reason)])
    }
  }

  /// Which other devices do not read this one's records, or are not heard here though others hear them. A
  /// folder that takes no record of this device has a reason of its own.
  var recordGaps: [(device: DeviceID, reason: Reason)] {
    let copied = Set(exchange.machine.copiedDevices)
    let others = Set(store.identity.otherDevices.map(\.id)).subtracting(copied)
    return records.publisher.gaps.gaps(among: others).compactMap { gap in
      switch gap {
      case .unread(let device):
        records.publisher.hasUnsupplied
          ? nil : (device, .recordsUnread(device: circle.name(of: device)))
      case .missing(let device, let reader):
        (device, .recordsMissing(device: circle.name(of: device), readBy: circle.name(of: reader)))
      }
    }
  }

  /// What is the matter with each folder and the records in it.
  private func folderExplanations() -> [Explanation] {
    let isAlone = store.identity.isAlone
    return folders.roots.flatMap { root -> [Explanation] in
      let name = root.registered.name
      var reasons: [Reason] = []
      if let transport = root.presence?.transport {
        if transport.hasNewer, !records.problems.contains(.newerFormat) { reasons.append(.newerFormat) }
        if transport.refused > 0 { reasons.append(.untrusted(transport.refused, folder: name)) }
        if !isAlone, transport.heard.isEmpty, !transport.hasNewer {
          reasons.append(.recordsLeftOut(folder: name))
        }
      } else if let synced = folders.syncedRoots.first(where: { $0.name == name }) {
        reasons += [obstacle(to: synced)].compactMap { $0 }
      }
      return reasons.map {
        Explanation(
          .folder, id: name, title: name, path: root.registered.path,
          statements: [Explanation.Statement($0)])
      }
    }
  }
}

extension HiddenOffer {
  /// An activity whose document lies in a folder of records.
  init(_ snapshot: ActivitySnapshot, of device: DeviceID, called name: String) {
    self.init(
      id: OfferID(device: device, activity: snapshot.id), snapshot: snapshot, deviceName: name,
      cause: .keptBack(document: snapshot.document?.path.displayName ?? ""))
  }
}

extension Offer {
  /// Whether the version meant may come, and takes so long that what is here of it is measured.
  fileprivate var isOnItsWayUnmeasured: Bool {
    guard status.arrival == .behind || status.arrival == .missing, status.received == 0 else { return false }
    return version.map { $0.size > ArrivalMachine.Timing().measuredSize } ?? false
  }
}
