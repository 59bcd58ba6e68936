// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import ActivityWire
import LocalNetwork
import SyncedFolders

/// Which documents are open, told between linked devices (semantics 34h): joins what `PresenceMachine`
/// decides with apps, folders and the network. Of folders alone where a person wants that, to devices alone
/// that have the folder, and of documents alone that are offered. Nothing of it is kept or logged. Loop
/// thread only.
final class LinkedPresence {
  private let ports: AgentPorts
  private let clients: ConnectedClients
  private let circle: DeviceCircle
  private let folders: FolderRegistry
  private let exchange: ExchangeDriver
  private let documents: LinkedDocuments
  private var machine = PresenceMachine()
  /// Where cursors are, as each app says of what it has.
  private var lines: [UInt64: [ActivityID: UInt32]] = [:]
  private var devices: Set<DeviceID> = []
  /// What each app was told last, where somebody else is there.
  private var told: [UInt64: [ActivityID: [DocumentPresence]]] = [:]
  /// Whether others were told of something here.
  private var isTelling = false
  private var isLooking = false
  private var timer: TimerNumber?

  /// So many documents' lines are taken of one app.
  private static let limit = 64

  init(
    ports: AgentPorts, clients: ConnectedClients, circle: DeviceCircle, folders: FolderRegistry,
    exchange: ExchangeDriver, documents: LinkedDocuments
  ) {
    (self.ports, self.clients, self.circle) = (ports, clients, circle)
    (self.folders, self.exchange, self.documents) = (folders, exchange, documents)
  }

  /// What other devices told, of which apps are shown a part.
  var heard: [DeviceID: [ActivityID: PresenceMachine.Place]] { machine.places }

  /// An app's cursor is there; what it says of others' activities counts for nothing.
  func move(_ activity: ActivityID, to line: UInt32, by client: UInt64) {
    if lines[client]?.count ?? 0 >= Self.limit {
      // Those of documents that were closed since make room.
      lines[client] = lines[client]?.filter { documents.offered[$0.key] != nil }
    }
    guard lines[client]?[activity] != nil || lines[client]?.count ?? 0 < Self.limit else { return }
    lines[client, default: [:]][activity] = line
    if !devices.isEmpty, documents.offered[activity] != nil { tell() }
  }

  /// Its documents are not open any more.
  func clientEnded(_ client: UInt64) {
    lines[client] = nil
    told[client] = nil
    look()
  }

  /// These links there are now.
  func use(_ links: [LinkNumber: DeviceID]) {
    devices = Set(links.values)
    feed(.linked(links))
    look()
  }

  /// Takes a word of another device.
  func hear(_ word: PresenceWord, from device: DeviceID, over link: LinkNumber) {
    feed(.said(word, device, link))
  }

  /// Offers, folders, or who is there may be others now: looked at in a turn of its own, once for all that
  /// comes in this one.
  func look() {
    guard !isLooking, folders.shareAnyPresence && !devices.isEmpty || isTelling || !told.isEmpty else {
      return
    }
    isLooking = true
    ports.scheduler.schedule(at: ports.now) { [weak self] in
      guard let self else { return }
      self.isLooking = false
      self.tell()
      self.show()
    }
  }

  /// Tells other devices what is open here.
  private func tell() {
    var told: [ActivityID: PresenceMachine.Told] = [:]
    for (activity, document) in documents.offered where folders.sharesPresence(in: document.folder) {
      // What was left open by an app that is gone has nobody before it.
      guard let holder = exchange.machine.holder(of: activity) else { continue }
      let line = lines[holder.rawValue]?[activity]
      let listeners = devices.filter { documents.offered(activity, to: $0) != nil }
      told[activity] = PresenceMachine.Told(PresenceMachine.Place(line: line), to: listeners)
    }
    isTelling = !told.isEmpty
    feed(.tells(told))
  }

  private func feed(_ event: PresenceMachine.Event) {
    for action in machine.handle(event, at: ports.now) {
      switch action {
      case .say(let word, let link): ports.network.send(.send(link, .request, word.encoded))
      case .show: show()
      }
    }
    ports.scheduler.cancel(timer)
    timer = machine.nextMoment.map { moment in
      ports.scheduler.schedule(at: moment) { [weak self] in self?.feed(.time) }
    }
  }

  // MARK: What apps are told

  private func show() {
    let present = placesOfOthers()
    guard !present.isEmpty || !told.isEmpty else { return }
    for (client, _) in clients.apps where clients.takes(.presence, client.rawValue) {
      // One that reads nothing hears the newest once it does.
      guard clients.connection(of: client)?.isBehind == false else { continue }
      var shown: [ActivityID: [DocumentPresence]] = [:]
      for (activity, document) in exchange.machine.documents(of: client) {
        shown[activity] = present[folders.place(of: document)]
      }
      let former = told[client.rawValue] ?? [:]
      told[client.rawValue] = shown.isEmpty ? nil : shown
      for activity in Set(former.keys).union(shown.keys).sorted() where former[activity] != shown[activity] {
        clients.send(.report(.presence(activity, shown[activity] ?? [])), to: client.rawValue)
      }
    }
  }

  /// Who is where, by the documents of folders where a person wants that; one place for each device.
  private func placesOfOthers() -> [DocumentPlace: [DocumentPresence]] {
    var found: [DocumentPlace: [DocumentPresence]] = [:]
    for (device, places) in machine.places.sorted(by: { $0.key < $1.key }) {
      for (activity, place) in places.sorted(by: { $0.key < $1.key }) {
        let offer = OfferID(device: device, activity: activity)
        guard let document = exchange.snapshot(of: offer)?.document,
          folders.sharesPresence(in: document.folder)
        else { continue }
        let presence = DocumentPresence(
          offer: offer, deviceName: circle.name(of: device), line: place.line)
        let key = folders.place(of: document)
        if found[key]?.last?.offer.device == device {
          // Of several apps there the one that says where it is.
          if found[key]?.last?.line == nil, place.line != nil { found[key]?.removeLast() } else { continue }
        }
        found[key, default: []].append(presence)
      }
    }
    return found
  }
}
