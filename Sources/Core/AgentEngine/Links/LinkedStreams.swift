// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import ActivityWire
import LocalNetwork

/// Continuation streams over links: joins what `StreamMachine` decides with apps, sockets and the network.
/// Loop thread only.
///
/// Each app gets both ends of its socket, of which the network process has one as well. So whatever process
/// dies, the app hears why before it reads an end.
final class LinkedStreams {
  /// So many deliveries of a client are remembered, and so many activities that are offered no more.
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
    /// Counts publications: the oldest are forgotten.
    var offeredLast: UInt64
  }

  /// A pair of streams of an app here.
  private struct Pair {
    let client: UInt64
    /// Both ends, until they are handed over.
    var ends: (app: any OpenFile, other: any OpenFile)?
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
  private var publications: UInt64 = 0
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
    publications += 1
    for id in sources.keys { sources[id]?.isOffered = false }
    for activity in activities {
      guard activity.flags.contains(.streams), let client = holder(activity.id) else {
        sources[activity.id] = nil
        continue
      }
      let former = sources[activity.id]
      sources[activity.id] = Source(
        client: client.rawValue, folder: activity.document?.folder, devices: former?.devices ?? [],
        offeredLast: publications)
    }
    forgetSources()
  }

  /// What nobody can ask for any more, and the oldest of what is offered no more.
  private func forgetSources() {
    sources = sources.filter { $0.value.isOffered || !$0.value.devices.isEmpty }
    let former = sources.filter { !$0.value.isOffered }
    guard former.count > Self.memory else { return }
    let oldest = former.sorted { ($0.value.offeredLast, $0.key) < ($1.value.offeredLast, $1.key) }
    for (id, _) in oldest.prefix(former.count - Self.memory) { sources[id] = nil }
  }

  /// A device has continued these: it may have streams to what is not offered any more, where it could
  /// continue that at all.
  func continued(_ claims: [Claim], by device: DeviceID) {
    for claim in claims where claim.outcome.isContinued {
      guard let source = sources[claim.activity], has(device, source.folder) else { continue }
      sources[claim.activity]?.devices.insert(device)
    }
  }

  private func has(_ device: DeviceID, _ folder: FolderID?) -> Bool {
    folder.map { folders.isShared($0, with: device) } ?? true
  }

  /// Its streams end as the kernel ends them.
  func clientEnded(_ client: UInt64) {
    delivered[client] = nil
    sources = sources.filter { $0.value.client != client }
    for (request, pair) in pairs.sorted(by: { $0.key < $1.key }) where pair.client == client {
      if pair.ends != nil { abandon(request) }
    }
  }

  private func abandon(_ request: RequestID) {
    pairs[request] = nil
    feed(.abandoned(request))
  }

  // MARK: Asking

  /// An app wants streams under that request, to what it was handed under `delivery`.
  func open(_ request: RequestID, to delivery: RequestID, for client: UInt64) {
    guard pairs[request] == nil else { return }
    guard let known = delivered[client]?.first(where: { $0.request == delivery }) else {
      tell(
        client, request,
        .failed(
          ContinuityError(
            .invalidRequest, subject: "streams",
            description: "This activity was not delivered over this connection to the agent: continue it "
              + "again.")))
      return
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
    for action in machine.handle(event, at: ports.now) {
      // What could not be opened is not asked for.
      guard perform(action) else { break }
    }
    ports.scheduler.cancel(timer)
    timer = machine.nextMoment.map { moment in
      ports.scheduler.schedule(at: moment) { [weak self] in self?.feed(.time) }
    }
  }

  /// False where the rest is of no use.
  private func perform(_ action: StreamMachine.Action) -> Bool {
    switch action {
    case .open(let request, let place):
      do throws(ContinuityError) { try carry(request, at: place) } catch {
        end(request, because: error)
        feed(.abandoned(request))
        return false
      }
    case .say(let word, let link): ports.network.send(.send(link, .request, word.encoded))
    case .give(let request):
      guard !give(request, as: .opened) else { break }
      end(request, because: Self.noFiles)
      feed(.abandoned(request))
    case .connect(let place, let activity, let device):
      let request: RequestID = ports.identifier()
      let refusal = connect(request, to: activity, of: device, at: place)
      if refusal != nil { pairs[request] = nil }
      feed(.connected(place, request, refusal))
    case .reset(let place, let isTold):
      ports.network.send(.reset(place.link, place.stream, isTold: isTold))
    case .end(let request, let failure): end(request, because: failure.map(error))
    }
    return true
  }

  private func carry(_ request: RequestID, at place: StreamMachine.Place) throws(ContinuityError) {
    let ends = try ports.sockets.make()
    pairs[request]?.ends = ends
    ports.network.send(.carry(place.link, place.stream), with: ends.other)
  }

  /// Hands an app its end, and before that the other one to keep; false where that is not possible.
  private func give(_ request: RequestID, as report: StreamsReport) -> Bool {
    guard let pair = pairs[request], let ends = pair.ends else { return false }
    pairs[request]?.ends = nil
    return tell(pair.client, request, .prepared, beside: ends.other)
      && tell(pair.client, request, report, beside: ends.app)
  }

  /// Hands the app that has the activity its end; what keeps it from that.
  private func connect(
    _ request: RequestID, to activity: ActivityID, of device: DeviceID, at place: StreamMachine.Place
  ) -> StreamRefusal? {
    guard let source = sources[activity], mayHave(source, device) else {
      guard offered.contains(activity) else { return .unknownActivity }
      return holder(activity) == nil ? .appGone : .unsupported
    }
    guard clients.takes(.streams, source.client) else { return .appGone }
    // One that reads nothing is not handed one socket after the other.
    guard clients.connection(of: ClientNumber(rawValue: source.client))?.isBehind == false else {
      return .busy
    }
    pairs[request] = Pair(client: source.client)
    do throws(ContinuityError) { try carry(request, at: place) } catch { return .busy }
    guard give(request, as: .offered(activity, device: circle.name(of: device))) else {
      ports.network.send(.reset(place.link, place.stream, isTold: false))
      return .busy
    }
    sources[activity]?.devices.insert(device)
    return nil
  }

  /// A member may have streams to what it can continue, or has continued.
  private func mayHave(_ source: Source, _ device: DeviceID) -> Bool {
    has(device, source.folder) && (source.isOffered || source.devices.contains(device))
  }

  private func end(_ request: RequestID, because error: ContinuityError?) {
    guard let pair = pairs.removeValue(forKey: request) else { return }
    tell(pair.client, request, error.map { .failed($0) } ?? .ended)
  }

  /// Whether that is on its way.
  @discardableResult
  private func tell(
    _ client: UInt64, _ request: RequestID, _ report: StreamsReport, beside file: (any OpenFile)? = nil
  ) -> Bool {
    let connection = clients.connection(of: ClientNumber(rawValue: client))
    return connection?.send(.report(.streams(request, report)), file: file) == .sent
  }

  // MARK: Reasons

  private static let noFiles = ContinuityError(
    .connectionUnavailable, subject: "streams",
    description: "The agent has too many files open: close some streams, and ask again.")

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
