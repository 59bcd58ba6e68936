// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import ActivityWire
import Trust

extension AgentCore {
  /// Answers a command of the command line exactly once, `join` perhaps later, `watchOffers` again and
  /// again.
  func perform(_ command: AgentCommand, _ number: UInt64, for connection: any ClientChannel) {
    func answer(_ answer: AgentAnswer) { connection.send(.answer(number, answer)) }
    do throws(ContinuityError) {
      switch command {
      case .addFolder(let path, let name, let isNew):
        answer(try addFolder(path, name, newIdentity: isNew))
      case .listFolders: answer(.folders(folders.syncedRoots))
      case .removeFolder(let folder): answer(try removeFolder(folder))
      case .setFolder(let folder, let documents): answer(try setFolder(folder, documents))
      case .setPresence(let folder, let isShared): answer(try setPresence(folder, isShared: isShared))
      case .pair(let deviceName): answer(try pairing.invite(as: deviceName))
      case .cancelPairing: answer(try pairing.cancel())
      case .devices: answer(.devices(circle.devices))
      case .revoke(let device): answer(try circle.revoke(device))
      case .reset: answer(try circle.reset())
      case .join(let words, let deviceName):
        try pairing.join(with: words, as: deviceName, client: connection.number, command: number)
      case .offers: answer(.offers(allOffers()))
      case .watchOffers:
        let offers = allOffers()
        clients.watchOffers(connection.number, under: number, told: offers)
        answer(.offers(offers))
        tracker.isWatched = true
      case .describe(let offer): answer(try describe(offer))
      case .renameDevice(let name): answer(try circle.rename(name))
      case .ownActivities: answer(.activities(ownActivities()))
      case .resume(let id): answer(try resume(id, for: connection.number))
      case .openOffer(let offer, let agreed):
        let client = connection.number
        try open(offer, agreed: agreed, for: client) { [clients] in
          clients.send(.answer(number, $0), to: client)
        }
      case .explain(let app, let skipped):
        let client = connection.number
        try explain(app, skipping: skipped) { [clients] in clients.send(.answer(number, $0), to: client) }
      case .examine: answer(.examined(healthFacts()))
      case .apps: answer(.apps(clients.programs))
      case .lan(let command):
        let client = connection.number
        try perform(command) { [clients] in clients.send(.answer(number, $0), to: client) }
      case .fetch(let offer): fetch(offer, number, for: ClientNumber(rawValue: connection.number))
      case .copies: answer(.copies(copies.all))
      case .placeCopy(let path):
        let client = connection.number
        try copies.place(path) { [clients] in clients.send(.answer(number, $0), to: client) }
      case .find(let words, let limit):
        answer(.found(try found(words, atMost: Int(clamping: min(limit, 100)))))
      case .restoreSaved(let key, let onTerminal):
        try restore(key, as: number, for: connection.number, onTerminal: onTerminal)
      case .status: answer(.status(status()))
      case .stop:
        // The connection ends when the socket is gone: then another agent may start.
        answer(.done("The agent has stopped; what it offered stands."))
        ports.stop()
      }
    } catch {
      answer(.failed(error))
    }
  }

  private func fetch(_ offer: OfferID, _ number: UInt64, for client: ClientNumber) {
    linkedDocuments.fetch(offer, for: client.rawValue) { [clients] result in
      guard let connection = clients.connection(of: client) else { return }
      switch result {
      case .success(let file): connection.send(.answer(number, .fetched(size: file.size)), file: file)
      case .failure(let error): connection.send(.answer(number, .failed(error)))
      }
    }
  }

  // MARK: Folders

  private func addFolder(
    _ path: [UInt8], _ name: String?, newIdentity: Bool
  ) throws(ContinuityError) -> AgentAnswer {
    let known = Set(folders.roots.map(\.number))
    let before = folders.standing
    let root = try folders.add(path: path, name: name, newIdentity: newIdentity)
    let shown = DisplayText.shown(root.registered.path)
    let changes = folders.changes(since: before)
    if known.contains(root.number) {
      handle(changes)
      let isNew = newIdentity && before[root.number].map { $0 != folders.standing[root.number] } ?? false
      return .done(
        isNew
          ? "Folder \(root.registered.name) (\(shown)) has an identity of its own now."
          : "\(shown) is registered already, as folder \(root.registered.name).")
    }
    let registered = folders.registered
    do {
      try store.change { $0.folders = registered }
    } catch {
      _ = folders.remove(root.number)
      throw error
    }
    handle(changes)
    if store.identity.circle.roster.devices.count > 1 { circle.publishRoster() }
    exchange.feed(.audienceChanged)
    return .done("Folder \(root.registered.name) (\(shown)) is registered.")
  }

  private func removeFolder(_ name: String) throws(ContinuityError) -> AgentAnswer {
    let root = try folders.find(name)
    try store.change { $0.folders.removeAll { $0 == root.registered } }
    let changes = folders.remove(root.number)
    ports.watch.unwatch(root.number)
    presence.forget(root.number)
    records.publisher.retractAll(from: root)
    handle(changes)
    documentPresence.look()
    return .done("Folder \(root.registered.name) is no longer registered; its files stay.")
  }

  private func setFolder(
    _ name: String, _ documents: DocumentsOverLan
  ) throws(ContinuityError) -> AgentAnswer {
    let name = try changeFolder(name) { $0.documentsOverLan = documents }
    laying.look()
    copied.look()
    return .done("Documents over the LAN in folder \(name): \(documents.name).")
  }

  private func setPresence(_ name: String, isShared: Bool) throws(ContinuityError) -> AgentAnswer {
    let name = try changeFolder(name) { $0.sharesPresence = isShared }
    documentPresence.look()
    let sentence =
      "Presence in folder \(name): on. This device and linked ones that have the folder, and on which it is "
      + "on as well, show each other which document is open."
    return .done(isShared ? sentence : "Presence in folder \(name): off.")
  }

  /// What a person sets of a folder is durable first; what the folder is called.
  private func changeFolder(
    _ name: String, _ body: (inout AgentState.RegisteredFolder) -> Void
  ) throws(ContinuityError) -> String {
    let root = try folders.find(name)
    try store.change { state in
      guard let index = state.folders.firstIndex(where: { $0.path == root.registered.path }) else { return }
      body(&state.folders[index])
    }
    folders.change(root.number, body)
    return root.registered.name
  }

  // MARK: Offers

  /// What the desktop tells a person of: what is open beside a document comes with that.
  var offersToTell: [Offer] { allOffers().filter { !$0.isOpenedBeside } }

  func allOffers() -> [Offer] {
    exchange.machine.offers(wall: ports.wall) { [folders] in folders.root(of: $0)?.name }
  }

  /// Tells those who watch the list what it has become.
  func tellOffers() {
    tellWhatMatters()
    clients.report { allOffers() }
    notifier.update()
  }

  /// None of them is offered by a device that may not speak.
  func ownActivities(atMost limit: Int = 24) -> [OwnActivity] {
    let own = exchange.machine.ownActivities(
      wall: ports.wall, limit: limit, shown: { [ports] in ports.scheduler.shown($0) },
      refusal: { [documents] in documents.refusal(of: $0) })
    let silence = circle.removal ?? (records.isCopied ? .copied : nil)
    let leftOut = records.publisher.leftOut
    return own.map { activity in
      var activity = activity
      activity.cause = silence ?? activity.cause ?? leftOut[activity.id]
      return activity
    }
  }

  private func describe(_ offer: OfferID) throws(ContinuityError) -> AgentAnswer {
    guard let snapshot = exchange.machine.snapshot(of: offer) else { throw offerGone(offer) }
    return .offered(documents.localised(snapshot).activity)
  }

  func offerGone(_ offer: OfferID) -> ContinuityError {
    ContinuityError(
      .invalidRequest, subject: offer.description,
      description: "The offer is gone: `continuo offers` lists the others.")
  }

  private func resume(_ prefix: String?, for client: UInt64) throws(ContinuityError) -> AgentAnswer {
    let offers = prefix.map { prefix in
      allOffers().filter { $0.id.description.hasPrefix(prefix.lowercased()) }
    }
    guard let offer = (offers ?? offersToTell).first else {
      throw ContinuityError(
        .invalidRequest, subject: prefix ?? "",
        description: prefix == nil
          ? "No other device offers anything now: edit a document in a synced folder there."
          : "No offer has an ID that begins with \(prefix ?? ""): `continuo offers` lists them.")
    }
    if let offers, offers.count > 1 {
      throw ContinuityError(
        .invalidRequest, subject: prefix ?? "",
        description: "\(offers.count) offers have IDs that begin with \(prefix ?? ""): give more of the ID.")
    }
    return resumed(offer, for: client, onTerminal: true)
  }

  func resumed(_ offer: Offer, for client: UInt64, onTerminal: Bool) -> AgentAnswer {
    if let app = resume(offer, client: client, onTerminal: onTerminal) {
      return .handedOver(appName: app.name)
    }
    return .noApp(offer, path: path(of: offer))
  }

  // MARK: Status

  private func status() -> AgentStatus {
    // What was mended since somebody looked is no problem any more.
    presence.check()
    if records.publisher.hasUnsupplied { records.publisher.supplyAgain() }
    store.retry()
    let identity = store.identity
    var status = AgentStatus(
      process: ports.process, deviceName: circle.name(of: identity.id),
      deviceID: identity.keys.publicKeys.fingerprint)
    status.devices = ([identity.id] + identity.otherDevices.map(\.id)).map(circle.name)
    status.folders = folders.syncedRoots
    status.apps = clients.manifests.map(\.appID).sorted()
    status.watchProcess = ports.watch.process
    status.problems = problems()
    return status
  }

  /// Engines leave conflict copies and the like in any folder.
  private static let usualJunk = 100

  func problems() -> [String] {
    var problems = store.problems + store.losses + records.problems.map(\.sentence)
    problems += exchange.machine.copiedDevices.map {
      Reason.deviceCopied(device: circle.name(of: $0)).sentence
    }
    problems += recordGaps.map(\.reason.sentence)
    if let problem = saved.problem { problems.append(problem) }
    if let problem = ports.watch.problem { problems.append(problem) }
    if let problem = lan.problem { problems.append(problem) }
    problems += folders.syncedRoots.compactMap { obstacle(to: $0)?.sentence }
    for root in folders.roots {
      if let junk = root.presence?.junkCount, junk > Self.usualJunk {
        problems.append(
          "Folder \(root.registered.name): its .continuo holds \(junk) files that no device of the circle "
            + "made: find out which program puts them there, and delete them. They only take time.")
      }
      guard let reason = presence.pollingReason(of: root.number) else { continue }
      problems.append("Folder \(root.registered.name): \(reason)")
    }
    if let removal = circle.removal {
      problems.append(removal.sentence)
    } else if !store.identity.isConfirmed {
      problems.append("The inviting device has not seen this one's answer yet; it must be on for that.")
    }
    return problems.map { DisplayText.shown($0) }
  }

  /// Why a registered folder is not used now; nil where it is.
  func obstacle(to root: SyncedRoot) -> Reason? {
    guard !root.isPresent else { return nil }
    if let refused = root.refused { return refused }
    let shown = DisplayText.shown(root.path)
    guard ports.disks.answers(root.path) else {
      return .told(
        "Folder \(root.name) at \(shown) does not answer: check the connection to the computer it "
          + "lies on; it is used again as soon as it does.")
    }
    return .told(
      "Folder \(root.name) is not at \(shown): bring it back; if its .continuo"
        + " was deleted, `continuo folder add` makes a new one, and "
        + "`continuo folder remove \(root.name)` forgets the folder.")
  }
}
