// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import ActivityWire
import LocalNetwork

/// Saving over links where something was typed, before a person goes on with it elsewhere: joins what
/// `SaveMachine` decides with apps and the network. Loop thread only.
final class LinkedSaves {
  private let ports: AgentPorts
  private let clients: ConnectedClients
  private let circle: DeviceCircle
  private let exchange: ExchangeDriver
  private let documents: LinkedDocuments
  private var machine = SaveMachine()
  /// Which app was asked under which request.
  private var asked: [RequestID: UInt64] = [:]
  private var timer: TimerNumber?

  init(
    ports: AgentPorts, clients: ConnectedClients, circle: DeviceCircle, exchange: ExchangeDriver,
    documents: LinkedDocuments
  ) {
    (self.ports, self.clients, self.circle) = (ports, clients, circle)
    (self.exchange, self.documents) = (exchange, documents)
  }

  /// A person goes on with that offer here; the exchange is told once what came of asking.
  func ask(_ offer: OfferID) { feed(.wants(offer)) }

  /// Takes a word of another device.
  func hear(_ word: SaveWord, from device: DeviceID, over link: LinkNumber) {
    feed(.said(word, device, link))
  }

  /// These links there are now.
  func use(_ links: [LinkNumber: DeviceID]) { feed(.linked(links)) }

  /// This device's record states these activities, and no others, and has gone out on links.
  func state(_ activities: [ActivitySnapshot]) {
    let stated = activities.map {
      (
        $0.id,
        SaveMachine.Stated(
          changedAt: $0.changedAt, digest: $0.continuedDigest, hasUnsavedChanges: $0.hasTextAfter)
      )
    }
    feed(.stated(Dictionary(stated) { first, _ in first }))
  }

  /// An app says what came of it. One that was not asked under that request says nothing.
  func take(_ answer: SaveAnswer, to request: RequestID, from client: UInt64) {
    guard asked[request] == client else { return }
    asked[request] = nil
    feed(.answered(request, answer))
  }

  /// What it was asked is not answered any more.
  func clientEnded(_ client: UInt64) {
    for request in asked.filter({ $0.value == client }).keys.sorted() {
      asked[request] = nil
      feed(.ended(request))
    }
  }

  private func feed(_ event: SaveMachine.Event) {
    for action in machine.handle(event, at: ports.now) { perform(action) }
    if !asked.isEmpty { asked = asked.filter { machine.awaits($0.key) } }
    ports.scheduler.cancel(timer)
    timer = machine.nextMoment.map { moment in
      ports.scheduler.schedule(at: moment) { [weak self] in self?.feed(.time) }
    }
  }

  private func perform(_ action: SaveMachine.Action) {
    switch action {
    case .say(let word, let link): ports.network.send(.send(link, .request, word.encoded))
    case .ask(let place, let activity, let device):
      let request: RequestID = ports.identifier()
      let refusal = pass(request, activity, to: device)
      feed(.passedOn(place, request, refusal))
    case .end(let offer, let outcome): exchange.feed(.saveEnded(offer, outcome))
    }
  }

  /// Asks the app that has the activity; what keeps it from that. Only what a device is offered, and could
  /// continue, is saved for it.
  private func pass(_ request: RequestID, _ activity: ActivityID, to device: DeviceID) -> SaveRefusal? {
    guard documents.offers(activity, to: device) else { return .unknownActivity }
    guard let holder = exchange.machine.holder(of: activity), clients.takes(.saves, holder.rawValue),
      let connection = clients.connection(of: holder)
    else { return .appGone }
    // One that reads nothing is not asked one thing after the other.
    guard !connection.isBehind else { return .busy }
    let report = AgentReport.saveNow(request, activity, device: circle.name(of: device))
    guard connection.send(.report(report)) == .sent else { return .appGone }
    asked[request] = holder.rawValue
    return nil
  }
}
