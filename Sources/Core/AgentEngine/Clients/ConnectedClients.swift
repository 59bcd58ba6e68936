// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import ActivityWire

/// The clients that are connected: apps, and the command line. Loop thread only.
final class ConnectedClients {
  /// An object: a manifest is long, and would be copied with each word to its client.
  private final class Client {
    let connection: any ClientChannel
    /// Nil for the command line, and before `hello`.
    var manifest: AppManifest?
    /// How often it said its version after its hello: once for each of its abilities.
    var greetings = 0
    /// Under which number the client watches all offers, and what it was told last.
    var watchesOffers: (number: UInt64, told: [Offer])?

    init(connection: any ClientChannel) { self.connection = connection }
  }

  private var clients: [UInt64: Client] = [:]

  private var inOrder: [(key: UInt64, value: Client)] { clients.sorted { $0.key < $1.key } }

  /// Hears of a client that has connected.
  func add(_ connection: any ClientChannel) {
    clients[connection.number] = Client(connection: connection)
  }

  /// What a client was whose connection has ended.
  enum Kind { case app, commandLine }

  /// Forgets a client whose connection has ended; nil when none of that number is known.
  func remove(_ client: UInt64) -> Kind? {
    clients.removeValue(forKey: client).map { $0.manifest == nil ? .commandLine : .app }
  }

  /// The client is an app that declares this.
  func greeted(_ client: UInt64, with manifest: AppManifest) { clients[client]?.manifest = manifest }

  /// The client said its version: after its hello once more for each of its abilities.
  func notedVersion(_ client: UInt64) {
    if clients[client]?.manifest != nil { clients[client]?.greetings += 1 }
  }

  /// Whether the client is there, and no app of an earlier release, which would not understand.
  func takes(_ ability: AppAbility, _ client: UInt64) -> Bool {
    clients[client].map { $0.greetings >= ability.rawValue } ?? false
  }

  /// What that client can be told of a continuation.
  func understood(_ receipt: ContinuationReceipt, by client: UInt64) -> ContinuationReceipt {
    takes(.receipts, client) ? receipt : ContinuationReceipt(device: receipt.device)
  }

  /// Ends every connection.
  func endAll() {
    for (_, client) in inOrder { client.connection.disconnect() }
  }

  /// Whether the client is connected still.
  func contains(_ client: UInt64) -> Bool { clients[client] != nil }

  /// What the app declares; nil for the command line, and before `hello`.
  func manifest(of client: UInt64) -> AppManifest? { clients[client]?.manifest }

  /// The connection of a client that is there still.
  func connection(of client: ClientNumber) -> (any ClientChannel)? { clients[client.rawValue]?.connection }

  /// The apps that are connected.
  var manifests: [AppManifest] { clients.values.compactMap(\.manifest) }

  /// The apps that are connected, the last one first.
  var apps: [(client: ClientNumber, manifest: AppManifest)] {
    inOrder.reversed().compactMap { key, client in
      client.manifest.map { (ClientNumber(rawValue: key), $0) }
    }
  }

  /// The apps that are connected with what runs there, the first one first.
  var programs: [ClientApp] {
    inOrder.compactMap { _, client in
      client.manifest.map { ClientApp($0, program: client.connection.program) }
    }
  }

  // MARK: What they are told

  /// Tells a client that is there still.
  func send(_ message: AgentMessage, to client: UInt64) { clients[client]?.connection.send(message) }

  /// Tells every app.
  func sendToApps(_ report: AgentReport) {
    for (_, client) in inOrder where client.manifest != nil { client.connection.send(.report(report)) }
  }

  // MARK: Who watches the offers

  /// Whether somebody watches the list of all offers.
  var isWatchingOffers: Bool { clients.values.contains { $0.watchesOffers != nil } }

  /// The client hears under `number` what the list of all offers becomes; it was told `offers`.
  func watchOffers(_ client: UInt64, under number: UInt64, told offers: [Offer]) {
    clients[client]?.watchesOffers = (number, offers)
  }

  /// Tells those who watch the list what it has become.
  func report(offers: () -> [Offer]) {
    guard isWatchingOffers else { return }
    let offers = offers()
    for (key, client) in inOrder {
      guard let (number, told) = client.watchesOffers, told != offers else { continue }
      clients[key]?.watchesOffers = (number, offers)
      client.connection.send(.answer(number, .offers(offers)))
    }
  }
}
