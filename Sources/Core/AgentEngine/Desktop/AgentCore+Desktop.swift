// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import ActivityWire
import SyncedFolders

// What apps want of the desktop, and what a person wants there.
extension AgentCore {
  /// Continues the offer in the app that fits it best: a connected one gets it now, another one is started
  /// and gets it when it is connected. Nil when no app here takes it. `pressed` is the notification that
  /// was pressed, `client` the command line that asked.
  func resume(
    _ offer: Offer, pressed: NotificationNumber? = nil, client: UInt64? = nil, onTerminal: Bool = false
  ) -> AppManifest? {
    let connected = clients.apps
    let others = ports.desktop.startableApps().filter { app in
      !connected.contains { $0.manifest.appID == app.appID && $0.manifest.team == app.team }
    }
    let apps = connected.map(\.manifest) + others
    guard let best = appChoice.best(for: offer, among: apps) else { return nil }
    guard best >= connected.count else {
      exchange.feed(.accepted(connected[best].client, offer.id, ports.identifier()))
      return apps[best]
    }
    // On a terminal, the command line itself becomes an app that runs in one.
    if onTerminal, case .executable(_, inTerminal: true)? = apps[best].start { return nil }
    if !exchange.machine.isStarting(for: offer.id) {
      start(apps[best], for: offer.id, pressed: pressed, client: client)
    }
    return apps[best]
  }

  /// Continues the offer with what its notification named. The offer may be gone by now: the notification is
  /// then, too. With `isAll` each document that is open beside it there comes first.
  func resume(
    offer: OfferID, with target: ContinuationTarget, pressed: NotificationNumber, isAll: Bool
  ) {
    let offers = allOffers()
    guard let offer = offers.first(where: { $0.id == offer }) else { return }
    ports.observer.reached(.accepted)
    let wish = DesktopContinuations.Wish(pressed: pressed)
    for other in isAll ? offers.filter(offer.lists) : [] where resume(other, pressed: pressed) == nil {
      askTarget(of: other) { [desktopContinuations] target in
        guard case .defaultApp(let name) = target else { return }
        desktopContinuations.openDocument(of: other, with: name, for: wish)
      }
    }
    switch target {
    case .app: _ = resume(offer, pressed: pressed)
    case .defaultApp(let name): desktopContinuations.openDocument(of: offer, with: name, for: wish)
    case .browser(let address): desktopContinuations.openPage(address, of: offer, for: wish)
    }
  }

  /// Continues an offer that no app takes, for the command line of that number.
  func open(
    _ id: OfferID, agreed: Bool, for client: UInt64, answer: @escaping (AgentAnswer) -> Void
  ) throws(ContinuityError) {
    let restored = exchange.machine.restoredOffer(id)
    guard let offer = restored ?? allOffers().first(where: { $0.id == id }) else { throw offerGone(id) }
    let wish = DesktopContinuations.Wish(client: client)
    askTarget(of: offer) { [weak self] target in
      guard let self else { return }
      switch target {
      case .defaultApp(let name):
        desktopContinuations.openDocument(of: offer, with: name, for: wish)
        answer(.handedOver(appName: DisplayText.shown(name)))
      case .browser(let address):
        guard agreed || target?.questionedAddress == nil else { return answer(.asksFirst(address: address)) }
        desktopContinuations.openPage(address, of: offer, for: wish) { result in
          switch result {
          case .success: answer(.done("The browser opens \(DisplayText.shown(address))."))
          case .failure(let error): answer(.failed(error))
          }
        }
      case .app, nil: answer(.noApp(offer, path: path(of: offer)))
      }
    }
  }

  /// With what the desktop continues an offer that no app takes; nil where it cannot.
  private func askTarget(of offer: Offer, answer: @escaping (ContinuationTarget?) -> Void) {
    guard let name = offer.path?.components.last else { return answer(offer.desktopTarget(defaultApp: nil)) }
    ports.desktop.askDefaultApp(of: name) { answer(offer.desktopTarget(defaultApp: $0)) }
  }

  /// Where the document of an offer lies on this device; nil without one, or without its folder.
  func path(of offer: Offer) -> [UInt8]? {
    guard let snapshot = exchange.machine.snapshot(of: offer.id) else { return nil }
    guard let reference = snapshot.document else {
      // Outside every folder, as this device's own apps keep it.
      return exchange.machine.restoredOffer(offer.id) == nil ? nil : snapshot.documentPath
    }
    return documents.localPath(of: reference, at: tracker.location(of: offer.id) ?? reference.path)
  }

  private func start(_ app: AppManifest, for offer: OfferID, pressed: NotificationNumber?, client: UInt64?) {
    let isStarting = exchange.machine.isStarting(app)
    exchange.feed(.awaitsApp(app, offer, ports.identifier()))
    // Once for all that a person wants in it, such as the ten documents of another device.
    guard !isStarting else { return }
    ports.desktop.start(app, pressed: pressed, for: client) { [weak self] result in
      guard case .failure(let error) = result else { return }
      self?.ports.log("an app could not be started: code \(error.code)")
      self?.exchange.feed(
        .startFailed(app, .notStarted(app: DisplayText.shown(app.name), message: error.description)))
    }
  }

  /// Whether an app here has the document of the offer open.
  func isShownHere(_ offer: Offer) -> Bool {
    guard let reference = exchange.machine.snapshot(of: offer.id)?.document else { return false }
    return opened.isOpen(folders.place(of: reference, at: tracker.location(of: offer.id)))
  }

  /// Answers at most once; nobody waits any more when the client has gone.
  func tellContentType(
    _ request: RequestID, name: [UInt8], beginning: [UInt8], to connection: any ClientChannel
  ) {
    let number = connection.number
    let declared = clients.manifest(of: number)?.documentTypes.flatMap(\.mimeTypes) ?? []
    ports.desktop.askType(of: name, beginning: beginning, among: declared) { [clients] result in
      let (types, failure): ([String], ContinuityError?) =
        switch result {
        case .success(let types): (types, nil)
        case .failure(let error): ([], error)
        }
      clients.send(.report(.contentType(request, types, failure)), to: number)
    }
  }

  /// Nobody waits for it: what goes wrong stands in the log.
  func noteUse(of path: [UInt8], program: [UInt8], by connection: any ClientChannel) {
    guard let manifest = clients.manifest(of: connection.number) else { return }
    guard path.first == UInt8(ascii: "/"), path.count <= 4096, !path.contains(0) else {
      return ports.log("\(manifest.appID) named a file as recently used that is no absolute path")
    }
    ports.desktop.noteUse(of: path, by: manifest.name, program: program)
  }
}
