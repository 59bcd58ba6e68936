// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import ActivityWire
import LocalNetwork

/// Continuation streams over links: joins what `StreamMachine` decides with apps, sockets and the network.
/// Loop thread only.
///
/// Of each pair this keeps the end that the network process has as well. Whatever becomes of that process,
/// the app hears why before it reads an end.
final class LinkedStreams {
  /// So many deliveries of a client are remembered, and so many of its activities.
  static let memory = 64

  /// What was handed to an app.
  private struct Delivered {
    let request: RequestID
    let offer: OfferID
  }

  /// An activity of an app here that takes streams.
  private struct Source {
    let client: UInt64
    /// The folder of its document.
    let folder: FolderID?
    /// Whether this device offers it now.
    var isOffered = true
    /// The devices that have had it, or streams to it.
    var devices: Set<DeviceID> = []
  }

  /// A pair of streams of an app here.
  private struct Pair {
    let client: UInt64
    /// Until it is handed over.
    var app: (any OpenFile)?
    var other: (any OpenFile)?
  }

  private let ports: AgentPorts
  private let folders: FolderRegistry
  private let clients: ConnectedClients
  private let circle: DeviceCircle
  /// The app that offers an activity now.
  private let holder: (ActivityID) -> ClientNumber?
  private var machine = StreamMachine()
  private var delivered: [UInt64: [Delivered]] = [:]
  private var sources: [ActivityID: Source] = [:]
  /// What this device offers, with streams or without.
  private var offered: Set<ActivityID> = []
  private var pairs: [RequestID: Pair] = [:]
  private var timer: TimerNumber?

  init(
    ports: AgentPorts, folders: FolderRegistry, clients: ConnectedClients, circle: DeviceCircle,
    holder: @escaping (ActivityID) -> ClientNumber?
  ) {
    (self.ports, self.folders, self.clients, self.circle) = (ports, folders, clients, circle)
    self.holder = holder
  }

  // MARK: What apps have

  /// An app got this offer under that request, and may ask its device for streams.
  func delivered(_ offer: OfferID, as request: RequestID, to client: UInt64) {
    let former = delivered[client, default: []].filter { $0.request != request }.suffix(Self.memory - 1)
    delivered[client] = former + [Delivered(request: request, offer: offer)]
  }

  /// This device offers these activities, and no others.
  func offer(_ activities: [ActivitySnapshot]) {
    offered = Set(activities.map(\.id))
    for id in sources.keys { sources[id]?.isOffered = false }
    for activity in activities {
      guard activity.flags.contains(.streams), let client = holder(activity.id) else {
        sources[activity.id] = nil
        continue
      }
      let former = sources[activity.id]
      sources[activity.id] = Source(
        client: client.rawValue, folder: activity.document?.folder, devices: former?.devices ?? [])
    }
    // What nobody can ask for any more.
    sources = sources.filter { $0.value.isOffered || !$0.value.devices.isEmpty }
  }

  /// A device has continued these: it may have streams to what is not offered any more.
  func continued(_ claims: [Claim], by device: DeviceID) {
    for claim in claims where claim.outcome.isContinued { sources[claim.activity]?.devices.insert(device) }
  }

  /// Its streams end as the kernel ends them.
  func clientEnded(_ client: UInt64) {
    delivered[client] = nil
    sources = sources.filter { $0.value.client != client }
    for (request, pair) in pairs.sorted(by: { $0.key < $1.key }) where pair.client == client {
      pairs[request]?.app = nil
      feed(.abandoned(request))
    }
  }

  // MARK: Asking

  /// An app wants streams under that request, to what it was handed under `delivery`.
  func open(_ request: RequestID, to delivery: RequestID, for client: UInt64) {
    guard pairs[request] == nil else { return }
    guard let known = delivered[client]?.first(where: { $0.request == delivery }) else {
      return tell(
        client, request,
        .failed(
          ContinuityError(
            .invalidRequest, subject: "streams",
            description: "This activity was not delivered over this connection to the agent: continue it "
              + "again.")))
    }
    pairs[request] = Pair(client: client)
    feed(.asked(request, known.offer))
  }

  /// Takes a word of another device.
  func hear(_ word: StreamWord, from device: DeviceID, over link: LinkNumber) {
    feed(.said(word, device, link))
  }

  /// Takes `streamEnded`.
  func take(_ report: LinkReport) {
    guard case .streamEnded(let link, let stream, let end) = report else { return }
    feed(.ended(StreamMachine.Place(on: link, as: stream), end))
  }

  /// These links there are now.
  func use(_ links: [LinkNumber: DeviceID]) { feed(.linked(links)) }

  private func feed(_ event: StreamMachine.Event) {
    for action in machine.handle(event, at: ports.now) { perform(action) }
    ports.scheduler.cancel(timer)
    timer = machine.nextMoment.map { moment in
      ports.scheduler.schedule(at: moment) { [weak self] in self?.feed(.time) }
    }
  }

  private func perform(_ action: StreamMachine.Action) {
    switch action {
    case .open(let request, let place):
      do throws(ContinuityError) { try carry(request, at: place) } catch {
        feed(.abandoned(request))
        end(request, because: error)
      }
    case .say(let word, let link): ports.network.send(.send(link, .request, word.encoded))
    case .give(let request):
      guard let pair = pairs[request], let app = pair.app else { return }
      pairs[request]?.app = nil
      tell(pair.client, request, .opened, beside: app)
    case .connect(let place, let activity, let device):
      let request: RequestID = ports.identifier()
      feed(.connected(place, request, connect(request, to: activity, of: device, at: place)))
    case .reset(let place): ports.network.send(.reset(place.link, place.stream))
    case .end(let request, let failure): end(request, because: failure.map(error))
    }
  }

  private func carry(_ request: RequestID, at place: StreamMachine.Place) throws(ContinuityError) {
    let (app, other) = try ports.sockets.make()
    pairs[request]?.app = app
    pairs[request]?.other = other
    ports.network.send(.carry(place.link, place.stream), with: other)
  }

  /// Hands an app its end; what keeps it from that.
  private func connect(
    _ request: RequestID, to activity: ActivityID, of device: DeviceID, at place: StreamMachine.Place
  ) -> StreamRefusal? {
    guard let source = sources[activity], mayHave(source, device) else {
      guard offered.contains(activity) else { return .unknownActivity }
      return holder(activity) == nil ? .appGone : .unsupported
    }
    guard clients.takesStreams(source.client) else { return .appGone }
    pairs[request] = Pair(client: source.client)
    do throws(ContinuityError) { try carry(request, at: place) } catch {
      pairs[request] = nil
      return .busy
    }
    sources[activity]?.devices.insert(device)
    guard let app = pairs[request]?.app else { return .busy }
    pairs[request]?.app = nil
    tell(source.client, request, .offered(activity, device: circle.name(of: device)), beside: app)
    return nil
  }

  /// A member may have streams to what it can continue, or has continued.
  private func mayHave(_ source: Source, _ device: DeviceID) -> Bool {
    let isOffered = source.isOffered && (source.folder.map { folders.isShared($0, with: device) } ?? true)
    return isOffered || source.devices.contains(device)
  }

  private func end(_ request: RequestID, because error: ContinuityError?) {
    guard let pair = pairs.removeValue(forKey: request) else { return }
    tell(
      pair.client, request, error.map { .failed($0) } ?? .ended, beside: error == nil ? nil : pair.other)
  }

  private func tell(
    _ client: UInt64, _ request: RequestID, _ report: StreamsReport, beside file: (any OpenFile)? = nil
  ) {
    clients.connection(of: ClientNumber(rawValue: client))?.send(
      .report(.streams(request, report)), file: file)
  }

  // MARK: Reasons

  private func error(_ failure: StreamMachine.Failure) -> ContinuityError {
    let sentence =
      switch failure {
      case .unlinked(let device):
        "There is no link to \(circle.name(of: device)): `continuo lan status` says why."
      case .unanswered(let device):
        "\(circle.name(of: device)) does not answer: its Continuo may be of an earlier release, which has no "
          + "streams."
      case .refused(let device, .unknownActivity):
        "\(circle.name(of: device)) has this activity no more: its app has ended it, or was started again."
      case .refused(let device, .unsupported): "The app on \(circle.name(of: device)) opens no streams."
      case .refused(let device, .appGone):
        "The app on \(circle.name(of: device)) has ended, or is of a release that has no streams."
      case .refused(let device, .busy):
        "Too many streams are open on \(circle.name(of: device)): close some of them first."
      case .lost(let device): "The link to \(circle.name(of: device)) ended: open the streams again."
      case .reset(let device): "\(circle.name(of: device)) ended the streams."
      case .tooMany: "Too many streams of this activity are open: close some of them first."
      }
    return ContinuityError(.connectionUnavailable, subject: "streams", description: sentence)
  }
}
