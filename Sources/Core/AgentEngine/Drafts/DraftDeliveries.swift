// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import ActivityWire

/// Hands drafts over to the apps that continue them: has the text sent, keeps it where it outlives the power,
/// and delivers that. Joins what `DraftMachine` decides with links, files and apps. Loop thread only.
final class DraftDeliveries {
  /// What it works with.
  struct Agent {
    var hasher: HashQueue
    var clients: ConnectedClients
    var circle: DeviceCircle
    var exchange: ExchangeDriver
    /// Where the bytes come from.
    var links: LinkedDocuments
    /// The activity as this device's apps know it.
    var localised: (ActivitySnapshot) -> ActivitySnapshot
    /// Hands a delivery, with the file beside it, to the app of an acceptance.
    var hand: (Delivery, any OpenFile, OfferID, RequestID, ClientNumber) -> Void
    /// The offer is in another state: its delivery begins again.
    var again: (RequestID, ClientNumber, OfferID, ActivitySnapshot) -> Void
    /// The offer has a document by now: that is waited for.
    var overtaken: (RequestID, OfferID) -> Void
  }

  /// An accepted offer that is continued with a draft.
  private struct Acceptance {
    let client: ClientNumber
    let offer: OfferID
    let snapshot: ActivitySnapshot
  }

  private let ports: AgentPorts
  private let agent: Agent
  private var machine = DraftMachine()
  private let events = EventLine<DraftMachine.Event>()
  private var acceptances: [RequestID: Acceptance] = [:]
  /// What has come and is not kept yet.
  private var came: [RequestID: any OpenFile] = [:]
  private var timer: TimerNumber?

  init(ports: AgentPorts, agent: Agent) { (self.ports, self.agent) = (ports, agent) }

  /// Has the draft delivered; in place of what that acceptance waited for before.
  func deliver(
    _ draft: Draft, of offer: OfferID, _ snapshot: ActivitySnapshot, _ request: RequestID,
    _ client: ClientNumber
  ) {
    acceptances[request] = Acceptance(client: client, offer: offer, snapshot: snapshot)
    let isTaken = agent.clients.takes(.drafts, client.rawValue)
    feed(.wanted(request, draft, isTaken: isTaken, isHere: file(of: draft) != nil))
  }

  /// A client said more of what it takes.
  func noted(_ client: UInt64) {
    guard !acceptances.isEmpty, agent.clients.takes(.drafts, client) else { return }
    for request in acceptances.filter({ $0.value.client.rawValue == client }).keys.sorted() {
      feed(.taken(request))
    }
  }

  /// There is no draft that the offer could be continued with, or it did not come. Where the document has a
  /// file, that is continued, as it was saved.
  func fail(
    _ request: RequestID, _ offer: OfferID, _ snapshot: ActivitySnapshot, _ error: ContinuityError? = nil
  ) {
    let (name, device) = (snapshot.shownDocument, agent.circle.name(of: offer.device))
    guard snapshot.document == nil else {
      let remark = Reason.notSaved(document: name, device: device, message: nil)
      return agent.exchange.feed(.draftFailed(request, remark))
    }
    let remark = agent.exchange.machine.saveRemark(on: offer)
    let reason = remark ?? .draftOutOfReach(document: name, device: device)
    agent.exchange.feed(
      .deliveryFailed(request, error ?? ContinuityError(.documentMissing, because: reason)))
  }

  private func file(of draft: Draft) -> (any OpenFile)? {
    ports.drafts.open(draft.digest).flatMap { $0.size == draft.size ? $0 : nil }
  }

  private func feed(_ event: DraftMachine.Event) {
    events.feed(event) { event in
      for action in machine.handle(event, at: ports.now) { perform(action) }
    }
    ports.scheduler.cancel(timer)
    timer = machine.nextMoment.map { moment in
      ports.scheduler.schedule(at: moment) { [weak self] in self?.feed(.time) }
    }
  }

  private func perform(_ action: DraftMachine.Action) {
    switch action {
    case .fetch(let request, let draft): fetch(draft, for: request)
    case .keep(let request, let draft): keep(draft, for: request)
    case .deliver(let request, let draft): end(request) { hand(draft, as: request, $0) }
    case .lookAgain(let request, let draft): end(request) { lookAgain(at: draft, for: request, $0) }
    case .fail(let request): end(request) { fail(request, $0.offer, $0.snapshot) }
    case .refuse(let request): end(request) { refuse(request, $0) }
    }
  }

  /// Nothing is awaited any more: what is done then, unless the person gave the acceptance up.
  private func end(_ request: RequestID, _ body: (Acceptance) -> Void) {
    came[request] = nil
    guard let acceptance = acceptances.removeValue(forKey: request),
      agent.exchange.machine.isOpening(request, for: acceptance.client)
    else { return }
    body(acceptance)
  }

  private func fetch(_ draft: Draft, for request: RequestID) {
    guard let acceptance = acceptances[request] else { return }
    agent.links.fetch(draft, of: acceptance.offer, for: acceptance.client.rawValue) { [weak self] result in
      guard case .success(let file) = result else {
        self?.feed(.missed(request, draft.digest))
        return
      }
      self?.came[request] = file
      self?.feed(.came(request, draft.digest))
    }
  }

  private func keep(_ draft: Draft, for request: RequestID) {
    guard let file = came.removeValue(forKey: request) else { return }
    agent.hasher.keep(file, size: draft.size, in: ports.drafts) { [weak self] result in
      guard let self else { return }
      let digest = if case .success(let kept) = result { Optional(kept.digest) } else { ContentDigest?.none }
      let isRight = digest == draft.digest && self.file(of: draft) != nil
      if !isRight { ports.log("a draft that came over a link is not what was offered, or is not kept") }
      feed(.kept(request, draft.digest, isRight: isRight))
    }
  }

  /// The text did not come: it is another one by now, or in a file.
  private func lookAgain(at draft: Draft, for request: RequestID, _ acceptance: Acceptance) {
    guard let latest = agent.exchange.snapshot(of: acceptance.offer),
      latest.continuedDraft?.digest != draft.digest
    else { return fail(request, acceptance.offer, acceptance.snapshot) }
    beginAgain(request, acceptance, latest)
  }

  private func beginAgain(_ request: RequestID, _ acceptance: Acceptance, _ latest: ActivitySnapshot) {
    guard latest.continuedDraft == nil, latest.document != nil else {
      return agent.again(request, acceptance.client, acceptance.offer, latest)
    }
    agent.overtaken(request, acceptance.offer)
  }

  private func hand(_ draft: Draft, as request: RequestID, _ acceptance: Acceptance) {
    let offer = acceptance.offer
    guard let latest = agent.exchange.snapshot(of: offer), let file = file(of: draft) else {
      return fail(request, offer, acceptance.snapshot)
    }
    guard latest.draft?.digest == draft.digest else { return beginAgain(request, acceptance, latest) }
    var activity = agent.localised(latest)
    activity.flags.insert(.withDraft)
    // It is written to no file by itself, that one neither.
    activity.document = nil
    let device = agent.circle.name(of: offer.device)
    let isBehind = latest.hasTextAfter || latest.continuedDraft == nil
    let remark = isBehind ? Reason.savedBefore(document: latest.shownDocument, device: device) : nil
    let cause = agent.exchange.machine.saveRemark(on: offer) ?? remark
    let status = ArrivalStatus(.current, because: cause)
    agent.hand(
      Delivery(activity: activity, path: nil, status: status, deviceName: device), file, offer, request,
      acceptance.client)
  }

  private func refuse(_ request: RequestID, _ acceptance: Acceptance) {
    let app = agent.clients.manifest(of: acceptance.client.rawValue)?.name ?? ""
    fail(
      request, acceptance.offer, acceptance.snapshot,
      ContinuityError(
        .handoffFailed, subject: app,
        description: "\(app) opens no text without a file: save it on the other device first."))
  }
}
