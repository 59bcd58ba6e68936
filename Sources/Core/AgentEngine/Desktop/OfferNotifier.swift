// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel

/// Tells a person on the desktop of what other devices offer, as `NotificationMachine` decides. Loop thread
/// only.
final class OfferNotifier {
  /// What it asks the agent.
  struct Agent {
    /// Every offer that stands, newest first.
    var offers: () -> [Offer]
    /// Whether an app here has its document open.
    var isShownHere: (Offer) -> Bool
    /// The apps that are connected.
    var connectedApps: () -> [AppManifest]
    /// Which app continues an offer.
    var choice: () -> AppChoice
    /// A person wants an offer, with what that notification named, which was pressed; all that is open there
    /// as well, or not.
    var resume: (OfferID, ContinuationTarget, NotificationNumber, _ isAll: Bool) -> Void
  }

  private let ports: AgentPorts
  private let agent: Agent
  private var machine = NotificationMachine()
  private var startable: [AppManifest] = []
  /// The offers for which it was looked which apps are installed.
  private var seen: Set<OfferID> = []
  /// The desktop's default app for documents of these names that no app takes, as far as it answered.
  private var defaultApps: [[UInt8]: String?] = [:]
  /// For which names that is being asked.
  private var asked: Set<[UInt8]> = []

  init(ports: AgentPorts, agent: Agent) {
    self.ports = ports
    self.agent = agent
    ports.desktop.onEvent = { [weak self] in self?.receive($0) }
  }

  /// Offers, or the documents that apps here show, may have changed.
  func update() {
    guard ports.desktop.canTell else { return }
    let all = agent.offers()
    // What is open beside a document comes with that.
    let offers = all.filter { !$0.isOpenedBeside }
    let ids = Set(offers.map(\.id))
    if !ids.isSubset(of: seen) { startable = ports.desktop.startableApps() }
    seen = ids
    let apps = offers.isEmpty ? [] : agent.connectedApps() + startable
    let choice = agent.choice()
    let names = Set(offers.compactMap { $0.path?.components.last })
    defaultApps = defaultApps.filter { names.contains($0.key) }
    handle(
      .offers(
        offers.map { offer in
          NotificationMachine.Candidate(
            offer: offer, appName: Self.name(of: offer, among: apps), isShownHere: agent.isShownHere(offer),
            target: choice.best(for: offer, among: apps) == nil ? desktopTarget(of: offer) : .app,
            besideCount: all.count(where: offer.lists))
        }))
  }

  /// With what the desktop continues an offer that no app takes; nil where it cannot, and until it has said
  /// so.
  private func desktopTarget(of offer: Offer) -> ContinuationTarget? {
    guard let name = offer.path?.components.last else { return offer.desktopTarget(defaultApp: nil) }
    if defaultApps[name] == nil, asked.insert(name).inserted {
      var isAnsweredLater = false
      ports.desktop.askDefaultApp(of: name) { [weak self] app in
        self?.asked.remove(name)
        self?.defaultApps[name] = .some(app)
        if isAnsweredLater { self?.update() }
      }
      isAnsweredLater = true
    }
    return defaultApps[name].flatMap { offer.desktopTarget(defaultApp: $0) }
  }

  /// A person wants this told from now on.
  func use(_ settings: AgentSettings.Notifications) { handle(.settings(settings)) }

  private func receive(_ event: DesktopEvent) {
    switch event {
    case .server(let isPresent): handle(.server(isPresent: isPresent))
    case .pressed(let number, let button): handle(.pressed(number, button))
    case .closed(let number): handle(.closed(number))
    case .expired(let number): handle(.expired(number))
    }
  }

  private func handle(_ event: NotificationMachine.Event) {
    for action in machine.handle(event) {
      switch action {
      case .show(let number, let content, let isSilent):
        ports.desktop.show(content, as: number, isSilent: isSilent)
      case .withdraw(let number): ports.desktop.withdraw(number)
      case .resume(let offer, let target, let number, let isAll): agent.resume(offer, target, number, isAll)
      }
    }
    ports.desktop.hasSomethingToTell(machine.hasSomethingToTell)
  }

  /// As the app is called here, if it is installed or connected; else the last part of its ID.
  private static func name(of offer: Offer, among apps: [AppManifest]) -> String {
    let name = apps.first { $0.appID == offer.appID }?.name
    return DisplayText.shown(name ?? offer.appID.split(separator: ".").last.map(String.init) ?? offer.appID)
  }
}
